package benchmarks

import (
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

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
