package picture

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestSpeeds(t *testing.T) {
	for _, name := range Palettes() {
		for _, ground := range []*theme{&light, &dark} {
			least := onLight
			if ground == &dark {
				least = onDark
			}
			s := paletteOf(name).densities(ground)
			if got := contrast(s[topLevel], ground.floor); s[0] != ground.floor || got < 4.5 {
				t.Errorf("%s, dark %v: density 0, and contrast of the top density: got=%v, %.3g, want=%v of the floor, and at least 4.5", name, ground == &dark, s[0], got, ground.floor)
			}
			s = paletteOf(name).speeds(ground)
			for i, c := range s {
				if got := contrast(c, ground.floor); got < least {
					t.Errorf("%s, dark %v, level %d: contrast got=%.3g, want at least %v", name, ground == &dark, i, got, least)
					break
				}
			}
			for i := range topLevel {
				// Rounding to whole colors may raise the luminance slightly.
				a, b := luminance(s[i]), luminance(s[i+1])
				if ground == &dark {
					a, b = b, a
				}
				if b > a+0.01 {
					t.Errorf("%s, dark %v: luminances of levels %d and %d: got=%.3g, %.3g, want the second farther from that of the ground", name, ground == &dark, i, i+1, luminance(s[i]), luminance(s[i+1]))
				}
			}
		}
	}
}

func TestColorsOfView(t *testing.T) {
	page := testkit.Read(t, "../../../../world/view/page/colors.js")
	for name, ground := range map[string]*theme{"light": &light, "dark": &dark} {
		for table, want := range map[string]*scale{"SPEED": paletteOf("plasma").speeds(ground), "HEADING": headings(ground)} {
			lists := regexp.MustCompile(`(?s)const ` + table + ` = \{.*?\};`).Find(page)
			var view palette
			for _, stop := range regexp.MustCompile(`#([0-9a-f]{6})`).FindAllSubmatch(regexp.MustCompile(name+`: \[(.*?)\]`).Find(lists), -1) {
				v, _ := strconv.ParseUint(string(stop[1]), 16, 32)
				view.steps = append(view.steps, uint32(v))
			}
			if len(view.steps) < 2 {
				t.Fatalf("%s: got=%d colors of %s in colors.js, want at least 2", name, len(view.steps), table)
			}
			levels := float64(topLevel)
			if table == "HEADING" { // cyclic
				view.steps, levels = append(view.steps, view.steps[0]), topLevel+1
			}
			for i, c := range want {
				if v := view.at(float64(i) / levels); apart(c, v) > 20 { // some colors are clamped to the displayable range
					t.Errorf("%s, %s, level %d: got=%v in the view, want=%v as in pictures", table, name, i, v, c)
					break
				}
			}
		}
	}
	var want string
	for _, c := range groups {
		want += fmt.Sprintf("%q, ", fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	}
	if want = "const CATEGORIES = [" + strings.TrimSuffix(want, ", ") + "];"; !strings.Contains(string(page), want) {
		t.Errorf("colors.js: got other colors of groups, want=%s", want)
	}
}

// deficient returns a color as seen without red (protan) or green (deutan) cones.
//
// Source: F. Viénot, H. Brettel and J. Mollon 1999.
func deficient(c color.RGBA, protan bool) color.RGBA {
	lin := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
	r, g, b := lin(c.R), lin(c.G), lin(c.B)
	p, q, w := 0.29275, 0.70725, -0.02234
	if protan {
		p, q, w = 0.11238, 0.88762, 0.00401
	}
	back := func(x float64) uint8 { return uint8(255*math.Pow(min(max(x, 0), 1), 1/2.2) + 0.5) }
	same := p*r + q*g
	return color.RGBA{back(same), back(same), back(w*r - w*g + b), 0xff}
}

// apart returns the distance between two colors, in levels.
func apart(a, b color.RGBA) float64 {
	d := func(a, b uint8) float64 { return float64(a) - float64(b) }
	return math.Sqrt((d(a.R, b.R)*d(a.R, b.R) + d(a.G, b.G)*d(a.G, b.G) + d(a.B, b.B)*d(a.B, b.B)) / 3)
}

// leastApart returns the smallest distance between two colors as seen with any color vision.
func leastApart(a, b color.RGBA) float64 {
	return min(apart(a, b), apart(deficient(a, true), deficient(b, true)), apart(deficient(a, false), deficient(b, false)))
}

func TestHeadings(t *testing.T) {
	const turn = topLevel + 1
	for _, ground := range []*theme{&light, &dark} {
		s := headings(ground)
		for i := range s {
			if got := apart(s[i], s[(i+1)%turn]); got > 10 {
				t.Errorf("dark %v, level %d to the next: got=%.3g apart, want at most 10", ground == &dark, i, got)
			}
			if got := contrast(s[i], ground.floor); got < 1.4 {
				t.Errorf("dark %v, level %d: contrast to the floor got=%.3g, want at least 1.4", ground == &dark, i, got)
			}
		}
		for i := range 8 {
			for k := range i {
				if got := leastApart(s[i*turn/8], s[k*turn/8]); got < 12 {
					t.Errorf("dark %v, headings %d° and %d°: got=%.3g apart, want at least 12", ground == &dark, 45*i, 45*k, got)
				}
			}
		}
	}
}

func TestGroupsApart(t *testing.T) {
	for i, a := range groups {
		for _, b := range groups[:i] {
			if got := leastApart(a, b); got < 12 {
				t.Errorf("%v and %v: got=%.3g apart, want at least 12", a, b, got)
			}
		}
	}
	if groupColor(len(groups)) != groupColor(0) || groupColor(-1) != groupColor(len(groups)-1) {
		t.Errorf("colors of groups %d and -1: got=%v, %v, want=%v, %v", len(groups), groupColor(len(groups)), groupColor(-1), groupColor(0), groupColor(len(groups)-1))
	}
}

func TestColorNames(t *testing.T) {
	for i, name := range colorNames {
		var got Color
		if err := got.UnmarshalText([]byte(name)); err != nil || got != Color(i) || got.String() != name {
			t.Errorf("%s: got=%v, %v, want=%v", name, got, err, Color(i))
		}
	}
	var c Color
	if err := c.UnmarshalText([]byte("mood")); err == nil {
		t.Error("mood: got=nil, want an error")
	}
}

func TestHeadingColor(t *testing.T) {
	c := newColoring(Options{Color: Heading}, 1)
	for i, h := range [][2]float64{{1, 0}, {0, 2}, {-3, 0}, {0, -1}} {
		testkit.Equal(t, c.color(c.of(&Agent{Heading: vec(h[0], h[1])})), c.scale[i*64], "heading %v", h)
	}
	for _, odd := range []float64{0, math.NaN(), math.Inf(1)} {
		testkit.Equal(t, c.color(c.of(&Agent{Heading: vec(odd, 0)})), light.faintInk, "heading %v", odd)
	}
}

// The minimum contrast of an agent to the floor, as defined by WCAG 2.
const (
	onLight = 2.3
	onDark  = 3.2
)

// contrast returns the contrast ratio of two colors, from 1 to 21.
//
// Source: W3C, Web Content Accessibility Guidelines 2.2, contrast ratio.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a)+0.05, luminance(b)+0.05
	return max(la, lb) / min(la, lb)
}

// luminance returns the relative luminance of an sRGB color, from 0 to 1.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
