package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// brute answers the queries of Index by a loop over all shapes.
type brute struct{ *Index }

func (x brute) Sweep(p, dir r2.Vec, length, body float64) (Hit, bool) {
	if !within(p) || !vec.Finite(dir) || !(length >= 0 && length <= math.MaxFloat64) || !(body >= 0 && body <= farthest) {
		return Hit{}, false
	}
	var best Hit
	found := false
	way := Way{From: p, Dir: dir, Length: length, Body: body}
	for i := range x.pieces {
		first := contact{length, none}
		if x.try(uint32(i), &x.bounds[i], &way, &first); first.piece != none && !(found && first.distance >= best.Distance) {
			x.hit(&best, first, &way)
			found = true
		}
	}
	return best, found
}

func (x brute) Nearest(p r2.Vec, limit float64) (Hit, bool) {
	var best Hit
	found := false
	if !within(p) || math.Abs(limit) > math.MaxFloat64 {
		return best, false
	}
	for i := range x.pieces {
		if d := x.distance(&x.pieces[i], p); d <= limit && !(found && d >= best.Distance) {
			x.hit(&best, contact{0, uint32(i)}, &Way{From: p})
			best.Distance, found = d, true
		}
	}
	return best, found
}

func (x brute) Within(p r2.Vec, radius float64) (is []int, ds []float64) {
	if !within(p) || math.Abs(radius) > math.MaxFloat64 {
		return nil, nil
	}
	for i := range x.pieces {
		k := x.index(x.pieces[i].rank)
		d := x.distance(&x.pieces[i], p)
		switch n := len(is) - 1; {
		case !(d <= radius):
		case n >= 0 && is[n] == k:
			ds[n] = min(ds[n], d)
		default:
			is, ds = append(is, k), append(ds, d)
		}
	}
	return is, ds
}

func (x brute) Inside(p r2.Vec) (int, bool) {
	is, ds := x.Within(p, 0)
	for i := range is {
		if ds[i] < 0 {
			return is[i], true
		}
	}
	return 0, false
}

func (x brute) Probes(p r2.Vec, points ...r2.Vec) (int, bool) {
	best, at := math.Inf(1), -1
	for rank := range x.order {
		s := x.shape(uint32(rank))
		if s.Ring != nil || s.A != s.B || !within(p) {
			continue
		}
		for _, q := range points {
			if d := vec.Norm2(vec.Sub(p, s.A)); vec.Norm2(vec.Sub(q, s.A)) <= s.Radius*s.Radius && d < best {
				best, at = d, x.index(uint32(rank))
			}
		}
	}
	return max(at, 0), at >= 0
}

func (x brute) CenterNearer(p r2.Vec, i int) bool {
	best, at := math.Inf(1), -1
	for rank := range x.order {
		s := x.shape(uint32(rank))
		if d := vec.Norm2(vec.Sub(p, s.A)); s.Ring == nil && s.A == s.B && d < best {
			best, at = d, x.index(uint32(rank))
		}
	}
	return at != i
}

type layout func(r *rand.Rand, n int) []Shape

func point(r *rand.Rand, size float64) r2.Vec {
	return r2.Vec{X: size * (r.Float64() - 0.5), Y: size * (r.Float64() - 0.5)}
}

func direction(r *rand.Rand) r2.Vec {
	switch r.IntN(12) {
	case 0:
		return r2.Vec{}
	case 1, 2:
		return [4]r2.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}[r.IntN(4)]
	}
	sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
	return r2.Vec{X: cos, Y: sin}
}

func shape(r *rand.Rand, at r2.Vec, size float64) Shape {
	s := Shape{A: at, B: at, Radius: size * r.Float64()}
	if r.IntN(4) == 0 {
		s.Radius = 0
	}
	switch r.IntN(3) {
	case 1:
		s.B = vec.AddScaled(at, size, point(r, 2))
		s.Radius /= 8
	case 2:
		s.Ring = ring(r, at, size)
		s.Radius *= float64(r.IntN(2)) / 8
	}
	return s
}

