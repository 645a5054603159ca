package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/kernel"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestTwins verifies that the kernel finds the same pieces on the same ways as the Go text, in
// the same order, and as many lists, for all ways that one look-up is enough for.
func TestTwins(t *testing.T) {
	defer kernel.Use(kernel.Use(kernel.AVX2))
	if kernel.Used() == kernel.Off {
		t.Skip("no kernels")
	}
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
					if w := &ways[i]; !x.single(w, middle(w)) {
						w.Length, w.Body = 0, 0
					}
					if w := &ways[i]; !x.single(w, middle(w)) {
						w.From = xy(0, 0)
					}
				}
				if w := &ways[0]; !x.single(w, middle(w)) {
					continue // no way is
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
						if got.Span[i] != want.Span[i] || got.X[i] != want.X[i] || got.Y[i] != want.Y[i] || got.DirX[i] != want.DirX[i] ||
							got.DirY[i] != want.DirY[i] || got.Near[i] != want.Near[i] || got.Far[i] != want.Far[i] {
							t.Fatalf("%s: way %v is seen otherwise", name, ways[i])
						}
					}
					all += found
				}
			}
		}
	}
	if all < 10_000 {
		t.Errorf("pieces found: got=%d, want more", all)
	}
}

// A way that one look-up is not enough for is told of, wherever among the others it is.
func TestSingleIsToldOf(t *testing.T) {
	var x Index
	shapes, side := field(100)
	x.Build(shapes, 10, 0)
	all := ways(side)[:block]
	for i := range all {
		for _, bad := range []Way{{Length: 2.1 * x.reach}, {Length: -1}, {Body: -1}, {Length: math.NaN()}, {Body: math.NaN()}, {Body: 1.1 * x.reach},
			{From: xy(1e60, 0)}, {From: xy(0, -1e60)}, {From: xy(math.NaN(), 0)}, {Dir: xy(0, math.NaN())}} {
			some := slices.Clone(all)
			some[i] = bad
			var f Sweeps
			if single, _, _, _ := x.find(&f, &x.levels[0], some); single {
				t.Errorf("way %d of %d is %+v: got=a single look-up, want=more", i, len(some), bad)
			}
		}
	}
}

// TestTouchTwins verifies that the kernel touches the same circles after the same distances as the
// Go text, for numbers of all kinds.
func TestTouchTwins(t *testing.T) {
	defer kernel.Use(kernel.Use(kernel.AVX2))
	if kernel.Used() == kernel.Off {
		t.Skip("no kernels")
	}
	odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -0x1p500, 0x1p-500, math.SmallestNonzeroFloat64}
	touched := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 18))
		number := func(size float64) float64 {
			if r.IntN(100) < int(seed%3) {
				return odd[r.IntN(len(odd))]
			}
			return math.Round(float64(size*r.NormFloat64())) + float64(r.IntN(2))*r.Float64()
		}
		bounds, ways := make([]bound, 1+r.IntN(30)), make([]Way, 1+r.IntN(block))
		for i := range bounds {
			bounds[i] = bound{x: number(9), y: number(9), radius: math.Abs(number(4))}
		}
		for i := range ways {
			ways[i] = Way{From: xy(number(9), number(9)), Dir: direction(r), Length: math.Abs(number(9)), Body: math.Abs(number(1))}
		}
		pieces, which := make([]uint32, r.IntN(40)), make([]uint8, 40)
		for k := range pieces {
			pieces[k], which[k] = uint32(r.IntN(len(bounds))), uint8(r.IntN(len(ways)))
		}
		var got [queue]float64
		if n := kernel.Touch(pieces, which, &bounds[0].x, ways, &got); n != len(pieces)&^3 {
			t.Fatalf("of %d pieces: got=%d, want all but the last few", len(pieces), n)
		}
		for k := range len(pieces) &^ 3 {
			b, w := &bounds[pieces[k]], &ways[which[k]]
			want, ok := sweepCircle(xy(b.x, b.y), w.From, w.Dir, w.Length, b.radius+w.Body)
			if got := got[k]; ok && math.Float64bits(got) != math.Float64bits(want) || !ok && got == got {
				t.Fatalf("seed %d, %+v on the way %+v: got=%v, want=%v, %v", seed, *b, *w, got, want, ok)
			}
			if ok {
				touched++
			}
		}
	}
	if touched < 1000 {
		t.Errorf("touched: got=%d, want more", touched)
	}
}

// TestHitTwins verifies that the kernel finds the same points of contact and normals as the Go
// text, for numbers of all kinds.
func TestHitTwins(t *testing.T) {
	defer kernel.Use(kernel.Use(kernel.AVX2))
	if kernel.Used() == kernel.Off {
		t.Skip("no kernels")
	}
	odd := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), math.MaxFloat64, -0x1p500, 0x1p-500, math.SmallestNonzeroFloat64}
	same := func(a, b r2.Vec) bool {
		bits := math.Float64bits
		return (bits(a.X) == bits(b.X) || a.X != a.X && b.X != b.X) && (bits(a.Y) == bits(b.Y) || a.Y != a.Y && b.Y != b.Y)
	}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 19))
		number := func(size float64) float64 {
			if r.IntN(100) < int(seed%3) {
				return odd[r.IntN(len(odd))]
			}
			return math.Round(float64(size*r.NormFloat64())) + float64(r.IntN(2))*r.Float64()
		}
		x, ways, s := Index{round: true, bounds: make([]bound, 1+r.IntN(30))}, make([]Way, 1+r.IntN(block)), &Sweeps{}
		for i := range x.bounds {
			x.bounds[i] = bound{x: number(9), y: number(9), radius: math.Abs(number(2)), shape: r.Uint32()}
		}
		var which []uint8
		for i := range ways {
			ways[i] = Way{From: xy(number(9), number(9)), Dir: direction(r), Length: math.Abs(number(9)), Body: math.Abs(number(1))}
			if s.first[i] = (contact{math.Abs(number(5)), uint32(r.IntN(len(x.bounds)))}); r.IntN(3) > 0 {
				which = append(which, uint8(i))
			}
		}
		got := make([]Hit, len(which))
		x.hitAll(which, ways, got, s)
		for k, i := range which {
			want := Hit{Way: int(i)}
			x.hit(&want, s.first[i], &ways[i])
			if got := got[k]; got.Index != want.Index || got.Way != want.Way || got.Distance != want.Distance && want.Distance == want.Distance ||
				!same(got.Contact, want.Contact) || !same(got.Normal, want.Normal) {
				t.Fatalf("seed %d, %+v on the way %+v: got=%+v, want=%+v", seed, s.first[i], ways[i], got, want)
			}
		}
	}
}
