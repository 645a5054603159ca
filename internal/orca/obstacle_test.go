package orca

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// meets is the definition of a velocity obstacle: it reports whether a disc that starts at zero with velocity
// v touches the segment from a to b within the horizon.
func meets(v, a, b r2.Vec, radius, horizon float64) bool {
	return closest(v, a, b, horizon) < radius
}

// closest returns the minimum distance, during the horizon, between the segment and a point that
// moves from zero with velocity v.
func closest(v, a, b r2.Vec, horizon float64) float64 {
	end := vec.Scale(horizon, v)
	d := min(far(a, r2.Vec{}, end), far(b, r2.Vec{}, end), far(r2.Vec{}, a, b), far(end, a, b))
	ab := vec.Sub(b, a)
	s, e := vec.Cross(ab, vec.Sub(r2.Vec{}, a)), vec.Cross(ab, vec.Sub(end, a))
	f, g := vec.Cross(end, a), vec.Cross(end, b)
	if s*e < 0 && f*g < 0 {
		return 0
	}
	return d
}

func far(p, a, b r2.Vec) float64 {
	ab, ap := vec.Sub(b, a), vec.Sub(p, a)
	t := 0.
	if n := vec.Norm2(ab); n > 0 {
		t = min(max(vec.Dot(ap, ab)/n, 0), 1)
	}
	return vec.Norm(vec.Sub(ap, vec.Scale(t, ab)))
}

// inside reports whether a velocity lies in the obstacle.
func checkBorder(t *testing.T, h halfPlane, v r2.Vec, inside func(r2.Vec) bool) {
	t.Helper()
	depth := h.violation(v)
	at := vec.AddScaled(v, depth, h.n)
	e := 1e-6 * (1 + math.Abs(depth) + vec.Norm(v))
	if out, in := vec.AddScaled(at, e, h.n), vec.AddScaled(at, -e, h.n); inside(out) || !inside(in) {
		t.Fatalf("%+v of %v: inside at %v and %v: got=%v and %v, want=false and true", h, v, out, in, inside(out), inside(in))
	}
	for k := range 64 {
		sin, cos := vec.SinCos(float64(k) * (2 * math.Pi / 64))
		for _, f := range []float64{0.2, 0.6, 0.99} {
			w := vec.AddScaled(v, f*(math.Abs(depth)-e), xy(cos, sin))
			if math.Abs(depth) > 2*e && inside(w) != (depth > 0) {
				t.Fatalf("%+v of %v: got=a border nearer than %v m/s, on the way to %v, want=none", h, v, math.Abs(depth), w)
			}
		}
		w := vec.AddScaled(vec.AddScaled(at, 3*e, h.n), 5*float64(k-32)/8, vec.Left(h.n))
		if inside(w) {
			t.Fatalf("%+v of %v: got=%v in the obstacle and the half-plane, want=outside one", h, v, w)
		}
	}
}

func TestHalfPlaneOfAnOther(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Alone
	for range 3000 {
		reach, horizon := 0.2+r.Float64(), 0.5+5*r.Float64()
		a := Agent{Velocity: vec.Scale(2*r.Float64(), direction(r)), Radius: 0.3 * reach, Rule: Rule{Horizon: horizon}}
		o := Other{Position: vec.Scale(reach*(1.001+3*r.Float64()), direction(r)), Velocity: vec.Scale(2*r.Float64(), direction(r)),
			Radius: reach - a.Radius, Share: 1}
		inside := func(v r2.Vec) bool { return meets(vec.Sub(v, o.Velocity), o.Position, o.Position, reach, horizon) }
		plane := func() halfPlane {
			a.MaxSpeed = 1e9
			s.Velocity(&a, []Other{o}, nil, 0.1)
			s.program.open(&s.choices[0], &s.Solver)
			return s.program.plane(0)
		}
		whole := plane()
		checkBorder(t, whole, a.Velocity, inside)

		o.Share = r.Float64()
		part := plane()
		if got, want := part.violation(a.Velocity), o.Share*whole.violation(a.Velocity); math.Abs(got-want) > 1e-12 || part.n != whole.n {
			t.Fatalf("share %v: violation and normal: got=%v, %v, want=%v, %v", o.Share, got, part.n, want, whole.n)
		}
	}
}

