package world

import (
	"runtime"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestSmallRoom verifies that a world of 100 agents takes at most 600 kB, and 1 kB more per idle worker.
func TestSmallRoom(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns, which takes more memory")
	}
	takes := func(workers int) int {
		before := heap()
		config := Default()
		config.Workers = workers
		w := made(t, config)
		Value(w.AddObstacle(r2.Vec{X: -2, Y: -2}, c.Obstacle{Span: r2.Vec{X: 14}, Radius: 0.1}))
		agent := []any{c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 8}, c.Target{}, c.Seek{Gain: 2}, c.Goal{Radius: 0.5},
			c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 0.5, NeighborDist: 5, MaxNeighbors: 10}}
		must(t, w.Spawn(100, agent, func(r *Rows) {
			for i, p := 0, Column[c.Position](r); i < len(p); i++ {
				p[i].Vec = r2.Vec{X: float64(i % 10), Y: float64(i / 10)}
			}
		}))
		run(t, w, 5)
		return heap() - before
	}
	takes(1) // allocates the memory that all worlds share
	one, many := takes(1), takes(64)
	t.Logf("%d B with one worker, %d B with 64", one, many)
	const most, worker = 600_000, 1000 // B
	if one > most {
		t.Errorf("one worker: got=%d B, want=%d or less", one, most)
	}
	if many > one+63*worker {
		t.Errorf("64 workers: got=%d B, want=%d or less, %d for each idle worker", many, one+63*worker, worker)
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
