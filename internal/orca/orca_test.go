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

func one(p, v r2.Vec) Agent {
	return Agent{ID: 1, Position: p, Velocity: v, Preferred: v, Radius: 0.5, MaxSpeed: 2, Rule: Rule{Horizon: 4, ObstacleHorizon: 2}}
}

func (a Agent) as(share float64) Other {
	return Other{ID: a.ID, Position: a.Position, Velocity: a.Velocity, Radius: a.Radius, Share: share}
}

func about(a, b r2.Vec) bool { return vec.Norm(vec.Sub(a, b)) < 1e-9 }

func TestVelocity(t *testing.T) {
	var none r2.Vec
	still := func(p r2.Vec) Other { return one(p, none).as(1) }
	east := one(none, xy(1, 0))
	stop := func(distance, horizon float64) r2.Vec { return xy((distance-1)/horizon, 0) }
	fast := one(none, xy(1, 0))
	fast.Preferred = xy(30, 40)
	stuck := one(none, none)
	stuck.Preferred = xy(1, 0)
	hasty := stuck
	hasty.Horizon, hasty.ObstacleHorizon = 0, 0
	sidesteps := one(none, xy(1.5, 0))
	sidesteps.Side, sidesteps.Sidestep = 0.4, 0.4
	comes := func(y float64) []Other { return []Other{one(xy(6, y), xy(-1.5, 0)).as(0.5)} }
	keeps := func(keep float64) Agent {
		return Agent{ID: 1, Way: xy(1, 0), Radius: 0.25, MaxSpeed: 1, Rule: Rule{Horizon: 2, Yield: true, Keep: keep}}
	}
	ahead := func(x float64) []Other {
		return []Other{{ID: 2, Position: xy(x, 0), Radius: 0.25, Way: xy(1, 0), Share: 0.5}}
	}
	point := func(x, y float64) Agent {
		return Agent{Preferred: xy(x, y), MaxSpeed: 2, Rule: Rule{ObstacleHorizon: 2}}
	}
	for _, tt := range []struct {
		name   string
		agent  Agent
		others []Other
		walls  []Edge
		want   r2.Vec
		unmet  bool
	}{
		{"alone", east, nil, nil, xy(1, 0), false},
		{"faster than it can", fast, nil, nil, xy(1.2, 1.6), false},
		{"ignored", east, []Other{one(xy(2, 0), none).as(0)}, nil, xy(1, 0), false},
		{"from rest toward an agent at rest", stuck, []Other{still(xy(3, 0))}, nil, stop(3, 4), false},
		{"without a horizon, within a step", hasty, []Other{still(xy(1.02, 0))}, nil, xy(0.2, 0), false},
		{"without a horizon, at a wall", hasty, nil, []Edge{Wall(xy(0.52, -9), xy(0.52, 9), 0)}, xy(0.2, 0), false},
		{"a radius below zero", stuck, []Other{{Position: xy(3, 0), Radius: -9, Share: 1}}, nil, xy(0.75, 0), false},
		{"from rest, with half of the avoidance", stuck, []Other{one(xy(3, 0), none).as(0.5)}, nil, xy(0.25, 0), false},
		{"one that comes on the left, not in the way", sidesteps, comes(3), nil, xy(1.5, 0), false},
		{"keeps back from one ahead", keeps(0.15), ahead(0.55), nil, xy(-0.05, 0), false},
		{"far enough behind one ahead", keeps(0.15), ahead(0.6), nil, none, false},
		{"keeps less", keeps(0.05), ahead(0.55), nil, none, false},
		{"at a thick wall", stuck, nil, []Edge{Wall(xy(1, 9), xy(1, -9), 0.25)}, xy(0.125, 0), false},
		{"at a wall that it touches", stuck, nil, []Edge{Wall(xy(0.5, -9), xy(0.5, 9), 0)}, none, false},
		{"along a wall that it touches", east, nil, []Edge{Wall(xy(-9, 0.5), xy(9, 0.5), 0)}, xy(1, 0), false},
		{"along a wall of pieces that it touches", east, nil, []Edge{Wall(xy(3, 0.5), xy(9, 0.5), 0), Wall(xy(-9, 0.5), xy(1, 0.5), 0), Wall(xy(1, 0.5), xy(3, 0.5), 0)}, xy(1, 0), false},
		{"along a wall of pieces that it slightly overlaps", east, nil, []Edge{Wall(xy(3, 0.4999), xy(9, 0.4999), 0), Wall(xy(-9, 0.4999), xy(1, 0.4999), 0), Wall(xy(1, 0.4999), xy(3, 0.4999), 0)}, xy(1, -0.001), false},
		{"from rest, along a wall of pieces that it overlaps", stuck, nil, []Edge{Wall(xy(3, 0.4), xy(9, 0.4), 0), Wall(xy(-9, 0.4), xy(1, 0.4), 0), Wall(xy(1, 0.4), xy(3, 0.4), 0)}, xy(1, -1), false},
		{"in a wall", stuck, nil, []Edge{Wall(xy(0.4, -9), xy(0.4, 9), 0)}, xy(-1, 0), false},
		{"with its center on a wall", one(none, none), nil, []Edge{Wall(xy(0, -9), xy(0, 9), 0)}, xy(2, 0), true},
		{"a point on the end of a wall: along it", point(1, 1), nil, []Edge{Wall(none, xy(2, 0), 0)}, xy(1, 0), false},
		{"a point on the end of a wall: beyond it", point(-1, 1), nil, []Edge{Wall(none, xy(2, 0), 0)}, xy(-1, 0), false},
		{"a point on the end of a wall: away from it", point(1, -1), nil, []Edge{Wall(none, xy(2, 0), 0)}, xy(1, -1), false},
		{"in both of two walls", stuck, nil, []Edge{Wall(xy(-9, 0.4), xy(9, 0.4), 0), Wall(xy(-9, -0.4), xy(9, -0.4), 0)}, xy(1, 0), true},
		{"at a doorway that is too narrow", stuck, nil, []Edge{Wall(xy(0.5, 0.4), xy(0.5, 9), 0), Wall(xy(0.5, -9), xy(0.5, -0.4), 0)}, xy((math.Hypot(0.5, 0.4)-0.5)/2/(0.5/math.Hypot(0.5, 0.4)), 0), false},
		{"out of a solid polygon", east, nil, Ring(nil, []r2.Vec{xy(-1, -1), xy(1, -1), xy(1, 1), xy(-1, 1)}, 0), xy(1, 0), false},
		{"out of a room", stuck, nil, Room(nil, []r2.Vec{xy(-1, -1), xy(1, -1), xy(1, 1), xy(-1, 1)}, 0), xy(0.25, 0), false},
		{"into a corner of a room", one(none, xy(1, 1)), nil, Room(nil, []r2.Vec{xy(-1, -1), xy(-1, 1), xy(1, 1), xy(1, -1)}, 0), xy(0.25, 0.25), false},
		{"overlapping, with half of the avoidance", one(none, none), []Other{one(xy(0.9, 0), none).as(0.5)}, nil, xy(-0.5, 0), false},
		{"overlapping, with all of the avoidance", one(none, none), []Other{one(xy(0.9, 0), none).as(1)}, nil, xy(-1, 0), false},
		{"overlapping too much for a step", one(none, none), []Other{one(xy(0.1, 0), none).as(1)}, nil, xy(-2, 0), true},
		{"overlapping on both sides", one(none, none), []Other{one(xy(0.9, 0), none).as(1), one(xy(-0.9, 0), none).as(1)}, nil, none, true},
		{"the worse side gives way", one(none, none), []Other{one(xy(0.9, 0), none).as(1), one(xy(-0.8, 0), none).as(1)}, nil, xy(0.5, 0), true},
	} {
		var s Alone
		got, feasible := s.Velocity(&tt.agent, tt.others, tt.walls, 0.1)
		if !about(got, tt.want) || feasible == tt.unmet {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tt.name, got, feasible, tt.want, !tt.unmet)
		}
	}
}

