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

// counterflow makes people walk in both directions through a corridor. before and after are the degree to
// which each direction forms its own lanes: the mean over people of ((n1 - n2)/(n1 + n2))², for the n1 and
// n2 people of each direction in their strip along the corridor, so 1 for lanes and near 0 for a mix. speed
// is the mean speed at the end, as a share of the free speed.
func counterflow(t *testing.T, m pedestrianModel, seconds float64) (before, after, speed float64) {
	const (
		n, length, width, dt = 40, 20, 4, 0.02
		v0                   = 1.34
	)
	s := newStage(t, dt, &sense.Obstacles{}, &sense.Neighbors{Wrap: r2.NewBox(0, -width, length, width+20)}, m.system(), &Integration{},
		&Bounds{Mode: BoundsWrap, Box: r2.NewBox(0, -width, length, width+20)})
	for _, y := range []float64{0, width} {
		s.Put(c.Position{Vec: xy(-20, y)}, c.Obstacle{Span: xy(3*length, 0)})
	}
	var people []ecs.Entity
	for i := range n {
		way := float64(1 - 2*(i%2))
		at := xy(length*(float64(i/4)+0.8*frame.HashFloat(3, uint64(i), 0, 1))/(n/4), 0.3+(width-0.6)*frame.HashFloat(3, uint64(i), 0, 2))
		people = append(people, s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: at}, c.Velocity{Vec: xy(way*v0, 0)}, c.Heading{Vec: xy(way, 0)}, c.Radius{Meters: 0.2},
			c.Mass{Kilograms: 80}, c.Target{Vec: xy(way*1e6, at.Y)}, c.Limits{MaxSpeed: v0}, m.par))
	}
	lanes := func() (order float64) {
		const strips = 8
		var all, sum [strips]float64
		for i, e := range people {
			k := min(strips-1, max(0, int(placeOf(s, e).Y/width*strips)))
			all[k], sum[k] = all[k]+1, sum[k]+float64(1-2*(i%2))
		}
		for k := range all {
			if all[k] > 0 {
				order += all[k] / n * (sum[k] / all[k]) * (sum[k] / all[k])
			}
		}
		return order
	}
	before = lanes()
	last := int(seconds / dt)
	for step := range last {
		for i, e := range people { // all want to go straight
			testkit.ComponentOf[c.Target](s, e).Y = placeOf(s, e).Y
			testkit.ComponentOf[c.Target](s, e).X = float64(1-2*(i%2)) * 1e6
		}
		s.Step()
		if step >= last*3/4 {
			for i, e := range people {
				speed += testkit.ComponentOf[c.Velocity](s, e).X * float64(1-2*(i%2)) / v0 / n / float64(last-last*3/4)
			}
		}
	}
	return before, lanes(), speed
}

// The model of 1995 forms lanes more slowly.
func TestLanesFormInCounterflow(t *testing.T) {
	for _, m := range pedestrianModels()[1:] {
		before, after, speed := counterflow(t, m, 40)
		if !(after > 0.5 && after > before+0.3 && speed > 0.7) {
			t.Errorf("%s: order of lanes: got=%.2f, %.2f before, at %.2f of the free speed, want more than 0.5, 0.3 more than before, above 0.7", m.name, after, before, speed)
		}
	}
}

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
			if !within(v.X, want, 0.02) {
				t.Fatalf("%d people: speed: got=%.3f m/s, want=%.3f ± 0.02", n, v.X, want)
			}
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

// evacuate returns the time, at most most, until nine tenths of n people with desired speed v0 have left a
// room of 15 m by 15 m through a door of 1 m.
func evacuate(t *testing.T, n int, v0, dt, most float64) float64 {
	par := defaults[c.SocialForce2000](socialForce2000Entry)
	s := street(t, dt, &SocialForce2000{})
	for _, w := range [][2]r2.Vec{{xy(15, 0), xy(0, 7)}, {xy(15, 8), xy(0, 7)}, {xy(0, 0), xy(15, 0)}, {xy(0, 15), xy(15, 0)}, {xy(0, 0), xy(0, 15)}} {
		s.Put(c.Position{Vec: w[0]}, c.Obstacle{Span: w[1]})
	}
	var people []ecs.Entity
	for i := range n {
		draw := func(use uint64) float64 { return frame.HashFloat(11, uint64(i), 0, use) }
		at := xy(14.4-0.85*float64(i/12), 2.5+0.85*float64(i%12)+0.1*draw(1))
		people = append(people, s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: at}, c.Velocity{}, c.Radius{Meters: 0.25 + 0.1*draw(2)}, c.Mass{Kilograms: 80},
			c.Target{}, c.Limits{MaxSpeed: v0, MaxForce: 1}, par))
	}
	for step := 0; float64(step)*dt < most; step++ {
		out := 0
		for _, e := range people {
			p := placeOf(s, e)
			to := xy(15, min(max(p.Y, 7.4), 7.6)) // the nearest point of the door
			if p.X > 14.8 {
				to = xy(40, p.Y)
			}
			if testkit.ComponentOf[c.Target](s, e).Vec = to; p.X > 15.3 {
				out++
			}
		}
		if out >= n*9/10 {
			return float64(step) * dt
		}
		s.Step()
	}
	return most
}

// Friction at the door cancels the gain from a higher desired speed. The paper finds a minimum with 200
// people; with 60, the time stays level.
func TestPushingGainsNothing(t *testing.T) {
	slow, fast, fastest := evacuate(t, 60, 1, 0.005, 50), evacuate(t, 60, 3, 0.005, 50), evacuate(t, 60, 5, 0.005, 50)
	if !(fast < slow && fastest > 0.9*fast) {
		t.Errorf("evacuation time: got=%.1f s at 1 m/s, %.1f s at 3 m/s, %.1f s at 5 m/s, want less at 3 m/s than at 1 m/s, and at most a tenth less at 5 m/s than at 3 m/s", slow, fast, fastest)
	}
}
