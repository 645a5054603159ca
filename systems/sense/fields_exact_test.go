package sense

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/route"
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

var large = flag.Bool("full", false, "measure fields on all random maps")

// polygonMap returns convex polygons at random places of a square with sides of 20 m, which
// may lie over one another.
func polygonMap(r *rand.Rand, n int) *Obstacles {
	o := &Obstacles{reach: 1}
	for id := range uint32(n) {
		center, size, corners := xy(20*r.Float64(), 20*r.Float64()), 0.5+2*r.Float64(), 3+r.IntN(5)
		first := 7 * r.Float64()
		s := space.Shape{ID: id}
		for k := range corners {
			sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/float64(corners))
			s.Ring = append(s.Ring, xy(center.X+float64(size*cos), center.Y+float64(size*sin)))
		}
		o.shapes = append(o.shapes, s)
	}
	o.index.Build(o.shapes, o.reach, 0)
	return o
}

// TestFieldsExact verifies how far the ways of fields are from the shortest ones of a disc, which
// package route holds beside all pairs of corners: on random maps, for places 20 cells and more
// from the goal, inside the grid and beyond it. A field has its ways over the middles of cells, so
// round corners, and through gaps, they are those of a body that may be one cell wider. No gap is
// left out: where the wider body has another way, the field may have that.
func TestFieldsExact(t *testing.T) {
	rounds := 10
	if *large {
		rounds = 40
	}
	const nearest = 20 // cells from the goal; nearer ones are off by more than that for the same width of a cell
	for _, tc := range []struct{ radius, cell, mean float64 }{
		{0.25, 0.25, 0.01}, {0.25, 0.125, 0.005}, {0, 0.05, 0.003}, {0.1, 0.1, 0.005},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		var s route.Search
		sum, shortest, longest, wider, off, n := 0., 0., 0., 0., 0, 0
		for round := range rounds {
			o := polygonMap(r, 6+round*(40/rounds)/3)
			goal := xy(-4, 20*r.Float64())
			f := Fields{Obstacles: o}
			f.Set(FlowFields{{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: tc.radius, Cell: tc.cell}})
			var exact, wide route.Graph
			exact.Build(&o.index, tc.radius)
			wide.Build(&o.index, tc.radius+tc.cell)
			for range 100 {
				p := xy(24*r.Float64()-2, 24*r.Float64()-2)
				room := math.Inf(1)
				if hit, near := o.index.Nearest(p, tc.radius+tc.cell); near {
					room = hit.Distance
				}
				_, want, ok := s.Find(&exact, p, goal, nil)
				if !ok || room < tc.radius || want < nearest*tc.cell {
					continue
				}
				got, _ := f.Read(0, p)
				_, most, ok := s.Find(&wide, p, goal, nil)
				if !(ok && room >= tc.radius+tc.cell) {
					most = math.Inf(1) // it is in a corner where the wider one does not fit
				}
				if most = got/most - 1; most > 0.03 {
					t.Errorf("round %d, radius %v, cell %v, from %v to %v: got=%v, 3 %% longer than for a body wider by a cell", round, tc.radius, tc.cell, p, goal, got)
				}
				e := got/want - 1
				if e < -0.02 {
					t.Errorf("round %d, radius %v, cell %v, from %v to %v: got=%v, shorter than the shortest, %v", round, tc.radius, tc.cell, p, goal, got, want)
				}
				if !(e <= 0.03) {
					off++
				}
				sum, shortest, longest, wider = sum+math.Abs(e), min(shortest, e), max(longest, e), max(wider, most)
				n++
			}
		}
		mean, share := sum/float64(n), float64(off)/float64(n)
		t.Logf("radius %v, cell %v: mean %.4f, from %.4f to %.4f, above 0.03 for %.4f; to %.4f beside a body wider by a cell; %d ways",
			tc.radius, tc.cell, mean, shortest, longest, share, wider, n)
		if !(mean <= tc.mean) || share > 0.05 || n < 75*rounds {
			t.Errorf("radius %v, cell %v: got=%.4f off on average, more than 3 %% for a share of %.4f, of %d ways, want %v, 0.05, of %d ways or more", tc.radius, tc.cell, mean, share, n, tc.mean, 75*rounds)
		}
	}
}

// TestFieldsOblique verifies that a door is open that is wider than the body by one cell and a half,
// in a wall in any direction, wherever cells lie, and one narrower than the body is not.
func TestFieldsOblique(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const radius, cell = 0.25, 0.25
	for _, tc := range []struct {
		door float64 // m
		open bool
	}{{2*radius + 1.5*cell, true}, {2*radius - 0.01, false}} {
		for range 100 {
			sin, cos := math.Sincos(7 * r.Float64())
			middle := xy(r.Float64(), r.Float64())
			at := func(along, across float64) r2.Vec {
				return xy(middle.X+float64(along*cos)-float64(across*sin), middle.Y+float64(along*sin)+float64(across*cos))
			}
			o := &Obstacles{reach: 1, shapes: []space.Shape{{A: at(-9, 0), B: at(-tc.door/2, 0)}, {ID: 1, A: at(tc.door/2, 0), B: at(9, 0)}}}
			o.index.Build(o.shapes, o.reach, 0)
			f := Fields{Obstacles: o}
			goal := at(0, 5)
			f.Set(FlowFields{{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: radius, Cell: cell}})
			if way, _ := f.Read(0, at(0, -5)); (way < 10.3) != tc.open {
				t.Errorf("door of %v m from %v to %v: way got=%v, want open=%v", tc.door, at(-tc.door/2, 0), at(tc.door/2, 0), way, tc.open)
			}
		}
	}
}

// TestFieldsOpen verifies how far ways to a point in the open are from straight lines, and how far off
// they lead, in all directions, wherever the goal lies in its cell.
func TestFieldsOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	far := &Obstacles{reach: 1, shapes: []space.Shape{{A: xy(-100, -100), B: xy(-100, -99)}, {ID: 1, A: xy(100, 100), B: xy(100, 99)}}}
	far.index.Build(far.shapes, far.reach, 0)
	rings := []struct{ from, way, turn, worstWay, worstTurn float64 }{ // cells; shares; radians
		{from: 50, way: 0.004, turn: 0.06}, {from: 10, way: 0.01, turn: 0.12}, {from: 3, way: 0.02, turn: 0.2},
	}
	for range 4 {
		goal := xy(4*r.Float64(), 4*r.Float64())
		f := Fields{Obstacles: far}
		f.Set(FlowFields{{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: 0.25}})
		for range 5000 {
			d := f.Cell(0) * 3 * math.Pow(125, r.Float64())
			sin, cos := math.Sincos(7 * r.Float64())
			way, toward := f.Read(0, xy(goal.X+float64(d*cos), goal.Y+float64(d*sin)))
			for i := range rings {
				if ring := &rings[i]; d >= ring.from*f.Cell(0) {
					ring.worstWay = max(ring.worstWay, math.Abs(way/d-1))
					ring.worstTurn = max(ring.worstTurn, math.Abs(math.Asin(float64(toward.X*sin)-float64(toward.Y*cos))))
					break
				}
			}
		}
	}
	for _, ring := range rings {
		t.Logf("from %v cells: %.4f off, %.3f rad", ring.from, ring.worstWay, ring.worstTurn)
		if !(ring.worstWay <= ring.way && ring.worstTurn <= ring.turn) {
			t.Errorf("from %v cells: got=%.4f off, %.3f rad, want %v, %v at most", ring.from, ring.worstWay, ring.worstTurn, ring.way, ring.turn)
		}
	}
}