func TestNoTime(t *testing.T) {
	for _, tt := range []struct{ dt, horizon, want float64 }{{0, 4, -0.025}, {-1, 4, -0.025}, {0, 0, 0}, {0, -1, 0}} {
		a := one(r2.Vec{}, r2.Vec{})
		a.Horizon, a.ObstacleHorizon = tt.horizon, tt.horizon
		var s Alone
		got, ok := s.Velocity(&a, []Other{one(xy(0.9, 0), r2.Vec{}).as(1)}, []Edge{Wall(xy(-9, 0.4), xy(9, 0.4), 0)}, tt.dt)
		if !about(got, xy(tt.want, 0)) || !ok {
			t.Errorf("%+v: got=%v, %v, want={%v 0}, true", tt, got, ok, tt.want)
		}
	}
}

func TestTie(t *testing.T) {
	for _, side := range []float64{1e-12, -1e-12} {
		a := one(r2.Vec{}, xy(1.5, 0))
		a.Horizon, a.Side = 100, side
		var s Alone
		if v, _ := s.Velocity(&a, []Other{one(xy(3, 0), r2.Vec{}).as(1)}, nil, 0.1); !(v.X > 1 && v.Y*side < 0) {
			t.Errorf("side %v: got=%v, want=x above 1, and y of the other sign", side, v)
		}
	}
}