// ring returns a polygon in either winding order. It may be concave and have repeated corners.
func ring(r *rand.Rand, at r2.Vec, size float64) []r2.Vec {
	var out []r2.Vec
	n := 3 + r.IntN(6)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		c := vec.AddScaled(at, size*(0.1+r.Float64()), r2.Vec{X: cos, Y: sin})
		for range 1 + r.IntN(8)/7 {
			out = append(out, c)
		}
	}
	if r.IntN(2) == 0 {
		slices.Reverse(out)
	}
	return out
}

func scattered(kinds func(r *rand.Rand) Shape) layout {
	return func(r *rand.Rand, n int) []Shape {
		out := make([]Shape, n)
		for i := range out {
			out[i] = kinds(r)
		}
		return out
	}
}

var layouts = map[string]layout{
	"circles": scattered(func(r *rand.Rand) Shape {
		at := point(r, 1000)
		return Shape{A: at, B: at, Radius: 3 + 4*r.Float64()}
	}),
	"mixed": scattered(func(r *rand.Rand) Shape { return shape(r, point(r, 1000), 20) }),
	"sizes from 1 cm to 100 m": scattered(func(r *rand.Rand) Shape {
		return shape(r, point(r, 1000), math.Pow(10, 4*r.Float64()-2))
	}),
	"one cell": scattered(func(r *rand.Rand) Shape { return shape(r, point(r, 2), 1) }),
	"on a lattice": scattered(func(r *rand.Rand) Shape {
		at := func() r2.Vec { return r2.Vec{X: float64(r.IntN(20)) * 14, Y: float64(r.IntN(20)) * 14} }
		s := Shape{A: at(), B: at(), Radius: float64(7 * r.IntN(2))}
		if r.IntN(2) == 0 {
			s.B = s.A
		}
		return s
	}),
	"far from the origin": scattered(func(r *rand.Rand) Shape {
		return shape(r, vec.Add(r2.Vec{X: 1e7, Y: -3e7}, point(r, 200)), 3)
	}),
	"two clusters": scattered(func(r *rand.Rand) Shape {
		return shape(r, vec.Add(r2.Vec{X: 1e6 * float64(r.IntN(2))}, point(r, 300)), 5)
	}),
	"identical": scattered(func(r *rand.Rand) Shape {
		return Shape{A: r2.Vec{X: 50, Y: 20}, B: r2.Vec{X: 50, Y: 20}, Radius: 5}
	}),
	"long walls": scattered(func(r *rand.Rand) Shape {
		return Shape{A: point(r, 1e4), B: point(r, 1e4), Radius: float64(r.IntN(2)) * r.Float64()}
	}),
	"walls": scattered(func(r *rand.Rand) Shape {
		at := point(r, 1000)
		return Shape{A: at, B: vec.AddScaled(at, 112*r.Float64(), direction(r))}
	}),
	"points": scattered(func(r *rand.Rand) Shape {
		at := point(r, 1000)
		return Shape{A: at, B: at}
	}),
	"large polygons": scattered(func(r *rand.Rand) Shape {
		return Shape{Ring: ring(r, point(r, 3000), 1000), Radius: float64(r.IntN(2))}
	}),
	"tiny": scattered(func(r *rand.Rand) Shape { return shape(r, point(r, 1e-150), 1e-152) }),
	"huge": scattered(func(r *rand.Rand) Shape { return shape(r, point(r, 1e99), 1e98) }),
	"all magnitudes": scattered(func(r *rand.Rand) Shape {
		return shape(r, point(r, math.Pow(10, 200*r.Float64()-100)), math.Pow(10, 200*r.Float64()-100))
	}),
	"cracked ground": func(r *rand.Rand, n int) []Shape {
		// Walls without thickness that share ends.
		out := make([]Shape, n)
		last := point(r, 500)
		for i := range out {
			next := vec.AddScaled(last, 40, point(r, 1))
			out[i] = Shape{A: last, B: next}
			last = next
		}
		return out
	},
}

