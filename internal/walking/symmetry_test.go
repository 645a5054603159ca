package walking

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// scene is an agent with rules of its own among others and walls.
type scene struct {
	rules  Rules
	agent  orca.Agent
	others []orca.Other
	walls  [][]r2.Vec // the ends of a wall, or the corners of a solid polygon
}

// sceneOf returns the n-th random scene. In every third one, others move roughly in the direction of the agent, so
// the agent follows or overtakes them.
func sceneOf(r *rand.Rand, n int) (s scene) {
	direction := func() r2.Vec {
		sin, cos := vec.SinCos(7 * r.Float64())
		return xy(cos, sin)
	}
	place := func(size float64) r2.Vec { return xy(size*(r.Float64()-0.5), size*(r.Float64()-0.5)) }
	s.rules = []Rules{
		{TimeGap: 0.5},
		{TimeGap: 1, MaxDensity: 5.4},
		{TimeGap: 0.5, Overtaking: 0.9, Right: 0.4},
		{Acceleration: 3},
		{TimeGap: 0.7, MaxDensity: 4, Overtaking: 0.8, Right: -0.3, Acceleration: 5},
	}[n%5]
	way := direction()
	s.agent = orca.Agent{Way: way, Preferred: vec.Scale(0.5+1.5*r.Float64(), way), Velocity: vec.Scale(1.5*r.Float64(), direction()), Radius: 0.1 + 0.2*r.Float64(), MaxSpeed: 2, Rule: orca.Rule{ObstacleHorizon: 0.5}}
	for i := range 1 + r.IntN(2+8*(n%3)) {
		o := orca.Other{ID: uint64(i + 1), Position: place(6), Radius: 0.1 + 0.2*r.Float64(), Way: direction()}
		if n%3 == 0 {
			o.Way, o.Position = vec.Unit(vec.AddScaled(way, 0.5, o.Way)), vec.AddScaled(place(1), 1, way)
		}
		o.Velocity = vec.Scale(r.Float64(), o.Way)
		s.others = append(s.others, o)
	}
	if n%4 == 0 {
		s.walls = [][]r2.Vec{{place(6), place(6)}, {xy(2, 0.5), xy(3, 1), vec.Add(xy(2, 2), place(1))}}
	}
	return s
}

// as returns the scene with places changed by at, velocities and directions by to, and the sign of Right by mirror, and
// with the others in the opposite order.
func (s scene) as(at, to func(r2.Vec) r2.Vec, mirror float64) scene {
	a := &s.agent
	a.Position, a.Velocity, a.Preferred, a.Way = at(a.Position), to(a.Velocity), to(a.Preferred), to(a.Way)
	s.rules.Right *= mirror
	others, walls := s.others, s.walls
	s.others, s.walls = nil, nil
	for _, o := range others {
		o.Position, o.Velocity, o.Way = at(o.Position), to(o.Velocity), to(o.Way)
		s.others = append(s.others, o)
	}
	slices.Reverse(s.others)
	for _, wall := range walls {
		var corners []r2.Vec
		for _, p := range wall {
			corners = append(corners, at(p))
		}
		s.walls = append(s.walls, corners)
	}
	return s
}

// TestSymmetry verifies that if a scene is moved, turned or mirrored, the preferred velocity changes likewise.
func TestSymmetry(t *testing.T) {
	sin, cos := vec.SinCos(1)
	same := func(v r2.Vec) r2.Vec { return v }
	half := func(v r2.Vec) r2.Vec { return vec.Scale(-1, v) }
	turn := func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }
	mirror := func(v r2.Vec) r2.Vec { return xy(v.X, -v.Y) }
	var solver orca.Alone
	for _, tc := range []struct {
		name   string
		at, to func(r2.Vec) r2.Vec // of places, of velocities and directions
		mirror float64
		error  float64 // m/s; presence is a square root, which amplifies rounding at the edge of the lookout
	}{
		{"moved", func(p r2.Vec) r2.Vec { return vec.Add(p, xy(64, -128)) }, same, 1, 1e-7},
		{"turned by a quarter", vec.Left, vec.Left, 1, 0},
		{"turned by a half", half, half, 1, 0},
		{"turned", turn, turn, 1, 1e-7},
		{"mirrored", mirror, mirror, -1, 0},
	} {
		r, reasons := rand.New(rand.NewPCG(33, 34)), [OvertakingRight + 1]int{}
		for n := range 6000 {
			s := sceneOf(r, n)
			v, keep, why := s.prefer(&solver)
			reasons[why]++
			if w, kept, _ := s.as(tc.at, tc.to, tc.mirror).prefer(&solver); !(vec.Norm(vec.Sub(w, tc.to(v))) <= tc.error) || kept != keep {
				t.Errorf("%s: scene %d: got=%v, %v, want=%v, %v", tc.name, n, w, kept, tc.to(v), keep)
				break
			}
		}
		if !t.Failed() && slices.Min(reasons[:]) < 50 {
			t.Errorf("scenes with each reason: got=%v, want=50 or more", reasons)
		}
	}
}

func (s scene) prefer(solver *orca.Alone) (v r2.Vec, keep float64, why Reason) {
	var walls []orca.Edge
	for _, corners := range s.walls {
		walls = orca.Ring(walls, corners, 0.05)
	}
	w, x := walkerOf(solver, s.rules, &s.agent, s.others, walls...), Account{}
	w.Account = &x
	v, keep = w.prefer(s.agent.Preferred, s.agent.MaxSpeed, 0.1)
	return v, keep, x.Why
}
