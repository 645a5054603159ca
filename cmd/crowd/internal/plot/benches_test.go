package plot

import (
	"bytes"
	"cmp"
	"fmt"
	"image/png"
	"math"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
)

// TestBenchPlot draws few and many lines, with costs alike and far apart.
func TestBenchPlot(t *testing.T) {
	result := func(name, by string, agents, workers int, ns float64) bench.Result {
		r := bench.Result{Name: name, By: by, Agents: agents, Workers: workers, Samples: []float64{ns}}
		r.Summarize()
		if by == "crowd" {
			speedUp := 0.9 * float64(workers)
			r.SpeedUp = &speedUp
		}
		return r
	}
	var many []bench.Result
	for k := range 6 {
		for _, agents := range []int{100, 1000, 50_000, 60_000, 1_000_000} {
			for _, workers := range []int{1, 2, 8} {
				many = append(many, result(fmt.Sprintf("W3/obstacles=%d", 64<<k), "crowd", agents, workers, float64(20+3*k)/float64(workers)))
			}
			many = append(many, result(fmt.Sprintf("W3/obstacles=%d", 64<<k), "objects", agents, 1, 64*math.Pow(2, float64(k))))
		}
	}
	for _, test := range []struct {
		name    string
		results []bench.Result
		higher  bool
	}{
		{"one point", []bench.Result{result("plaza", "crowd", 1000, 1, 0.5)}, false},
		{"no speed-up", []bench.Result{result("W2", "plain", 1000, 1, 5), result("W2", "plain", 2000, 1, 6)}, false},
		{"many lines", many, true},
	} {
		f := &bench.File{Results: test.results}
		var raster, vector bytes.Buffer
		if err := cmp.Or(WriteBench(&raster, "a.png", f), WriteBench(&vector, "a.SVG", f)); err != nil {
			t.Fatal(test.name, err)
		}
		size, err := png.DecodeConfig(&raster)
		if err != nil || size.Width != 1200 || (size.Height > 501) != test.higher {
			t.Errorf("%s: %v, size got=%d × %d, want=1200 × 500, higher %v", test.name, err, size.Width, size.Height, test.higher)
		}
		if !bytes.Contains(vector.Bytes(), []byte("<svg")) {
			t.Errorf("%s: not SVG", test.name)
		}
	}
}
