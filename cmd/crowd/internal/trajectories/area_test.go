package trajectories

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

func at(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func wall(x0, y0, x1, y1, radius float64) world.ObstacleShape {
	return world.ObstacleShape{A: at(x0, y0), B: at(x1, y1), Radius: radius}
}

func TestArea(t *testing.T) {
	square := []r2.Vec{at(4, 4), at(6, 4), at(6, 6), at(4, 6)}
	for _, test := range []struct {
		name      string
		obstacles []world.ObstacleShape
		people    []r2.Vec
		kind      string
		area      float64
	}{
		{"nothing", nil, nil, "POLYGON", 100},
		{"a circle", []world.ObstacleShape{wall(5, 5, 5, 5, 1)}, nil, "POLYGON", 100 - math.Pi},
		{"a wall with round ends", []world.ObstacleShape{wall(3, 5, 7, 5, 0.5)}, nil, "POLYGON", 100 - 4 - math.Pi/4},
		{"a line", []world.ObstacleShape{wall(3, 5, 7, 5, 0)}, nil, "POLYGON", 100 - 0.04},
		{"a polygon", []world.ObstacleShape{{Corners: square}}, nil, "POLYGON", 96},
		{"a polygon with an outline", []world.ObstacleShape{{Corners: square, Radius: 1}}, nil, "POLYGON", 100 - 4 - 8 - math.Pi},
		{"a bow tie", []world.ObstacleShape{{Corners: []r2.Vec{square[0], square[2], square[1], square[3]}}}, nil, "POLYGON", 98},
		{"a polygon without an inside", []world.ObstacleShape{{Corners: []r2.Vec{at(3, 5), at(5, 5), at(7, 5)}}}, nil, "POLYGON", 100 - 0.04},
		{"no corners", []world.ObstacleShape{{Corners: []r2.Vec{}}}, nil, "POLYGON", 100},
		{"side by side, and half outside", []world.ObstacleShape{{Corners: square}, {Corners: []r2.Vec{at(6, 4), at(12, 4), at(12, 6), at(6, 6)}}}, nil, "POLYGON", 88},
		{"twice the same", []world.ObstacleShape{{Corners: square}, {Corners: square}}, nil, "POLYGON", 96},
		{"elsewhere", []world.ObstacleShape{wall(20, 20, 20, 20, 1)}, nil, "POLYGON", 100},
		{"two parts, no people", []world.ObstacleShape{wall(4, -1, 4, 11, 0)}, nil, "POLYGON", 60},
		{"two parts, people in one", []world.ObstacleShape{wall(4, -1, 4, 11, 0)}, []r2.Vec{at(1, 1), at(2, 2)}, "POLYGON", 40},
		{"two parts, people in both", []world.ObstacleShape{wall(4, -1, 4, 11, 0)}, []r2.Vec{at(1, 1), at(8, 2)}, "MULTIPOLYGON", 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			wkt, err := WalkableArea(r2.Box{Max: at(10, 10)}, test.obstacles, test.people)
			testkit.Must(t, err)
			g, err := geom.UnmarshalWKT(wkt) // also validates the text
			testkit.Must(t, err)
			if kind, _, _ := strings.Cut(wkt, "("); kind != test.kind || math.Abs(g.Area()-test.area) > 0.12 {
				t.Errorf("got=%s of %v m², want=%s of %v ± 0.12 m²", kind, g.Area(), test.kind, test.area)
			}
		})
	}
}

func TestNoArea(t *testing.T) {
	box := r2.Box{Max: at(1, 1)}
	if got, err := WalkableArea(box, []world.ObstacleShape{wall(0, 0, 1, 1, 9)}, nil); err == nil {
		t.Errorf("obstacles everywhere: got=%s, want an error", got)
	}
	if got, err := WalkableArea(box, make([]world.ObstacleShape, mostPoints+1), nil); err == nil {
		t.Errorf("too many obstacles: got=%.100s, want an error", got)
	}
}

// Obstacles share ends, cross, touch, and cover each other. Only near its edge may the area contain points of
// them.
func TestAreaOfRandomObstacles(t *testing.T) {
	const tries = 24
	box := r2.Box{Max: at(20, 20)}
	for seed := range tries {
		random := rand.New(rand.NewPCG(1, uint64(seed)))
		place := func() r2.Vec { return at(20*random.Float64(), 20*random.Float64()) }
		if seed%2 == 0 {
			place = func() r2.Vec { return at(float64(random.IntN(21)), float64(random.IntN(21))) }
		}
		var all []world.ObstacleShape
		from := place()
		for range 40 {
			to := place()
			switch random.IntN(4) {
			case 0:
				all = append(all, world.ObstacleShape{A: to, B: to, Radius: random.Float64()})
			case 1:
				all = append(all, world.ObstacleShape{Corners: []r2.Vec{from, at(to.X, from.Y), to, at(from.X, to.Y)}[:3+random.IntN(2)]})
			default:
				all = append(all, world.ObstacleShape{A: from, B: to, Radius: []float64{0, 0.1, 0.1, 0.3}[random.IntN(4)]})
			}
			from = to
		}
		people := []r2.Vec{place(), place(), place()}
		wkt, err := WalkableArea(box, all, people)
		if err != nil {
			if strings.Contains(err.Error(), "no walkable area") {
				continue
			}
			t.Fatalf("seed %d: %v", seed, err)
		}
		free, err := geom.UnmarshalWKT(wkt)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for range 20 {
			p := place()
			point := geom.XY{X: p.X, Y: p.Y}.AsPoint().AsGeometry()
			if !geom.Intersects(point, free) {
				continue
			}
			for _, o := range all {
				if o.Corners == nil && distance(p, o.A, o.B) < max(o.Radius, thin)-2*sagitta {
					t.Errorf("seed %d: got=%v in the area, %v m from %v %v, want it outside the radius %v m", seed, p, distance(p, o.A, o.B), o.A, o.B, o.Radius)
				}
			}
		}
	}
}

func distance(p, a, b r2.Vec) float64 {
	along := r2.Sub(b, a)
	f := 0.
	if l := r2.Norm2(along); l > 0 {
		f = min(max(r2.Dot(r2.Sub(p, a), along)/l, 0), 1)
	}
	return r2.Norm(r2.Sub(p, r2.Add(a, r2.Scale(f, along))))
}

// The work must grow almost linearly: twice as many obstacles, on twice the area, may make three times as
// many allocations.
func TestAreaOfManyObstacles(t *testing.T) {
	allocs := func(many int) float64 {
		random := rand.New(rand.NewPCG(1, 2))
		all, size := make([]world.ObstacleShape, many), 3*math.Sqrt(float64(many))
		for i := range all {
			p := at(size*random.Float64(), size*random.Float64())
			all[i] = world.ObstacleShape{A: p, B: p, Radius: 0.5}
			if i%2 == 0 {
				all[i].B = r2.Add(p, at(2*random.Float64(), 2*random.Float64()))
				all[i].Radius = 0.1
			}
		}
		return testing.AllocsPerRun(1, func() {
			if _, err := WalkableArea(r2.Box{Max: at(size, size)}, all, nil); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := allocs(150), allocs(300)
	if ratio := many / few; ratio > 3 {
		t.Errorf("allocations for twice the obstacles: got a ratio of %.1f, want at most 3", ratio)
	} else {
		t.Logf("allocations: %.0f and %.0f, a ratio of %.2f", few, many, ratio)
	}
}
