package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/testkit"
)

func useKernels(t *testing.T) {
	before := kernel.Use(kernel.AVX2)
	t.Cleanup(func() { kernel.Use(before) })
	if kernel.Used() == kernel.Off {
		t.Skip("no kernels")
	}
}

var oddNumbers = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64,
	-0x1p500, 0x1p-500, -1e-310, math.SmallestNonzeroFloat64}

// number returns a random number of about the given size, often an integer. In odd percent of cases, it
// returns one of oddNumbers.
func number(r *rand.Rand, size float64, odd int) float64 {
	if r.IntN(100) < odd {
		return oddNumbers[r.IntN(len(oddNumbers))]
	}
	return math.Round(float64(size*r.NormFloat64())) + float64(r.IntN(2))*r.Float64()
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	})
}

func TestKernels(t *testing.T) {
	useKernels(t)
	all := 0
	for name, layout := range layouts {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 17))
			shapes := layout(r, 1+r.IntN(600))
			var x Index
			x.Build(shapes, 10, 0.1*float64(r.IntN(2)))
			for range 30 {
				ways := make([]Way, 1+r.IntN(block))
				for i := range ways {
					length := min(2*x.reach, []float64{20, 20 * r.Float64(), math.MaxFloat64, 0}[r.IntN(4)])
					body := []float64{0, 0.5 * r.Float64(), math.Copysign(0, -1)}[r.IntN(3)]
					ways[i] = Way{From: place(r, shapes), Dir: direction(r), Length: length, Body: body}
					w := &ways[i]
					if !x.single(w, middle(w)) {
						w.Length, w.Body = 0, 0
					}
					if !x.single(w, middle(w)) {
						w.From = xy(0, 0)
					}
				}
				if w := &ways[0]; !x.single(w, middle(w)) {
					continue // one lookup is never enough
				}
				for g := range x.levels {
					var gotMemory, wantMemory Sweeps
					got, want := &gotMemory.sifter, &wantMemory.sifter
					kernel.Use(kernel.Off)
					wantSingle, wantLists, wantDone, wantFound := x.find(&wantMemory, &x.levels[g], ways)
					kernel.Use(kernel.AVX2)
					single, lists, done, found := x.find(&gotMemory, &x.levels[g], ways)
					if single != wantSingle || lists != wantLists || done != wantDone || found != wantFound ||
						!slices.Equal(got.Busy[:lists], want.Busy[:lists]) || !slices.Equal(got.Piece[:found], want.Piece[:found]) || !slices.Equal(got.Way[:found], want.Way[:found]) {
						t.Fatalf("%s, %d ways: got=%v, %d of %d lists, %v on %v, want=%v, %d of %d, %v on %v", name, len(ways),
							single, done, lists, got.Piece[:found], got.Way[:found], wantSingle, wantDone, wantLists, want.Piece[:wantFound], want.Way[:wantFound])
					}
					for i := range ways {
						looked := func(f *kernel.Sifter) [7]any {
							return [7]any{f.Span[i], f.X[i], f.Y[i], f.DirX[i], f.DirY[i], f.Near[i], f.Far[i]}
						}
						testkit.Equal(t, looked(got), looked(want), "%s: way %v", name, ways[i])
					}
					all += found
				}
			}
		}
	}
	if all < 10_000 {
		t.Errorf("pieces found: got=%d, want=10000 or more", all)
	}
}

func TestHitKernels(t *testing.T) {
	useKernels(t)
	numbers := func(h Hit) []float64 {
		return []float64{h.Distance, h.Contact.X, h.Contact.Y, h.Normal.X, h.Normal.Y}
	}
	touched := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 18))
		number := func(size float64) float64 { return number(r, size, int(seed%3)) }
		x, ways, s := Index{round: true, bounds: make([]bound, 1+r.IntN(30))}, make([]Way, 1+r.IntN(block)), &Sweeps{}
		for i := range x.bounds {
			x.bounds[i] = bound{x: number(9), y: number(9), radius: math.Abs(number(4)), shape: r.Uint32()}
		}
		var hit []uint8
		for i := range ways {
			ways[i] = Way{From: xy(number(9), number(9)), Dir: direction(r), Length: math.Abs(number(9)), Body: math.Abs(number(1))}
			if s.first[i] = (contact{math.Abs(number(5)), uint32(r.IntN(len(x.bounds)))}); r.IntN(3) > 0 {
				hit = append(hit, uint8(i))
			}
		}
		pieces, which := make([]uint32, r.IntN(40)), make([]uint8, 40)
		for k := range pieces {
			pieces[k], which[k] = uint32(r.IntN(len(x.bounds))), uint8(r.IntN(len(ways)))
		}
		var at [queue]float64
		if n := kernel.Touch(pieces, which, &x.bounds[0].x, ways, &at); n != len(pieces)&^3 {
			t.Fatalf("pieces tested of %d: got=%d, want=%d", len(pieces), n, len(pieces)&^3)
		}
		for k := range len(pieces) &^ 3 {
			b, w := &x.bounds[pieces[k]], &ways[which[k]]
			want, ok := sweepCircle(xy(b.x, b.y), w.From, w.Dir, w.Length, b.radius+w.Body)
			if got := at[k]; ok && math.Float64bits(got) != math.Float64bits(want) || !ok && got == got {
				t.Fatalf("seed %d, %+v on the way %+v: got=%v, want=%v, %v", seed, *b, *w, got, want, ok)
			}
			if ok {
				touched++
			}
		}
		got := make([]Hit, len(hit))
		x.hitAll(hit, ways, got, s)
		for k, i := range hit {
			want := Hit{Way: int(i)}
			x.hit(&want, s.first[i], &ways[i])
			if got := got[k]; got.Index != want.Index || got.Way != want.Way || !sameBits(numbers(got), numbers(want)) {
				t.Fatalf("seed %d, %+v on the way %+v: got=%+v, want=%+v", seed, s.first[i], ways[i], got, want)
			}
		}
	}
	if touched < 1000 {
		t.Errorf("circles touched: got=%d, want=1000 or more", touched)
	}
}

func TestSumKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 8))
	fill := func(column []float64, odd int) {
		for i := range column {
			column[i] = number(r, 3, odd)
		}
	}
	var room kernel.FlockRoom
	x, y, vx, vy := room.Columns(400)
	for _, width := range []kernel.Width{kernel.AVX2, kernel.AVX512} {
		before := kernel.Use(width)
		if kernel.Used() != width {
			t.Logf("no %v here", width)
			kernel.Use(before)
			continue
		}
		for range 3000 {
			n := 1 + r.IntN(60)
			var a Agents
			a.resize(n, true, false, false)
			oddities := []int{0, 0, 5, 50}[r.IntN(4)]
			for _, column := range [][]float64{a.X, a.Y, a.VX, a.VY} {
				fill(column, oddities)
			}
			first := r.IntN(n)
			if k := r.IntN(n); r.IntN(2) == 0 {
				a.X[first], a.Y[first] = a.X[k], a.Y[k]
			}
			for _, column := range [][]float64{a.X[:n+Padding][n:], a.VX[:n+Padding][n:], a.VY[:n+Padding][n:]} {
				fill(column, 50) // the padding does not count
			}
			var among kernel.Stretches
			for k := range among {
				lo := r.IntN(n + 1)
				if hi := lo + r.IntN(n-lo+1); r.IntN(3) > 0 && !(lo <= first && first < hi) {
					among[k] = [2]uint32{uint32(lo), uint32(hi)}
				}
			}
			several := 1 + r.IntN(min(4, n-first))
			with := &among[r.IntN(len(among))]
			with[0], with[1] = uint32(r.IntN(first+1)), uint32(first+several+r.IntN(n-first-several+1))
			limit, least := []float64{1, 9, 400, math.MaxFloat64}[r.IntN(4)], []float64{0x1p-960, 1e-4, 1, 16}[r.IntN(4)]
			got, all := make([]Sums, several), make([]Sums, several)
			for _, column := range [4][]float64{x, y, vx, vy} {
				fill(column, 50) // old content does not count
			}
			if !kernel.Flock(a.X, a.Y, a.VX, a.VY, &among, uint32(first), limit, least, &room, got) {
				t.Fatalf("%v: Flock: got=false, want=true", width)
			}
			flock(&a, &among, uint32(first), limit, least, &room, all)
			for k, f := range got {
				want := all[k]
				numbers := func(f Sums) []float64 {
					return []float64{f.Repel.X, f.Repel.Y, f.Away.X, f.Away.Y, f.Velocity.X, f.Velocity.Y}
				}
				if f.N != want.N || f.Far != want.Far || !sameBits(numbers(f), numbers(want)) {
					t.Fatalf("%v: flock of %v, %v around place %d, limits %v, %v: got=%+v, want=%+v", width, a, among, first+k, limit, least, f, want)
				}
			}
			var gotApart, wantApart [2]float64
			few, ok := kernel.Apart(a.X, a.Y, &among, uint32(first), limit, least, &gotApart)
			if wantFew := apart(&a, &among, uint32(first), limit, least, &wantApart); !ok || few != wantFew || !sameBits(gotApart[:], wantApart[:]) {
				t.Fatalf("%v: apart of %v, %v around place %d, limits %v, %v: got=%v, %v, want=%v, %v", width, a, among, first, limit, least, few, gotApart, wantFew, wantApart)
			}
		}
		kernel.Use(before)
	}
}
