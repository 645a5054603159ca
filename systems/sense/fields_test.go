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

// polygonMap returns n random convex polygons, which may overlap, in a square with sides of 20 m.
func polygonMap(r *rand.Rand, n int) *Obstacles {
	var shapes []space.Shape
	for range n {
		center, size, corners := xy(20*r.Float64(), 20*r.Float64()), 0.5+2*r.Float64(), 3+r.IntN(5)
		first := 7 * r.Float64()
		s := space.Shape{}
		for k := range corners {
			sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/float64(corners))
			s.Ring = append(s.Ring, xy(center.X+float64(size*cos), center.Y+float64(size*sin)))
		}
		shapes = append(shapes, s)
	}
	return obstaclesOf(shapes...)
}

// Paths of a field lead over the centers of cells, so around corners and through gaps they may be those of a
// body whose radius is one cell larger. That limits the error on random maps.
func TestFieldsExact(t *testing.T) {
	rounds := 10
	if *large {
		rounds = 40
	}
	const nearest = 20 // cells from the goal
	for _, tc := range []struct{ radius, cell, mean float64 }{
		{0.25, 0.25, 0.01}, {0.25, 0.125, 0.005}, {0, 0.05, 0.003}, {0.1, 0.1, 0.005},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		var s route.Search
		sum, shortest, longest, wider, off, n := 0., 0., 0., 0., 0, 0
		for round := range rounds {
			o := polygonMap(r, 6+round*(40/rounds)/3)
			goal := xy(-4, 20*r.Float64())
			f := fieldsOf(o, FlowField{Goals: to(goal), Radius: tc.radius, Cell: tc.cell})
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
					most = math.Inf(1) // in a corner that the wider body does not fit into
				}
				if most = got/most - 1; most > 0.03 {
					t.Errorf("round %d, radius %v, cell %v, from %v to %v: got=%v, want=at most 3%% longer than for a radius larger by a cell", round, tc.radius, tc.cell, p, goal, got)
				}
				e := got/want - 1
				if e < -0.02 {
					t.Errorf("round %d, radius %v, cell %v, from %v to %v: got=%v, want at least 98%% of the shortest, %v", round, tc.radius, tc.cell, p, goal, got, want)
				}
				if !(e <= 0.03) {
					off++
				}
				sum, shortest, longest, wider = sum+math.Abs(e), min(shortest, e), max(longest, e), max(wider, most)
				n++
			}
		}
		mean, share := sum/float64(n), float64(off)/float64(n)
		t.Logf("radius %v, cell %v: mean %.4f, from %.4f to %.4f, above 0.03 for %.4f; up to %.4f compared with a radius larger by a cell; %d paths",
			tc.radius, tc.cell, mean, shortest, longest, share, wider, n)
		if !(mean <= tc.mean) || share > 0.05 || n < 75*rounds {
			t.Errorf("radius %v, cell %v: got=%.4f off on average and a share of %.4f longer by more than 3%%, of %d paths, want at most %v and 0.05, of %d paths or more", tc.radius, tc.cell, mean, share, n, tc.mean, 75*rounds)
		}
	}
}

// Fields with equal rows share work, until one of the rows changes.
func TestFieldsAlike(t *testing.T) {
	o := polygonMap(rand.New(rand.NewPCG(1, 2)), 20)
	row := FlowField{Goals: to(xy(-4, 9)), Radius: 0.25}
	f, alone := fieldsOf(o, row, row, row), fieldsOf(o, row)
	want := func(name string, index uint32, p r2.Vec, of *Fields) {
		t.Helper()
		way, toward := f.Read(index, p)
		if exact, direction := of.Read(0, p); way != exact || toward != direction {
			t.Errorf("%s, field %d at %v: got=%v %v, want=%v %v", name, index, p, way, toward, exact, direction)
		}
	}
	changed := FlowField{Goals: to(xy(24, 9)), Radius: 0.25}
	f.Set(FlowFields{row, changed, row})
	for !f.UpToDate(1) {
		f.Update()
	}
	other := fieldsOf(o, changed)
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		p := xy(24*r.Float64()-2, 24*r.Float64()-2)
		want("first", 0, p, alone)
		want("changed", 1, p, other)
		want("last", 2, p, alone)
	}
}

// A door that is one and a half cells wider than the body must be open in a wall of any direction.
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
			o := obstaclesOf(space.Shape{A: at(-9, 0), B: at(-tc.door/2, 0)}, space.Shape{A: at(tc.door/2, 0), B: at(9, 0)})
			f := fieldsOf(o, FlowField{Goals: to(at(0, 5)), Radius: radius, Cell: cell})
			if way, _ := f.Read(0, at(0, -5)); (way < 10.3) != tc.open {
				t.Errorf("door of %v m from %v to %v: got a path of %v m, want open=%v", tc.door, at(-tc.door/2, 0), at(tc.door/2, 0), way, tc.open)
			}
		}
	}
}

func TestFieldsOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	far := obstaclesOf(space.Shape{A: xy(-100, -100), B: xy(-100, -99)}, space.Shape{A: xy(100, 100), B: xy(100, 99)})
	rings := []struct{ from, way, turn, worstWay, worstTurn float64 }{ // in cells, shares and radians
		{from: 50, way: 0.004, turn: 0.06}, {from: 10, way: 0.01, turn: 0.12}, {from: 3, way: 0.02, turn: 0.2},
	}
	for range 4 {
		goal := xy(4*r.Float64(), 4*r.Float64())
		f := fieldsOf(far, FlowField{Goals: to(goal), Radius: 0.25})
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
			t.Errorf("from %v cells: got=%.4f off, %.3f rad, want at most %v, %v", ring.from, ring.worstWay, ring.worstTurn, ring.way, ring.turn)
		}
	}
}

func TestFieldsExtreme(t *testing.T) {
	box := func(x float64) r2.Box { return r2.Box{Min: xy(-x, -x), Max: xy(x, x)} }
	for _, x := range []FlowField{
		{Goals: []r2.Box{box(1)}, Radius: 1e3, Cell: 0.1},
		{Goals: []r2.Box{box(1)}, Radius: math.MaxFloat64, Cell: 1e-300},
		{Goals: []r2.Box{box(math.MaxFloat64)}, Radius: 1},
		{Goals: []r2.Box{box(0)}, Cell: math.MaxFloat64},
		{Goals: []r2.Box{box(0)}, Cell: math.SmallestNonzeroFloat64},
	} {
		o := &Obstacles{table: Portals{{From: box(0.1), To: box(math.MaxFloat64), Length: 1}}}
		for _, o.portals = range []Portals{nil, o.table} {
			x.Most = 1000
			if g, _ := fieldsOf(o, x).Grid(0); len(g.Distances) > 6000 {
				t.Errorf("%+v, with %d portals: got=%d cells, want at most 6000", x, len(o.portals), len(g.Distances))
			}
		}
	}
	for _, length := range []float64{1e6, 1e12, math.MaxFloat64} {
		wall := &Obstacles{reach: 1}
		wall.portals = Portals{{From: r2.Box{Min: xy(-9, 5), Max: xy(-8, 6)}, To: r2.Box{Min: xy(6, 5), Max: xy(7, 6)}, Length: length}}
		f := fieldsOf(wall, FlowField{Goals: []r2.Box{box(1)}, Radius: 0.3})
		if way, _ := f.Read(0, xy(-3, -7)); !within(way, math.Hypot(2, 6), 0.1) {
			t.Errorf("portal of %v m: path: got=%v m, want=%v m", length, way, math.Hypot(2, 6))
		}
	}
}

func TestCosts(t *testing.T) {
	goal := to(xy(10, 0))
	box := func(x, y, factor float64) []Cost {
		return []Cost{{Box: r2.Box{Min: xy(-x, -y), Max: xy(x, y)}, Factor: factor}}
	}
	table := FlowFields{
		{Goals: goal, Cell: 0.1},
		{Goals: goal, Cell: 0.1, Costs: box(2, 100, 3)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 3, 10)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 3, 1.01)},
		{Goals: goal, Cell: 0.1, Costs: append(box(2, 100, 3), box(2, 100, 2)...)},
		{Goals: goal, Cell: 0.1, Costs: append(box(2, 100, 90), box(2, 100, 90)...)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 100, 0.5)},
		{Goals: goal, Cell: 0.1, Costs: box(2, 100, 101)},
	}
	o := obstaclesOf(space.Shape{A: xy(-12, -12), B: xy(-12, -12), Radius: 0.1}, space.Shape{A: xy(12, 12), B: xy(12, 12), Radius: 0.1})
	f := fieldsOf(o, table...)
	for i, want := range []float64{20, 16 + 4*3, 2*math.Hypot(8, 3) + 4, 16 + 4*1.01, 16 + 4*6, 16 + 4*100} {
		if got, _ := f.Read(uint32(i), xy(-10, 0)); !(math.Abs(got-want) <= 0.02*want) {
			t.Errorf("field %d: got=%v m, want=%v m", i, got, want)
		}
	}
	if _, toward := f.Read(2, xy(-10, 0.5)); !(toward.Y > 0.2) {
		t.Errorf("an area that costs ten times as much: got a path toward %v, want past its upper side", toward)
	}
	for i := uint32(6); i < 8; i++ {
		if got, _ := f.Read(i, xy(-10, 0)); !math.IsInf(got, 1) || table[i].Check() == nil {
			t.Errorf("a factor of %v: got=%v m and error %v, want=+Inf m and an error", table[i].Costs[0].Factor, got, table[i].Check())
		}
	}
	table[0].Costs = table[1].Costs // a row that changes
	f.Set(table)
	for range 1000 {
		f.Update()
	}
	if got, _ := f.Read(0, xy(-10, 0)); !(math.Abs(got-28) <= 0.5) {
		t.Errorf("a row with new costs: got=%v m, want=28 m", got)
	}
}
