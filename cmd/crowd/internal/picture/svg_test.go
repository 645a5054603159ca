package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// elements returns the elements of an SVG, and fails if it is not well-formed.
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

// svgOf returns the elements of the SVG of a crowd, the text in it, and the file.
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
			t.Errorf("look %d: got other bytes the second time", i)
		}
		size := Draw(c, o).Rect.Size()
		if got, want := attribute(all[0], "viewBox"), fmt.Sprintf("0 0 %d %d", size.X, size.Y); all[0].Name.Local != "svg" || got != want {
			t.Errorf("look %d: <%s viewBox=%s>, want <svg viewBox=%s>", i, all[0].Name.Local, got, want)
		}
		for _, e := range all {
			if e.Name.Local == "script" {
				t.Error("a title became markup")
			}
			for _, a := range e.Attr {
				if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || strings.Contains(a.Value, "e-") {
					t.Errorf("look %d: <%s %s=%q>", i, e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
		if !o.Bare && !strings.Contains(text, `<script>"&`) {
			t.Errorf("look %d: the title is not in the legend", i)
		}
	}
}

// TestSVGAgents verifies the positions, sizes and colors of agents.
func TestSVGAgents(t *testing.T) {
	c := &Crowd{View: square, MaxSpeed: 2, Agents: []Agent{{Position: vec(2, 3), Radius: 0.3, Speed: 2}, {Position: vec(7, 8), Radius: 1, Heading: vec(0, 1)}}}
	all, _, _ := svgOf(t, c, bare)
	var got []string
	for _, e := range all {
		if e.Name.Local == "circle" {
			got = append(got, attribute(e, "cx")+","+attribute(e, "cy")+","+attribute(e, "r")+","+attribute(e, "fill"))
		}
		if turn := attribute(e, "transform"); turn != "" && turn != "translate(70 20) rotate(-90)" {
			t.Errorf("puck: got=%s", turn)
		}
	}
	want := "20,70,4," + hex(ramp[topLevel]) + " 70,20,9," + hex(ramp[0])
	if got := strings.Join(got, " "); got != want {
		t.Errorf("circles: got=%s, want=%s", got, want)
	}
}

func TestSVGTooLarge(t *testing.T) {
	c := crowdOf(MaxSVG + 1)
	err := WriteSVG(io.Discard, c, Options{})
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(MaxSVG)) {
		t.Errorf("%d agents: got=%v, want an error that names the limit", len(c.Agents), err)
	}
	if err := WriteSVG(io.Discard, c, Options{Heat: &Heat{}}); err != nil {
		t.Errorf("heat map: got=%v, want no error", err)
	}
	c.View = r2.NewBox(0, 0, 1, 1)
	if err := WriteSVG(io.Discard, c, Options{}); err != nil {
		t.Errorf("a part of the square: got=%v, want no error", err)
	}
}
