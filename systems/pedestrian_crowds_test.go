package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// The expected speed is the fundamental diagram, min(v0, (1/ρ - l)/T).
func TestSingleFile(t *testing.T) {
	const length, radius, v0 = 20, 0.15, 1.2
	for _, n := range []int{8, 20, 40, 60} {
		s := newStage(t, 0.05, &sense.Obstacles{}, &sense.Neighbors{Wrap: r2.NewBox(0, -10, length, 10)}, &CollisionFreeSpeed{}, &Integration{},
			&Bounds{Mode: BoundsWrap, Box: r2.NewBox(0, -10, length, 10)})
		for i := range n {
			x := length * (float64(i) + 0.05*frame.HashFloat(1, uint64(i), 0, 0)) / float64(n)
			s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: xy(x, 0)}, c.Velocity{}, c.Heading{Vec: xy(1, 0)}, c.Radius{Meters: radius},
				c.Target{Vec: xy(1e9, 0)}, c.Limits{MaxSpeed: v0}, defaults[c.CollisionFreeSpeed](collisionFreeSpeedEntry))
		}
		s.Steps(2000)
		want := math.Min(v0, length/float64(n)-2*radius) // T = 1 s
		each(s, func(v c.Velocity) {
			testkit.Near(t, v.X, want, 0.02, "%d people: speed", n)
		})
	}
}

func TestCollisionFree(t *testing.T) {
	const n, radius, side = 80, 0.15, 8.
	s := street(t, 0.02, &CollisionFreeSpeed{})
	var all []ecs.Entity
	for i := range n { // each walks to the other side, through the middle
		at := xy(side*float64(i%9)/8, side*float64(i/9)/8)
		all = append(all, s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: at}, c.Velocity{}, c.Radius{Meters: radius}, c.Target{Vec: xy(side-at.X, side-at.Y+0.01)},
			c.Limits{MaxSpeed: 1.2}, defaults[c.CollisionFreeSpeed](collisionFreeSpeedEntry)))
	}
	apart(t, s, all, 1500, "collision-free speed")
}

func TestAnticipation(t *testing.T) {
	meet := func(anticipation float64) (turns, closest float64) {
		par := defaults[c.AnticipationVelocity](anticipationVelocityEntry)
		par.AnticipationTime = anticipation
		s := street(t, 0.02, &AnticipationVelocity{Seed: 1})
		walk := func(id uint64, way, y float64) ecs.Entity {
			return s.Put(c.Agent{ID: id}, c.Position{Vec: xy(-5*way, y)}, c.Velocity{Vec: xy(way*1.34, 0)}, c.Heading{Vec: xy(way, 0)}, c.Radius{Meters: 0.2},
				c.Target{Vec: xy(20*way, y)}, c.Limits{MaxSpeed: 1.34}, par)
		}
		a, b := walk(1, 1, 0.02), walk(2, -1, -0.02) // nearly face to face
		closest = inf
		for range 500 {
			s.Step()
			d := vec.Norm(vec.Sub(placeOf(s, a), placeOf(s, b)))
			if closest = min(closest, d); turns == 0 && math.Abs(placeOf(s, a).Y-placeOf(s, b).Y) > 0.1 {
				turns = d
			}
		}
		if placeOf(s, a).X < 1 {
			t.Errorf("anticipation %v s: got=%v and %v, want past each other", anticipation, placeOf(s, a), placeOf(s, b))
		}
		return turns, closest
	}
	early, apart := meet(1)
	late, near := meet(0)
	if !(apart >= 0.4 && near >= 0.4) {
		t.Errorf("closest: got=%.3f and %.3f m between centers, want=0.4 or more", apart, near)
	}
	if !(early > late+1) {
		t.Errorf("distance at which they turn aside: got=%.2f m, and %.2f m without anticipation, want at least 1 m more with it", early, late)
	}
}
