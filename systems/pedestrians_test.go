package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func each[T any](s *stage, visit func(T)) {
	query := s.Query(ecs.All(ecs.ComponentID[T](s.World)))
	for query.Next() {
		visit(*(*T)(query.Get(ecs.ComponentID[T](s.World))))
	}
}

func street(t testing.TB, dt float64, model any) *stage {
	return newStage(t, dt, &sense.Obstacles{}, &sense.Neighbors{}, model, &Integration{})
}

func defaults[T any](e catalog.Entry) T { return *e.New().(*T) }

// The expected forces are difference quotients of the paper's potential.
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

func TestSocialForce1995(t *testing.T) {
	par := defaults[c.SocialForce1995](socialForce1995Entry)
	s := street(t, 0.01, &SocialForce1995{})
	walker := func(x, y float64) []any {
		return []any{c.Position{Vec: xy(x, y)}, c.Velocity{}, c.Limits{MaxSpeed: 1.34, MaxForce: 1}, par}
	}
	ahead := s.Put(append(walker(0, 0), c.Target{Vec: xy(-9, 0)})...) // the other agent is behind it
	behind := s.Put(append(walker(1, 0), c.Target{Vec: xy(-9, 0)})...)
	beside := s.Put(append(walker(0, 50), c.Target{Vec: xy(9, 50)})...)
	s.Put(c.Position{Vec: xy(-9, 49.5)}, c.Obstacle{Span: xy(18, 0), Radius: 0.1})
	s.Step()
	const relax = 0.01 / (1 + 0.01/0.5)
	force := 7 * math.Exp(-1/0.3)
	testkit.Near(t, testkit.ComponentOf[c.Velocity](s, ahead).Vec, xy(-(1.34/0.5+0.5*force)*relax, 0), 1e-9, "ahead: velocity")
	testkit.Near(t, testkit.ComponentOf[c.Velocity](s, behind).Vec, xy((force-1.34/0.5)*relax, 0), 1e-9, "behind: velocity")
	testkit.Near(t, testkit.ComponentOf[c.Velocity](s, beside).Vec, xy(1.34/0.5*relax, 50*math.Exp(-0.4/0.2)*relax), 1e-9, "beside a wall: velocity")
}

func TestFreeWalking(t *testing.T) {
	for _, m := range pedestrianModels()[:2] {
		s := street(t, 0.001, m.system())
		e := s.Put(c.Position{}, c.Velocity{}, c.Radius{Meters: 0.3}, c.Target{Vec: xy(100, 0)}, c.Limits{MaxSpeed: 1.5, MaxForce: 0.1}, m.par)
		for step := 1; step <= 4000 && !t.Failed(); step++ {
			s.Step()
			want := 1.5 * (1 - math.Exp(-float64(step)*0.001/0.5))
			testkit.Near(t, testkit.ComponentOf[c.Velocity](s, e).X, want, 0.002, "%s: speed after %d ms", m.name, step)
		}
	}
}

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
		testkit.Near(t, vec.Scale(mass/dt, vec.Sub(all.velocity(tc.v, tc.v, mass, tau, dt), tc.v)), tc.want, 1, "%s: force", tc.name)
	}
}

func TestSocialForce2000IsStable(t *testing.T) {
	for _, dt := range []float64{0, 0.001, 0.01, 1. / 60, 0.1, 1, 30} {
		s := street(t, dt, &SocialForce2000{})
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
		testkit.Equal(t, s.Frame.Stats().Skipped, 0, "steps of %v s: skipped rows", dt)
	}
}

