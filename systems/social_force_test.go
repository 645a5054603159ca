package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// defaults returns the component of an entry with its default parameters.
func defaults[T any](e catalog.Entry) T { return *e.New().(*T) }

// TestEllipticForce compares the force with difference quotients of the paper's potential, and with its
// values at special positions.
func TestEllipticForce(t *testing.T) {
	const strength, over, h = 2.1, 0.3, 1e-6
	potential := func(r, step r2.Vec) float64 {
		b := math.Sqrt(math.Pow(vec.Norm(r)+vec.Norm(vec.Sub(r, step)), 2)-vec.Norm2(step)) / 2
		return strength * math.Exp(-b/over)
	}
	for _, tc := range []struct{ away, step r2.Vec }{
		{xy(1, 0), r2.Vec{}},
		{xy(1, 0), xy(0, 2)},
		{xy(-0.3, 0.4), xy(1, 1)},
		{xy(1, 0.05), xy(2, 0)},
		{xy(3, 0.2), xy(2, 0)},
		{xy(0.01, 0.02), xy(0, -2.7)},
	} {
		slope := func(d r2.Vec) float64 {
			return (potential(vec.Sub(tc.away, d), tc.step) - potential(vec.Add(tc.away, d), tc.step)) / (2 * h)
		}
		want := xy(slope(xy(h, 0)), slope(xy(0, h)))
		testkit.Near(t, ellipticForce(tc.away, tc.step, strength, over), want, 1e-4*(1+vec.Norm(want)), "%v from an agent that steps by %v", tc.away, tc.step)
	}
	for _, tc := range []struct{ away, step, want r2.Vec }{
		{r2.Vec{}, xy(2, 0), r2.Vec{}},                  // at the same position
		{xy(2, 0), xy(2, 0), r2.Vec{}},                  // at the end of the step
		{xy(1, 0), xy(2, 0), xy(0, strength/over)},      // on the step: to the right as it faces the other agent
		{xy(0, 1), r2.Vec{}, xy(0, 7*math.Exp(-10/3.))}, // circles around an agent at rest
		{xy(1e200, 1), xy(2, 0), r2.Vec{}},
	} {
		testkit.Near(t, ellipticForce(tc.away, tc.step, strength, over), tc.want, 1e-12, "%v from an agent that steps by %v", tc.away, tc.step)
	}
}

// TestSocialForce1995 verifies that agents behind count half, and that a wall pushes with the
// gradient of its potential.
func TestSocialForce1995(t *testing.T) {
	par := defaults[c.SocialForce1995](socialForce1995Entry)
	s := newStage(t, 0.01, &sense.Obstacles{}, &sense.Neighbors{}, &SocialForce1995{}, &Integration{})
	walker := func(x, y float64) []any {
		return []any{c.Position{Vec: xy(x, y)}, c.Velocity{}, c.Limits{MaxSpeed: 1.34, MaxForce: 1}, par}
	}
	ahead := s.Put(append(walker(0, 0), c.Target{Vec: xy(-9, 0)})...) // the other agent is behind it
	behind := s.Put(append(walker(1, 0), c.Target{Vec: xy(-9, 0)})...)
	beside := s.Put(append(walker(0, 50), c.Target{Vec: xy(9, 50)})...)
	s.Put(c.Position{Vec: xy(-9, 49.5)}, c.Obstacle{Span: xy(18, 0), Radius: 0.1})
	s.Step()
	relax := 1 / (1 + 0.01/0.5)
	force := 7 * math.Exp(-1/0.3)
	for _, tc := range []struct {
		name      string
		got, want r2.Vec
	}{
		{"ahead", testkit.ComponentOf[c.Velocity](s, ahead).Vec, xy(-(1.34/0.5+0.5*force)*0.01*relax, 0)},
		{"behind", testkit.ComponentOf[c.Velocity](s, behind).Vec, xy((force-1.34/0.5)*0.01*relax, 0)},
		{"beside a wall", testkit.ComponentOf[c.Velocity](s, beside).Vec, xy(1.34/0.5*0.01*relax, 50*math.Exp(-0.4/0.2)*0.01*relax)},
	} {
		testkit.Near(t, tc.got, tc.want, 1e-9, "%s: velocity", tc.name)
	}
}