func TestMeetings(t *testing.T) {
	for _, tt := range []struct {
		name       string
		p, q, u, w r2.Vec  // from p to q and from u to w
		fast, slow float64 // m/s
		most       float64 // s; straight ahead it takes 12 to 13
	}{
		{"head-on", xy(-6, 0), xy(6, 0), xy(6, 0), xy(-6, 0), 1, 1, 13},
		{"head-on, a little to the left", xy(-6, 0.1), xy(6, 0.1), xy(6, 0), xy(-6, 0), 1, 1, 13},
		{"crossing", xy(-6, 0), xy(6, 0), xy(0, -6), xy(0, 6), 1, 1, 13},
		{"at a sharp angle", xy(-6, 1.5), xy(6, -1.5), xy(-6, -1.5), xy(6, 1.5), 1, 1, 14},
		{"overtaking", xy(-8, 0), xy(6, 0), xy(-6, 0), xy(3, 0), 2, 0.7, 13.5},
	} {
		for _, firm := range []bool{false, true} {
			c := &crowd{near: 20, most: 10, dt: 0.1, sidestep: true, speed: 9}
			kind := Agent{Radius: 0.5, Rule: Rule{Horizon: 4, Firm: firm}}
			kind.MaxSpeed = tt.fast
			c.add(kind, tt.p, tt.q)
			kind.MaxSpeed = tt.slow
			c.add(kind, tt.u, tt.w)
			if !c.run(0.3, 300) || c.deepest > 1e-9 || float64(c.steps)*c.dt > tt.most {
				t.Errorf("%s, firm %v: got=%d arrived after %.1f s, penetration %v m, want=2 after %v s or less, 0 m", tt.name, firm, c.arrived(0.3), float64(c.steps)*c.dt, c.deepest, tt.most)
			}
		}
	}
}

func scattered(r *rand.Rand, n int, overlap bool) (agents []Agent, seen [][]Other) {
	for len(agents) < n {
		a := Agent{ID: r.Uint64(), Position: xy(6*r.Float64(), 6*r.Float64()), Velocity: vec.Scale(2*r.Float64(), direction(r)), Preferred: vec.Scale(2*r.Float64(), direction(r)), Radius: 0.1 + 0.4*r.Float64(), MaxSpeed: 2, Rule: Rule{Horizon: 2, Side: 0.2}}
		if overlap || !slices.ContainsFunc(agents, func(o Agent) bool {
			return vec.Norm(vec.Sub(o.Position, a.Position)) < o.Radius+a.Radius
		}) {
			agents = append(agents, a)
		}
	}
	return agents, everybody(agents, func(_, _ int) float64 { return 0.5 })
}

func everybody(agents []Agent, share func(i, j int) float64) [][]Other {
	seen := make([][]Other, len(agents))
	for i := range agents {
		for j := range agents {
			if j != i {
				seen[i] = append(seen[i], agents[j].as(share(i, j)))
			}
		}
	}
	return seen
}

