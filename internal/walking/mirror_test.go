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

// mirrored returns the mirror image of the scene, with the others in the opposite order.
func (s scene) mirrored() scene {
	a := &s.agent
	a.Position, a.Velocity, a.Preferred, a.Way = mirror(a.Position), mirror(a.Velocity), mirror(a.Preferred), mirror(a.Way)
	s.rules.Right *= -1
	others, walls := s.others, s.walls
	s.others, s.walls = nil, nil
	for _, o := range others {
		o.Position, o.Velocity, o.Way = mirror(o.Position), mirror(o.Velocity), mirror(o.Way)
		s.others = append(s.others, o)
	}
	slices.Reverse(s.others)
	for _, wall := range walls {
		var corners []r2.Vec
		for _, p := range wall {
			corners = append(corners, mirror(p))
		}
		s.walls = append(s.walls, corners)
	}
	return s
}

func mirror(v r2.Vec) r2.Vec { return xy(v.X, -v.Y) }

// TestMirror verifies that the preferred velocity in the mirror image of a scene is the mirror image. The laws of
// behaviors say the same of moved and rotated scenes.
func TestMirror(t *testing.T) {
	var solver orca.Alone
	r, reasons := rand.New(rand.NewPCG(33, 34)), [OvertakingRight + 1]int{}
	for n := range 6000 {
		s := sceneOf(r, n)
		v, keep, why := s.prefer(&solver)
		reasons[why]++
		if w, kept, _ := s.mirrored().prefer(&solver); w != mirror(v) || kept != keep {
			t.Fatalf("scene %d: got=%v, %v, want=%v, %v", n, w, kept, mirror(v), keep)
		}
	}
	if slices.Min(reasons[:]) < 50 {
		t.Errorf("scenes with each reason: got=%v, want=50 or more", reasons)
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
