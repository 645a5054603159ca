package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

type occupied struct {
	cell   r2.Box
	shapes int
}

func cellsOf(x *Index, box r2.Box) (all []occupied) {
	x.Cells(box, func(cell r2.Box, shapes int) bool {
		all = append(all, occupied{cell, shapes})
		return true
	})
	return all
}

var everywhere = r2.Box{Min: xy(math.Inf(-1), math.Inf(-1)), Max: xy(math.Inf(1), math.Inf(1))}

// distanceTo returns the distance from a cell to a piece. It samples walls.
func distanceTo(cell r2.Box, pc *piece) float64 {
	best := math.Inf(1)
	const parts = 200
	for i := range parts + 1 {
		p := vec.AddScaled(pc.a, float64(i)/parts, vec.Sub(pc.b, pc.a))
		if pc.kind == inside { // lists go by the box around the polygon
			p = xy(min(max(cell.Min.X, pc.a.X), pc.b.X), min(max(cell.Min.Y, pc.a.Y), pc.b.Y))
		}
		to := xy(max(cell.Min.X-p.X, 0, p.X-cell.Max.X), max(cell.Min.Y-p.Y, 0, p.Y-cell.Max.Y))
		best = min(best, vec.Norm(to))
	}
	return max(best-pc.radius, 0)
}

func TestCellsAgainstBruteForce(t *testing.T) {
	seen := 0
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 7))
			for _, stride := range []float64{0, 0.1} {
				shapes := layout(r, 40)
				var x Index
				x.Build(shapes, 10, stride)
				for i := range shapes { // within the slack, lists stay unchanged
					by := vec.Scale(x.slack*r.Float64(), direction(r))
					shapes[i].A, shapes[i].B = vec.Add(shapes[i].A, by), vec.Add(shapes[i].B, by)
					x.Move(i, &shapes[i])
				}
				for range 3 {
					at, size := place(r, shapes), x.levels[r.IntN(len(x.levels))].size
					box := r2.Box{Min: at, Max: vec.Add(at, xy(8*size*r.Float64(), 8*size*r.Float64()))}
					got := map[r2.Box]int{}
					for _, c := range cellsOf(&x, box) {
						got[c.cell] = c.shapes
					}
					for g := range x.levels {
						lv := &x.levels[g]
						if lv.cell(box.Max.X)-lv.cell(box.Min.X) > 40 || lv.cell(box.Max.Y)-lv.cell(box.Min.Y) > 40 {
							continue
						}
						for row := lv.cell(box.Min.Y); row <= lv.cell(box.Max.Y); row++ {
							for column := lv.cell(box.Min.X); column <= lv.cell(box.Max.X); column++ {
								cell := lv.box(column, row)
								least, most := map[uint32]bool{}, map[uint32]bool{}
								for k := range x.pieces {
									pc := x.pieces[k]
									if len(x.listed) > 0 {
										pc.a, pc.b = x.listed[k].a, x.listed[k].b
									}
									if int(pc.level) != g {
										continue
									}
									d := distanceTo(cell, &pc)
									if d <= lv.reach {
										least[pc.rank] = true
									}
									// Walls and interiors may be in the lists of a few more cells.
									if more := 3*x.slack + 3*margin*lv.size; d <= lv.reach+more || pc.kind != circle && d <= 2*(lv.reach+lv.size+more) {
										most[pc.rank] = true
									}
								}
								n := got[cell]
								delete(got, cell)
								if n < len(least) || n > len(most) {
									t.Fatalf("stride %v: grid %d, cell %v: got=%d shapes, want=%d to %d", stride, g, cell, n, len(least), len(most))
								}
								seen += n
							}
						}
					}
				}
			}
		})
	}
	if seen < 1000 {
		t.Errorf("shapes in cells: got=%d, want=1000 or more", seen)
	}
}