// The paper guarantees that two agents with feasible velocities do not collide within the horizon if both
// keep these velocities.
func TestNoCollision(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	pairs, unmet := 0, 0
	for n := range 500 {
		firm, dt, within, most := false, 0.1, 2., 1e-7
		agents, _ := scattered(r, 2+r.IntN(9), false)
		if n >= 300 {
			firm, dt, within, most = true, 0.25, 0.25, 1e-8
			agents, _ = scattered(r, 40, false)
		}
		priority := make([]float64, len(agents))
		for i := range priority {
			priority[i] = r.Float64()
			if firm {
				priority[i] = float64(1 + agents[i].ID%5)
			}
		}
		seen := everybody(agents, func(i, j int) float64 { return Share(priority[i], priority[j]) })
		var s Alone
		v, met := make([]r2.Vec, len(agents)), make([]bool, len(agents))
		for i := range agents {
			agents[i].Firm = firm
			if v[i], met[i] = s.Velocity(&agents[i], seen[i], nil, dt); firm && !met[i] {
				unmet++
			}
		}
		for i := range agents {
			for j := range agents[:i] {
				if !firm && !(met[i] && met[j]) {
					continue
				}
				pairs += AsInt(!firm)
				to := vec.Sub(agents[j].Position, agents[i].Position)
				if gap := closest(vec.Sub(v[i], v[j]), to, to, within) - agents[i].Radius - agents[j].Radius; gap < -most {
					t.Fatalf("%+v and %+v: got=%v and %v, a penetration of %v m, want=0", agents[i], agents[j], v[i], v[j], -gap)
				}
			}
		}
	}
	if pairs < 1000 || unmet < 500 {
		t.Errorf("got=%d pairs with feasible velocities and %d firm agents without one, want=1000 and 500 or more", pairs, unmet)
	}
}

func TestGaps(t *testing.T) {
	for _, tt := range []struct{ share, radius, want float64 }{
		{0.5, 0.5, 1}, {0.25, 0.5, 1.5}, {0.75, 0.5, 0.5}, {0.75, 0.2, 1.25}, {1, 0.5, 1}, {1, 0.65, 0}, {0.5, 0.7, 0}, {0.5, 0.9, 0},
	} {
		a, o := one(r2.Vec{}, r2.Vec{}), one(xy(1.2, 0), xy(-1, 0)).as(tt.share)
		a.Firm, o.Radius = true, tt.radius
		var s Alone
		s.Velocity(&a, []Other{o}, nil, 0.1)
		if len(s.planes) != 1 || math.Abs(s.planes[0].c+tt.want) > 1e-9 || s.planes[0].n != xy(-1, 0) {
			t.Errorf("%+v: got=%v, want=one half-plane {{-1 0} -%v}", tt, s.planes, tt.want)
		}
	}
	for _, o := range []Other{one(xy(1.5, 0), xy(-1, 0)).as(0.5), one(xy(1.2, 0), xy(-1, 0)).as(0), one(r2.Vec{}, r2.Vec{}).as(1)} {
		a, s := one(r2.Vec{}, r2.Vec{}), Alone{}
		a.Firm = true
		if s.Velocity(&a, []Other{o}, nil, 0.1); len(s.planes) != 0 {
			t.Errorf("%+v: got=%v, want=no half-plane", o, s.planes)
		}
	}
}

func TestShare(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct{ own, theirs, want float64 }{
		{0, 0, 0.5}, {1, 1, 0.5}, {inf, inf, 0.5}, {1, 3, 0.75}, {3, 1, 0.25}, {0, 1, 1}, {1, 0, 0}, {inf, 1, 0}, {1, inf, 1},
		{1e308, 1e308, 0.5}, {1.5e308, 0.5e308, 0.25}, {-1, 2, 1}, {-1, -2, 0.5}, {math.NaN(), 1, 0.5}, {5e-324, 5e-324, 0.5},
	} {
		testkit.Near(t, Share(tt.own, tt.theirs), tt.want, 1e-15, "Share(%v, %v)", tt.own, tt.theirs)
	}
}

