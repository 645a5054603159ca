package picture

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestPathLines verifies the number of points of the drawn lines of a path, and that all are in or near the frame.
func TestPathLines(t *testing.T) {
	f := newFrame(square, image.Rect(0, 0, 100, 100), true)
	nan := vec(math.NaN(), 0)
	for _, test := range []struct {
		name string
		path Path
		want []int // number of points of each line
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
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: points of each line: got=%v, want=%v", test.name, got, test.want)
		}
	}
}

// TestDashes verifies that dashes continue around a corner.
func TestDashes(t *testing.T) {
	var got []r2.Vec
	s := line{dash: 4, gap: 2}
	s.dashes([]r2.Vec{vec(0, 0), vec(8, 0), vec(8, 0), vec(8, 5)}, func(a, b r2.Vec) { got = append(got, a, b) })
	want := []r2.Vec{vec(0, 0), vec(4, 0), vec(6, 0), vec(8, 0), vec(8, 0), vec(8, 2), vec(8, 4), vec(8, 5)}
	if !slices.Equal(got, want) {
		t.Errorf("ends of dashes: got=%v, want=%v", got, want)
	}
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
			if got := img.RGBAAt(int(at.X), int(at.Y)) == color; got != want {
				t.Errorf("dark %v: dot of waypoint %v visible: got=%v, want=%v", isDark, place, got, want)
			}
		}
	}
}

// TestManyWaypoints verifies that waypoints have dots unless more than manyWaypoints distinct ones are in view.
func TestManyWaypoints(t *testing.T) {
	f := newFrame(square, image.Rect(0, 0, 100, 100), true)
	var w Path
	for i := range manyWaypoints + 1 {
		w.Points = append(w.Points, vec(0.01*float64(i), 5), vec(20, 20)) // half of the waypoints are out of view
	}
	if got := len(waypointsOf(f, []Path{w})); got != 0 {
		t.Errorf("dots: got=%d, want=0", got)
	}
	w.Points = w.Points[2:]
	if got := len(waypointsOf(f, []Path{w, w})); got != manyWaypoints {
		t.Errorf("dots: got=%d, want=%d", got, manyWaypoints)
	}
}

// TestTrips verifies that a trip is a line with a disc and a ring, in the color of its group.
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
		if got := img.RGBAAt(at.x, at.y); !near(got, at.want) {
			t.Errorf("%s: got=%v, want=%v", at.name, got, at.want)
		}
	}
	_, text, file := svgOf(t, c, Options{Width: 400})
	if !strings.Contains(text, "start") || !strings.Contains(text, "goal") || !strings.Contains(text, "1 cell") {
		t.Errorf("legend: got=%q, want start, goal and 1 cell in it", text)
	}
	if got := strings.Count(file, hex(groupColor(1))); got != 3 {
		t.Errorf("shapes in the color of the first trip: got=%d, want=3: a line, a disc and a ring", got)
	}
}