func TestHalfPlaneOfAWall(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s Alone
	for n := range 4000 {
		at := xy(4*r.Float64()-2, 4*r.Float64()-2)
		long := 3 * r.Float64() * float64(min(n%10, 1))
		e := Wall(at, vec.AddScaled(at, long, direction(r)), 0.1*r.Float64())
		a := Agent{Velocity: vec.Scale(2*r.Float64(), direction(r)), Radius: 0.1 + 0.3*r.Float64(), Rule: Rule{ObstacleHorizon: 0.5 + 2*r.Float64()}}
		reach := a.Radius + e.Radius
		if far(r2.Vec{}, e.A, e.B) < reach*1.001 {
			continue
		}
		a.MaxSpeed = 1e9
		s.Set(&a, nil, []Edge{e}, 0.1)
		if len(s.planes) != 1 || s.planes[0].c > 0 {
			t.Fatalf("%+v: got=%v, want=one half-plane that contains zero", e, s.planes)
		}
		checkBorder(t, s.planes[0], a.Velocity, func(v r2.Vec) bool { return meets(v, e.A, e.B, reach, a.ObstacleHorizon) })
	}
}

func polygon(r *rand.Rand, at r2.Vec, least, most float64) (corners []r2.Vec) {
	n := 3 + r.IntN(6)
	for i := range n {
		sin, cos := vec.SinCos(2 * math.Pi * (float64(i) + 0.8*r.Float64()) / float64(n))
		corners = append(corners, vec.AddScaled(at, least+(most-least)*r.Float64(), xy(cos, sin)))
	}
	return corners
}

// Room is like Ring, but for a polygon whose outside is solid.
func Room(edges []Edge, corners []r2.Vec, radius float64) []Edge {
	first := len(edges)
	edges = Ring(edges, corners, radius)
	for i := range edges[first:] {
		e := &edges[first+i]
		e.A, e.B, e.along = e.B, e.A, vec.Scale(-1, e.along)
		e.before, e.after = vec.Scale(-1, e.after), vec.Scale(-1, e.before)
	}
	slices.Reverse(edges[first:])
	return edges
}

func TestHalfPlaneOfAPolygon(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	var s Alone
	for range 10000 {
		at, turn := vec.Scale(1+3*r.Float64(), direction(r)), r.Float64()
		var corners []r2.Vec
		for k := range 3 + r.IntN(5) {
			angle := turn + 2*math.Pi*float64(k)/8 + 0.5*r.Float64()
			if k > 2 || r.IntN(2) == 0 {
				angle = turn + 2*math.Pi*float64(k)/8
			}
			sin, cos := vec.SinCos(angle)
			corners = append(corners, vec.Add(at, xy((0.3+at.X*at.X/8)*cos, sin)))
		}
		walls := Ring(nil, corners, 0)
		r.Shuffle(len(walls), func(i, j int) { walls[i], walls[j] = walls[j], walls[i] })
		a := Agent{Velocity: vec.Scale(2*r.Float64(), direction(r)), Radius: 0.1 + 0.3*r.Float64(), Rule: Rule{ObstacleHorizon: 0.5 + 2*r.Float64()}}
		nearest := math.Inf(1)
		for _, e := range walls {
			nearest = min(nearest, far(r2.Vec{}, e.A, e.B))
		}
		if nearest < a.Radius*1.001 || within(walls, r2.Vec{}) {
			continue
		}
		a.MaxSpeed = 1e3
		s.Set(&a, nil, walls, 0.1)
		if len(s.planes) != 1 {
			t.Fatalf("%+v and %+v: got=%v, want=one half-plane", a, corners, s.planes)
		}
		checkBorder(t, s.planes[0], a.Velocity, func(v r2.Vec) bool {
			for _, e := range walls {
				if meets(v, e.A, e.B, a.Radius, a.ObstacleHorizon) {
					return true
				}
			}
			return false
		})
	}
}

