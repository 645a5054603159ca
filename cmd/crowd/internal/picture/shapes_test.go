package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// pixelsIn counts the pixels of a color in the frame and in the legend.
func pixelsIn(o Options, c *Crowd, want color.RGBA) (inFrame, inLegend int) {
	img := Draw(c, o)
	is := func(c color.RGBA) bool { return c == want }
	inFrame = count(img, compose(c, o).frame.bounds, is)
	return inFrame, count(img, img.Rect, is) - inFrame
}

func TestDoors(t *testing.T) {
	wall := Obstacle{A: vec(2, 5), B: vec(8, 5), Radius: 0.2}
	closed := &Crowd{View: square, Obstacles: []Obstacle{wall}, Doors: []Door{{A: wall.A, B: wall.B, Radius: wall.Radius}}}
	open := &Crowd{View: square, Doors: []Door{{A: wall.A, B: wall.B, Radius: wall.Radius, Open: true}}}
	for _, o := range []Options{{Width: 400}, {Width: 400, Dark: true}, {Width: 400, Heat: &Heat{}}} {
		theme := themeOf(o)
		shut, shutLegend := pixelsIn(o, closed, theme.door)
		_, openLegend := pixelsIn(o, open, theme.door)
		s := compose(open, o)
		b, img, dashes := s.frame.bounds, Draw(open, o), 0
		for x := b.Min.X; x < b.Max.X; x++ { // along the door
			if img.RGBAAt(x, (b.Min.Y+b.Max.Y)/2) != img.RGBAAt(x, b.Min.Y+20) {
				dashes++
			}
		}
		if !(shut > 1000 && dashes > 80 && dashes < 200 && shutLegend > 5 && openLegend > 5) {
			t.Errorf("dark %v, heat %v: pixels of a closed door, of dashes, and of each in the legend: got=%d, %d, %d, %d, want over 1000, 81 to 199, and over 5",
				o.Dark, o.Heat != nil, shut, dashes, shutLegend, openLegend)
		}
		if rim, _ := pixelsIn(Options{Width: 1600, Dark: o.Dark, Heat: o.Heat}, closed, theme.rim); rim == 0 {
			t.Errorf("dark %v, heat %v: closed door: got no pixels of a rim, want some", o.Dark, o.Heat != nil)
		}
		if solid, _ := pixelsIn(o, open, theme.solid); solid > 0 {
			t.Errorf("dark %v, heat %v: open door: got=%d pixels of a solid wall, want=0", o.Dark, o.Heat != nil, solid)
		}
	}
}

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
		edge := f.at(at.Min)
		for _, x := range []struct {
			what      string
			got, want color.RGBA
		}{
			{"floor", pixel(vec(3, 3)), mix(theme.floor, want, goalFloor)}, {"beyond", pixel(vec(1, 1)), theme.floor}, {"obstacle", pixel(vec(5, 5)), theme.solid},
			{"edge", img.RGBAAt(int(edge.X), int(edge.Y)-30), mix(theme.floor, want, goalEdge)},
		} {
			nearly(t, x.got, x.want, "dark %v, by %v, %s", o.Dark, o.Color, x.what)
		}
		if _, legend := pixelsIn(o, c, mix(theme.paper, want, goalFloor)); legend < 5 {
			t.Errorf("dark %v, by %v: got=%d pixels in the legend, want at least 5", o.Dark, o.Color, legend)
		}
	}
}

func TestTinted(t *testing.T) {
	portals := &Crowd{View: square, Portals: []sense.Portal{{From: r2.NewBox(1, 1, 3, 3), To: r2.NewBox(7, 7, 9, 9)}}}
	zones := &Crowd{View: square, Zones: []systems.Zone{{Box: r2.NewBox(1, 1, 4, 3)}, {Box: r2.NewBox(5, 5, 8, 7), Up: r2.Vec{X: 1}}}}
	for _, o := range []Options{{Width: 400}, {Width: 400, Dark: true}} {
		theme := themeOf(o)
		for _, test := range []struct {
			name                string
			c                   *Crowd
			color               color.RGBA
			opacity             float64
			floor, legend, line int // minimum pixels
		}{{"portal", portals, theme.path, portalFloor, 1001, 6, 21}, {"zone", zones, theme.faintInk, zoneFloor, 5000, 10, 0}} {
			floor, _ := pixelsIn(o, test.c, mix(theme.floor, test.color, test.opacity))
			_, plain := pixelsIn(o, &Crowd{View: square}, mix(theme.paper, test.color, test.opacity))
			_, legend := pixelsIn(o, test.c, mix(theme.paper, test.color, test.opacity))
			dashes, _ := pixelsIn(Options{Width: 1600, Dark: o.Dark}, test.c, test.color)
			if floor < test.floor || legend-plain < test.legend || dashes < test.line {
				t.Errorf("%s, dark %v: pixels of floor, in the legend, and of dashes: got=%d, %d, %d, want at least %d, %d, %d",
					test.name, o.Dark, floor, legend-plain, dashes, test.floor, test.legend, test.line)
			}
		}
	}
	all, text, _ := svgOf(t, zones, Options{Width: 400})
	steps := 0
	for _, e := range all {
		if attribute(e, "stroke") == hex(light.faintInk) {
			steps += strings.Count(attribute(e, "d"), "M")
		}
	}
	if steps != 9 || !strings.Contains(text, "zone") {
		t.Errorf("svg: got=%d edges of steps and the text %q, want=9, of 0.3 m on 3 m, and zone", steps, text)
	}
}

