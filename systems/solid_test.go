package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// solidRoom is a closed room with pillars and a crowd that is driven against its walls.
type solidRoom struct {
	*stage
	ring   []r2.Vec // corners of the walls
	crowd  []ecs.Entity
	goals  []r2.Vec // of each agent; zero means none yet
	drawn  *rand.Rand
	radius float64 // m, of the bodies
}

// Kinds of walls.
const (
	thinWalls = iota
	thickWalls
	blocks // polygons
	slits  // thin walls with gaps through which no body fits
	roomKinds
)

func newSolidRoom(t testing.TB, kind int, r *rand.Rand, radius float64, last ...any) *solidRoom {
	list := append([]any{&sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Integration{}, &Drive{}, &ResolveOverlaps{}}, last...)
	s := &solidRoom{stage: newStage(t, 1./20, list...), drawn: r, radius: radius}
	corners := 5 + r.IntN(8)
	for i := range corners {
		angle := (float64(i) + 0.8*r.Float64()) / float64(corners) * 2 * math.Pi
		sin, cos := math.Sincos(angle)
		s.ring = append(s.ring, vec.Scale(4+6*r.Float64(), xy(cos, sin)))
	}
	rings := sense.Polygons{}
	for i, a := range s.ring {
		span := vec.Sub(s.ring[(i+1)%corners], a)
		switch kind {
		case thinWalls, thickWalls:
			s.Put(c.Position{Vec: a}, c.Obstacle{Span: span, Radius: 0.1 * float64(kind)})
		case blocks:
			out := vec.WithNorm(vec.Right(span), 0.5)
			rings = append(rings, []r2.Vec{{}, span, vec.Add(span, out), out})
			s.Put(c.Position{Vec: a}, c.Obstacle{Polygon: uint32(len(rings))})
		case slits:
			length := vec.Norm(span)
			half := vec.WithNorm(span, (length-min(1.9*radius, length/2))/2)
			s.Put(c.Position{Vec: a}, c.Obstacle{Span: half})
			s.Put(c.Position{Vec: vec.Sub(vec.Add(a, span), half)}, c.Obstacle{Span: half})
		}
	}
	ecs.AddResource(s.World, &rings)
	for range r.IntN(3) {
		s.Put(c.Position{Vec: xy(4*r.Float64()-2, 4*r.Float64()-2)}, c.Obstacle{Radius: r.Float64()})
	}
	for range 40 {
		at := vec.Scale(1.2*r.Float64(), vec.Unit(xy(r.Float64()-0.5, r.Float64()-0.5)))
		comps := []any{c.Position{Vec: at}, c.Velocity{}, c.Radius{Meters: radius}, c.Solid{Push: r.Float64()}}
		if r.IntN(3) == 0 {
			comps = append(comps, c.Drive{}, c.Heading{Vec: xy(1, 0)})
		} else {
			comps = append(comps, c.Steering{}, c.Limits{MaxSpeed: 1e4, MaxForce: inf})
		}
		s.crowd, s.goals = append(s.crowd, s.Put(comps...)), append(s.goals, r2.Vec{})
	}
	return s
}

// drive pushes agents, mostly toward the walls, by up to the given number of radii per step.
func (s *solidRoom) drive(radii float64) {
	for i, e := range s.crowd {
		if s.drawn.IntN(10) == 0 || s.goals[i] == (r2.Vec{}) {
			s.goals[i] = vec.Scale(1+s.drawn.Float64(), s.ring[s.drawn.IntN(len(s.ring))])
			if s.drawn.IntN(3) == 0 {
				s.goals[i] = vec.WithNorm(xy(s.drawn.Float64()-0.5, s.drawn.Float64()-0.5), 30*s.drawn.Float64())
			}
		}
		way, speed := vec.Unit(vec.Sub(s.goals[i], placeOf(s.stage, e))), float64(radii*s.radius*s.drawn.Float64()/s.Clock.Dt)
		if drive := ecs.ComponentID[c.Drive](s.World); s.Has(e, drive) {
			testkit.ComponentOf[c.Drive](s.stage, e).Speed, testkit.ComponentOf[c.Heading](s.stage, e).Vec = speed, way
			continue
		}
		testkit.ComponentOf[c.Limits](s.stage, e).MaxSpeed = speed
		testkit.ComponentOf[c.Steering](s.stage, e).Vec = vec.Scale(1e9, way)
	}
}

