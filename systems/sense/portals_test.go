package sense

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPortalsThrough(t *testing.T) {
	all := Portals{
		{From: r2.NewBox(0, 0, 2, 4), To: r2.NewBox(10, 20, 12, 24)},
		{From: r2.NewBox(1, 0, 3, 4), To: r2.NewBox(-5, 0, -5, 0)}, // overlaps the first portal, and leads to a point
		{From: r2.NewBox(5, 0, 6, 1), To: r2.NewBox(7, 0, 11, 2)},  // leads to a larger box
	}
	for _, x := range []struct {
		p, out r2.Vec
		taken  bool
	}{
		{r2.Vec{X: 1, Y: 1}, r2.Vec{X: 11, Y: 21}, true},
		{r2.Vec{X: 1.5, Y: 1}, r2.Vec{X: 11.5, Y: 21}, true}, // the first portal
		{r2.Vec{X: 2.5, Y: 1}, r2.Vec{X: -5}, true},
		{r2.Vec{X: 5.5, Y: 0.5}, r2.Vec{X: 9, Y: 1}, true},
		{r2.Vec{X: 0, Y: 1}, r2.Vec{X: 0, Y: 1}, false}, // on the edge
		{r2.Vec{X: 5, Y: 1}, r2.Vec{X: 5, Y: 1}, false},
		{r2.Vec{X: 4, Y: 1}, r2.Vec{X: 4, Y: 1}, false},
		{r2.Vec{X: math.NaN(), Y: 1}, r2.Vec{}, false},
	} {
		out, taken := all.Through(x.p)
		if taken != x.taken || vec.Finite(x.p) && out != x.out {
			t.Errorf("through %v: got=%v, %v, want=%v, %v", x.p, out, taken, x.out, x.taken)
		}
	}
	if k, ok := all.Joins(r2.Vec{X: 2.5, Y: 1}, r2.Vec{X: -5}); !ok || k != 1 {
		t.Errorf("joins: got=%d, %v, want=1, true", k, ok)
	}
	if _, ok := all.Joins(r2.Vec{X: 0.5, Y: 1}, r2.Vec{X: -5}); ok {
		t.Error("joins: got=true, want=false: the first portal leads elsewhere")
	}
}

func TestPortalsCheck(t *testing.T) {
	good := Portal{From: r2.NewBox(0, 0, 1, 1), To: r2.NewBox(5, 5, 6, 6), Length: 3}
	with := func(edit func(*Portal)) Portal {
		p := good
		edit(&p)
		return p
	}
	for _, x := range []struct {
		all  Portals
		want string
	}{
		{nil, ""},
		{Portals{good, {From: r2.NewBox(6, 5, 7, 6), To: r2.NewBox(-1, 0, 0, 1)}}, ""}, // edges may touch
		{Portals{good, with(func(p *Portal) { p.From.Max.X = 0 })}, "portal 1 leads from"},
		{Portals{with(func(p *Portal) { p.From.Min.X = math.NaN() })}, "portal 0 leads from"},
		{Portals{with(func(p *Portal) { p.From = r2.Box{Min: r2.Vec{X: -1e308}, Max: r2.Vec{X: 1e308, Y: 1}} })}, "portal 0 leads from"},
		{Portals{with(func(p *Portal) { p.To.Max.Y = 4 })}, "portal 0 leads to"},
		{Portals{with(func(p *Portal) { p.To.Max.Y = math.Inf(1) })}, "portal 0 leads to"},
		{Portals{with(func(p *Portal) { p.Length = -1 })}, "portal 0 has the length -1 m"},
		{Portals{with(func(p *Portal) { p.Length = math.Inf(1) })}, "portal 0 has the length +Inf m"},
		{Portals{with(func(p *Portal) { p.To = p.From })}, "portal 0 leads into portal 0"},
		{Portals{good, {From: r2.NewBox(5.5, 5.5, 9, 9), To: r2.NewBox(20, 20, 20, 20)}}, "portal 0 leads into portal 1"},
	} {
		err := x.all.Check()
		if got := err == nil; got != (x.want == "") || err != nil && !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%v: got=%v, want=an error that begins with %q, or none if that is empty", x.all, err, x.want)
		}
	}
}

func TestRoutesThroughPortals(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	place := func() r2.Vec { return r2.Vec{X: 100 * rnd.Float64(), Y: 100 * rnd.Float64()} }
	for round := range 60 {
		var o Obstacles
		for range 8 * (round % 2) {
			a := place()
			o.shapes = append(o.shapes, space.Shape{A: a, B: vec.Add(a, vec.Scale(0.3, place())), Radius: 0.1})
		}
		o.index.Build(o.shapes, 0, 0)
		for range 1 + rnd.IntN(4) {
			p := Portal{Length: float64(rnd.IntN(3)) * 10 * rnd.Float64()}
			for _, b := range []*r2.Box{&p.From, &p.To} {
				at := place()
				*b = r2.Box{Min: at, Max: vec.Add(at, r2.Vec{X: 1, Y: 1})}
			}
			o.portals = append(o.portals, p)
		}
		plain := Obstacles{shapes: o.shapes}
		plain.index = o.index
		alone, routes := Routes{Obstacles: &plain}, Routes{Obstacles: &o}
		for range 10 {
			from, to := place(), place()
			want := shortest(&alone, o.portals, from, to, make([]bool, len(o.portals)))
			path, got, ok := routes.Find(from, to, 0.2, nil)
			if ok != !math.IsInf(want, 1) || ok && math.Abs(got-want) > 1e-9*want {
				t.Fatalf("round %d, from %v to %v: got=%v, %v, want=%v", round, from, to, got, ok, want)
			}
			if !ok {
				continue
			}
			length, at := 0., from
			for _, p := range path {
				if k, hop := o.portals.Joins(at, p); hop {
					length += o.portals[k].Length
				} else {
					length += vec.Norm(vec.Sub(p, at))
				}
				at = p
			}
			if at != to || math.Abs(length-got) > 1e-9*got {
				t.Errorf("round %d, from %v: end and length of the points: got=%v, %v, want=%v, %v", round, from, at, length, to, got)
			}
			var slow RouteSearch
			routes.Begin(&slow, from, to, 0.2)
			for !slow.Go(7) {
			}
			if again, _, _ := slow.Path(nil); !slices.Equal(again, path) {
				t.Errorf("round %d, from %v to %v, in small steps: got=%v, want=%v", round, from, to, again, path)
			}
		}
	}
}

