package measure

import (
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestEncountersOfManySuccessors verifies that collisions are counted by agent in a jam in which many
// leave in each step and others come, in the same place and with the same entity id, or that of
// another who left: beside all pairs, by names that none has twice. It does not matter
// whether the newcomers were announced; if not, they are measured from the end of their first step.
func TestEncountersOfManySuccessors(t *testing.T) {
	type person struct {
		name   int
		e      ecs.Entity
		at     r2.Vec
		radius float64
		unseen bool // until the end of the step
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		announced := seed%3 != 0
		m := newMeeting(t, 0.1, 1+int(seed%2))
		var all []person
		names, reused, want := 0, 0, 0
		owner := map[ecs.Entity]bool{}
		ids := map[uint32]bool{}
		enter := func(at r2.Vec) {
			names++
			p := person{name: names, at: at, radius: 0.25 + 0.1*r.Float64(), unseen: !announced && len(m.agents) >= 40}
			p.e = m.agent(at, p.radius)
			if owner[p.e] {
				t.Fatalf("entity %v twice", p.e)
			}
			if owner[p.e] = true; ids[p.e.ID()] {
				reused++
			}
			ids[p.e.ID()] = true
			all = append(all, p)
		}
		for range 40 {
			enter(xy(4*r.Float64(), 4*r.Float64()))
		}
		m.trips.Begin(m.World)
		before := map[[2]int]bool{}
		for range 60 {
			var left []r2.Vec
			for i := len(all) - 1; i >= 0; i-- {
				if r.IntN(8) == 0 {
					left = append(left, all[i].at)
					m.RemoveEntity(all[i].e)
					all = append(all[:i], all[i+1:]...)
				}
			}
			r.Shuffle(len(left), func(i, k int) { left[i], left[k] = left[k], left[i] })
			for _, at := range left {
				if r.IntN(6) > 0 {
					enter(at)
				} else {
					enter(xy(4*r.Float64(), 4*r.Float64()))
				}
			}
			if announced {
				m.trips.Begin(m.World)
			}
			now := map[[2]int]bool{}
			from := make([]r2.Vec, len(all))
			for i := range all {
				from[i] = all[i].at
				all[i].at = vec.Add(all[i].at, xy(0.1*r.NormFloat64(), 0.1*r.NormFloat64()))
				testkit.ComponentOf[c.Position](m.stage, all[i].e).Vec = all[i].at
			}
			for i := range all {
				for k := range i {
					a, b := &all[k], &all[i]
					if a.unseen || b.unseen {
						continue
					}
					dp := vec.Sub(from[i], from[k])
					_, d := approach(dp, vec.Sub(vec.Sub(b.at, a.at), dp), 1)
					key := [2]int{min(a.name, b.name), max(a.name, b.name)}
					if a.radius+b.radius-d > tolerance {
						if now[key] = true; !before[key] {
							want++
						}
					}
				}
			}
			for i := range all {
				all[i].unseen = false
			}
			before = now
			m.Step()
		}
		if got := m.agentCollisions.Count().Collisions; got != want || want < 500 || reused < 200 {
			t.Errorf("seed %d, announced %v: got=%d collisions, want=%d; %d entity ids used again, want 200 or more", seed, announced, got, want, reused)
		}
	}
}
