package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/testkit"
)

// of parses a spec without opening its scenes.
func of(t testing.TB, text string) *Spec {
	t.Helper()
	s, _, err := parse([]byte(text), "test.toml")
	testkit.Must(t, err)
	return s
}

func point(t testing.TB, s *Spec, i int64) Point {
	t.Helper()
	p, err := s.Point(i)
	testkit.Must(t, err)
	return p
}

func TestGrid(t *testing.T) {
	s := of(t, `
scenes = ["seek", "flee"]
seeds = [3, 9]
[axes]
max-speed = {from = 1, to = 2, count = 3}
mass = {from = 1, to = 100, count = 3, log = true}
agents = [10, 20]`)
	if s.Runs() != 2*2*3*3*2 {
		t.Fatalf("got=%d runs, want=%d", s.Runs(), 2*2*3*3*2)
	}
	seen := map[string]bool{}
	for i := range s.Runs() {
		p := point(t, s, i)
		seen[fmt.Sprint(p.Scene, p.Values, p.Seed)] = true
	}
	testkit.Equal(t, len(seen), int(s.Runs()), "different runs")
	for _, want := range []string{
		"{0 0 [1 1 10] 3}", "{1 0 [1 1 10] 9}", "{2 0 [1 1 20] 3}", "{4 0 [1 10 10] 3}", "{12 0 [1.5 1 10] 3}", "{71 1 [2 100 20] 9}",
	} {
		var index int64
		fmt.Sscanf(want, "{%d", &index)
		testkit.Equal(t, fmt.Sprint(point(t, s, index)), want, "run %d", index)
	}
	for _, i := range []int64{-1, s.Runs()} {
		if _, err := s.Point(i); err == nil {
			t.Errorf("run %d: got=nil, want an error", i)
		}
	}
}

func TestPermuted(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 7, 64, 65, 1000, 4097} {
		seen := make([]bool, n)
		same := 0
		for i := range n {
			to := permuted(5, i, n)
			if to >= n || seen[to] {
				t.Fatalf("n=%d: got=%d, want each number in range once", n, to)
			}
			if seen[to] = true; to == permuted(6, i, n) {
				same++
			}
		}
		if n >= 1000 && same > int(n)/50 {
			t.Errorf("n=%d: got=%d equal images with another key, want at most %d", n, same, n/50)
		}
	}
}

func TestLatin(t *testing.T) {
	const n = 300
	s := of(t, `
scenes = ["seek"]
[axes]
max-speed = {from = 0, to = 300}
mass = {from = 1, to = 301}
agents = [1, 2, 3]
[design]
kind = "latin-hypercube"
points = 300`)
	parts, shares, sum := [2][n]int{}, map[float64]int{}, 0.
	for i := range s.Runs() {
		p := point(t, s, i)
		parts[0][int(p.Values[0].Number)]++
		parts[1][int(p.Values[1].Number-1)]++
		shares[p.Values[2].Number]++
		sum += (p.Values[0].Number/n - 0.5) * ((p.Values[1].Number-1)/n - 0.5)
	}
	for k := range parts {
		for i, got := range parts[k] {
			testkit.Equal(t, got, 1, "axis %d, part %d", k, i)
		}
	}
	if len(shares) != 3 || shares[1] != n/3 || shares[2] != n/3 {
		t.Errorf("points by number of agents: got=%v, want=%d of each", shares, n/3)
	}
	if r := 12 * sum / n; math.Abs(r) > 0.2 {
		t.Errorf("correlation of the axes: got=%v, want -0.2 to 0.2", r)
	}
}

// discrepancy returns the star discrepancy of points in the unit square, over the boxes from 0 to their
// coordinates.
func discrepancy(x, y []float64) (most float64) {
	for i := range x {
		for k := range y {
			in := 0
			for j := range x {
				if x[j] < x[i] && y[j] < y[k] {
					in++
				}
			}
			most = max(most, math.Abs(float64(in)/float64(len(x))-x[i]*y[k]))
		}
	}
	return most
}

