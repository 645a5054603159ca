package picture

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// pixelsOf counts the pixels of a color in the frame and in the legend.
func pixelsOf(o Options, c *Crowd, color color.RGBA) (inFrame, inLegend int) {
	s, img := compose(c, o), Draw(c, o)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			switch p := image.Pt(x, y); {
			case img.RGBAAt(x, y) != color:
			case p.In(s.frame.bounds):
				inFrame++
			default:
				inLegend++
			}
		}
	}
	return inFrame, inLegend
}

// TestDoors verifies that a closed door is a line along its wall, an open one some dashes and no wall,
// in pictures of agents and of density, and that both are in the legend.
func TestDoors(t *testing.T) {
	wall := Obstacle{A: vec(2, 5), B: vec(8, 5), Radius: 0.2}
	closed := &Crowd{View: square, Obstacles: []Obstacle{wall}, Doors: []Door{{A: wall.A, B: wall.B, Radius: wall.Radius}}}
	open := &Crowd{View: square, Doors: []Door{{A: wall.A, B: wall.B, Radius: wall.Radius, Open: true}}}
	for _, o := range []Options{{Width: 400}, {Width: 400, Dark: true}, {Width: 400, Heat: &Heat{}}} {
		theme := themeOf(o)
		shut, shutLegend := pixelsOf(o, closed, theme.door)
		_, openLegend := pixelsOf(o, open, theme.door)
		s := compose(open, o)
		b, img, dashes := s.frame.bounds, Draw(open, o), 0
		for x := b.Min.X; x < b.Max.X; x++ { // along it
			if img.RGBAAt(x, (b.Min.Y+b.Max.Y)/2) != img.RGBAAt(x, b.Min.Y+20) {
				dashes++
			}
		}
		if !(shut > 1000 && dashes > 80 && dashes < 200 && shutLegend > 5 && openLegend > 5) {
			t.Errorf("dark %v, heat %v: got=%d and %d pixels of a door, %d and %d in the legend", o.Dark, o.Heat != nil, shut, dashes, shutLegend, openLegend)
		}
		if rim, _ := pixelsOf(Options{Width: 1600, Dark: o.Dark, Heat: o.Heat}, closed, theme.rim); rim == 0 {
			t.Errorf("dark %v: a closed door has no rim", o.Dark)
		}
		if solid, _ := pixelsOf(o, open, theme.solid); solid > 0 {
			t.Errorf("dark %v: an open door is solid", o.Dark)
		}
	}
}

// TestDoorOpens verifies that a door is drawn anew when it opens.
func TestDoorOpens(t *testing.T) {
	c := &Crowd{View: square, Doors: []Door{{A: vec(2, 5), B: vec(8, 5)}}}
	p := NewPainter(c, bare)
	count := func(m *image.RGBA) (n int) {
		for y := range 100 {
			for x := range 100 {
				if m.RGBAAt(x, y) != floor {
					n++
				}
			}
		}
		return n
	}
	before := count(p.Draw(c))
	c.Doors[0].Open = true
	if after := count(p.Draw(c)); before == after {
		t.Errorf("got=%d pixels before and after, want=others", before)
	}
}

// TestGoals verifies that a goal is a pale floor with a line around it, below obstacles, in the color
// of the group that goes there where colors say groups, and that it is left out with the targets.
func TestGoals(t *testing.T) {
	at := r2.NewBox(2, 2, 8, 8)
	c := &Crowd{View: square, Goals: []Goal{{Box: at, Group: 1}}, Groups: []string{"a", "b"}, Obstacles: []Obstacle{pillar(5, 5, 1)}}
	for _, o := range []Options{{Width: 400}, {Width: 400, Dark: true}, {Width: 400, Color: Group}} {
		theme := themeOf(o)
		want := theme.goal
		if o.Color == Group {
			want = groupColor(1)
		}
		f, img := compose(c, o).frame, Draw(c, o)
		pixel := func(p r2.Vec) color.RGBA { q := f.at(p); return img.RGBAAt(int(q.X), int(q.Y)) }
		near := func(got, want color.RGBA) bool {
			return math.Abs(float64(got.R)-float64(want.R))+math.Abs(float64(got.G)-float64(want.G))+math.Abs(float64(got.B)-float64(want.B)) < 12
		}
		edge := f.at(at.Min)
		for _, x := range []struct {
			what      string
			got, want color.RGBA
		}{
			{"floor", pixel(vec(3, 3)), mix(theme.floor, want, goalFloor)}, {"beyond", pixel(vec(1, 1)), theme.floor}, {"obstacle", pixel(vec(5, 5)), theme.solid},
			{"edge", img.RGBAAt(int(edge.X), int(edge.Y)-30), mix(theme.floor, want, goalEdge)},
		} {
			if !near(x.got, x.want) {
				t.Errorf("dark %v, by %v, %s: got=%v, want=%v", o.Dark, o.Color, x.what, x.got, x.want)
			}
		}
		if _, legend := pixelsOf(o, c, mix(theme.paper, want, goalFloor)); legend < 5 {
			t.Errorf("dark %v, by %v: got=%d pixels in the legend", o.Dark, o.Color, legend)
		}
		o.NoTargets = true
		if img := Draw(c, o); !near(img.RGBAAt(int(f.at(vec(3, 3)).X), int(f.at(vec(3, 3)).Y)), theme.floor) {
			t.Errorf("dark %v, by %v: a goal is drawn though targets are hidden", o.Dark, o.Color)
		}
	}
}

// TestDoorsGoalsSVG verifies the same for shapes, and that what is nowhere is left out.
func TestDoorsGoalsSVG(t *testing.T) {
	nowhere := vec(math.NaN(), 1)
	c := &Crowd{
		View:  square,
		Doors: []Door{{A: vec(1, 5), B: vec(4, 5)}, {A: vec(6, 5), B: vec(9, 5), Open: true}, {A: nowhere, B: vec(1, 1), Open: true}, {A: vec(20, 20), B: vec(30, 20)}},
		Goals: []Goal{{Box: r2.NewBox(2, 2, 3, 3)}, {Box: r2.NewBox(-1e9, 7, 1e9, 8)}, {Box: r2.Box{Min: nowhere, Max: vec(9, 9)}}, {Box: r2.NewBox(20, 20, 30, 30)}},
	}
	for _, none := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteSVG(&b, c, Options{Width: 400, NoTargets: none}); err != nil {
			t.Fatal(err)
		}
		Draw(c, Options{Width: 400})
		all, text := elements(t, b.Bytes())
		dashed, lines, goals := 0, 0, 0
		for _, e := range all {
			switch {
			case attribute(e, "stroke") == hex(light.door) && attribute(e, "stroke-dasharray") != "":
				dashed++
			case attribute(e, "stroke") == hex(light.door):
				lines++
			case attribute(e, "fill") == hex(light.goal) && attribute(e, "fill-opacity") != "":
				goals++
			}
		}
		want := 6 // a floor and an edge of each, and of the legend's
		if none {
			want = 0
		}
		if dashed != 2 || lines != 1 || goals != want || !strings.Contains(text, "open door") || strings.Contains(text, "goal") == none {
			t.Errorf("NoTargets %v: got=%d dashed lines, %d lines, %d goals, want=2 with that of the legend, 1, %d, and names in the legend:%s", none, dashed, lines, goals, want, text)
		}
	}
}