func place(r *rand.Rand, shapes []Shape) r2.Vec {
	s := &shapes[r.IntN(len(shapes))]
	a, b := s.A, s.B
	if s.Ring != nil {
		k := r.IntN(len(s.Ring))
		a, b = s.Ring[k], s.Ring[(k+1)%len(s.Ring)]
	}
	size := max(s.Radius, vec.Norm(vec.Sub(b, a)))
	on := vec.AddScaled(a, r.Float64(), vec.Sub(b, a))
	switch r.IntN(8) {
	case 0:
		return a
	case 1:
		return on
	case 2:
		return vec.AddScaled(on, s.Radius, vec.Left(vec.Unit(vec.Sub(b, a))))
	case 3:
		return point(r, 1000)
	case 4:
		return vec.AddScaled(on, 20*r.Float64(), point(r, 2))
	}
	return vec.AddScaled(on, size*4*r.Float64(), point(r, 2))
}

// reference holds indexes of the same shapes in other orders and layouts, which must give the same answers.
type reference struct {
	brute
	indexes []*Index
}

func newReference(r *rand.Rand, shapes []Shape, reaches ...float64) *reference {
	ref := &reference{brute: brute{&Index{}}}
	ref.build(r, shapes, reaches...)
	return ref
}

// build builds the indexes anew, in used memory, and then spoils the shapes that it has given them.
func (ref *reference) build(r *rand.Rand, shapes []Shape, reaches ...float64) {
	for i := range shapes {
		shapes[i].ID = uint32(2 * i)
	}
	ref.Build(shapes, 1, 0)
	for i, reach := range reaches {
		if i == len(ref.indexes) {
			ref.indexes = append(ref.indexes, &Index{})
		}
		shuffled := slices.Clone(shapes)
		r.Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
		for k := range shuffled {
			shuffled[k].Ring = slices.Clone(shuffled[k].Ring)
		}
		ref.indexes[i].Build(shuffled, reach, 0)
		for _, s := range shuffled {
			for k := range s.Ring {
				s.Ring[k] = xy(math.NaN(), 0)
			}
		}
	}
}

// sameHit compares shapes by ID.
func sameHit(x, y *Index, a, b Hit) bool {
	a.Index, b.Index = int(x.Shape(a.Index).ID), int(y.Shape(b.Index).ID)
	return a == b
}

func (ref *reference) checkSweep(t *testing.T, p, dir r2.Vec, length, body float64) (found bool) {
	t.Helper()
	want, found := ref.Sweep(p, dir, length, body)
	for _, x := range ref.indexes {
		got, ok := x.Sweep(p, dir, length, body)
		if ok != found || ok && !sameHit(x, ref.Index, got, want) {
			t.Fatalf("Sweep(%v, %v, %v, %v), reach %v: got=%+v, %v, want=%+v, %v", p, dir, length, body, x.reach, got, ok, want, found)
		}
		all := [1]Hit{}
		if n := x.SweepAll([]Way{{From: p, Dir: dir, Length: length, Body: body}}, all[:], new(Sweeps)); ok != (n == 1) || ok && all[0] != got {
			t.Fatalf("SweepAll(%v, %v, %v, %v), reach %v: got=%+v, want=%+v, %v", p, dir, length, body, x.reach, all[0], got, ok)
		}
	}
	return found
}

