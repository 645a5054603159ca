package picture

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestAbout(t *testing.T) {
	draw := func(about string) *image.RGBA {
		return Draw(&Crowd{Title: "room", About: about, Agents: []Agent{{Position: vec(1, 0)}, {Position: vec(9, 9)}}}, Options{Width: 400})
	}
	none, one, two := draw(""), draw("people"), draw(strings.Repeat("people leave the room ", 40))
	a, b, c := none.Rect.Dy(), one.Rect.Dy(), two.Rect.Dy()
	if !(a < b && b < c && c-b < b-a) {
		t.Errorf("heights for no, a short and a long text: got=%d, %d, %d pixels, want a line and a margin more, then a line more", a, b, c)
	}
	ink := func(m *image.RGBA, y0, y1 int) int {
		return count(m, image.Rect(0, y0, 400, y1), func(c color.RGBA) bool { return c.R < 100 })
	}
	if ink(one, a-(b-a), a) == 0 || ink(two, b, c) == 0 {
		t.Error("lines of the description: got no ink in one of them, want some in both")
	}
}

func TestWrap(t *testing.T) {
	l := newLetters(10)
	room := l.width(textFace, "people leave")
	for text, want := range map[string]string{
		"": "", "people": "people", "people leave\nrooms": "people leave|rooms", "people leave a room, and another": "people leave|a room, a…",
	} {
		testkit.Equal(t, strings.Join(l.wrap(textFace, text, room, 2), "|"), want, "%q", text)
	}
}

func TestUnits(t *testing.T) {
	for _, test := range []struct {
		pixels, frames bool
		want           string
	}{{false, false, "speed, m/s"}, {true, false, "speed, px/s"}, {true, true, "speed, px/step"}, {false, true, "speed, m/step"}} {
		c := &Crowd{Pixels: test.pixels, Frames: test.frames, Agents: []Agent{{Speed: 1}, {Position: vec(9, 9), Speed: 2}}}
		if _, text, _ := svgOf(t, c, Options{Width: 800}); !strings.Contains(text, test.want) {
			t.Errorf("pixels %v, frames %v: got=%s, want=%q in it", test.pixels, test.frames, text, test.want)
		}
	}
	c := &Crowd{Cells: true}
	for cells, want := range map[float64]string{1: "1 cell", 20: "20 cells", 0.5: "0.5 cells"} {
		testkit.Equal(t, Length(cells, c), want, "Length(%v)", cells)
	}
}

func TestLegend(t *testing.T) {
	c := crowdOf(500)
	c.Obstacles = []Obstacle{pillar(5, 5, 1)}
	c.Targets = []r2.Vec{vec(1, 1)}
	for _, width := range []int{leastLegend, 320, 800, 2400} {
		s := compose(c, Options{Width: width})
		if s.legend == nil {
			t.Fatalf("width %d: got no legend, want one", width)
		}
		img := Draw(c, Options{Width: width})
		strip := image.Rect(0, s.frame.bounds.Max.Y+1, s.size.X, s.size.Y)
		found := map[color.RGBA]bool{}
		count(img, strip, func(c color.RGBA) bool { found[c] = true; return true })
		for _, want := range []color.RGBA{ramp[0], ramp[topLevel], ink, solid, goal} {
			if !found[want] {
				t.Errorf("width %d: got no pixel of %v in the legend, want some", width, want)
			}
		}
		levels := 0
		for _, c := range ramp {
			if found[c] {
				levels++
			}
		}
		if levels < 80 {
			t.Errorf("width %d: got=%d levels in the color bar, want at least 80", width, levels)
		}
		strip.Min.X = s.size.X - 1
		if n := count(img, strip, func(c color.RGBA) bool { return c != paper }); n > 0 {
			t.Errorf("width %d: got=%d pixels of the legend on the right edge, want none", width, n)
		}
	}
}

func TestLegendOmits(t *testing.T) {
	g := &legend{sheet: &sheet{em: 20}, width: 1600, margin: 18, letters: newLetters(20)}
	all := make([]symbol, 40)
	for i := range all {
		all[i].label = "people of a room"
	}
	g.arrange(all)
	shown := 0
	for _, column := range g.columns {
		shown += len(column)
	}
	last := g.columns[len(g.columns)-1]
	if want := fmt.Sprintf("and %d more", 40-shown+1); shown < 6 || last[len(last)-1].label != want {
		t.Errorf("last of %d symbols: got=%q, want at least 6 symbols and %q", shown, last[len(last)-1].label, want)
	}
}
