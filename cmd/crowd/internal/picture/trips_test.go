package picture

import (
	"bytes"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestWays verifies where ways are drawn: a line in the color of the group with a disc at the
// start and a ring at the goal; what can't be drawn is left out.
func TestWays(t *testing.T) {
	c := &Crowd{View: square, Cells: true, Trips: []Trip{
		{Points: []r2.Vec{vec(1, 2), vec(5, 2), vec(5, 8)}, Group: 1},
		{Points: []r2.Vec{vec(1, 5), vec(9, 5)}},
		{Points: []r2.Vec{vec(1, 9), vec(math.NaN(), 9), vec(9, 9)}},
		{},
	}}
	img := Draw(c, Options{Width: 1000, Height: 1000, Bare: true})
	for _, at := range []struct {
		name string
		x, y int
		want color.RGBA
	}{
		{"start", 100, 800, groupColor(1)}, {"line", 300, 800, groupColor(1)}, {"above the first", 500, 500, groupColor(0)},
		{"inside the goal", 500, 200, floor}, {"not finite", 100, 100, floor}, {"beside", 300, 700, floor},
	} {
		if got := img.RGBAAt(at.x, at.y); !near(got, at.want) {
			t.Errorf("%s: got=%v, want=%v", at.name, got, at.want)
		}
	}
	var b bytes.Buffer
	if err := WriteSVG(&b, c, Options{Width: 400}); err != nil {
		t.Fatal(err)
	}
	if _, text := elements(t, b.Bytes()); !strings.Contains(text, "start") || !strings.Contains(text, "goal") || !strings.Contains(text, "1 cell") {
		t.Errorf("legend: got=%q", text)
	}
	if got := strings.Count(b.String(), hex(groupColor(1))); got != 3 {
		t.Errorf("%d shapes in the color of the first way, want a line, a disc and a ring", got)
	}
	for cells, want := range map[float64]string{1: "1 cell", 20: "20 cells", 0.5: "0.5 cells"} {
		if got := lengthLabel(cells, c); got != want {
			t.Errorf("got=%q, want=%q", got, want)
		}
	}
}