func TestStepsOfStairs(t *testing.T) {
	f := viewport{scale: 1000}
	for _, test := range []struct {
		up     r2.Vec
		n      int
		length float64 // of the longest step
	}{
		{r2.Vec{X: 2}, 9, 2000}, {r2.Vec{Y: -1}, 6, 3000}, {r2.Vec{X: 1, Y: 1}, 11, 2000 * math.Sqrt2}, {r2.Vec{}, 0, 0}, {r2.Vec{X: math.NaN()}, 0, 0}, {r2.Vec{X: math.Inf(1)}, 0, 0},
	} {
		z := systems.Zone{Box: r2.NewBox(0, 0, 3, 2), Up: test.up}
		longest := 0.
		steps := stepsOf(&z, f)
		for _, s := range steps {
			longest = max(longest, r2.Norm(r2.Sub(s[1], s[0])))
		}
		if len(steps) != test.n || math.Abs(longest-test.length) > 0.02*test.length {
			t.Errorf("up %v: got=%d steps of up to %v, want=%d of up to %v", test.up, len(steps), longest, test.n, test.length)
		}
	}
}

func TestPathLines(t *testing.T) {
	f := newFrame(square, image.Rect(0, 0, 100, 100), true)
	nan := vec(math.NaN(), 0)
	for _, test := range []struct {
		name string
		path Path
		want []int // points of each line
	}{
		{"none", Path{}, nil},
		{"one waypoint", Path{Points: []r2.Vec{vec(1, 1)}, Loop: true}, nil},
		{"open", Path{Points: []r2.Vec{vec(1, 1), vec(9, 1), vec(9, 9)}}, []int{3}},
		{"closed", Path{Points: []r2.Vec{vec(1, 1), vec(9, 1), vec(9, 9)}, Loop: true}, []int{4}},
		{"there and back", Path{Points: []r2.Vec{vec(1, 1), vec(9, 1)}, Loop: true}, []int{2}},
		{"broken", Path{Points: []r2.Vec{vec(1, 1), vec(2, 1), nan, vec(9, 1), vec(9, 9)}}, []int{2, 2}},
		{"out and in", Path{Points: []r2.Vec{vec(1, 1), vec(1e11, 1), vec(1e11, 9), vec(1, 9)}}, []int{2, 2}},
		{"through", Path{Points: []r2.Vec{vec(-1e11, 5), vec(1e11, 5)}}, []int{2}},
		{"beyond", Path{Points: []r2.Vec{vec(20, -5), vec(20, 50)}}, nil},
	} {
		var got []int
		for _, line := range test.path.lines(f) {
			got = append(got, len(line))
			for _, p := range line {
				if !(p.X >= -17 && p.X <= 117 && p.Y >= -17 && p.Y <= 117) {
					t.Errorf("%s: got a point at %v, want at most 17 pixels beyond the frame", test.name, p)
				}
			}
		}
		testkit.Equal(t, fmt.Sprint(got), fmt.Sprint(test.want), "%s: points of each line", test.name)
	}
}

func TestDashes(t *testing.T) {
	var got []r2.Vec
	s := line{dash: 4, gap: 2}
	s.dashes([]r2.Vec{vec(0, 0), vec(8, 0), vec(8, 0), vec(8, 5)}, func(a, b r2.Vec) { got = append(got, a, b) })
	testkit.Equal(t, fmt.Sprint(got), "[{0 0} {4 0} {6 0} {8 0} {8 0} {8 2} {8 4} {8 5}]", "ends of dashes")
}

func TestPaths(t *testing.T) {
	path := Path{Points: []r2.Vec{vec(1, 1), vec(9, 1), vec(9, 9)}, Loop: true}
	c := &Crowd{View: square, MaxSpeed: 1, Agents: []Agent{{Position: vec(9, 1), Radius: 0.5}}, Paths: []Path{path}}
	for _, isDark := range []bool{false, true} {
		o := Options{Width: 400, Dark: isDark}
		color := themeOf(o).path
		if frame, legend := pixelsIn(o, c, color); frame < 250 || legend < 5 {
			t.Errorf("dark %v: got=%d pixels of the path, %d in the legend, want at least 250 and 5", isDark, frame, legend)
		}
		img, f := Draw(c, o), compose(c, o).frame
		for place, want := range map[r2.Vec]bool{vec(1, 1): true, vec(9, 9): true, vec(9, 1): false} {
			at := f.at(place)
			testkit.Equal(t, img.RGBAAt(int(at.X), int(at.Y)) == color, want, "dark %v: dot of waypoint %v visible", isDark, place)
		}
	}
}

func TestManyWaypoints(t *testing.T) {
	f := newFrame(square, image.Rect(0, 0, 100, 100), true)
	var w Path
	for i := range manyWaypoints + 1 {
		w.Points = append(w.Points, vec(0.01*float64(i), 5), vec(20, 20)) // half are out of view
	}
	testkit.Equal(t, len(waypointsOf(f, []Path{w})), 0, "dots")
	w.Points = w.Points[2:]
	testkit.Equal(t, len(waypointsOf(f, []Path{w, w})), manyWaypoints, "dots")
}

func TestTrips(t *testing.T) {
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
		nearly(t, img.RGBAAt(at.x, at.y), at.want, "%s", at.name)
	}
	_, text, file := svgOf(t, c, Options{Width: 400})
	if !strings.Contains(text, "start") || !strings.Contains(text, "goal") || !strings.Contains(text, "1 cell") {
		t.Errorf("legend: got=%q, want start, goal and 1 cell in it", text)
	}
	testkit.Equal(t, strings.Count(file, hex(groupColor(1))), 3, "shapes in the color of the first trip")
}