// TestFreeWalking verifies that a single agent approaches its desired speed with the relaxation time.
func TestFreeWalking(t *testing.T) {
	for _, tc := range []struct {
		name   string
		system any
		par    any
	}{
		{"1995", &SocialForce1995{}, defaults[c.SocialForce1995](socialForce1995Entry)},
		{"2000", &SocialForce2000{}, defaults[c.SocialForce2000](socialForce2000Entry)},
	} {
		s := newStage(t, 0.001, &sense.Obstacles{}, &sense.Neighbors{}, tc.system, &Integration{})
		e := s.Put(c.Position{}, c.Velocity{}, c.Radius{Meters: 0.3}, c.Target{Vec: xy(100, 0)}, c.Limits{MaxSpeed: 1.5, MaxForce: 0.1}, tc.par)
		for step := 1; step <= 4000; step++ {
			s.Step()
			if want := 1.5 * (1 - math.Exp(-float64(step)*0.001/0.5)); math.Abs(testkit.ComponentOf[c.Velocity](s, e).X-want) > 0.002 {
				t.Fatalf("%s: speed after %d ms: got=%v, want=%v", tc.name, step, testkit.ComponentOf[c.Velocity](s, e).X, want)
			}
		}
	}
}

// TestContact verifies that the force of a contact follows the paper, for a short step.
func TestContact(t *testing.T) {
	par := defaults[c.SocialForce2000](socialForce2000Entry)
	const mass, tau, dt = 80, 0.5, 1e-7
	for _, tc := range []struct {
		name       string
		away, v, w r2.Vec
		depth      float64
		want       r2.Vec // N
	}{
		{"where bodies touch", xy(1, 0), r2.Vec{}, r2.Vec{}, 0, xy(2000, 0)},
		{"apart", xy(0, 1), xy(1, 0), xy(0, 1), -0.08, xy(0, 2000/math.E)},
		{"in each other", xy(-1, 0), r2.Vec{}, r2.Vec{}, 0.01, xy(-2000*math.Exp(0.125)-1200, 0)},
		{"rubbing", xy(1, 0), xy(3, 1), xy(-2, 3), 0.01, xy(2000*math.Exp(0.125)+1200, 2400*2)},
		{"rubbing aslant", xy(0.6, 0.8), xy(0, 0), xy(0, 1), 0.01, vec.AddScaled(vec.Scale(2000*math.Exp(0.125)+1200, xy(0.6, 0.8)), 2400*0.6, xy(-0.8, 0.6))},
	} {
		var all contact
		all.add(tc.away, tc.depth, tc.w, &par)
		got := vec.Scale(mass/dt, vec.Sub(all.velocity(tc.v, tc.v, mass, tau, dt), tc.v))
		if !vecWithin(got, tc.want, 1) {
			t.Errorf("%s: force: got=%v N, want=%v", tc.name, got, tc.want)
		}
	}
}

// TestSocialForce2000IsStable verifies that agents in a jam at a wall are no faster than one radius per
// step, or than MaxSpeed if that is higher.
func TestSocialForce2000IsStable(t *testing.T) {
	for _, dt := range []float64{0, 0.001, 0.01, 1. / 60, 0.1, 1, 30} {
		s := newStage(t, dt, &sense.Obstacles{}, &sense.Neighbors{}, &SocialForce2000{}, &Integration{})
		s.Put(c.Position{Vec: xy(0, -20)}, c.Obstacle{Span: xy(0, 40)})
		for i := range 60 {
			s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: xy(-1-0.5*float64(i/8), 0.45*float64(i%8))}, c.Velocity{}, c.Radius{Meters: 0.3},
				c.Mass{Kilograms: 80}, c.Target{Vec: xy(5, 2)}, c.Limits{MaxSpeed: 5, MaxForce: 1}, defaults[c.SocialForce2000](socialForce2000Entry))
		}
		fastest := 0.
		for range 300 {
			s.Step()
			each(s, func(v c.Velocity) { fastest = max(fastest, vec.Norm(v.Vec)) })
		}
		if most := max(5, 0.3/dt); !(fastest <= most*(1+1e-9)) || dt == 0.01 && fastest > 15 {
			t.Errorf("steps of %v s: fastest: got=%v m/s, want=at most %v, or 15 with steps of 0.01 s", dt, fastest, most)
		}
		if n := s.Frame.Stats().Skipped; n > 0 {
			t.Errorf("steps of %v s: skipped rows: got=%d, want=0", dt, n)
		}
	}
}
