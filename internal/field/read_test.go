package field

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestReadDescends(t *testing.T) {
	g := Grid{Cell: 0.5, Columns: 80, Rows: 60}
	slow := open(g.Len())
	closed := func(x0, y0, x1, y1 int) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				slow[y*80+x] = float32(math.Inf(1))
			}
		}
	}
	closed(20, 0, 22, 50)
	closed(40, 10, 42, 60)
	closed(50, 20, 75, 24)
	closed(50, 24, 54, 45)
	closed(60, 0, 61, 2) // shuts in cell 61
	closed(61, 1, 63, 2)
	closed(62, 0, 63, 1)
	var f Field
	f.Reset(g, slow, 1)
	near := func(p r2.Vec) bool { // to an open cell
		for i := range 9 {
			if f.open(f.At(vec.Add(p, r2.Vec{X: 0.35 * float64(i%3-1), Y: 0.35 * float64(i/3-1)}))) {
				return true
			}
		}
		return false
	}
	goal := r2.Vec{X: 35, Y: 20}
	f.Start(f.At(goal), 0)
	f.March(math.MaxInt)
	for i := range g.Len() {
		if i == 61 || !f.open(i) {
			testkit.Equal(t, f.Distance(i), math.Inf(1), "distance of cell %d, closed or shut in", i)
			continue
		}
		p, length := g.Center(i), 0.
		way, _ := f.Read(p)
		for vec.Norm(vec.Sub(goal, p)) > 0.6 {
			_, toward := f.Read(p)
			p = vec.AddScaled(p, 0.05, toward)
			if length += 0.05; length > 1.1*way+2 || toward == (r2.Vec{}) || !near(p) {
				t.Fatalf("from %v: got=%v after %.2f m of %.2f m, beside an open cell: %v, toward %v, want=the goal", g.Center(i), p, length, way, near(p), toward)
			}
		}
		if length < 0.9*way-2 {
			t.Fatalf("path from %v: got=%.2f m, want=about %.2f m", g.Center(i), length, way)
		}
	}
}

func TestReadAlongWalls(t *testing.T) {
	g := Grid{Cell: 0.5, Columns: 40, Rows: 40}
	slow := open(g.Len())
	for y := range 30 {
		slow[y*40+20] = float32(math.Inf(1))
	}
	var f Field
	f.Reset(g, slow, 1)
	f.Start(f.At(r2.Vec{X: 17, Y: 1}), 0)
	f.March(math.MaxInt)
	for y := 2.; y < 13; y += 0.1 {
		for x := 9.6; x < 10.2; x += 0.1 {
			p := r2.Vec{X: x, Y: y}
			if _, toward := f.Read(p); toward.Y < 0.95 {
				t.Fatalf("toward, at (%.1f, %.1f): got=%v, want=y of 0.95 or more", x, y, toward)
			}
			if out := f.Out(p); !f.open(f.At(out)) || f.open(f.At(p)) && out != p || vec.Norm(vec.Sub(out, p)) > 0.5 {
				t.Fatalf("out of %v: got=%v, want=an open cell within 0.5 m, or the point if its cell is open", p, out)
			}
		}
	}
}

func TestReadBeyond(t *testing.T) {
	g := Grid{Min: r2.Vec{X: -10, Y: -10}, Cell: 0.25, Columns: 100, Rows: 80}
	slow := open(g.Len())
	for row := 4; row < 70; row++ { // from y = -9 to y = 7.5
		slow[row*100+96] = float32(math.Inf(1))
	}
	goal := r2.Vec{X: 0.2, Y: 1.3}
	var f Field
	f.Reset(g, slow, 1)
	f.StartAround(r2.Box{Min: goal, Max: goal}, 1, 0, func(_, _ r2.Vec) bool { return true })
	f.March(math.MaxInt)
	above, below := r2.Vec{X: 14.125, Y: 7.625}, r2.Vec{X: 14.125, Y: -9.125}
	for i := range 2000 {
		angle := 0.618034 * float64(i)
		distance := 15 + 2*math.Mod(float64(i)*0.754878, 1)*float64(i)
		p := r2.Vec{X: goal.X + distance*math.Cos(angle), Y: goal.Y + distance*math.Sin(angle)}
		if f.beyondGrid(p) != (p.X < -10 || p.X > 15 || p.Y < -10 || p.Y > 10) {
			t.Fatalf("%v: beyond the grid: got=%v, want=%v", p, f.beyondGrid(p), !f.beyondGrid(p))
		}
		to := goal
		if y := p.Y + float64((goal.Y-p.Y)*(above.X-p.X)/(goal.X-p.X)); p.X > above.X && y > below.Y && y < above.Y { // across the wall
			if to = above; vec.Norm(vec.Sub(below, p))+vec.Norm(vec.Sub(goal, below)) < vec.Norm(vec.Sub(above, p))+vec.Norm(vec.Sub(goal, above)) {
				to = below
			}
		}
		want := vec.Norm(vec.Sub(to, p)) + vec.Norm(vec.Sub(goal, to))
		way, toward := f.Read(p)
		if math.Abs(way-want) > 0.01*want+0.1 || math.Abs(vec.Norm(toward)-1) > 1e-9 {
			t.Errorf("from %v: got=%v, toward %v, want=%v, toward a unit vector", p, way, toward, want)
		}
		next, _ := f.Read(vec.AddScaled(p, 1, toward)) // there may be two shortest paths
		if f.beyondGrid(p) && math.Abs(way-1-next) > 0.05+0.002*want {
			t.Errorf("from %v toward %v: after one meter: got=%v, want=%v", p, toward, next, way-1)
		}
	}
	testkit.NoAllocs(t, 20, func() { f.Read(r2.Vec{X: 90, Y: -70}) })
}

func TestReadOdd(t *testing.T) {
	for _, g := range []Grid{{Cell: 1, Columns: 1, Rows: 1}, {Cell: 1, Columns: 1, Rows: 5}, {Cell: 1, Columns: 5, Rows: 1}, {Cell: 1, Columns: 2, Rows: 2}} {
		for _, shut := range []bool{false, true} {
			slow := open(g.Len())
			if shut {
				for i := range slow {
					slow[i] = float32(math.Inf(1))
				}
			}
			var f Field
			f.Reset(g, slow, 1)
			f.Start(0, 0)
			f.March(math.MaxInt)
			for _, p := range []r2.Vec{{}, {X: math.NaN()}, {Y: math.Inf(1)}, {X: -1e300, Y: 1e300}, {X: 0.5, Y: 0.5}, {X: 3, Y: 3}} {
				way, toward := f.Read(p)
				if shut != math.IsInf(way, 1) && vec.Finite(p) && vec.Norm(p) < 100 || vec.Norm(toward) > 1.000001 {
					t.Errorf("%+v, shut: %v, at %v: got=%v, %v, want=a path unless shut, and a unit vector or less", g, shut, p, way, toward)
				}
			}
		}
	}
}
