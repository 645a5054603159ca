package benchmarks

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestByName(t *testing.T) {
	for _, w := range Workloads() {
		if got, err := ByName(w.Name); err != nil || got != w {
			t.Errorf("ByName(%q): got=%v %v, want=%v", w.Name, got, err, w)
		}
	}
	if _, err := ByName("W9"); err == nil || !strings.Contains(err.Error(), `"W9", want one of W1, W2`) {
		t.Errorf("ByName(W9): got=%v, want an error that lists the workloads", err)
	}
}

func TestStartRefuses(t *testing.T) {
	for _, c := range []struct {
		workload, by    string
		agents, workers int
		want            string
	}{
		{"W2", "crowd", 0, 1, "agents is 0, want 1 or more"},
		{"W2", "crowd", 10, -1, "workers is -1"},
		{"W2", "none", 10, 1, "want one of crowd, plain, blocks, query, objects"},
		{"W2", "plain", 10, 2, "plain has one worker, not 2"},
		{"W3/obstacles=1024", "objects", 100_000, 1, "want at most 1e+08 pairs"},
		{"plaza", "plain", 10, 1, "only crowd does"},
	} {
		w, err := ByName(c.workload)
		testkit.Must(t, err)
		if _, err := w.Start(c.by, c.agents, c.workers); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s by %s: got=%v, want=…%s…", c.workload, c.by, err, c.want)
		}
	}
}

func TestPlazaResets(t *testing.T) {
	w, err := ByName("plaza")
	testkit.Must(t, err)
	p, v := after(t, w, "crowd", 300, 1, 50)
	q, u := after(t, w, "crowd", 300, 2, 50)
	for i := range p {
		if p[i] != q[i] || v[i] != u[i] {
			t.Fatalf("agent %d: got=%v %v, want=%v %v", i, q[i], u[i], p[i], v[i])
		}
	}
}

// Allocations would distort the comparison of contenders.
func TestStepsAllocateNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	for _, by := range Contenders() {
		name := "W3/obstacles=1024/moving=1%"
		if by == "blocks" {
			name = "W2" // blocks does not support W3
		}
		w, err := ByName(name)
		testkit.Must(t, err)
		r, err := w.Start(by, 50, 1)
		testkit.Must(t, err)
		for range 150 {
			r.Step()
		}
		if got := testing.AllocsPerRun(100, r.Step); got != 0 {
			t.Errorf("%s: allocations in a step: got=%v, want=0", by, got)
		}
		r.Close()
	}
}

// In a flock, this module's systems add up neighbors in several partial sums, and a plain loop adds them
// one by one, so results differ by up to 1e-6.
func TestSameBits(t *testing.T) {
	const agents, steps, most = 200, 60, 10_000 // obstacles; more are slow and test nothing new
	all := append(Workloads(), Workload{Name: "dense", Side: 200, Obstacles: 200, Archetypes: 3},
		Workload{Name: "dense and moving", Side: 200, Obstacles: 200, MovingOf: 3, Archetypes: 1})
	for _, w := range all {
		if w.Scene != "" || w.Reciprocal || w.Point || w.Obstacles > most {
			continue
		}
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			if w.Obstacles > 0 && w.Side < 250 {
				manyThreatened(t, w, agents, steps)
			}
			positions, velocities := after(t, w, "crowd", agents, 2, steps)
			for _, by := range Contenders()[1:] {
				if w.Flock && by != "plain" || by == "objects" && w.Obstacles > 2000 || by == "blocks" && w.Obstacles > 0 {
					continue // objects takes too long, or the contender does not support the workload
				}
				p, v := after(t, w, by, agents, 1, steps)
				for i := range positions {
					if w.Flock && r2.Norm(r2.Sub(p[i], positions[i])) < 1e-6 && r2.Norm(r2.Sub(v[i], velocities[i])) < 1e-6 {
						continue
					}
					if p[i] != positions[i] || v[i] != velocities[i] {
						t.Fatalf("%s: agent %d: got=%v %v, want=%v %v", by, i, p[i], v[i], positions[i], velocities[i])
					}
				}
			}
		})
	}
}

func manyThreatened(t *testing.T, w Workload, agents, steps int) {
	t.Helper()
	r, err := w.Start("crowd", agents, 1)
	testkit.Must(t, err)
	defer r.Close()
	for range steps {
		r.Step()
	}
	if got := r.(*crowd).threatened(); got < 0.2 {
		t.Errorf("share of agents under threat: got=%v, want=0.2 or more", got)
	}
}

// after first runs a few other steps and resets the crowd, so an incomplete reset changes the result.
func after(t *testing.T, w Workload, by string, agents, workers, steps int) (positions, velocities []r2.Vec) {
	t.Helper()
	r, err := w.Start(by, agents, workers)
	testkit.Must(t, err)
	defer r.Close()
	for range 7 {
		r.Step()
	}
	r.Reset()
	for range steps {
		r.Step()
	}
	return r.State()
}