func TestCellsOrder(t *testing.T) {
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 1))
			shapes := layout(r, 60)
			var x, again Index
			x.Build(shapes, 10, 0)
			whole := cellsOf(&x, everywhere)
			if polygons := slices.ContainsFunc(shapes, func(s Shape) bool { return s.Ring != nil }); !polygons {
				sum := 0
				for _, c := range whole {
					sum += c.shapes
				}
				testkit.Equal(t, sum, x.Occupancy().Entries, "shapes in all cells")
			}
			slices.Reverse(shapes)
			again.Build(shapes, 10, 0)
			if !slices.Equal(whole, cellsOf(&again, everywhere)) {
				t.Error("shapes in another order: got=other cells, want=the same")
			}
			for n := 1; n < min(len(whole), 20); n++ {
				got := 0
				x.Cells(everywhere, func(r2.Box, int) bool { got++; return got < n })
				testkit.Equal(t, got, n, "visits")
			}
		})
	}
}

func TestCellsOfNothing(t *testing.T) {
	var none, one Index
	one.Build([]Shape{disc(3, 3, 1)}, 1, 0)
	nan := math.NaN()
	for _, tc := range []struct {
		name string
		x    *Index
		box  r2.Box
		want bool
	}{
		{"nothing built", &none, everywhere, false},
		{"everywhere", &one, everywhere, true},
		{"a point", &one, r2.Box{Min: xy(3, 3), Max: xy(3, 3)}, true},
		{"far away", &one, r2.Box{Min: xy(300, 3), Max: xy(301, 4)}, false},
		{"farther than cells are counted", &one, r2.Box{Min: xy(1e300, 3), Max: xy(math.Inf(1), 4)}, false},
		{"upside down", &one, r2.Box{Min: xy(0, 6), Max: xy(6, 0)}, false},
		{"NaN", &one, r2.Box{Min: xy(nan, 0), Max: xy(6, 6)}, false},
		{"NaN at the end", &one, r2.Box{Min: xy(0, 0), Max: xy(6, nan)}, false},
	} {
		testkit.Equal(t, len(cellsOf(tc.x, tc.box)) > 0, tc.want, "%s", tc.name)
	}
	var far Index
	far.Build([]Shape{disc(3, 3, 1), {ID: 1, A: xy(1e50, -1e50), B: xy(1e50, -1e50), Radius: 1}}, 1, 0)
	found := false
	for _, c := range cellsOf(&far, everywhere) {
		found = found || c.cell.Max.X == math.Inf(1) && c.cell.Min.Y == math.Inf(-1)
	}
	if far.levels[0].size < 1e40 && !found {
		t.Error("far out: got=no infinite cell, want=an infinite cell")
	}
}

func TestOccupancy(t *testing.T) {
	var apart, heap []Shape
	for i := range 100 {
		apart = append(apart, disc(10*float64(i%10), 10*float64(i/10), 1))
		heap = append(heap, disc(0, 0, 1))
	}
	for _, c := range []struct {
		name                          string
		shapes                        []Shape
		found, pieces, grids, longest int // longest: lower bound
	}{
		{"nothing", nil, 0, 0, 0, 0},
		{"one", []Shape{disc(3, 3, 1)}, 1, 1, 1, 1},
		{"apart", apart, 100, 100, 1, 1},
		{"heap", heap, 100, 100, 1, 100},
		{"polygon", []Shape{{Ring: []r2.Vec{xy(0, 0), xy(1, 0), xy(1, 1), xy(0, 1)}}}, 1, 5, 1, 1},
		{"two sizes", []Shape{disc(0, 0, 0.01), disc(0, 0, 100)}, 2, 2, 2, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var x Index
			x.Build(c.shapes, 1, 0)
			o := x.Occupancy()
			if o.Shapes != c.found || o.Pieces != c.pieces || o.Grids != c.grids {
				t.Errorf("got=%+v, want=%v shapes in %v pieces and %v grids", o, c.found, c.pieces, c.grids)
			}
			if o.Longest < c.longest || o.Longest > o.Pieces || o.Entries < o.Pieces || o.Taken > min(o.Slots, o.Entries) {
				t.Errorf("got=%+v, want=Longest from %v to Pieces, Entries of Pieces or more, and Taken at most Slots and Entries", o, c.longest)
			}
			if got := o.Mean(); got > float64(o.Longest) || (got < 1) != (c.pieces == 0) {
				t.Errorf("mean: got=%v of %+v, want=1 or more, or 0 without pieces, and at most the longest", got, o)
			}
		})
	}
	if got := new(Index).Occupancy(); got != (Occupancy{}) {
		t.Errorf("never built: got=%+v, want=zeros", got)
	}
}
