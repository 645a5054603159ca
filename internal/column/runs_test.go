package column

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
)

// sized returns a world with runs of the given numbers of rows. Alternately, a run has its own archetype, or
// its own relation target.
func sized(rows ...int) *ecs.World {
	w := ecs.NewWorld(1)
	probes(&w)
	pos, rel := ecs.ComponentID[point](&w), ecs.ComponentID[relation](&w)
	marks := tags(&w, len(rows))
	for i, n := range rows {
		if i%2 == 0 {
			ecs.NewBuilder(&w, pos, marks[i]).NewBatch(n)
		} else {
			ecs.NewBuilder(&w, pos, rel).WithRelation(rel).NewBatch(n, w.NewEntity())
		}
	}
	return &w
}

func TestWalkAllocates(t *testing.T) {
	if Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	w, walker := sized(100, 3, 1, 20, 7), Walker{}
	pos, rel := SourceOf[point](w), SourceOf[relation](w)
	filter := w.Cache().Register(ecs.All(pos.ID))
	runs := []Run(nil)
	var sum float64
	walk := func() {
		q := w.Query(&filter)
		defer q.Close()
		runs = walker.Walk(w, &q, runs)
		for i := range runs {
			r := &runs[i]
			for _, p := range Rows[point](pos.Load(r), 0, r.Rows) {
				sum += p.X
			}
			sum += float64(len(Rows[relation](rel.Load(r), 0, r.Rows)))
			sum += float64(r.Entity(r.Rows - 1).ID())
		}
	}
	if got := testing.AllocsPerRun(20, walk); got != 0 {
		t.Errorf("allocations: got=%v, want=0", got)
	}
	wrong := func() {
		for i := range runs {
			runs[i].Rows += 5 - 2*i
		}
		walk()
	}
	if got := testing.AllocsPerRun(20, wrong); got != 0 {
		t.Errorf("allocations after a wrong guess: got=%v, want=0", got)
	}
}