func (s *solidRoom) inside(p r2.Vec) bool {
	in := false
	for i, a := range s.ring {
		b := s.ring[(i+1)%len(s.ring)]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(p.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
			in = !in
		}
	}
	return in
}

// strays stops when an agent is outside the room, and returns its position.
func (s *solidRoom) strays(steps int, radii float64) (where r2.Vec, strays bool) {
	for range steps {
		s.drive(radii)
		s.Step()
		for _, e := range s.crowd {
			if p := placeOf(s.stage, e); !s.inside(p) {
				return p, true
			}
		}
	}
	return r2.Vec{}, false
}

func TestNobodyPassesAWall(t *testing.T) {
	for kind := range roomKinds {
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, uint64(kind)))
			radius := []float64{0.05, 0.3, 0.45}[r.IntN(3)]
			s := newSolidRoom(t, kind, r, radius, &Slide{})
			if p, strays := s.strays(30, []float64{1, 3, 100}[seed%3]); strays {
				t.Fatalf("kind %d, room %d, %v, bodies of %v m: got=an agent at %v, want=in the room", kind, seed, s.ring, radius, p)
			}
		}
		s := newSolidRoom(t, kind, rand.New(rand.NewPCG(7, 7)), 0.3)
		if _, strays := s.strays(200, 1); !strays {
			t.Errorf("kind %d without Slide: got=no agent outside, want=one or more, or nothing is tested", kind)
		}
	}
}

func TestJamAtAWall(t *testing.T) {
	s := newStage(t, 1./20, &sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Integration{}, &ResolveOverlaps{}, &Slide{})
	for _, span := range [][2]r2.Vec{{xy(-20, 0), xy(20, 0)}, {xy(0, -20), xy(0, 20)}} {
		s.Put(c.Position{Vec: span[0]}, c.Obstacle{Span: vec.Sub(span[1], span[0])})
	}
	var crowd []ecs.Entity
	for i := range 100 {
		crowd = append(crowd, s.Put(c.Position{Vec: xy(1+0.7*float64(i%10), 1+0.7*float64(i/10))}, c.Velocity{}, c.Steering{},
			c.Limits{MaxSpeed: 2, MaxForce: inf}, c.Radius{Meters: 0.3}, c.Solid{Push: 0.5}))
	}
	for step := range 400 {
		for _, e := range crowd {
			testkit.ComponentOf[c.Steering](s, e).Vec = xy(-50, -50)
		}
		s.Step()
		for i, e := range crowd {
			if p := placeOf(s, e); p.X < 0.3-1e-9 || p.Y < 0.3-1e-9 {
				t.Fatalf("step %d, agent %d: got=%v, want=0.3 m or more from both walls", step, i, p)
			}
		}
	}
}

func TestSlideMovingWall(t *testing.T) {
	s := newStage(t, 1./20, &sense.Obstacles{}, &PreviousPosition{}, &Integration{}, &Slide{})
	wall := s.Put(c.Position{Vec: xy(0, -500)}, c.Obstacle{Span: xy(0, 1000)})
	var crowd []ecs.Entity
	for i := range 20 {
		crowd = append(crowd, s.Put(c.Position{Vec: xy(0.3*float64(i), float64(i))}, c.Velocity{}, c.Steering{},
			c.Limits{MaxSpeed: 2, MaxForce: 9}, c.Radius{Meters: 0.3}, c.Solid{}))
	}
	testkit.ComponentOf[c.Position](s, crowd[0]).X = 0.3
	for range 400 {
		testkit.ComponentOf[c.Position](s, wall).X += 0.09 // 1.8 m/s
		for _, e := range crowd {
			testkit.ComponentOf[c.Steering](s, e).Vec = xy(-9, 3)
		}
		s.Step()
		for i, e := range crowd {
			if x := placeOf(s, e).X - placeOf(s, wall).X; !(x > 0.3-0.09-1e-9) {
				t.Fatalf("agent %d: got=%v m from the wall, want=0.21 or more", i, x)
			}
		}
	}
}

