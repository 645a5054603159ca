package picture

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func heatOf(c *Crowd, h Heat) *heatMap {
	o := Options{Width: 200, Height: 200, Bare: true, Heat: &h}
	p := NewPainter(c, o)
	p.heat.measure(c.Agents)
	return p.heat
}

// integral returns the number of agents in a heat map and its margin.
func (m *heatMap) integral() (sum float64) {
	for _, d := range m.density {
		sum += d * m.perCell
	}
	return sum
}

func TestHeatIntegral(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, radius := range []float64{0, 0.01, 0.1, 0.37, 1.5} {
		c := &Crowd{View: square}
		for range 500 {
			c.Agents = append(c.Agents, Agent{Position: vec(10*rng.Float64(), 10*rng.Float64())})
		}
		c.Agents = append(c.Agents, Agent{Position: vec(math.NaN(), 1)}, Agent{Position: vec(1e9, 1)})
		testkit.Near(t, heatOf(c, Heat{Radius: radius}).integral(), 500, 0.5, "radius %v m: agents", radius)
	}
}

func TestHeatBell(t *testing.T) {
	for _, radius := range []float64{0.3, 0.5, 1} {
		m := heatOf(&Crowd{View: square, Agents: []Agent{{Position: vec(5, 5)}}}, Heat{Radius: radius, Max: 1})
		peak, variance := 0.0, 0.0
		for i, d := range m.density {
			x := (float64(i%m.width-m.pad) + 0.5) * float64(m.side) / m.f.scale
			peak = max(peak, d)
			variance += d * m.perCell * (x - 5) * (x - 5)
		}
		if got := math.Sqrt(variance); math.Abs(got-radius) > 0.04*radius {
			t.Errorf("standard deviation: got=%v m, want=%v m", got, radius)
		}
		if want := 1 / (2 * math.Pi * radius * radius); math.Abs(peak-want) > 0.12*want {
			t.Errorf("radius %v m: density at the agent got=%v, want=%v", radius, peak, want)
		}
	}
}

func TestHeatPlace(t *testing.T) {
	c := &Crowd{View: square, Obstacles: []Obstacle{pillar(8, 8, 1)}}
	for i := range 100 {
		c.Agents = append(c.Agents, Agent{Position: vec(2+0.001*float64(i), 3)})
	}
	o := Options{Width: 100, Height: 100, Bare: true, Heat: &Heat{Radius: 0.3, Max: 10}}
	img := Draw(c, o)
	s := paletteOf("").densities(&light)
	testkit.Equal(t, img.RGBAAt(20, 70), s[topLevel], "at the agents")
	testkit.Equal(t, img.RGBAAt(20, 30), floor, "far from the agents")
	testkit.Equal(t, img.RGBAAt(80, 20), solid, "obstacle")
}

func TestHeatTop(t *testing.T) {
	c := crowdOf(1000)
	p := NewPainter(c, Options{Width: 100, Bare: true, Heat: &Heat{}})
	most := p.heat.measure(c.Agents)
	if p.heat.top < most || p.heat.top > 2*most {
		t.Errorf("top: got=%v, want %v to %v", p.heat.top, most, 2*most)
	}
	testkit.Equal(t, p.TopDensity(c), p.heat.top, "TopDensity")
	testkit.Equal(t, NewPainter(c, Options{Width: 100, Heat: &Heat{Max: 7}}).heat.top, 7, "top with Max")
}

// slope returns a field over the left 8 m of the square. The distance at x is x, but a column of cells from 3
// to 3.5 m has no path.
func slope() *Field {
	g := &Field{Cell: 0.5, Columns: 16, Rows: 20}
	for i := range g.Columns * g.Rows {
		way := (float32(i%g.Columns) + 0.5) / 2
		if i%g.Columns == 6 {
			way = float32(math.Inf(1))
		}
		g.Distances = append(g.Distances, way)
	}
	return g
}