func TestHalton(t *testing.T) {
	const n = 128
	coordinates := func(of func(k int, i uint64) float64, k int) (all []float64) {
		for i := range uint64(n) {
			x := of(k, i)
			if !(x >= 0 && x < 1) {
				t.Fatalf("axis %d, point %d: got=%v, want a coordinate in [0, 1)", k, i, x)
			}
			all = append(all, x)
		}
		return all
	}
	halton := func(k int, i uint64) float64 { return radicalInverse(7, k, i) }
	random := func(k int, i uint64) float64 { return hash.Float(hash.Mix(hash.Mix(uint64(k)) + i)) }
	for k := range 4 {
		got := discrepancy(coordinates(halton, k), coordinates(halton, k+1))
		want := discrepancy(coordinates(random, k), coordinates(random, k+1))
		if got > 0.7*want {
			t.Errorf("axes %d and %d: discrepancy got=%v, want at most 0.7 × %v of random points", k, k+1, got, want)
		}
	}
	if radicalInverse(7, 3, 5) == radicalInverse(8, 3, 5) {
		t.Error("got the same coordinate for the seeds 7 and 8, want different ones")
	}
	for k := range maxAxes { // the last axes have large bases
		for i := range uint64(1000) {
			if x := halton(k, i*1_000_003); !(x >= 0 && x < 1) {
				t.Fatalf("axis %d: got=%v, want a coordinate in [0, 1)", k, x)
			}
		}
	}
}

func TestPointNeedsNoMemory(t *testing.T) {
	for _, kind := range []Kind{Halton, Latin} {
		s := of(t, fmt.Sprintf("scenes = ['seek']\naxes.max-speed = {from = 1, to = 2}\ndesign = {kind = '%s', points = 1_000_000_000}", kind))
		first := point(t, s, 999_999_999)
		if n := testing.AllocsPerRun(10, func() { _, _ = s.Point(999_999_999) }); n > 10 {
			t.Errorf("%s: got=%v allocations, want at most 10", kind, n)
		}
		testkit.Equal(t, fmt.Sprint(point(t, s, 999_999_999)), fmt.Sprint(first), "%s", kind)
	}
}

func TestDifference(t *testing.T) {
	const text = "scenes = [\"a.toml\"]\nseeds = 2\n[axes]\nx = {from = 1, to = 2, count = 3}\nagents = [20, 40]\n"
	file := func(name, digit string) engine.File {
		return engine.File{Name: name, SHA256: strings.Repeat(digit, 64)}
	}
	a, b := file("a.toml", "a"), file("b.toml", "b")
	for _, test := range []struct {
		text  string
		files []engine.File
		want  string
	}{
		{strings.Replace(text, "a.toml", "b.toml", 1), nil, `scenes[0] is "a.toml", but was "b.toml"`},
		{strings.Replace(text, "= 2", "= [1, 2]", 1), nil, "seeds is 2, but was missing"},
		{"scenes = [\"a.toml\"]\nseeds = 2\n[axes]\nx = {from = 1, to = 2, count = 4}\nagents = [20, 40]", nil, "axes.x.count is 3, but was 4"},
		{"scenes = [\"a.toml\"]\nseeds = 2\n[axes]\nx = {from = 1, to = 2, count = 3}\nagents = [20]", nil, "axes.agents[1] is 40, but was missing"},
		{text + "[run]\nsafety = false\nsteps = 3\n", nil, "run.safety is missing, but was false"},
		{"# more\n" + text, nil, "the spec differs only in comments, layout or the order of keys"},
		{text, []engine.File{file("a.toml", "c"), b}, "the scene file a.toml has the SHA-256 aaaaaaaa…, not cccccccc… as before"},
		{text, []engine.File{b}, "the scene file a.toml is new"},
		{text, []engine.File{a, b, file("c.toml", "c")}, "the sweep no longer uses the scene file c.toml"},
	} {
		now := Spec{Text: []byte(text), Files: []engine.File{a, b}}
		older, err := json.Marshal(manifest{Spec: test.text, Files: test.files})
		testkit.Must(t, err)
		testkit.Equal(t, now.Difference(older), test.want, "difference from %q with %v", test.text, test.files)
	}
}