func TestSlideVelocity(t *testing.T) {
	for _, tc := range []struct {
		name         string
		at, v        r2.Vec
		limits       bool
		dt           float64
		to, velocity r2.Vec
	}{
		{"free", xy(0, 5), xy(3, -4), true, 1, xy(3, 1), xy(3, -4)},
		{"slanted", xy(0, 3), xy(3, -4), true, 1, xy(3, 1), xy(3, 0)},
		{"head-on", xy(0, 3), xy(0, -4), true, 1, xy(0, 1), xy(0, 0)},
		{"away from a wall it overlaps", xy(0, 0.5), xy(0, 0.25), true, 1, xy(0, 1), xy(0, 0.25)},
		{"moved out as fast as it may go", xy(0, 0.25), xy(0, 0), true, 1, xy(0, 0.75), xy(0, 0)},
		{"moved out in half a second", xy(0, 0.25), xy(0, 0), true, 0.5, xy(0, 0.5), xy(0, 0)},
		{"moved out in an eighth of a second", xy(0, 0.25), xy(0, 0), true, 0.125, xy(0, 0.3125), xy(0, 0)},
		{"moved out at once without limits", xy(0, 0.25), xy(0, 0), false, 1, xy(0, 1), xy(0, 0)},
		{"on the wall itself: to its left", xy(0, 0), xy(0, 0), false, 1, xy(0, 1), xy(0, 0)},
	} {
		s := newStage(t, tc.dt, &sense.Obstacles{}, &PreviousPosition{}, &Integration{}, &Slide{})
		s.Put(c.Position{Vec: xy(-9, 0)}, c.Obstacle{Span: xy(18, 0)})
		body := []any{c.Position{Vec: tc.at}, c.Velocity{Vec: tc.v}, c.Radius{Meters: 1}, c.Solid{}}
		if tc.limits {
			body = append(body, c.Limits{MaxSpeed: max(0.5, vec.Norm(tc.v))})
		}
		e := s.Put(body...)
		s.Step()
		testkit.Near(t, placeOf(s, e), tc.to, 1e-7, "%s: position", tc.name)
		testkit.Near(t, testkit.ComponentOf[c.Velocity](s, e).Vec, tc.velocity, 1e-12, "%s: velocity", tc.name)
	}
}

func TestSlideBadValues(t *testing.T) {
	for _, bad := range []float64{nan, inf, -inf, 1e308, -1e308} {
		for k := range 5 {
			from, pos, vel := []c.PreviousPosition{{Vec: xy(0, 3)}}, []c.Position{{Vec: xy(0, 1)}}, []c.Velocity{{Vec: xy(0, -2)}}
			radius, limits := []c.Radius{{Meters: 0.5}}, []c.Limits{{MaxSpeed: 1}}
			*[]*float64{&from[0].X, &pos[0].Y, &vel[0].X, &radius[0].Meters, &limits[0].MaxSpeed}[k] = bad
			s := &Slide{Obstacles: snapshotOf(wallFrom(xy(-9, 2), xy(9, 2)))}
			finite := vec.Finite(pos[0].Vec)
			s.Run(frame.BatchOf(frame.Clock{Dt: 1}, s, frame.Over(from), frame.Over(pos), frame.Over(vel), frame.Over(radius), frame.Over(limits), frame.Over([]c.Solid{{}})))
			if finite && !vec.Finite(pos[0].Vec) {
				t.Errorf("%v in column %d: position: got=%v, want=finite", bad, k, pos[0].Vec)
			}
		}
	}
}

