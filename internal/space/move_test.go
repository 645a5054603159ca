package space

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

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
				// A wall may turn about its end A, so that only B moves far.
				strides := []float64{0.05, 0.05, 0.05, 1, 100}
				stride, turn := strides[r.IntN(5)], strides[r.IntN(5)]
				changed := []int{}
				for i := range shapes {
					s := &shapes[i]
					if s.Ring != nil && step%10 > 0 || r.IntN(3) > 0 {
						continue
					}
					by := vec.Scale(stride*r.Float64(), direction(r))
					circle := s.A == s.B
					s.A, s.B = vec.Add(s.A, by), vec.Add(s.B, by)
					if !circle {
						s.B = vec.AddScaled(s.B, turn*r.Float64(), direction(r))
					}
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
			}
		})
	}
	t.Logf("%d shapes moved, %d times rebuilt", moves, builds)
}

func TestMoveKeepsReach(t *testing.T) {
	sides := []r2.Vec{xy(1, 0), xy(-1, 0), xy(0, 1), xy(0, -1)}
	for _, span := range []r2.Vec{{}, xy(30, 0), xy(0, 30)} {
		for _, by := range append(sides, r2.Vec{}) {
			for i := range 100 {
				at := xy(float64(i)*0.37, float64(i)*-0.61)
				var x Index
				x.Build([]Shape{{A: at, B: vec.Add(at, span), Radius: 1}}, 10, 0.1)
				at = vec.AddScaled(at, 0.999*x.slack, by)
				if !x.Move(0, &Shape{A: at, B: vec.Add(at, span), Radius: 1}) {
					t.Fatalf("Move by %v, span %v: got=false, want=true", by, span)
				}
				for _, side := range sides {
					end := at
					if vec.Dot(span, side) > 0 {
						end = vec.Add(at, span)
					}
					p := vec.AddScaled(end, 1+0.9999*x.reach, side)
					if _, ok := x.Nearest(p, x.reach); !ok {
						t.Errorf("Nearest(%v), of a piece at %v and span %v that moved by %v: got=false, want=true", p, at, span, by)
					}
					way := vec.AddScaled(p, 0.9999*x.reach, side)
					if _, ok := x.Sweep(way, vec.Scale(-1, side), 2*x.reach, 0); !ok {
						t.Errorf("Sweep from %v, to a piece at %v and span %v that moved by %v: got=false, want=true", way, at, span, by)
					}
				}
			}
		}
	}
}

func TestMoveRefuses(t *testing.T) {
	circle, wall := disc(0, 0, 1), Shape{A: xy(0, 0), B: xy(20, 0), Radius: 1}
	for _, tc := range []struct {
		name     string
		stride   float64
		from, to Shape
		want     bool
	}{
		{"a little", 0.1, circle, disc(0.1, 0, 1), true},
		{"as far as the slack", 0.1, circle, disc(3.2, 0, 1), true},
		{"farther than the slack", 0.1, circle, disc(3.3, 0, 1), false},
		{"without slack", 0, circle, disc(0.1, 0, 1), false},
		{"too fast for slack", 10, circle, disc(0.1, 0, 1), false},
		{"larger", 0.1, circle, disc(0, 0, 1.5), false},
		{"now a wall", 0.1, circle, Shape{A: xy(0, 0), B: xy(1, 0), Radius: 1}, false},
		{"now a polygon", 0.1, circle, Shape{Ring: []r2.Vec{xy(0, 0), xy(1, 0), xy(0, 1)}, Radius: 1}, false},
		{"another ID", 0.1, circle, Shape{ID: 1, Radius: 1}, false},
		{"invalid position", 0.1, circle, disc(1e200, 0, 1), false},
		{"from a skipped shape", 0.1, disc(0, 0, -1), circle, false},
		{"both ends as far as the slack", 0.1, wall, Shape{A: xy(3.2, 0), B: xy(20, -3.2), Radius: 1}, true},
		{"end A farther", 0.1, wall, Shape{A: xy(3.3, 0), B: xy(20, 0), Radius: 1}, false},
		{"end B farther", 0.1, wall, Shape{A: xy(0, 0), B: xy(20, -3.3), Radius: 1}, false},
		{"now a circle", 0.1, wall, disc(3, 0, 1), false},
	} {
		var x Index
		x.Build([]Shape{tc.from}, 10, tc.stride)
		testkit.Equal(t, x.Move(0, &tc.to), tc.want, "%s", tc.name)
	}
}
