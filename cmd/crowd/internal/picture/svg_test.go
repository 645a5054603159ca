package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// elements returns the elements and the text of an SVG.
func elements(t *testing.T, b []byte) (all []xml.StartElement, text string) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		token, err := d.Token()
		switch e := token.(type) {
		case xml.StartElement:
			all = append(all, e.Copy())
		case xml.CharData:
			text += string(e)
		}
		if errors.Is(err, io.EOF) {
			return all, text
		}
		testkit.Must(t, err)
	}
}

func svgOf(t *testing.T, c *Crowd, o Options) (all []xml.StartElement, text, file string) {
	t.Helper()
	var b strings.Builder
	testkit.Must(t, WriteSVG(&b, c, o))
	all, text = elements(t, []byte(b.String()))
	return all, text, b.String()
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func TestSVG(t *testing.T) {
	for i, o := range looks {
		c := busy()
		c.Title = `<script>"&</script>`
		all, text, file := svgOf(t, c, o)
		if _, _, again := svgOf(t, c, o); file != again {
			t.Errorf("look %d: got other bytes the second time, want the same", i)
		}
		size := Draw(c, o).Rect.Size()
		if got, want := attribute(all[0], "viewBox"), fmt.Sprintf("0 0 %d %d", size.X, size.Y); all[0].Name.Local != "svg" || got != want {
			t.Errorf("look %d: got <%s viewBox=%q>, want <svg viewBox=%q>", i, all[0].Name.Local, got, want)
		}
		for _, e := range all {
			if e.Name.Local == "script" {
				t.Errorf("look %d: got an element <script> from the title, want text", i)
			}
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || strings.Contains(a.Value, "e-") {
					t.Errorf("look %d: got <%s %s=%q>, want finite numbers without exponents", i, e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
		if !o.Bare && !strings.Contains(text, `<script>"&`) {
			t.Errorf("look %d: text got=%q, want the title in it", i, text)
		}
	}
}

func TestSVGAgents(t *testing.T) {
	c := &Crowd{View: square, MaxSpeed: 2, Agents: []Agent{{Position: vec(2, 3), Radius: 0.3, Speed: 2}, {Position: vec(7, 8), Radius: 1, Heading: vec(0, 1)}}}
	all, _, _ := svgOf(t, c, bare)
	var got, turns []string
	for _, e := range all {
		if e.Name.Local == "circle" {
			got = append(got, attribute(e, "cx")+","+attribute(e, "cy")+","+attribute(e, "r")+","+attribute(e, "fill"))
		}
		if turn := attribute(e, "transform"); turn != "" {
			turns = append(turns, turn)
		}
	}
	if len(turns) != 1 || turns[0] != "translate(70 20) rotate(-90)" {
		t.Errorf("noses: got=%v, want one at translate(70 20) rotate(-90)", turns)
	}
	want := "20,70,4," + hex(ramp[topLevel]) + " 70,20,9," + hex(ramp[0])
	testkit.Equal(t, strings.Join(got, " "), want, "circles")
}

func TestSVGTooLarge(t *testing.T) {
	c := crowdOf(MaxSVG + 1)
	err := WriteSVG(io.Discard, c, Options{})
	testkit.Fails(t, err, strconv.Itoa(MaxSVG), "%d agents", len(c.Agents))
	if err := WriteSVG(io.Discard, c, Options{Heat: &Heat{}}); err != nil {
		t.Errorf("heat map: got=%v, want no error", err)
	}
	c.View = r2.NewBox(0, 0, 1, 1)
	if err := WriteSVG(io.Discard, c, Options{}); err != nil {
		t.Errorf("a part of the square: got=%v, want no error", err)
	}
}

func TestSVGShapes(t *testing.T) {
	nowhere := vec(math.NaN(), 1)
	path := Crowd{Paths: []Path{{Points: []r2.Vec{vec(1, 1), vec(9, 1), vec(9, 9)}, Loop: true}}}
	portal := Crowd{Portals: []sense.Portal{{From: r2.NewBox(1, 1, 3, 3), To: r2.NewBox(7, 7, 9, 9)}}}
	doors := Crowd{Doors: []Door{{A: vec(1, 5), B: vec(4, 5)}, {A: vec(6, 5), B: vec(9, 5), Open: true}, {A: nowhere, B: vec(1, 1), Open: true}, {A: vec(20, 20), B: vec(30, 20)}}}
	goals := Crowd{Goals: []Goal{{Box: r2.NewBox(2, 2, 3, 3)}, {Box: r2.NewBox(-1e9, 7, 1e9, 8)}, {Box: r2.Box{Min: nowhere, Max: vec(9, 9)}}, {Box: r2.NewBox(20, 20, 30, 30)}}}
	for _, test := range []struct {
		name           string
		crowd          Crowd
		o              Options
		color          color.RGBA
		shapes, dashed int
		word           string // in the legend if there are shapes
	}{
		{"path", path, Options{}, light.path, 6, 2, "path"}, // a line and three waypoints, and a line and a waypoint in the legend
		{"no path", path, Options{NoPaths: true}, light.path, 0, 0, "path"},
		{"path in a heat map", path, Options{Heat: &Heat{}}, light.path, 0, 0, "path"},
		{"many paths", Crowd{Paths: slices.Repeat(path.Paths, manyPaths+1)}, Options{}, light.path, 0, 0, "path"},
		{"portal", portal, Options{}, light.path, 6, 1, "portal"},
		{"doors", doors, Options{}, light.door, 8, 2, "open door"}, // each open door has two posts
		{"goals", goals, Options{}, light.goal, 6, 0, "goal"},      // each goal has a floor and an edge
		{"no goals", goals, Options{NoTargets: true}, light.goal, 0, 0, "goal"},
	} {
		c := test.crowd
		c.View, test.o.Width = square, 400
		all, text, _ := svgOf(t, &c, test.o)
		shapes, dashed := 0, 0
		for _, e := range all {
			if attribute(e, "stroke") == hex(test.color) || attribute(e, "fill") == hex(test.color) {
				if shapes++; attribute(e, "stroke-dasharray") != "" {
					dashed++
				}
			}
		}
		if shapes != test.shapes || dashed != test.dashed || strings.Contains(text, test.word) != (test.shapes > 0) {
			t.Errorf("%s: got=%d shapes, %d dashed, want=%d, %d; legend: got=%q, want %q in it only with shapes", test.name, shapes, dashed, test.shapes, test.dashed, text, test.word)
		}
	}
}
