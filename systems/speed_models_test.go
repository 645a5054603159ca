package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// each calls visit with component T of each entity that has it.
func each[T any](s *stage, visit func(T)) {
	query := s.Query(ecs.All(ecs.ComponentID[T](s.World)))
	for query.Next() {
		visit(*(*T)(query.Get(ecs.ComponentID[T](s.World))))
	}
}

func TestGapAhead(t *testing.T) {
	for _, tc := range []struct {
		name       string
		course, to r2.Vec
		d, want    float64
	}{
		{"ahead", xy(1, 0), xy(1, 0), 3, 2.6},
		{"in touch", xy(1, 0), xy(1, 0), 0.4, 0},
		{"in each other", xy(1, 0), xy(1, 0), 0.3, -0.1},
		{"aslant, in the way", xy(1, 0), xy(0.8, 0.6), 0.5, 0.1},
		{"aslant, beside the way", xy(1, 0), xy(0.8, 0.6), 1, inf},
		{"beside", xy(1, 0), xy(0, 1), 0.4, 0},
		{"behind", xy(1, 0), xy(-1, 0), 0.4, inf},
		{"in the same place", xy(1, 0), r2.Vec{}, 0, inf},
	} {
		if got := gapAhead(tc.course, tc.to, tc.d, 0.4); !(got == tc.want || within(got, tc.want, 1e-12)) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

func TestSpeedOf(t *testing.T) {
	for _, tc := range []struct{ gap, timeGap, free, want float64 }{
		{0.6, 1, 1.2, 0.6}, {0.6, 0.5, 1.2, 1.2}, {0.3, 0.5, 1.2, 0.6}, {inf, 1, 1.2, 1.2}, {0, 1, 1.2, 0}, {-0.1, 1, 1.2, 0}, {1, 1, 0, 0},
	} {
		testkit.Near(t, speedOf(tc.gap, tc.timeGap, tc.free), tc.want, 1e-12, "gap %v m, time gap %v s, free speed %v", tc.gap, tc.timeGap, tc.free)
	}
}

func TestRepulsion(t *testing.T) {
	for _, tc := range []struct{ gap, want float64 }{{0, 5}, {0.1, 5 / math.E}, {-0.1, 5 * math.E}, {inf, 0}, {-1e9, 5 * math.Exp(200)}} {
		testkit.Near(t, repulsion(5, tc.gap, 0.1), tc.want, 1e-12*tc.want, "gap %v m", tc.gap)
	}
}

func TestAnticipatedGap(t *testing.T) {
	for _, tc := range []struct {
		relative r2.Vec
		want     float64
	}{
		{r2.Vec{}, 2}, {xy(-1, 5), 1}, {xy(1, 0), 3}, {xy(-9, 0), 0},
	} {
		testkit.Equal(t, anticipatedGap(xy(1, 0), 2, tc.relative, 1), tc.want, "relative velocity %v", tc.relative)
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

func street(t testing.TB, dt float64, model any) *stage {
	return newStage(t, dt, &sense.Obstacles{}, &sense.Neighbors{}, model, &Integration{})
}

func TestCollisionFreeSpeed(t *testing.T) {
	par := defaults[c.CollisionFreeSpeed](collisionFreeSpeedEntry)
	const l, s = 0.3, 0.5
	push := 5 * math.Exp((l-s)/0.1)
	for _, tc := range []struct {
		name   string
		others []r2.Vec
		want   r2.Vec
	}{
		{"alone", nil, xy(1.2, 0)},
		{"behind one", []r2.Vec{xy(s, 0)}, xy(0.2, 0)},
		{"beside one", []r2.Vec{xy(0, s)}, vec.WithNorm(xy(1, -push), 1.2)},
		{"one behind", []r2.Vec{xy(-s, 0)}, xy(1.2, 0)},
		{"in the same place", []r2.Vec{{}}, xy(1.2, 0)},
		{"far behind one", []r2.Vec{xy(2, 0)}, xy(1.2, 0)},
	} {
		st := street(t, 0.01, &CollisionFreeSpeed{})
		walker := func(p r2.Vec) []any {
			return []any{c.Position{Vec: p}, c.Velocity{}, c.Radius{Meters: l / 2}, c.Target{Vec: xy(1000, 0)}, c.Limits{MaxSpeed: 1.2}, par}
		}
		e := st.Put(walker(r2.Vec{})...)
		for _, p := range tc.others {
			st.Put(walker(p)...)
		}
		st.Step()
		testkit.Near(t, testkit.ComponentOf[c.Velocity](st, e).Vec, tc.want, 1e-3, "%s: velocity", tc.name)
	}
}

// TestSpeedModelsStepFromRest verifies that velocities after one step from rest equal those of the
// authors' program JuPedSim: for anticipation velocity, without its creep and its buffer of 0.02 m, and
// with our exact turn instead of its Euler step. All agents face east.
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
		for _, by := range []struct {
			system, par any
			want        func(walker) r2.Vec
		}{
			{&CollisionFreeSpeed{}, cfs, func(w walker) r2.Vec { return w.cfs }},
			{&AnticipationVelocity{}, avm, func(w walker) r2.Vec { return w.avm }},
		} {
			st := street(t, 0.01, by.system)
			var all []ecs.Entity
			for _, w := range walkers {
				all = append(all, st.Put(c.Position{Vec: w.at}, c.Velocity{}, c.Radius{Meters: 0.2}, c.Target{Vec: w.target},
					c.Heading{Vec: xy(1, 0)}, c.Limits{MaxSpeed: 1.2}, by.par))
			}
			st.Step()
			for i, e := range all {
				want := by.want(walkers[i])
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

// TestModelsAndWalls verifies that an agent of each model stops at a wall or polygon, and that another agent
// on the far side makes no difference.
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
			if q := alone(true, obstacle); q != p {
				t.Errorf("%s: with an agent behind a %s: got=%v, want=%v, as without", tc.name, name, q, p)
			}
		}
	}
}

// TestModelsStopAtTheTarget verifies that an agent of each model that starts 5 m from its target is within
// 0.8 m of it after 10 s.
func TestModelsStopAtTheTarget(t *testing.T) {
	for _, tc := range pedestrianModels() {
		s := street(t, 0.01, tc.system())
		e := s.Put(c.Position{}, c.Velocity{}, c.Radius{Meters: 0.25}, c.Target{Vec: xy(3, 4)}, c.Limits{MaxSpeed: 1.34}, tc.par)
		s.Steps(1000)
		testkit.Near(t, placeOf(s, e), xy(3, 4), 0.8, "%s", tc.name)
	}
}