func TestField(t *testing.T) {
	c := &Crowd{View: square, Field: slope()}
	p := NewPainter(c, Options{Width: 1000, Height: 1000, Bare: true})
	s := p.sheet.field
	if s.top != 8 || s.every != 0.5 {
		t.Fatalf("top and distance of contours: got=%v, %v m, want=8, 0.5 m", s.top, s.every)
	}
	img := p.Draw(c)
	for _, at := range []struct {
		name string
		x    int
		want color.RGBA
	}{
		{"1.3 m away", 130, s.scale[41]}, {"7.3 m away", 730, s.scale[233]},
		{"no way", 325, floor}, {"beyond the grid", 900, floor}, {"edge of a contour", 500, mix(s.scale[159], s.contour(5, &light), 0.5)},
	} {
		nearly(t, img.RGBAAt(at.x, 432), at.want, "%s", at.name)
	}
	other := *c.Field
	other.Distances = make([]float32, len(other.Distances))
	for _, x := range []struct {
		field *Field
		want  color.RGBA
	}{{&other, s.scale[0]}, {nil, floor}, {&Field{Cell: 1, Columns: 5, Rows: 5}, floor}, {c.Field, s.scale[41]}} {
		nearly(t, p.Draw(&Crowd{View: square, Field: x.field}).RGBAAt(130, 432), x.want, "after a change")
	}
	nearly(t, Draw(c, Options{Width: 1000, Height: 1000, Bare: true, Heat: &Heat{Max: 1}}).RGBAAt(130, 432), floor, "heat map")
}

func TestFieldSVG(t *testing.T) {
	_, text, file := svgOf(t, &Crowd{View: square, Field: slope()}, Options{Width: 600})
	if strings.Count(file, "<image") != 3 || strings.Count(file, `fill="none"`) != 13 || !strings.Contains(text, "distance to the goal, m") {
		t.Errorf("got=%d images, %d contours, text %q, want=3 with 2 in the legend, 13, and distance to the goal, m", strings.Count(file, "<image"), strings.Count(file, `fill="none"`), text)
	}
}

func TestFieldColors(t *testing.T) {
	for name, theme := range map[string]*theme{"light": &light, "dark": &dark} {
		speeds, all := paletteOf("").speeds(theme), ways(theme)
		for level := 0; level <= topLevel; level += 15 {
			if near(all[level], theme.floor) {
				t.Errorf("%s: level %d: got=%v, nearly the color of the floor, want another color", name, level, all[level])
			}
			for _, speed := range []int{0, topLevel / 2, topLevel} {
				if got := contrast(all[level], speeds[speed]); got < 1.3 {
					t.Errorf("%s: contrast of speed %d to way %d: got=%.2f, want at least 1.3", name, speed, level, got)
				}
			}
		}
	}
}

func TestContoursAtJumps(t *testing.T) {
	g := &Field{Cell: 1, Columns: 10, Rows: 10}
	for i := range 100 {
		g.Distances = append(g.Distances, float32(i%10/5*50)) // 0 m on the left, 50 m on the right
	}
	(&shading{top: 50, every: 5}).contours(viewport{bounds: image.Rect(0, 0, 100, 100), scale: 10, center: vec(5, 5)}, g, func(_, _ r2.Vec, way float64) {
		t.Errorf("got a contour of %v m, want none", way)
	})
}

func TestContours(t *testing.T) {
	for _, scale := range []float64{100, 4} {
		f := viewport{bounds: NewPainter(&Crowd{View: square}, Options{Width: 1000, Height: 1000, Bare: true}).sheet.frame.bounds, scale: scale, center: vec(5, 5)}
		n := 0
		(&shading{top: 8, every: 0.5}).contours(f, slope(), func(a, b r2.Vec, way float64) {
			n++
			for _, p := range []r2.Vec{a, b} {
				testkit.Near(t, f.from(p).X, way, 1e-6, "scale %v: contour at x", scale)
			}
			if way == 3 || way == 3.5 {
				t.Errorf("scale %v: got a contour of %v m, want none beside the wall", scale, way)
			}
		})
		if n == 0 {
			t.Errorf("scale %v: got no contours, want some", scale)
		}
	}
}
