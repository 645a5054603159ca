package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

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

func (h *heap) at(i int) r2.Vec { return testkit.ComponentOf[c.Position](h.stage, h.bodies[i]).Vec }

// deepest returns the depth of the deepest overlap of two bodies.
func (h *heap) deepest() (deep float64) {
	for i := range h.bodies {
		for j := range i {
			r := testkit.ComponentOf[c.Radius](h.stage, h.bodies[i]).Meters + testkit.ComponentOf[c.Radius](h.stage, h.bodies[j]).Meters
			deep = max(deep, r-vec.Norm(vec.Sub(h.at(i), h.at(j))))
		}
	}
	return deep
}

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

// TestPushApartSamePlace verifies that two bodies at the same position separate in opposite
// directions that depend on the pair.
func TestPushApartSamePlace(t *testing.T) {
	var first r2.Vec
	for i := range uint64(20) {
		h := newHeap(t)
		h.ids = 7 * i
		h.add(xy(3, 4), 1, 1)
		h.add(xy(3, 4), 1, 1)
		h.Step()
		a, b := vec.Sub(h.at(0), xy(3, 4)), vec.Sub(h.at(1), xy(3, 4))
		if !vecWithin(a, vec.Scale(-1, b), 1e-12) || math.Abs(vec.Norm(a)-1) > 1e-12 {
			t.Errorf("pair %d: moves: got=%v and %v, want=opposite, each of 1 m", i, a, b)
		}
		if i > 0 && vecWithin(a, first, 1e-3) {
			t.Errorf("pair %d: got=%v, want a direction other than %v", i, a, first)
		}
		first = a
		if asunder(5, 9) != vec.Scale(-1, asunder(9, 5)) {
			t.Errorf("asunder: got=%v and %v, want=opposite", asunder(5, 9), asunder(9, 5))
		}
	}
}

// TestPushApartHeap verifies that a heap stays finite and spreads until overlaps are small, and that
// no body moves by more than half of the deepest overlap in a step.
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
			before := make([]r2.Vec, n)
			for i := range before {
				before[i] = h.at(i)
			}
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

// TestPushApartLayers verifies that an agent is not pushed by bodies on layers that it does not see.
func TestPushApartLayers(t *testing.T) {
	h := newHeap(t)
	h.add(xy(0, 0), 1, 1, c.Layers{On: 1, Sees: 1})
	h.add(xy(1, 0), 1, 1, c.Layers{On: 2, Sees: 3})
	h.add(xy(0, 50), 100, 1, c.Layers{On: 4, Sees: 0})
	h.Step()
	if a, b := h.at(0), h.at(1); a != xy(0, 0) || !vecWithin(b, xy(1.5, 0), 1e-12) {
		t.Errorf("positions: got=%v and %v, want=(0, 0) and (1.5, 0)", a, b)
	}
}

// TestPushApartEquivariant verifies that the result moves and turns with the heap, if no two bodies are
// at the same position.
func TestPushApartEquivariant(t *testing.T) {
	run := func(turn float64, by r2.Vec) (at []r2.Vec) {
		h := newHeap(t)
		sin, cos := vec.SinCos(turn)
		for i := range uint64(40) {
			p := xy(2*frame.HashFloat(3, i, 0, 0), 2*frame.HashFloat(3, i, 1, 0))
			h.add(vec.Add(by, vec.Rotate(p, cos, sin)), 0.1+0.4*frame.HashFloat(3, i, 2, 0), frame.HashFloat(3, i, 3, 0))
		}
		h.Steps(5)
		for i := range h.bodies {
			at = append(at, vec.Rotate(vec.Sub(h.at(i), by), cos, -sin))
		}
		return at
	}
	want := run(0, r2.Vec{})
	for _, tc := range []struct {
		turn float64
		by   r2.Vec
	}{{1, r2.Vec{}}, {0, xy(100, -30)}, {-2, xy(-17, 1000)}} {
		for i, got := range run(tc.turn, tc.by) {
			if !vecWithin(got, want[i], 1e-9) {
				t.Fatalf("turned by %v, shifted by %v: body %d: got=%v, want=%v", tc.turn, tc.by, i, got, want[i])
			}
		}
	}
}

// TestPushersAreTheNearest verifies that the mostPushed nearest agents push and, among equally near
// agents, those with the lowest IDs.
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
