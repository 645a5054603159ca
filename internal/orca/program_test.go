package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// corners returns the possible solutions of a linear program: the goal, its feet on the borders, and the
// points where borders cross one another or the circle of the speed limit.
func corners(planes []halfPlane, limit float64, goal r2.Vec) (all []r2.Vec) {
	all = append(all, goal)
	for i, h := range planes {
		left, foot := vec.Left(h.n), vec.Scale(h.c, h.n)
		all = append(all, vec.AddScaled(foot, vec.Dot(left, goal), left))
		if q := limit*limit - h.c*h.c; q >= 0 {
			all = append(all, vec.AddScaled(foot, math.Sqrt(q), left), vec.AddScaled(foot, -math.Sqrt(q), left))
		}
		for _, p := range planes[:i] {
			if det := vec.Cross(h.n, p.n); det != 0 {
				all = append(all, xy((h.c*p.n.Y-p.c*h.n.Y)/det, (p.c*h.n.X-h.c*p.n.X)/det))
			}
		}
	}
	return all
}

func plainNearest(planes []halfPlane, limit float64, goal r2.Vec, slack float64) (best r2.Vec, found bool) {
	least := math.Inf(1)
	for _, v := range corners(planes, limit, goal) {
		met := vec.Norm(v) <= limit+slack
		for i := range planes {
			met = met && planes[i].violation(v) <= slack
		}
		if d := vec.Norm(vec.Sub(v, goal)); met && d < least {
			best, least, found = v, d, true
		}
	}
	return best, found
}

