package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBinsFor holds that values far from all others do not squeeze the rest into one
// bin, and that every value is counted once.
func TestBinsFor(t *testing.T) {
	spread := func(n int, lo, hi float64, more ...float64) []float64 {
		for i := range n {
			more = append(more, lo+(hi-lo)*float64(i)/float64(n-1))
		}
		return more
	}
	for _, test := range []struct {
		name         string
		values       []float64
		log          bool
		below, above int
		leastBins    int // that have values
	}{
		{"none", nil, false, 0, 0, 0},
		{"one", []float64{3}, false, 0, 0, 1},
		{"alike", []float64{2, 2, 2, 2}, false, 0, 0, 1},
		{"even", spread(100, 1, 2), false, 0, 0, 5},
		{"two above", spread(60, 1, 1.3, 95, 130), false, 0, 2, 4},
		{"one below", spread(60, 1, 1.3, -90), false, 1, 0, 4},
		{"both", spread(60, 1, 1.3, -90, 5000), false, 1, 1, 4},
		{"not so far", spread(60, 1, 2, 3.5), false, 0, 0, 4},
		{"many apart", spread(30, 40, 41, spread(30, 1, 2)...), false, 0, 0, 2},
		{"decades", []float64{1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}, true, 0, 0, 5},
		{"decades with 0", []float64{0, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}, false, 0, 0, 2},
		{"mostly 0", append(make([]float64, 97), 1, 5, 900), false, 0, 2, 2},
		{"few", []float64{1, 2, 3, 30}, false, 0, 0, 2},
		{"huge", []float64{-1e300, 1e300, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false, 1, 1, 5},
	} {
		b := binsFor(test.values, false)
		c := b.count(test.values)
		used := 0
		for _, n := range c.bins {
			used += min(n, 1)
		}
		if b.log != test.log || c.below != test.below || c.above != test.above || used < test.leastBins || c.sum() != len(test.values) || c.left != 0 {
			t.Errorf("%s: log got=%v, want=%v; below got=%d, want=%d; above got=%d, want=%d; %d bins have values, want at least %d; counted %d of %d",
				test.name, b.log, test.log, c.below, test.below, c.above, test.above, used, test.leastBins, c.sum(), len(test.values))
		}
	}
	b := binsFor([]float64{0, 1, 10}, true)
	if c := b.count([]float64{0, 1, 10}); c.left != 1 || c.sum() != 2 {
		t.Errorf("0 on a logarithmic axis: got=%+v", c)
	}
}

// TestHistogramEach holds that each group has a panel, with the same axes, and that
// shares add up.
func TestHistogramEach(t *testing.T) {
	var text strings.Builder
	text.WriteString("group,x\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%c,%v\n", "abc"[i%3], 1+0.01*float64(i%20))
	}
	text.WriteString("a,95\na,130\nd,\n")
	file, err := readPlotText(text.String())
	if err != nil {
		t.Fatal(err)
	}
	labelFiles([]*plotFile{file})
	p := &plotting{plotCmd: &plotCmd{X: "x", By: "group"}, files: []*plotFile{file}, kind: file.kind, style: &lightStyle}
	s, err := p.sheet()
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, panel := range s.panels {
		titles = append(titles, panel.Title.Text)
		if first := s.panels[0]; panel.X.Min != first.X.Min || panel.X.Max != first.X.Max || panel.Y.Max != first.Y.Max || panel.X.Max > 2 || panel.Y.Max > 105 {
			t.Errorf("%s: axes %v to %v, to %v", panel.Title.Text, panel.X.Min, panel.X.Max, panel.Y.Max)
		}
	}
	if want := []string{"a, 22 rows", "b, 20 rows", "c, 20 rows"}; !slices.Equal(titles, want) {
		t.Errorf("panels: got=%q, want=%q", titles, want)
	}
	notes := strings.Join(p.notes, "; ")
	for _, want := range []string{"x: 2 rows above 1.2, up to 130, in the last bar", "nothing to draw of d", "1 of 63 rows have no x"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes: got=%q, want %q in them", notes, want)
		}
	}
	marks := s.panels[0].X.Tick.Marker.Ticks(s.panels[0].X.Min, s.panels[0].X.Max)
	if got := marks[len(marks)-1].Label; got != "> 1.2" {
		t.Errorf("the last tick: got=%q, want > 1.2", got)
	}
}

// TestHistogramPictures draws histograms with bars beyond the axis.
func TestHistogramPictures(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("group,x,y\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%v,%v\n", i%9, 1+0.01*float64(i%20), math.Pow(10, float64(i%7)))
	}
	text.WriteString("1,-95,1\n1,130,2\n")
	file := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"--x x --by group", "--x x", "--by group", "--x y --by group --dark", "--x x --by group --width 400", "--x x --log"} {
		code, _, errs := command(t, context.Background(), append(strings.Fields("plot "+file+" -o "+filepath.Join(dir, "a.svg")), strings.Fields(args)...)...)
		picture, err := os.ReadFile(filepath.Join(dir, "a.svg"))
		if code != exitOK || err != nil || strings.Contains(string(picture), "NaN") || strings.Contains(string(picture), "Inf") {
			t.Errorf("%s: exit code %d, %v\n%s", args, code, err, errs)
		}
		if want := !strings.Contains(args, "--log") && !strings.Contains(args, "y"); want && strings.Count(errs, " in the first bar") != 1 {
			t.Errorf("%s: got=%s, want a note on the first bar", args, errs)
		}
	}
}