func TestTermsOfSpeedModels(t *testing.T) {
	for _, tc := range []struct {
		name    string
		to      r2.Vec
		d, want float64
	}{
		{"ahead", xy(1, 0), 3, 2.6}, {"in touch", xy(1, 0), 0.4, 0}, {"in each other", xy(1, 0), 0.3, -0.1},
		{"aslant, in the way", xy(0.8, 0.6), 0.5, 0.1}, {"aslant, beside the way", xy(0.8, 0.6), 1, inf},
		{"beside", xy(0, 1), 0.4, 0}, {"behind", xy(-1, 0), 0.4, inf}, {"in the same place", r2.Vec{}, 0, inf},
	} {
		if got := gapAhead(xy(1, 0), tc.to, tc.d, 0.4); !(got == tc.want || within(got, tc.want, 1e-12)) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
	for _, tc := range []struct{ gap, timeGap, free, want float64 }{
		{0.6, 1, 1.2, 0.6}, {0.6, 0.5, 1.2, 1.2}, {0.3, 0.5, 1.2, 0.6}, {inf, 1, 1.2, 1.2}, {0, 1, 1.2, 0}, {-0.1, 1, 1.2, 0}, {1, 1, 0, 0},
	} {
		testkit.Near(t, speedOf(tc.gap, tc.timeGap, tc.free), tc.want, 1e-12, "gap %v m, time gap %v s, free speed %v", tc.gap, tc.timeGap, tc.free)
	}
	for _, tc := range []struct{ gap, want float64 }{{0, 5}, {0.1, 5 / math.E}, {-0.1, 5 * math.E}, {inf, 0}, {-1e9, 5 * math.Exp(200)}} {
		testkit.Near(t, repulsion(5, tc.gap, 0.1), tc.want, 1e-12*tc.want, "repulsion at a gap of %v m", tc.gap)
	}
	for relative, want := range map[r2.Vec]float64{{}: 2, xy(-1, 5): 1, xy(1, 0): 3, xy(-9, 0): 0} {
		testkit.Equal(t, anticipatedGap(xy(1, 0), 2, relative, 1), want, "anticipated gap at relative velocity %v", relative)
	}
}

func TestTurned(t *testing.T) {
	east, north, west := xy(1, 0), xy(0, 1), xy(-1, 0)
	for _, tc := range []struct {
		name                           string
		heading, desired, toward, want r2.Vec
		share                          float64
	}{
		{"half way", east, north, vec.Unit(xy(1, 1)), vec.Unit(xy(1, 1)), 0.5},
		{"not at all", east, north, north, east, 0},
		{"all the way", east, north, north, north, 1},
		{"it faces away from the target", west, east, vec.Unit(xy(3, 1)), east, 0.1},
		{"to and fro", west, east, north, east, 0.5},
		{"nowhere", east, r2.Vec{}, north, east, 0.5},
	} {
		testkit.Near(t, turned(tc.heading, tc.desired, tc.toward, tc.share), tc.want, 1e-12, "%s", tc.name)
	}
}

// The expected velocities are those of the authors' program JuPedSim: for anticipation velocity, without
// its creep and its buffer of 0.02 m, and with our exact turn instead of its Euler step. All agents face
// east.
func TestSpeedModelsStepFromRest(t *testing.T) {
	cfs := defaults[c.CollisionFreeSpeed](collisionFreeSpeedEntry)
	avm := defaults[c.AnticipationVelocity](anticipationVelocityEntry)
	cfs.Repulsion, cfs.NeighborDist, avm.Repulsion, avm.NeighborDist = 5, 3, 8, 3
	type walker struct{ at, target, cfs, avm r2.Vec }
	for name, walkers := range map[string][]walker{
		"one behind the other": {
			{xy(0, 0), xy(10, 0), xy(0.306829, -0.013058), xy(0.289704, -0.003310)},
			{xy(0.7, 0.1), xy(10, 0.1), xy(1.199574, 0.031991), xy(1.2, 0)},
		},
		"face to face": {
			{at: xy(0, 0), target: xy(10, 0), cfs: xy(0.611187, -0.001016)},
			{at: xy(1, 0.15), target: xy(-10, 0.15), cfs: xy(-0.611187, 0.001016)},
		},
		"three": {
			{xy(0, 0), xy(10, 0.5), xy(0.219842, 1.179690), xy(0.174712, 0.003636)},
			{xy(0.55, -0.2), xy(10, 0), xy(1.126624, -0.413180), xy(1.2, 0.000832)},
			{xy(0.5, 0.45), xy(10, -0.3), xy(1.095170, 0.490512), xy(1.199854, 0.018732)},
		},
	} {
		for _, by := range []struct{ system, par any }{{&CollisionFreeSpeed{}, cfs}, {&AnticipationVelocity{}, avm}} {
			st := street(t, 0.01, by.system)
			var all []ecs.Entity
			for _, w := range walkers {
				all = append(all, st.Put(c.Position{Vec: w.at}, c.Velocity{}, c.Radius{Meters: 0.2}, c.Target{Vec: w.target},
					c.Heading{Vec: xy(1, 0)}, c.Limits{MaxSpeed: 1.2}, by.par))
			}
			st.Step()
			for i, e := range all {
				want := walkers[i].cfs
				if _, ok := by.par.(c.AnticipationVelocity); ok {
					want = walkers[i].avm
				}
				if got := testkit.ComponentOf[c.Velocity](st, e).Vec; want != (r2.Vec{}) && !vecWithin(got, want, 1e-6) {
					t.Errorf("%s, %T: velocity of walker %d: got=%v, want=%v", name, by.par, i, got, want)
				}
			}
		}
	}
}

// pedestrianModel is a model with the parameters of its paper.
type pedestrianModel struct {
	name   string
	system func() any
	par    any
}

func pedestrianModels() []pedestrianModel {
	return []pedestrianModel{
		{"social force 1995", func() any { return &SocialForce1995{} }, defaults[c.SocialForce1995](socialForce1995Entry)},
		{"social force 2000", func() any { return &SocialForce2000{} }, defaults[c.SocialForce2000](socialForce2000Entry)},
		{"collision-free speed", func() any { return &CollisionFreeSpeed{} }, defaults[c.CollisionFreeSpeed](collisionFreeSpeedEntry)},
		{"anticipation velocity", func() any { return &AnticipationVelocity{} }, defaults[c.AnticipationVelocity](anticipationVelocityEntry)},
	}
}

func TestModelsAndWalls(t *testing.T) {
	for _, tc := range pedestrianModels() {
		alone := func(others bool, obstacle c.Obstacle) r2.Vec {
			s := street(t, 0.01, tc.system())
			ecs.AddResource(s.World, &sense.Polygons{{xy(0, -5), xy(1, -5), xy(1, 5), xy(0, 5)}})
			e := s.Put(c.Position{Vec: xy(-2, 0)}, c.Velocity{}, c.Radius{Meters: 0.25}, c.Mass{Kilograms: 80}, c.Target{Vec: xy(5, 0.1)},
				c.Limits{MaxSpeed: 1.34}, c.Heading{Vec: xy(1, 0)}, tc.par)
			if others {
				s.Put(c.Position{Vec: xy(1.3, 0)}, c.Velocity{}, c.Radius{Meters: 0.25})
			}
			at := r2.Vec{}
			if obstacle.Span != (r2.Vec{}) {
				at = xy(0, -5)
			}
			s.Put(c.Position{Vec: at}, obstacle)
			s.Steps(1500)
			return placeOf(s, e)
		}
		for name, obstacle := range map[string]c.Obstacle{"wall": {Span: xy(0, 10)}, "polygon": {Polygon: 1}} {
			p := alone(false, obstacle)
			if !(p.X < 0.05) {
				t.Errorf("%s: in front of a %s: got=%v, want=x below 0.05", tc.name, name, p)
			}
			testkit.Equal(t, alone(true, obstacle), p, "%s: with an agent behind a %s", tc.name, name)
		}
	}
}

func TestModelsStopAtTheTarget(t *testing.T) {
	for _, tc := range pedestrianModels() {
		s := street(t, 0.01, tc.system())
		e := s.Put(c.Position{}, c.Velocity{}, c.Radius{Meters: 0.25}, c.Target{Vec: xy(3, 4)}, c.Limits{MaxSpeed: 1.34}, tc.par)
		s.Steps(1000)
		testkit.Near(t, placeOf(s, e), xy(3, 4), 0.8, "%s", tc.name)
	}
}

// meeting is a pedestrian at the origin, and another one.
type meeting struct {
	place, velocity, target r2.Vec // of the other one, but target is that of the first
	radius, speed, mass     float64
	strength, constant      float64 // all strengths of the models, and all their ranges and times
	dt                      float64
}

type boundedModel struct {
	system, par any
	fastest     float64 // m/s, maximum speed
}

func (x *meeting) models() []boundedModel {
	a, k := x.strength, x.constant
	return []boundedModel{
		{&SocialForce1995{}, c.SocialForce1995{RelaxationTime: k, Repulsion: a, Range: k, StepTime: k, WallRepulsion: a, WallRange: k,
			FieldOfView: k, WeightBehind: 0.5, SpeedLimit: 1.3, NeighborDist: 5}, 1.3 * x.speed},
		{&SocialForce2000{}, c.SocialForce2000{RelaxationTime: k, Repulsion: a, Range: k, BodyForce: a, Friction: a, NeighborDist: 5}, max(x.speed, x.radius/x.dt)},
		{&CollisionFreeSpeed{}, c.CollisionFreeSpeed{TimeGap: k, Repulsion: a, Range: k, WallRepulsion: a, WallRange: k, NeighborDist: 5}, x.speed},
		{&AnticipationVelocity{}, c.AnticipationVelocity{TimeGap: k, Repulsion: a, Range: k, WallRepulsion: a, WallRange: k, AnticipationTime: k, ReactionTime: k,
			NeighborDist: 5}, x.speed},
	}
}

func (m *boundedModel) choose(a *surroundings) {
	switch par := m.par.(type) {
	case c.SocialForce1995:
		socialForce1995(a, &par)
	case c.SocialForce2000:
		socialForce2000(a, &par)
	case c.CollisionFreeSpeed:
		collisionFreeSpeed(a, &par)
	case c.AnticipationVelocity:
		m.system.(*AnticipationVelocity).choose(a, &par)
	}
}

// FuzzPedestrians lets two pedestrians meet beside a wall. For any numbers, systems must keep a finite
// state finite. For numbers up to 1e50, the rules must keep within their limits.
func FuzzPedestrians(f *testing.F) {
	for _, x := range []float64{0, 1, -0.3, 1e-320, 1e-160, 1e50, 1e150, 1e308, inf, nan} {
		f.Add(x, 0.1, -1., 0.2, 9., x, 0.2, 1.3, 80., 5., 0.1, 0.01)
		f.Add(0.3, x, x, 0., x, 1., x, 1.3, 80., 5., 0.3, 0.03)
		f.Add(0.3, 0.1, 1., 0., 5., 1., 0.3, x, x, 2000., 0.08, x)
		f.Add(0.3, 0.1, 1., 1., 5., 0., 0.3, 1.3, 1., x, x, 0.01)
	}
	f.Add(7.511729935252905e+43, 9.572515818687139e-46, 3.486160963845743e+19, -0.5144853331755628, 26539.460957570667, 1.878229753850159e+10, // digits of friction cancel
		6.14746903197327e+27, 1.7676685984766629e-09, 0.0406902477864026, 2.3655287181928027e+13, 0.030142678335729853, 0.9661375191710885)
	f.Fuzz(func(t *testing.T, px, py, vx, vy, tx, ty, radius, speed, mass, strength, constant, dt float64) {
		x := meeting{xy(px, py), xy(vx, vy), xy(tx, ty), radius, speed, mass, strength, constant, dt}
		x.systems(t)
		x.rules(t)
	})
}

func (x meeting) rules(t *testing.T) {
	const most = 1e50
	for _, n := range []float64{vec.Norm(x.place), vec.Norm(x.velocity), vec.Norm(x.target), x.radius, x.speed, x.strength} {
		if !(n >= 0 && n <= most) {
			return
		}
	}
	for _, n := range []*float64{&x.mass, &x.constant, &x.dt} { // from a thousandth to a thousand
		if !(math.Abs(*n) <= most) {
			return
		}
		*n = max(1e-3, math.Mod(math.Abs(*n), 1e3))
	}
	for _, m := range x.models() {
		p := plan{toward: vec.Unit(x.target), heading: vec.Unit(xy(3, 4)), speed: x.speed, maxSpeed: x.speed, mass: x.mass}
		m.choose(&surroundings{
			plan: &p, clock: frame.Clock{Dt: x.dt}, radius: x.radius, moving: vec.Scale(-1, x.velocity), others: []uint32{1},
			agents:     sense.AgentsOf(sense.Neighbor{Radius: x.radius, ID: 1}, sense.Neighbor{Position: x.place, Velocity: x.velocity, Radius: x.radius, ID: 2}),
			directions: []r2.Vec{p.toward, vec.Unit(x.velocity)},
			feet:       []orca.Foot{{Away: xy(0, 1), Distance: vec.Norm(x.place)}, {Away: vec.Unit(x.target), Distance: -x.radius}},
		})
		const rounding = 1 + 1e-14
		if !vec.Finite(p.velocity) || !(vec.Norm(p.velocity) <= m.fastest*rounding+math.SmallestNonzeroFloat64) {
			t.Errorf("%T of %+v: velocity: got=%v, want=at most %v m/s", m.par, x, p.velocity, m.fastest)
		}
		if _, turns := m.par.(c.AnticipationVelocity); turns && !within(vec.Norm(p.turned), 1, 1e-14) {
			t.Errorf("%T of %+v: heading: got=%v, want=a unit vector", m.par, x, p.turned)
		}
	}
}

func (x meeting) systems(t *testing.T) {
	if !vec.Finite(x.place) || !vec.Finite(x.velocity) || !(x.dt >= 0 && x.dt <= math.MaxFloat64) {
		return
	}
	for _, m := range x.models() {
		s := street(t, x.dt, m.system)
		s.Put(c.Position{Vec: xy(-5, 0.5)}, c.Obstacle{Span: xy(10, 0)})
		var both []ecs.Entity
		for i, at := range []r2.Vec{{}, x.place} {
			both = append(both, s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: at}, c.Velocity{Vec: vec.Scale(float64(i), x.velocity)}, c.Heading{Vec: xy(1, 0)},
				c.Radius{Meters: x.radius}, c.Mass{Kilograms: x.mass}, c.Target{Vec: x.target}, c.Limits{MaxSpeed: x.speed}, m.par))
		}
		for range 2 {
			s.Step()
			for _, e := range both {
				p, v, h := placeOf(s, e), testkit.ComponentOf[c.Velocity](s, e).Vec, testkit.ComponentOf[c.Heading](s, e).Vec
				if !vec.Finite(p) || !vec.Finite(v) || !vec.Finite(h) || !within(vec.Norm(h), 1, 1e-14) {
					t.Fatalf("%+v among %+v: position, velocity and heading: got=%v, %v, %v, want=finite, and a unit vector", m.par, x, p, v, h)
				}
			}
		}
	}
}