func TestNobodySolid(t *testing.T) {
	near := &sense.Neighbors{}
	s := newStage(t, 1, near, &ResolveOverlaps{})
	s.Put(c.Position{}, c.Radius{Meters: 1}, c.Velocity{})
	solid := s.Put(c.Position{}, c.Radius{Meters: 1}, c.Velocity{}, c.Solid{})
	s.Step()
	testkit.Equal(t, near.Len(), 0, "agents in the snapshot")
	testkit.ComponentOf[c.Solid](s, solid).Push = 1
	s.Step()
	testkit.Equal(t, near.Len(), 2, "agents in the snapshot for a Push of 1")
	testkit.Equal(t, placeOf(s, solid), xy(0, 0), "position among agents that are not solid")
}

// heap is a world in which bodies only push each other.
type heap struct {
	*stage
	bodies []ecs.Entity
	ids    uint64
}

func newHeap(t testing.TB) *heap {
	return &heap{stage: newStage(t, 0.1, &sense.Neighbors{}, &ResolveOverlaps{})}
}

func (h *heap) add(at r2.Vec, radius, push float64, more ...any) {
	h.ids++
	h.bodies = append(h.bodies, h.Put(append(more, c.Agent{ID: h.ids}, c.Position{Vec: at}, c.Radius{Meters: radius}, c.Solid{Push: push})...))
}

func (h *heap) at(i int) r2.Vec { return placeOf(h.stage, h.bodies[i]) }

func (h *heap) places() (all []r2.Vec) {
	for i := range h.bodies {
		all = append(all, h.at(i))
	}
	return all
}

func (h *heap) deepest() float64 { return max(0, -clearance(h.stage, h.bodies)) }

func TestPushApartPair(t *testing.T) {
	for _, tc := range []struct {
		name           string
		a, b           r2.Vec
		ra, rb, pa, pb float64
		toA, toB       r2.Vec
	}{
		{"at once", xy(0, 0), xy(1, 0), 1, 1, 1, 1, xy(-0.5, 0), xy(1.5, 0)},
		{"half of it", xy(0, 0), xy(1, 0), 1, 1, 0.5, 0.5, xy(-0.25, 0), xy(1.25, 0)},
		{"slanted", xy(0, 0), xy(3, 4), 4, 4, 1, 1, xy(-0.9, -1.2), xy(3.9, 5.2)},
		{"touching", xy(0, 0), xy(2, 0), 1, 1, 1, 1, xy(0, 0), xy(2, 0)},
		{"apart", xy(0, 0), xy(3, 0), 1, 1, 1, 1, xy(0, 0), xy(3, 0)},
		{"large and small", xy(0, 0), xy(3, 0), 3.5, 0.5, 1, 1, xy(-0.5, 0), xy(3.5, 0)},
		{"giant and small", xy(0, 0), xy(90, 0), 100, 0.5, 1, 1, xy(-5.25, 0), xy(95.25, 0)},
		{"one does not push", xy(0, 0), xy(1, 0), 1, 1, 1, 0, xy(0, 0), xy(1, 0)},
		{"different shares", xy(0, 0), xy(1, 0), 1, 1, 0.2, 1, xy(-0.1, 0), xy(1.5, 0)},
		{"no more than all", xy(0, 0), xy(1, 0), 1, 1, 7, 1, xy(-0.5, 0), xy(1.5, 0)},
		{"negative, NaN", xy(0, 0), xy(1, 0), 1, 1, -1, nan, xy(0, 0), xy(1, 0)},
		{"points", xy(0, 0), xy(0, 0), 0, 0, 1, 1, xy(0, 0), xy(0, 0)},
	} {
		h := newHeap(t)
		h.add(tc.a, tc.ra, tc.pa)
		h.add(tc.b, tc.rb, tc.pb)
		h.Step()
		testkit.Near(t, h.at(0), tc.toA, 1e-12, "%s: first", tc.name)
		testkit.Near(t, h.at(1), tc.toB, 1e-12, "%s: second", tc.name)
	}
}

