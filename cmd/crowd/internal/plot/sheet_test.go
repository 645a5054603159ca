package plot

import (
	"bytes"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func TestPDF(t *testing.T) {
	canvas, err := draw.NewFormattedCanvas(100, 100, "pdf")
	testkit.Must(t, err)
	painted := &painter{CanvasWriterTo: canvas}
	c := pdf{painted}
	c.SetColor(Pale(color.NRGBA{255, 128, 0, 255}, 0.5))
	r, g, b, a := painted.last.RGBA()
	testkit.Equal(t, [4]uint32{r >> 8, g >> 8, b >> 8, a >> 8}, [4]uint32{255, 128, 0, 127}, "pale color")
	var text bytes.Buffer
	if _, err := c.WriteTo(&text); err != nil || !bytes.HasPrefix(text.Bytes(), []byte("%PDF-")) {
		t.Errorf("got=%v, %.10q, want a PDF", err, text.Bytes())
	}
}

type painter struct {
	vg.CanvasWriterTo
	last color.Color
}

func (p *painter) SetColor(c color.Color) { p.last = c; p.CanvasWriterTo.SetColor(c) }

func TestRotatedNames(t *testing.T) {
	panel, names := NewPanel(&LightStyle, "", "", ""), slices.Repeat([]string{"a long name"}, 8)
	panel.names(&panel.X, names, 1)
	style := panel.X.Tick.Label
	if top := style.FontExtents().Descent + style.Rectangle(names[0]).Max.Y; style.Rotation == 0 || top > -2 {
		t.Errorf("got=names rotated by %v whose top is at %v, want them rotated and at least 2 below the ticks", style.Rotation, top)
	}
}

func TestTicks(t *testing.T) {
	linear, log := &plot.Axis{Scale: plot.LinearScale{}}, &plot.Axis{Scale: plot.LogScale{}}
	for _, test := range []struct {
		axis   *plot.Axis
		lo, hi float64
		want   string
	}{
		{linear, 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{linear, 0, 30e3, "0 10,000 20,000 30,000"},
		{linear, -0.3, 0.3, "-0.2 0 0.2"},
		{log, 1, 1e6, "1 10 100 1,000 10,000 100,000 1,000,000"},
		{log, 2, 30, "2 5 10 20"},
		{log, 100, 125, "100 105 110 115 120 125"},
		{linear, -1e300, 1e300, ""},
		{linear, 1e16, 1e16 + 2, ""},
	} {
		var got []string
		for _, tick := range (ticks{test.axis}).Ticks(test.lo, test.hi) {
			if tick.Label != "" && tick.Value >= test.lo && tick.Value <= test.hi {
				got = append(got, tick.Label)
			}
		}
		if text := strings.Join(got, " "); test.want != "" && text != test.want || len(got) > 8 {
			t.Errorf("%v to %v: got=%q, want=%q (any if empty), at most 8 labels", test.lo, test.hi, text, test.want)
		}
	}
}

func TestBins(t *testing.T) {
	spread := func(n int, lo, hi float64, more ...float64) []float64 {
		for i := range n {
			more = append(more, lo+(hi-lo)*float64(i)/float64(n-1))
		}
		return more
	}
	decades := []float64{1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000}
	for _, test := range []struct {
		name         string
		values       []float64
		log          bool
		below, above float64
		least        int // bins with values
	}{
		{"none", nil, false, 0, 0, 0},
		{"one", []float64{3}, false, 0, 0, 1},
		{"alike", []float64{2, 2, 2, 2}, false, 0, 0, 1},
		{"even", spread(100, 1, 2), false, 0, 0, 5},
		{"two above", spread(60, 1, 1.3, 95, 130), false, 0, 2, 4},
		{"both", spread(60, 1, 1.3, -90, 5000), false, 1, 1, 4},
		{"not so far", spread(60, 1, 2, 3.5), false, 0, 0, 4},
		{"whole", []float64{1, 2, 3, 3}, false, 0, 0, 3},
		{"decades", decades, true, 0, 0, 5},
		{"decades with 0", append([]float64{0}, decades[1:]...), false, 0, 0, 2},
		{"huge", []float64{-1e300, 1e300, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, false, 1, 1, 5},
	} {
		b := newBins(test.values, false)
		last := len(b.edges) - 1
		counts, below, above, none := make([]float64, last), 0., 0., 0.
		for _, x := range test.values {
			switch k, ok := b.of(x); {
			case !ok:
				none++
			case x < b.edges[0]:
				below++
			case x > b.edges[last]:
				above++
			case x < b.edges[k]-1e-9 || x > b.edges[k+1]:
				t.Errorf("%s: %v: got=bin %d, want a bin of %v that contains the value", test.name, x, k, b.edges)
			default:
				counts[k]++
			}
		}
		used := 0
		for _, n := range counts {
			used += int(min(n, 1))
		}
		if b.log != test.log || none != 0 || below != test.below || above != test.above || used < test.least || last > 60 {
			t.Errorf("%s: got=log %v, bins %v, %v below, %v above, %v without a bin, want=log %v, at most 60 bins, at least %d with values, %v below, %v above",
				test.name, b.log, counts, below, above, none, test.log, test.least, test.below, test.above)
		}
	}
}