func TestNoWayIntoAWall(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var s Alone
	hindered, free := 0, 0
	for n := range 20000 {
		var walls []Edge
		if n%2 == 0 {
			walls = Ring(walls, polygon(r, xy(1.5, 0), 0.3, 2), 0)
			walls = Ring(walls, polygon(r, xy(-1, 2), 0.3, 1.5), 0)
		} else {
			walls = Room(walls, polygon(r, r2.Vec{}, 0.6, 2), 0)
		}
		walls = append(walls, Wall(xy(-1, -2), xy(-2, -1), 0.05))
		a := Agent{Velocity: vec.Scale(2*r.Float64(), direction(r)), Preferred: vec.Scale(2, direction(r)), MaxSpeed: 2, Radius: 0.05 + 0.5*r.Float64(), Rule: Rule{Horizon: 2, ObstacleHorizon: float64(min(n%4, 1)) * (0.2 + 2*r.Float64()), Side: 0.2, Firm: n%3 == 0}}
		var others []Other
		for range r.IntN(8) {
			others = append(others, Other{Position: vec.Scale(0.3+2*r.Float64(), direction(r)), Velocity: vec.Scale(2*r.Float64(), direction(r)),
				Radius: 0.3, Share: r.Float64()})
		}
		nearest := math.Inf(1)
		for _, e := range walls {
			nearest = min(nearest, far(r2.Vec{}, e.A, e.B)-a.Radius-e.Radius)
		}
		solid := within(walls, r2.Vec{}) == (n%2 == 0)
		if nearest < 0 || solid {
			continue
		}
		if n%5 == 0 { // some edges without their neighbors
			r.Shuffle(len(walls), func(i, j int) { walls[i], walls[j] = walls[j], walls[i] })
			walls = walls[:1+r.IntN(2)]
		}
		v, _ := s.Velocity(&a, others, walls, 0.1)
		r.Shuffle(len(walls), func(i, j int) { walls[i], walls[j] = walls[j], walls[i] })
		if w, _ := s.Velocity(&a, others, walls, 0.1); !about(w, v) {
			t.Fatalf("%d: edges in another order: got=%v, want=%v", n, w, v)
		}
		if v == a.Preferred {
			free++
		} else {
			hindered++
		}
		for _, e := range walls {
			if e.outline != nil && vec.Cross(e.along, vec.Sub(r2.Vec{}, e.A)) > 0 {
				continue // seen from behind
			}
			if gap := closest(v, e.A, e.B, max(a.ObstacleHorizon, 0.1)) - a.Radius - e.Radius; gap < -1e-7 {
				t.Fatalf("%d: %+v with %+v in %+v: got=%v, which leads %v m into %+v, want=0", n, a, others, walls, v, -gap, e)
			}
		}
	}
	if hindered < 2000 || free < 100 {
		t.Errorf("agents: got=%d hindered and %d free, want=2000 and 100 or more", hindered, free)
	}
}

// within reports whether p is within an odd number of outlines.
func within(edges []Edge, p r2.Vec) (in bool) {
	for _, e := range edges {
		a, b := vec.Sub(e.A, p), vec.Sub(e.B, p)
		if e.outline != nil && (a.Y > 0) != (b.Y > 0) && (vec.Cross(a, b) > 0) == (b.Y > 0) {
			in = !in
		}
	}
	return in
}

func TestEdgeWithoutItsNeighbor(t *testing.T) {
	box := Ring(nil, []r2.Vec{xy(0, 0), xy(9, 0), xy(9, 9), xy(0, 9)}, 0)
	var lower []Edge
	for _, e := range box {
		if e.A.Y == 0 && e.B.Y == 0 {
			lower = append(lower, e)
		}
	}
	a := Agent{Position: xy(-2, -1), Velocity: xy(0.2, 1.5), Preferred: xy(1.4, 0), Radius: 0.5, MaxSpeed: 2, Rule: Rule{ObstacleHorizon: 1}}
	var s Alone
	if got, _ := s.Velocity(&a, nil, lower, 0.1); len(lower) != 1 || got != a.Preferred {
		t.Errorf("%d edges: got=%v, want=%v", len(lower), got, a.Preferred)
	}
}

func TestHardPlanes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ways := []r2.Vec{xy(1, 0), xy(-1, 0), xy(0, 1), xy(0, -1)}
	var s Alone
	for i := range 60000 {
		a := Agent{Position: xy(4*r.Float64()-2, 4*r.Float64()-2), Velocity: xy(2*r.Float64()-1, 2*r.Float64()-1), Preferred: xy(3*r.Float64()-1.5, 3*r.Float64()-1.5), Radius: 0.25 * float64(r.IntN(3)), MaxSpeed: 1.5, Rule: Rule{Horizon: 2, ObstacleHorizon: 0.5 * float64(r.IntN(4)), Side: 0.2, Firm: true}}
		var walls []Edge
		for range r.IntN(4) {
			walls = append(walls, Wall(xy(4*r.Float64()-2, 4*r.Float64()-2), xy(4*r.Float64()-2, 4*r.Float64()-2), 0))
		}
		var others []Other
		for k := range r.IntN(12) {
			to := vec.WithNorm(xy(r.NormFloat64(), r.NormFloat64()), a.Radius+0.3)
			switch {
			case k > 0 && r.IntN(3) == 0: // nearly across from the first one
				first := vec.Sub(others[0].Position, a.Position)
				to = vec.AddScaled(vec.Scale(-1, first), math.Pow(10, -float64(r.IntN(14))), vec.Left(first))
			case r.IntN(2) == 0:
				to = vec.WithNorm(ways[r.IntN(4)], a.Radius+0.3)
			}
			to = vec.Scale(1+[]float64{0, 1e-16, 1e-12, 1e-9, 1e-6, 0.1, -1e-9}[r.IntN(7)], to)
			others = append(others, Other{
				ID: uint64(k + 1), Position: vec.Add(a.Position, to), Radius: 0.3, Velocity: xy(r.NormFloat64(), r.NormFloat64()), Share: []float64{0.5, 0.5, 1, 0.25}[r.IntN(4)],
			})
		}
		v, _ := s.Velocity(&a, others, walls, 0.1)
		c := &s.choices[0]
		for k := c.first; k < c.hard; k++ {
			if got := s.planes[k].violation(v); got > 1e-8 {
				t.Fatalf("case %d, half-plane %d: violation: got=%v m/s, want=at most 1e-8", i, k, got)
			}
		}
	}
}