func TestPushApartSamePlace(t *testing.T) {
	var first r2.Vec
	for i := range uint64(20) {
		h := newHeap(t)
		h.ids = 7 * i
		h.add(xy(3, 4), 1, 1)
		h.add(xy(3, 4), 1, 1)
		h.Step()
		a, b := vec.Sub(h.at(0), xy(3, 4)), vec.Sub(h.at(1), xy(3, 4))
		testkit.Near(t, a, vec.Scale(-1, b), 1e-12, "pair %d: moves, in opposite directions", i)
		testkit.Near(t, vec.Norm(a), 1, 1e-12, "pair %d: way", i)
		if i > 0 && vecWithin(a, first, 1e-3) {
			t.Errorf("pair %d: got=%v, want a direction other than %v", i, a, first)
		}
		first = a
		testkit.Equal(t, asunder(5, 9), vec.Scale(-1, asunder(9, 5)), "direction from 5 to 9, opposite to that from 9 to 5")
	}
}

func TestPushApartHeap(t *testing.T) {
	for _, scale := range []float64{1e-3, 1, 1e6} {
		h := newHeap(t)
		const n = 70
		for i := range n {
			at := r2.Vec{}
			if i%2 == 0 {
				at = xy(0.01*scale*frame.HashFloat(1, uint64(i), 0, 0), 0.01*scale*frame.HashFloat(1, uint64(i), 1, 0))
			}
			h.add(at, scale*(0.2+0.2*frame.HashFloat(1, uint64(i), 2, 0)), 0.8)
		}
		steps := 0
		for deep := h.deepest(); deep > 0.02*scale; steps++ {
			before := h.places()
			h.Step()
			for i := range before {
				if way := vec.Norm(vec.Sub(h.at(i), before[i])); !(way <= deep/2*(1+1e-9)) {
					t.Fatalf("scale %v, step %d, body %d: way: got=%v, want=at most %v", scale, steps, i, way, deep/2)
				}
			}
			if deep = h.deepest(); steps > 400 {
				t.Fatalf("scale %v: deepest overlap after %d steps: got=%v, want=%v or less", scale, steps, deep, 0.02*scale)
			}
		}
		if steps < 5 {
			t.Errorf("scale %v: got=%d steps, want=5 or more, or nothing is tested", scale, steps)
		}
	}
}

func TestPushApartLayers(t *testing.T) {
	h := newHeap(t)
	h.add(xy(0, 0), 1, 1, c.Layers{On: 1, Sees: 1})
	h.add(xy(1, 0), 1, 1, c.Layers{On: 2, Sees: 3})
	h.add(xy(0, 50), 100, 1, c.Layers{On: 4, Sees: 0})
	h.Step()
	testkit.Equal(t, h.at(0), xy(0, 0), "position of the first")
	testkit.Near(t, h.at(1), xy(1.5, 0), 1e-12, "position of the second")
}

func TestPushersAreTheNearest(t *testing.T) {
	agents := make([]sense.Neighbor, 41)
	for i := range agents[:40] {
		agents[i] = sense.Neighbor{Position: xy(1, 0), ID: uint64(100 - i)}
	}
	agents[3].Position = xy(0.5, 0)
	var p pushers
	for i := range agents[:40] {
		p.add(sense.AgentsOf(agents...), 40, uint32(i))
	}
	for k, f := range p.found[:p.n] {
		want := uint32(40 - k)
		if k == 0 {
			want = 3
		}
		if f.Index != want || p.n != mostPushed {
			t.Errorf("pusher %d: got=agent %d of %d pushers, want=agent %d of %d", k, f.Index, p.n, want, mostPushed)
		}
	}
}
