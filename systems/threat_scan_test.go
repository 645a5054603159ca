package systems

import (
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type circle struct{ x, y, radius float64 }

func scanTheatre(t testing.TB, mode ScanMode, circles ...circle) (*stage, []ecs.Entity) {
	obstacles := &sense.Obstacles{}
	s := newStage(t, 1, obstacles, &ThreatScan{Obstacles: obstacles, Mode: mode})
	var all []ecs.Entity
	for _, o := range circles {
		all = append(all, s.Put(c.Position{Vec: xy(o.x, o.y)}, c.Obstacle{Radius: o.radius}))
	}
	return s, all
}

func look(s *stage, p, v r2.Vec, lookAhead float64, more ...any) c.Threat {
	e := s.Put(append(more, c.Position{Vec: p}, c.Velocity{Vec: v}, c.ThreatScan{LookAhead: lookAhead}, c.Threat{Distance: 99, Obstacle: someEntity()})...)
	s.Step()
	threat := *testkit.ComponentOf[c.Threat](s, e)
	s.RemoveEntity(e)
	return threat
}

func TestScanChoice(t *testing.T) {
	const none = -1
	for _, tc := range []struct {
		name    string
		mode    ScanMode
		v       r2.Vec
		circles []circle
		want    int // index
	}{
		{"the far probe", ScanProbes, xy(2, 0), []circle{{90, 0, 20}}, 0},
		{"the near probe", ScanProbes, xy(2, 0), []circle{{45, 0, 20}}, 0},
		{"the far probe on the rim", ScanProbes, xy(2, 0), []circle{{120, 0, 20}}, 0},
		{"the near probe on the rim", ScanProbes, xy(0, 3), []circle{{20, 50, 20}}, 0},
		{"the far probe beyond the rim", ScanProbes, xy(2, 0), []circle{{120.001, 0, 20}}, none},
		{"both probes miss", ScanProbes, xy(2, 0), []circle{{75, 0, 20}}, none},
		{"behind", ScanProbes, xy(-2, 0), []circle{{90, 0, 20}}, none},
		{"the agent itself is no probe", ScanProbes, xy(2, 0), []circle{{-5, 0, 20}}, none},
		{"at rest, inside", ScanProbes, xy(0, 0), []circle{{-5, 0, 20}}, 0},
		{"at rest, outside", ScanProbes, xy(0, 0), []circle{{90, 0, 20}}, none},
		{"the nearest center", ScanProbes, xy(3, 0), []circle{{100, 0, 20}, {50, 0, 20}}, 1},
		{"the nearest of those hit", ScanProbes, xy(3, 0), []circle{{100, 0, 20}, {5, 0, 2}, {45, 0, 20}}, 2},
		{"nearest by its center, not by its rim", ScanProbes, xy(3, 0), []circle{{70, 0, 60}, {60, 0, 11}}, 1},
		{"the first of equals", ScanProbes, xy(3, 0), []circle{{50, 10, 20}, {50, -10, 20}}, 0},
		{"none hit", ScanProbes, xy(3, 0), []circle{{75, 0, 20}, {25, 0, 20}}, none},

		{"the nearest is hit", ScanNearestFirst, xy(3, 0), []circle{{100, 0, 20}, {50, 0, 20}}, 1},
		{"a nearer harmless one hides the threat", ScanNearestFirst, xy(3, 0), []circle{{100, 0, 20}, {0, 30, 5}}, none},
		{"choosing after the test would see it", ScanNearestFirst, xy(3, 0), []circle{{100, 0, 20}, {75, 0, 20}}, none},
		{"the first of equals, a hit", ScanNearestFirst, xy(3, 0), []circle{{50, 10, 20}, {50, -10, 5}}, 0},
		{"the first of equals, harmless", ScanNearestFirst, xy(3, 0), []circle{{50, 10, 5}, {50, -10, 20}}, none},
		{"the agent itself is inside", ScanNearestFirst, xy(3, 0), []circle{{-5, 0, 20}}, 0},
		{"on the rim", ScanNearestFirst, xy(3, 0), []circle{{-20, 0, 20}}, 0},
		{"outside", ScanNearestFirst, xy(3, 0), []circle{{-20.001, 0, 20}}, none},

		{"a small one in front of a large one", ScanExact, xy(3, 0), []circle{{60, 0, 40}, {18, 0, 1}}, 1},
		{"the rim counts, not the center", ScanExact, xy(3, 0), []circle{{60, 0, 45}, {40, 0, 5}}, 0},
		{"a harmless nearer one", ScanExact, xy(3, 0), []circle{{10, 30, 5}, {90, 0, 20}}, 1},
		{"equals", ScanExact, xy(3, 0), []circle{{50, 10, 20}, {50, -10, 20}}, 0},
		{"equals, the other way round", ScanExact, xy(3, 0), []circle{{50, -10, 20}, {50, 10, 20}}, 0},
	} {
		for _, move := range []bool{false, true} {
			s, o := scanTheatre(t, tc.mode, tc.circles...)
			if move { // to the end of storage, because the order of rows must not matter
				s.Add(o[0], ecs.ComponentID[ballast](s.World))
			}
			got := slices.Index(o, look(s, r2.Vec{}, tc.v, 100).Obstacle)
			testkit.Equal(t, got, tc.want, "mode %v, %s, moved %v", tc.mode, tc.name, move)
		}
	}
}

func TestFaithfulScansKnowCirclesOnly(t *testing.T) {
	for _, obstacle := range []c.Obstacle{{Span: xy(1, 0), Radius: 1}, {Polygon: 1}} {
		for _, mode := range []ScanMode{ScanProbes, ScanNearestFirst} {
			s, _ := scanTheatre(t, mode)
			ecs.AddResource(s.World, &sense.Polygons{{{X: 0}, {X: 1}, {Y: 1}}})
			s.Put(c.Position{}, obstacle)
			func() {
				defer panics(t, "")
				look(s, xy(50, 50), xy(1, 0), 5)
			}()
		}
	}
}

func TestExactScan(t *testing.T) {
	half, disc := math.Sqrt2/2, c.Obstacle{Radius: 20}
	hit := func(contact, normal r2.Vec, distance float64) c.Threat {
		return c.Threat{Contact: contact, Normal: normal, Distance: distance, Obstacle: someEntity()}
	}
	for _, tc := range []struct {
		name            string
		v               r2.Vec
		lookAhead, body float64
		at              r2.Vec
		obstacle        c.Obstacle
		want            c.Threat // of any entity
	}{
		{"circle between the probes", xy(2, 0), 100, 0, xy(75, 0), disc, hit(xy(55, 0), xy(-1, 0), 55)},
		{"with a body", xy(2, 0), 100, 5, xy(75, 0), disc, hit(xy(55, 0), xy(-1, 0), 50)},
		{"just within the look-ahead", xy(2, 0), 55, 0, xy(75, 0), disc, hit(xy(55, 0), xy(-1, 0), 55)},
		{"just beyond the look-ahead", xy(2, 0), 54.999, 0, xy(75, 0), disc, c.Threat{}},
		{"beside the way", xy(2, 0), 100, 0, xy(75, 20.001), disc, c.Threat{}},
		{"beside the way, with a body", xy(2, 0), 100, 20, xy(75, 32), disc, hit(xy(63, 16), xy(-0.6, -0.8), 51)},
		{"behind", xy(-2, 0), 100, 0, xy(75, 0), disc, c.Threat{}},
		{"at rest, overlapping", xy(0, 0), 100, 6, xy(0, 25), disc, hit(xy(0, 5), xy(0, -1), 0)},
		{"at rest, clear", xy(0, 0), 100, 4, xy(0, 25), disc, c.Threat{}},
		{"in motion, inside", xy(1, 0), 100, 0, xy(-10, 0), disc, hit(xy(10, 0), xy(1, 0), 0)},
		{"wall, across", xy(2, 0), 100, 0, xy(40, -30), c.Obstacle{Span: xy(0, 60)}, hit(xy(40, 0), xy(-1, 0), 40)},
		{"wall, aslant, with a body", xy(2, 0), 100, half, xy(40, -30), c.Obstacle{Span: xy(60, 60), Radius: half},
			hit(xy(68.5, -0.5), xy(-half, half), 68)},
		{"wall, on its end", xy(2, 0), 100, 0, xy(40, 0), c.Obstacle{Span: xy(60, 0), Radius: 3}, hit(xy(37, 0), xy(-1, 0), 37)},
		{"wall, past its end", xy(2, 0), 100, 0, xy(40, 1), c.Obstacle{Span: xy(0, 60)}, c.Threat{}},
		{"polygon, its near edge", xy(2, 0), 100, 2, xy(50, 0), c.Obstacle{Polygon: 1}, hit(xy(40, 0), xy(-1, 0), 38)},
		{"polygon, from its inside", xy(0, 2), 1, 0, xy(-7, -1), c.Obstacle{Polygon: 1}, hit(xy(3, 0), xy(1, 0), 0)},
	} {
		s, _ := scanTheatre(t, ScanExact)
		ecs.AddResource(s.World, &sense.Polygons{{xy(-10, -10), xy(10, -10), xy(10, 10), xy(-10, 10)}})
		o := s.Put(c.Position{Vec: tc.at}, tc.obstacle)
		if !tc.want.Obstacle.IsZero() {
			tc.want.Obstacle = o
		}
		got := look(s, r2.Vec{}, tc.v, tc.lookAhead, c.Radius{Meters: tc.body})
		testkit.Equal(t, got.Obstacle, tc.want.Obstacle, "%s: obstacle", tc.name)
		testkit.Near(t, got.Contact, tc.want.Contact, 1e-8, "%s: contact", tc.name)
		testkit.Near(t, got.Normal, tc.want.Normal, 1e-8, "%s: normal", tc.name)
		testkit.Near(t, got.Distance, tc.want.Distance, 1e-8, "%s: distance", tc.name)
	}
}

func TestFaultHeadOnDeadlock(t *testing.T) {
	obstacles := &sense.Obstacles{}
	s := newStage(t, 1./60, obstacles, &Seek{}, &ThreatScan{Obstacles: obstacles}, &Avoidance{}, &Integration{})
	s.Put(c.Position{Vec: xy(10, 0)}, c.Obstacle{Radius: 2})
	e := s.Put(c.Position{}, c.Velocity{}, c.Target{Vec: xy(30, 0)}, c.Limits{MaxSpeed: 1.4, MaxForce: 10}, c.Seek{Gain: 2},
		c.ThreatScan{LookAhead: 4}, c.Threat{}, c.Avoidance{MaxForce: 6}, c.Radius{Meters: 0.25}, c.Steering{})
	for range 60 * 20 {
		s.Step()
		p := testkit.ComponentOf[c.Position](s, e).Vec
		if d := vec.Norm(vec.Sub(p, xy(10, 0))); d < 2.2 {
			t.Fatalf("distance from the center: got=%v at %v, want=2.2 or more", d, p)
		}
		if within(p.X, 10, 0.1) && p.Y > 0 {
			t.Fatalf("side: got=%v, want=on the right, at y of 0 or less", p)
		}
	}
	if got := testkit.ComponentOf[c.Position](s, e).X; got < 20 {
		t.Errorf("x: got=%v, want=20 or more, past the circle", got)
	}
}
