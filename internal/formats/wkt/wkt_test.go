package wkt

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func square(x, y, side float64) []r2.Vec {
	return []r2.Vec{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
}

func TestParse(t *testing.T) {
	one := []Polygon{{Outline: square(0, 0, 4)}}
	two := []Polygon{one[0], {Outline: square(10, 0, 4)}}
	for _, test := range []struct {
		text  string
		want  []Polygon
		notes int
	}{
		{"POLYGON((0 0,4 0,4 4,0 4,0 0))", one, 0},
		{" polygon ( (0 0, 4 0,4 4, 0 4 ,\n0 0) ) ", one, 0},
		{"POLYGON((0 0,4 0,4 4,4 4,0 4,0 0))", one, 0},
		{"POLYGON Z((0 0 1,4 0 1,4 4 2,0 4 1,0 0 1))", one, 1},
		{"POLYGON ZM((0 0 1 0,4 0 1 0,4 4 2 0,0 4 1 0,0 0 1 0))", one, 2},
		{"POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1))", []Polygon{{Outline: square(0, 0, 4), Holes: [][]r2.Vec{square(1, 1, 1)}}}, 0},
		{"MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((10 0,14 0,14 4,10 4,10 0)))", two, 0},
		{"GEOMETRYCOLLECTION(POLYGON((0 0,4 0,4 4,0 4,0 0)),POLYGON EMPTY,GEOMETRYCOLLECTION(POLYGON((10 0,14 0,14 4,10 4,10 0))))", two, 0},
	} {
		a, err := Parse(test.text)
		if err != nil || !reflect.DeepEqual(a.Polygons, test.want) || len(a.Notes) != test.notes {
			t.Errorf("%q: got=%+v, %v, want=%+v, %d notes", test.text, a, err, test.want, test.notes)
		}
	}
}

func TestJoined(t *testing.T) {
	for _, text := range []string{
		"GEOMETRYCOLLECTION(POLYGON((0 0,4 0,4 4,0 4,0 0)),POLYGON((4 0,8 0,8 4,4 4,4 0)))",
		"GEOMETRYCOLLECTION(POLYGON((0 0,5 0,5 4,0 4,0 0)),POLYGON((3 0,8 0,8 4,3 4,3 0)))",
		"GEOMETRYCOLLECTION(POLYGON((0 0,8 0,8 4,0 4,0 0)),POLYGON((1 1,2 1,2 2,1 2,1 1)))",
	} {
		a, err := Parse(text)
		if err != nil || len(a.Polygons) != 1 || len(a.Polygons[0].Holes) != 0 {
			t.Errorf("%s: got=%+v, %v, want=one polygon", text, a, err)
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range a.Polygons[0].Outline {
			low, high = min(low, p.X), max(high, p.X)
		}
		if low != 0 || high != 8 {
			t.Errorf("%s: got=from %v to %v, want=0 to 8", text, low, high)
		}
	}
}

func TestBadTexts(t *testing.T) {
	stripes := "GEOMETRYCOLLECTION("
	for i := range 60 {
		stripes += strings.ReplaceAll("POLYGON((0 n,99 n,99 n.5,0 n.5,0 n)),POLYGON((n 0,n.5 0,n.5 99,n 99,n 0)),", "n", strconv.Itoa(i))
	}
	stripes += "POLYGON EMPTY)"
	for _, test := range []struct{ text, want string }{
		{"", "invalid WKT"},
		{"POLYGON EMPTY", "the geometry is empty, want a POLYGON"},
		{"POINT(1 2)", "the geometry is a POINT, want a POLYGON, a MULTIPOLYGON, or"},
		{"POLYGON((0 0,1 0,1 1))", "not closed"},
		{"POLYGON((0 0,1 1,1 0,0 1,0 0))", "invalid WKT: a ring crosses itself at (0.5, 0.5), want"},
		{"MULTIPOLYGON(((9 9,10 9,10 10,9 9)),((0 0,8 0,8 8,0 8,0 0),(2 1,6 3,6 1,2 3,2 1)))", "crosses itself at (4, 2)"},
		{"POLYGON((0 0,4 0,4 4,0 4,0 0),(3 3,5 3,5 5,3 3))", "intersect"},
		{"POLYGON((0 0,nan 0,1 1,0 0))", "nan"},
		{"POLYGON((0 0,1e999 0,1 1,0 0))", "1e999"},
		{"POLYGON((0 0,1e200 0,1 1,0 0))", "a coordinate is 1e+200 m, want -1e+09 to 1e+09 m"},
		{"POLYGON((0 0,1 0", "unexpected EOF"},
		{strings.Repeat("GEOMETRYCOLLECTION(", 800_000), "nested too deeply, want at most 16"},
		{"POLYGON((" + strings.Repeat("0 0,", maxPoints+1), "points, want at most 100000"},
		{strings.Repeat(" ", maxBytes+1), "bytes, want at most"},
		{stripes, "more than 1000 pairs of edges of different polygons may meet, want fewer"},
	} {
		if _, err := Parse(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.60q: got=%v, want=an error with %q", test.text, err, test.want)
		}
	}
}

func TestReadFiles(t *testing.T) {
	path := filepath.Join(testkit.Files(t, map[string]string{"a.wkt": testkit.Gzip("\ufeff\n\nPOLYGON((0 0,4 0,4 4,0 4,0 0))\n")}), "a.wkt")
	if a, err := Read(t.Context(), path); err != nil || len(a.Rings()) != 1 || len(a.Rings()[0]) != 4 {
		t.Errorf("got=%+v, %v, want=a square", a, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Read(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got=%v, want=%v", err, context.Canceled)
	}
	for text, want := range map[string]string{"\n\nPOLYGON((": ":3: invalid WKT", testkit.Gzip("POLYGON((")[:20]: ": gzip data cut short"} {
		path := filepath.Join(testkit.Files(t, map[string]string{"a.wkt": text}), "a.wkt")
		if _, err := Read(t.Context(), path); err == nil || !strings.HasPrefix(err.Error(), path+want) {
			t.Errorf("%q: got=%v, want=an error that begins with the path and %q", text, err, want)
		}
	}
}

func TestBegins(t *testing.T) {
	for text, want := range map[string]bool{
		"POLYGON((0 0": true, " \n multipolygon (": true, "\ufeffPolygon Z((": true, "GEOMETRYCOLLECTION EMPTY": true, "POINT(": true,
		"": false, "POLYGON": false, "POLYGON = 3": false, "polygons = []": false, "room.wkt": false, "<a/>": false, "POLYGONAL(": false,
	} {
		testkit.Equal(t, Begins([]byte(text)), want, "%q", text)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1))", "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((4 0,9 0,9 4,4 4,4 0)))",
		"GEOMETRYCOLLECTION(POLYGON Z((0 0 1,1 0 1,1 1 1,0 0 1)),POLYGON EMPTY)", "POLYGON EMPTY", "POINT(1 2)", "POLYGON((",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			return
		}
		if len(a.Polygons) == 0 {
			t.Error("got=no polygon, want=an error")
		}
		for _, ring := range a.Rings() {
			if len(ring) < 3 {
				t.Errorf("got=%v, want=three corners or more", ring)
			}
			for _, p := range ring {
				if !(math.Abs(p.X) <= farthest && math.Abs(p.Y) <= farthest) {
					t.Errorf("got=%v, want=coordinates of at most %v m", p, farthest)
				}
			}
		}
	})
}