func (ref *reference) checkNear(t *testing.T, p, q r2.Vec, limit float64) {
	t.Helper()
	want, found := ref.Nearest(p, limit)
	wantIs, wantDs := ref.brute.Within(p, limit)
	inside, in := ref.brute.Inside(p)
	probed, held := ref.brute.Probes(p, p, q)
	for _, x := range ref.indexes {
		id := func(i int) uint32 { return x.Shape(i).ID }
		if got, ok := x.Nearest(p, limit); ok != found || ok && !sameHit(x, ref.Index, got, want) {
			t.Fatalf("Nearest(%v, %v), reach %v: got=%+v, %v, want=%+v, %v", p, limit, x.reach, got, ok, want, found)
		}
		var is []int
		var ds []float64
		x.Within(p, limit, func(i int, d float64) bool {
			is, ds = append(is, int(id(i)/2)), append(ds, d)
			return true
		})
		if !slices.Equal(is, wantIs) || !slices.Equal(ds, wantDs) {
			t.Fatalf("Within(%v, %v), reach %v: got=%v, %v, want=%v, %v", p, limit, x.reach, is, ds, wantIs, wantDs)
		}
		visits, most := 0, len(wantIs)/2+1
		x.Within(p, limit, func(int, float64) bool { visits++; return visits < most })
		if visits != min(most, len(wantIs)) {
			t.Fatalf("Within(%v, %v), reach %v, which is to stop: got=%d visits, want=%d", p, limit, x.reach, visits, min(most, len(wantIs)))
		}
		last := -1
		missing := slices.Clone(wantIs)
		x.About(p, limit, func(i int) {
			k := int(id(i) / 2)
			if k <= last {
				t.Fatalf("About(%v, %v), reach %v: got=%d after %d, want=ascending", p, limit, x.reach, k, last)
			}
			last = k
			missing = slices.DeleteFunc(missing, func(want int) bool { return want == k })
		})
		if len(missing) > 0 {
			t.Fatalf("About(%v, %v), reach %v: got=without %v, want=with them", p, limit, x.reach, missing)
		}
		if i, ok := x.Inside(p); ok != in || ok && id(i) != uint32(2*inside) {
			t.Fatalf("Inside(%v), reach %v: got=%v, %v, want=%v, %v", p, x.reach, id(i)/2, ok, inside, in)
		}
		i, ok := x.Probes(p, p, q)
		if ok != held || ok && id(i) != uint32(2*probed) {
			t.Fatalf("Probes(%v, %v), reach %v: got=%v, %v, want=%v, %v", p, q, x.reach, id(i)/2, ok, probed, held)
		}
		if ok && x.CenterNearer(q, i) != ref.brute.CenterNearer(q, probed) {
			t.Fatalf("CenterNearer(%v, %v), reach %v: got=%v, want=%v", q, probed, x.reach, x.CenterNearer(q, i), !x.CenterNearer(q, i))
		}
	}
}

func TestIndexIsBruteForce(t *testing.T) {
	for name, make := range layouts {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			hits, sweeps := 0, 0
			ref := newReference(r, nil)
			for _, n := range []int{60, 2, 300, 1, 7} {
				ref.build(r, make(r, n), 10, 0, 0.3, 77, 1e-9, 1e9, math.NaN())
				for range 120 {
					p := place(r, ref.shapes)
					dir, way := direction(r), r2.Vec{}
					if r.IntN(2) == 0 {
						way = vec.Sub(place(r, ref.shapes), p)
						dir = vec.Unit(way)
					}
					length := []float64{0, 20, 20 * r.Float64(), vec.Norm(way), 300 * r.Float64(), math.Pow(10, 200*r.Float64()-100), math.MaxFloat64}[r.IntN(7)]
					body := []float64{0, 0, 0.3, 5 * r.Float64(), 30 * r.Float64(), math.Pow(10, 110*r.Float64()-100)}[r.IntN(6)]
					sweeps++
					if ref.checkSweep(t, p, dir, length, body) {
						hits++
					}
					if sweeps%4 == 0 {
						limit := []float64{0, 0.3, 15 * r.Float64(), 10 + r.Float64(), -r.Float64(), 200 * r.Float64(), math.Pow(10, 200*r.Float64()-100), math.MaxFloat64}[r.IntN(8)]
						ref.checkNear(t, p, vec.AddScaled(p, 10, dir), limit)
					}
				}
			}
			t.Logf("%d of %d sweeps hit", hits, sweeps)
			if hits < sweeps/10 {
				t.Errorf("sweeps that hit: got=%v of %v, want=a tenth or more", hits, sweeps)
			}
		})
	}
}