func TestSamePlace(t *testing.T) {
	var s Alone
	seen := map[r2.Vec]bool{}
	for id := range uint64(20) {
		a, b := one(xy(3, 4), xy(0.5, 0)), one(xy(3, 4), xy(0.5, 0))
		a.ID, b.ID = id, 1e6-id
		v, _ := s.Velocity(&a, []Other{b.as(0.5)}, nil, 0.1)
		w, _ := s.Velocity(&b, []Other{a.as(0.5)}, nil, 0.1)
		seen[v] = true
		if d := vec.Norm(vec.Sub(v, w)); d < 2 || !vec.Finite(v) {
			t.Errorf("ID %d: got=%v and %v, %v apart, want=2 or more, and finite", id, v, w, d)
		}
		b.ID = a.ID
		if v, _ := s.Velocity(&a, []Other{b.as(0.5)}, nil, 0.1); !vec.Finite(v) {
			t.Errorf("two agents with ID %d: got=%v, want=finite", id, v)
		}
	}
	if len(seen) != 20 {
		t.Errorf("got=%d directions, want=20", len(seen))
	}
}

func TestSymmetry(t *testing.T) {
	sin, cos := vec.SinCos(1)
	same := func(v r2.Vec) r2.Vec { return v }
	half := func(v r2.Vec) r2.Vec { return vec.Scale(-1, v) }
	turn := func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }
	mirror := func(v r2.Vec) r2.Vec { return xy(v.X, -v.Y) }
	larger := func(v r2.Vec) r2.Vec { return vec.Scale(8, v) }
	smaller := func(v r2.Vec) r2.Vec { return vec.Scale(0x1p-40, v) }
	for _, tt := range []struct {
		name         string
		at, to, turn func(r2.Vec) r2.Vec // of places, of velocities, of directions
		scale        float64
		mirror       float64
		error        float64
		walled       bool
	}{
		{"moved", func(p r2.Vec) r2.Vec { return vec.Add(p, xy(64, -128)) }, same, same, 1, 1, 1e-5, true},
		{"turned by a quarter", vec.Left, vec.Left, vec.Left, 1, 1, 0, true},
		{"turned by a half", half, half, half, 1, 1, 0, true},
		{"turned", turn, turn, turn, 1, 1, 1e-5, true},
		{"mirrored", mirror, mirror, mirror, 1, -1, 1e-5, true},
		{"mirrored, without walls", mirror, mirror, mirror, 1, -1, 0, false},
		{"enlarged", larger, larger, same, 8, 1, 0, true},
		{"shrunk", smaller, smaller, same, 0x1p-40, 1, 0, true},
	} {
		r := rand.New(rand.NewPCG(15, 16))
		var s Alone
		for n := range 2000 {
			agents, seen := scattered(r, 2+r.IntN(8), n%2 == 0)
			a, others := agents[0], seen[0]
			a.ObstacleHorizon, a.Firm = 1.5, n%3 == 0
			if n%5 == 0 {
				a.Side = 0
			}
			if n%7 > 2 && tt.scale == 1 {
				a.Way, a.Yield = vec.Unit(a.Preferred), n%4 == 0
				for i := range others {
					others[i].Way = vec.Unit(others[i].Velocity)
				}
			}
			corners := polygon(r, xy(3, 3), 0.3, 2)
			ends := [2]r2.Vec{xy(6*r.Float64(), 6*r.Float64()), xy(6*r.Float64(), 6*r.Float64())}
			walls := append(Ring(nil, corners, 0.01), Wall(ends[0], ends[1], 0))
			if n%4 == 0 {
				walls = append(Room(nil, corners, 0.01), Wall(ends[0], ends[1], 0))
			}
			if !tt.walled {
				walls = nil
			}
			v, ok := s.Velocity(&a, others, walls, 0.1)

			b, changed := a, make([]Other, len(others))
			b.Position, b.Velocity, b.Preferred = tt.at(a.Position), tt.to(a.Velocity), tt.to(a.Preferred)
			b.Radius, b.MaxSpeed, b.Side = tt.scale*a.Radius, tt.scale*a.MaxSpeed, tt.mirror*a.Side
			b.Way = tt.turn(a.Way)
			for i, o := range others {
				o.Way = tt.turn(o.Way)
				o.Position, o.Velocity, o.Radius = tt.at(o.Position), tt.to(o.Velocity), tt.scale*o.Radius
				changed[i] = o
			}
			for i := range walls {
				e := &walls[i]
				e.A, e.B, e.Radius = tt.at(e.A), tt.at(e.B), tt.scale*e.Radius
				e.along, e.before, e.after = tt.turn(e.along), tt.turn(e.before), tt.turn(e.after)
				if tt.mirror < 0 {
					e.A, e.B, e.along, e.before, e.after = e.B, e.A, vec.Scale(-1, e.along), e.after, e.before
				}
			}
			w, met := s.Velocity(&b, changed, walls, 0.1)
			if d := vec.Norm(vec.Sub(w, tt.to(v))); !(d <= tt.error) || tt.error == 0 && met != ok {
				t.Errorf("%s: scene %d: got=%v, %v, want=%v, %v", tt.name, n, w, met, tt.to(v), ok)
				break
			}
		}
	}
}