func TestHides(t *testing.T) {
	wall := []Edge{Wall(xy(-5, 0), xy(5, 0), 0)}
	door := []Edge{Wall(xy(-5, 0), xy(-0.6, 0), 0), Wall(xy(0.6, 0), xy(5, 0), 0)}
	block := Ring(nil, []r2.Vec{xy(-5, -0.5), xy(5, -0.5), xy(5, 0.5), xy(-5, 0.5)}, 0)
	for _, tc := range []struct {
		name   string
		walls  []Edge
		at, to r2.Vec
		radius float64
		other  float64
		want   bool
	}{
		{"nothing between", nil, xy(0, -1), xy(0, 1), 0.3, 0.3, false},
		{"a wall", wall, xy(0, -1), xy(0, 1), 0.3, 0.3, true},
		{"along a wall", wall, xy(-2, 1), xy(2, 1), 0.3, 0.3, false},
		{"middles in sight, one side hidden", wall, xy(5.1, -1), xy(5.1, 1), 0.3, 0.3, false},
		{"middles hidden, one side in sight", wall, xy(4.9, -1), xy(4.9, 1), 0.3, 0.3, false},
		{"just hidden", wall, xy(4.6, -1), xy(4.6, 1), 0.3, 0.3, true},
		{"points", wall, xy(4.9, -1), xy(4.9, 1), 0, 0, true},
		{"through a door", door, xy(0, -2), xy(0, 2), 0.3, 0.3, false},
		{"through a door at a slant", door, xy(-2, -2), xy(2, 2), 0.3, 0.3, false},
		{"past the post of a door", door, xy(-2, -0.5), xy(-1, 1), 0.3, 0.3, true},
		{"round the corner of a block", block, xy(4.9, -1), xy(5.8, 0.6), 0.3, 0.3, false},
		{"the same place", wall, xy(1, 1), xy(1, 1), 0.3, 0.3, false},
		{"a disc hides none", []Edge{Wall(xy(0, 0), xy(0, 0), 0.5)}, xy(0, -1), xy(0, 1), 0.3, 0.3, false},
	} {
		var walls []*Edge
		for i := range tc.walls {
			walls = append(walls, &tc.walls[i])
		}
		hides := func(at r2.Vec, radius float64, other r2.Vec, otherRadius float64) bool {
			var s Sightlines
			s.Look(at, radius, 10, walls)
			return s.Hides(other, otherRadius)
		}
		testkit.Equal(t, hides(tc.at, tc.radius, tc.to, tc.other), tc.want, "%s", tc.name)
		testkit.Equal(t, hides(tc.to, tc.other, tc.at, tc.radius), tc.want, "%s, from the other side", tc.name)
	}
}

func TestHidesNear(t *testing.T) {
	wall := Wall(xy(-5, 0), xy(5, 0), 0)
	for _, tc := range []struct {
		y, sight float64
		want     bool
	}{{-0.5, 0, true}, {-1.9, 0, true}, {-2.1, 0, false}, {-2.1, 1, false}, {-2.1, 3, true}, {-8, 3, false}} {
		var s Sightlines
		s.Look(xy(0, tc.y), 0.3, max(2, tc.sight), []*Edge{&wall})
		testkit.Equal(t, s.Hides(xy(0, 1), 0.3), tc.want, "wall %v m away, sight of %v m", -tc.y, max(2, tc.sight))
	}
}
