package picture

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestPortals verifies that a portal is two boxes, the floor of one of them tinted, with a dashed line
// between, in images and in shapes, and that it is in the legend.
func TestPortals(t *testing.T) {
	c := &Crowd{View: square, Portals: []Portal{{From: r2.NewBox(1, 1, 3, 3), To: r2.NewBox(7, 7, 9, 9)}}}
	for _, o := range []Options{{Width: 400}, {Width: 400, Dark: true}} {
		theme := themeOf(o)
		floor, inLegend := pixelsOf(o, c, mix(theme.floor, theme.path, portalFloor))
		_, plainLegend := pixelsOf(o, &Crowd{View: square}, mix(theme.paper, theme.path, portalFloor))
		_, legend := pixelsOf(o, c, mix(theme.paper, theme.path, portalFloor))
		dashes, _ := pixelsOf(Options{Width: 1600, Dark: o.Dark}, c, theme.path)
		if !(floor > 1000 && dashes > 20 && legend > 5+plainLegend) {
			t.Errorf("dark %v: got=%d pixels of floor, %d of dashes, %d and %d in the legend", o.Dark, floor, dashes, inLegend, legend)
		}
	}
	var b bytes.Buffer
	if err := WriteSVG(&b, c, Options{Width: 400}); err != nil {
		t.Fatal(err)
	}
	all, text := elements(t, b.Bytes())
	boxes, dashed := 0, 0
	for _, e := range all {
		if attribute(e, "stroke") == hex(light.path) || attribute(e, "fill") == hex(light.path) {
			if boxes++; attribute(e, "stroke-dasharray") != "" {
				dashed++
			}
		}
	}
	if boxes != 6 || dashed != 1 || !strings.Contains(text, "portal") {
		t.Errorf("svg: got=%d shapes, %d of them dashed, want=6 with those of the legend, and 1, and a word in the legend: %s", boxes, dashed, text)
	}
}