func TestScratch(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var used Alone
	for n := range 2000 {
		agents, seen := scattered(r, 2+r.IntN(20), true)
		a := agents[0]
		a.ObstacleHorizon, a.Firm = 1, n%2 == 0
		walls := Ring(nil, polygon(r, xy(3, 3), 0.3, 2), 0)
		var fresh Alone
		v, ok := fresh.Velocity(&a, seen[0], walls, 0.1)
		if w, same := used.Velocity(&a, seen[0], walls, 0.1); w != v || same != ok {
			t.Fatalf("%d: velocity, feasible: got=%v, %v, want=%v, %v", n, w, same, v, ok)
		}
		if speed := vec.Norm(v); speed > a.MaxSpeed*(1+0x1p-52) {
			t.Fatalf("%d: speed: got=%v, want=at most %v", n, speed, a.MaxSpeed)
		}
		if n == 1999 {
			testkit.NoAllocs(t, 10, func() { used.Velocity(&a, seen[0], walls, 0.1) })
		}
	}
}

func TestRing(t *testing.T) {
	square := []r2.Vec{xy(0, 0), xy(1, 0), xy(1, 1), xy(0, 1)}
	turned := slices.Clone(square)
	slices.Reverse(turned)
	want := Edge{B: xy(1, 0), along: xy(1, 0), before: xy(-1, 0), after: xy(1, 0)}
	for _, corners := range [][]r2.Vec{square, turned, append(slices.Clone(square), xy(0, 1), xy(0, 0))} {
		edges := Ring(nil, corners, 0)
		if want.outline = edges[0].outline; want.outline == nil || len(edges) != 4 || !slices.Contains(edges, want) {
			t.Errorf("%v: got=%+v, want=four edges, one of them %+v", corners, edges, want)
		}
	}
	flat := []Edge{Wall(square[0], square[1], 0), Wall(square[1], square[0], 0)}
	if got := Ring(nil, square[:2], 0); !slices.Equal(got, flat) {
		t.Errorf("no inside: got=%+v, want=%+v", got, flat)
	}
	if got := Ring(nil, nil, 0); got != nil {
		t.Errorf("no corners: got=%v, want=none", got)
	}
}

func TestAside(t *testing.T) {
	for _, tt := range []struct{ share, against, slow, want float64 }{
		{0.5, -1, 0, 0.2}, {0.25, -1, 0, 0.1}, {0, -1, 0, 0}, {1, -1, 0, 0.4},
		{0.5, -1, 1, 0.6}, {0.25, -1, 1, 0.3}, {0, -1, 1, 0}, {1, -1, 1, 0.8}, {0.5, -1, 0.5, 0.4},
		{0.5, 0.5, 1, 0.2}, {0.5, 0.95, 1, 0},
	} {
		c := choice{goal: xy(1, 0), share: tt.share, against: tt.against}
		if got := c.aside(tt.slow, 0.2, 0.4); !about(got, vec.Unit(xy(1, -tt.want))) {
			t.Errorf("%+v: got=%v, want=turned by the tangent %v", tt, got, tt.want)
		}
	}
}

func TestSidesteps(t *testing.T) {
	right, left := Sidesteps(0.4), Sidesteps(-0.4)
	if _, plain := Sides(); right != 2*plain || left != -right {
		t.Errorf("Sidesteps: got=%v to the right and %v to the left, want=twice %v and its opposite", right, left, plain)
	}
}