// shortest returns the length of the shortest path over all sequences of unused portals, or +Inf. alone finds
// paths without portals.
func shortest(alone *Routes, portals Portals, from, to r2.Vec, used []bool) float64 {
	best := math.Inf(1)
	if _, length, ok := alone.Find(from, to, 0.2, nil); ok {
		best = length
	}
	for i := range portals {
		if used[i] {
			continue
		}
		_, length, ok := alone.Find(from, portals[i].entrance(), 0.2, nil)
		if !ok {
			continue
		}
		used[i] = true
		best = min(best, length+portals[i].Length+shortest(alone, portals, portals[i].exit(), to, used))
		used[i] = false
	}
	return best
}

func TestFieldsThroughPortals(t *testing.T) {
	o := Obstacles{portals: Portals{{From: r2.NewBox(-21, -1, -19, 1), To: r2.NewBox(9, 9, 11, 11), Length: 4}}}
	for _, w := range [][4]float64{{0, -30, 0, 30}, {-30, -30, 30, -30}, {30, -30, 30, 30}, {30, 30, -30, 30}, {-30, 30, -30, -30}} {
		a, b := r2.Vec{X: w[0], Y: w[1]}, r2.Vec{X: w[2], Y: w[3]}
		o.shapes = append(o.shapes, space.Shape{A: a, B: b, Radius: 0.1})
	}
	o.index.Build(o.shapes, 0, 0)
	goal := r2.Vec{X: 20, Y: -20}
	f := fieldsOf(&o, FlowField{Goals: to(goal), Radius: 0.3})
	behind := vec.Norm(vec.Sub(goal, r2.Vec{X: 10, Y: 10}))
	for _, p := range []r2.Vec{{X: -5, Y: 0}, {X: -25, Y: 20}, {X: -10, Y: -28}, {X: -22, Y: 2}} {
		entry := vec.Clamp(p, o.portals[0].From)
		want := vec.Norm(vec.Sub(entry, p)) + 4 + behind
		way, toward := f.Read(0, p)
		testkit.Near(t, way, want, 0.01*want, "from %v", p)
		if cos := vec.Dot(toward, vec.Unit(vec.Sub(entry, p))); cos < 0.99 {
			t.Errorf("from %v: direction: got=%v, want=toward the portal", p, toward)
		}
		path := f.Path(0, p)
		if len(path) < 3 || vec.Norm(vec.Sub(path[len(path)-1], goal)) > 1e-9 {
			t.Errorf("from %v: path: got=%v, want=a path to %v", p, path, goal)
		}
	}
	if way, _ := f.Read(0, r2.Vec{X: 10, Y: 10}); math.Abs(way-behind) > 0.01*behind {
		t.Errorf("at the exit: got=%v m, want=%v", way, behind)
	}
}

// The exit of a far portal is next to the goal.
func TestFieldsInTheOpenWithPortals(t *testing.T) {
	o := Obstacles{portals: Portals{{From: r2.NewBox(-41, -1, -39, 1), To: r2.NewBox(29.9, -0.1, 30.1, 0.1)}}}
	goal := r2.Vec{X: 30.2}
	f := fieldsOf(&o, FlowField{Goals: to(goal), Radius: 0.3})
	for _, x := range []struct {
		from   r2.Vec
		way    float64
		toward r2.Vec
	}{
		{r2.Vec{X: -39.5, Y: 1.2}, 0.2 + 0.2, r2.Vec{Y: -1}}, // so short that, without a portal, the goal would be in sight
		{r2.Vec{X: -39.5, Y: 20}, 19 + 0.2, r2.Vec{Y: -1}},
		{r2.Vec{X: -20}, 19 + 0.2, r2.Vec{X: -1}},
		{r2.Vec{X: 29}, 1.2, r2.Vec{X: 1}},
		{r2.Vec{X: 10}, 20.2, r2.Vec{X: 1}}, // the straight path is shorter
	} {
		way, toward := f.Read(0, x.from)
		if math.Abs(way-x.way) > 0.02*x.way+0.15 || vec.Dot(toward, x.toward) < 0.99 {
			t.Errorf("from %v: got=%v m toward %v, want=%v toward %v", x.from, way, toward, x.way, x.toward)
		}
	}
	path := f.Path(0, r2.Vec{X: -39.5, Y: 5})
	if n := len(path); n < 3 || n > 20 || path[n-1] != goal {
		t.Errorf("path: got=%v, want=3 to 20 points to %v", path, goal)
	}
}