func plainLeast(planes []halfPlane, hard int, limit float64) float64 {
	lo, hi := 0., 100.
	for range 60 {
		mid := (lo + hi) / 2
		eased := append([]halfPlane(nil), planes...)
		for i := range eased[hard:] {
			eased[hard+i].c -= mid
		}
		if _, ok := plainNearest(eased, limit, r2.Vec{}, 1e-12); ok {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

func direction(r *rand.Rand) r2.Vec {
	sin, cos := vec.SinCos(2 * math.Pi * r.Float64())
	return xy(cos, sin)
}

// split makes some of the half-planes relative to a velocity.
func split(r *rand.Rand, planes []halfPlane, hard int, limit float64) *program {
	given := hard + r.IntN(len(planes)-hard+1)
	p := &program{hard: hard, limit: limit, slack: limit * rounding, own: vec.Scale(r.Float64(), direction(r))}
	p.give(planes[:given])
	for _, h := range planes[given:] {
		p.nx, p.ny, p.c = append(p.nx, h.n.X), append(p.ny, h.n.Y), append(p.c, h.violation(p.own))
	}
	return p
}

func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	feasible, all := 0, 4000
	for n := range all {
		limit := 0.5 + 2*r.Float64()
		hard, spread := r.IntN(4), r.Float64()
		planes := make([]halfPlane, hard+r.IntN(9))
		for i := range planes {
			h := &planes[i]
			h.n, h.c = direction(r), spread*(r.Float64()-0.8)
			if i > 0 && r.IntN(6) == 0 {
				h.n = vec.Scale(float64(2*r.IntN(2)-1), planes[i-1].n)
			}
			if r.IntN(50) == 0 {
				h.c = limit * (1 + 0.5*r.Float64())
			}
			if i < hard {
				h.c = min(h.c, 0)
			}
		}
		goal := vec.Scale(limit*r.Float64(), direction(r))
		p := split(r, planes, hard, limit)
		got, met := p.nearest(goal, p.worst(goal, 0, p.slack, 0), 0)
		want, ok := plainNearest(planes, limit, goal, 1e-9)
		if _, sure := plainNearest(planes, limit, goal, -1e-9); sure != ok {
			continue // rounding decides
		}
		if met != ok {
			t.Fatalf("%d: feasible: got=%v, want=%v: %v", n, !ok, ok, planes)
		}
		if ok {
			feasible++
			// Rounding can move the crossing of nearly parallel borders far, so compare distances.
			if d, e := vec.Norm(vec.Sub(got, goal)), vec.Norm(vec.Sub(want, goal)); math.Abs(d-e) > 1e-6 {
				t.Fatalf("%d: got=%v, %v from the goal, want=%v, %v from it: %v", n, got, d, want, e, planes)
			}
			continue
		}
		got = p.least(got, goal)
		worst := 0.
		for i := range planes {
			if v := planes[i].violation(got); i >= hard {
				worst = max(worst, v)
			} else if v > 1e-9 {
				t.Fatalf("%d: violation of hard half-plane %d: got=%v, want=0", n, i, v)
			}
		}
		if want := plainLeast(planes, hard, limit); math.Abs(worst-want) > 1e-6 || vec.Norm(got) > limit*(1+1e-9) {
			t.Fatalf("%d: got=%v with violation %v, want=violation %v and length at most %v: %d hard, %v", n, got, worst, want, limit, hard, planes)
		}
	}
	if feasible < all/8 || feasible > all*7/8 {
		t.Errorf("feasible programs: got=%d of %d, want=an eighth to seven eighths", feasible, all)
	}
}

func TestPoint(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 1000 {
		point, first := vec.Scale(r.Float64(), direction(r)), 2*math.Pi*r.Float64()
		var planes []halfPlane
		for k := range 5 {
			sin, cos := vec.SinCos(first + 2*math.Pi*float64(k)/5)
			n := xy(cos, sin)
			planes = append(planes, halfPlane{n, vec.Dot(n, point)})
		}
		p, goal := split(r, planes, 0, 2), direction(r)
		if got, ok := p.solve(goal, p.worst(goal, 0, p.slack, 0)); !ok || !about(got, point) {
			t.Fatalf("%v: got=%v, %v, want=%v, true", planes, got, ok, point)
		}
	}
}

func TestPlanes(t *testing.T) {
	agent := Agent{ID: 1, Radius: 0.5, Velocity: r2.Vec{X: 1}, Preferred: r2.Vec{X: 3}, MaxSpeed: 2, Rule: Rule{Horizon: 2, ObstacleHorizon: 2, Firm: true, Side: 0.5}}
	ahead := Other{ID: 2, Position: r2.Vec{X: 1.5}, Radius: 0.5, Share: 0.5}
	away := Other{ID: 3, Position: r2.Vec{Y: 50}, Radius: 0.5, Share: 0.5}
	below := Wall(r2.Vec{X: -9, Y: -1.5}, r2.Vec{X: 9, Y: -1.5}, 0.1)
	inside := Wall(r2.Vec{X: -9, Y: 0.4}, r2.Vec{X: 9, Y: 0.4}, 0.1)
	for _, test := range []struct {
		name   string
		others []Other
		walls  []Edge
		want   []Kind
		aside  bool
	}{
		{"alone", nil, nil, nil, false},
		{"a wall", nil, []Edge{below}, []Kind{OfWall}, false},
		{"in a wall", nil, []Edge{inside}, []Kind{OfWall, OfTouching}, false},
		{"another agent far away", []Other{away}, nil, nil, false},
		{"all at once", []Other{ahead, away}, []Edge{inside, below}, []Kind{OfWall, OfWall, OfGap, OfTouching, OfBody}, true},
	} {
		var s Alone
		v, feasible := s.Velocity(&agent, test.others, test.walls, 0.5)
		planes := s.Planes()
		if len(planes) != len(test.want) {
			t.Errorf("%s: half-planes: got=%v, want=kinds %v", test.name, planes, test.want)
			continue
		}
		all := true
		for i, p := range planes {
			all = all && vec.Dot(p.Normal, v) >= p.Least-1e-9
			if p.Kind != test.want[i] {
				t.Errorf("%s: half-plane %d: got=%v, want=kind %v", test.name, i, p, test.want[i])
			}
		}
		testkit.Equal(t, all, feasible, "%s: %v in all half-planes", test.name, v)
		if aim := s.Aim(); vec.Norm(aim) < 1.999 || vec.Norm(aim) > 2.001 || (aim.Y < 0) != test.aside {
			t.Errorf("%s: aim: got=%v, want=2 m/s, to the right: %v", test.name, aim, test.aside)
		}
	}
}
