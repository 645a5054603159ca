package space

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Whatever has moved, and however far, the index answers as one that is built
// anew.
func TestMoveIsBuild(t *testing.T) {
	moves, builds := 0, 0
	for name, make := range layouts {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 9))
			ref := newReference(r, make(r, 60))
			shapes := slices.Clone(ref.shapes)
			for _, reach := range []float64{10, 0.3, 1e9} {
				x := &Index{}
				x.Build(shapes, reach, 0.05)
				ref.indexes = append(ref.indexes, x)
			}
			for step := range 40 {
				stride := []float64{0.05, 0.05, 0.05, 1, 100}[r.IntN(5)]
				changed := []int{}
				for i := range shapes {
					s := &shapes[i]
					if s.Ring != nil && step%10 > 0 || r.IntN(3) > 0 {
						continue
					}
					by := vec.Scale(stride*r.Float64(), direction(r))
					s.A, s.B = vec.Add(s.A, by), vec.Add(s.B, by)
					if s.Ring != nil {
						s.Ring = slices.Clone(s.Ring)
						s.Ring[0] = vec.Add(s.Ring[0], by)
					}
					changed = append(changed, i)
				}
				for _, x := range ref.indexes {
					moved := !slices.ContainsFunc(changed, func(i int) bool { return !x.Move(i, &shapes[i]) })
					moves += len(changed)
					if !moved {
						x.Build(shapes, x.reach, 0.05)
						builds++
					}
				}
				ref.Index.Build(shapes, 1, 0)
				for range 20 {
					p := place(r, shapes)
					ref.checkSweep(t, p, direction(r), 30*r.Float64(), r.Float64())
					ref.checkNear(t, p, vec.Add(p, r2.Vec{X: 5}), 20*r.Float64())
				}
				// A shape that is as far away as one look-up may reach.
				for _, x := range ref.indexes {
					s, dir := &shapes[r.IntN(len(shapes))], direction(r)
					p := vec.AddScaled(s.A, -(2*x.reach + s.Radius), dir)
					ref.checkSweep(t, vec.AddScaled(p, 0.1*r.Float64(), dir), dir, 2*x.reach, 0)
					ref.checkNear(t, vec.AddScaled(p, x.reach, dir), p, x.reach)
				}
			}
		})
	}
	t.Logf("%d shapes moved, %d times built anew", moves, builds)
}

func TestMoveRefuses(t *testing.T) {
	circle := func(x, radius float64) Shape { return Shape{A: xy(x, 0), B: xy(x, 0), Radius: radius} }
	for _, tc := range []struct {
		name   string
		stride float64
		to     Shape
		want   bool
	}{
		{"a little", 0.1, circle(0.1, 1), true},
		{"as far as the slack", 0.1, circle(3.2, 1), true},
		{"farther than the slack", 0.1, circle(3.3, 1), false},
		{"without slack", 0, circle(0.1, 1), false},
		{"too fast for slack", 10, circle(0.1, 1), false},
		{"larger", 0.1, circle(0, 1.5), false},
		{"now a wall", 0.1, Shape{A: xy(0, 0), B: xy(1, 0), Radius: 1}, false},
		{"now a polygon", 0.1, Shape{Ring: []r2.Vec{xy(0, 0), xy(1, 0), xy(0, 1)}, Radius: 1}, false},
		{"another one", 0.1, Shape{ID: 1, Radius: 1}, false},
		{"not a place", 0.1, circle(1e200, 1), false},
	} {
		var x Index
		x.Build([]Shape{circle(0, 1)}, 10, tc.stride)
		if got := x.Move(0, &tc.to); got != tc.want {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
	var x Index
	x.Build([]Shape{circle(0, -1)}, 10, 0.1)
	if to := circle(0, 1); x.Move(0, &to) {
		t.Error("from a shape that is skipped: got=true, want=false")
	}
}
