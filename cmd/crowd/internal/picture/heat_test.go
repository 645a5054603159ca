package picture

import (
	"math"
	"math/rand/v2"
	"testing"
)

// heatOf returns the density of a crowd, in a picture of 200 × 200 pixels.
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

// TestHeatIntegral verifies that the density adds up to the number of agents in view.
func TestHeatIntegral(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, radius := range []float64{0, 0.01, 0.1, 0.37, 1.5} {
		c := &Crowd{View: square}
		for range 500 {
			c.Agents = append(c.Agents, Agent{Position: vec(10*rng.Float64(), 10*rng.Float64())})
		}
		c.Agents = append(c.Agents, Agent{Position: vec(math.NaN(), 1)}, Agent{Position: vec(1e9, 1)})
		if got := heatOf(c, Heat{Radius: radius}).integral(); math.Abs(got-500) > 0.5 {
			t.Errorf("radius %v m: agents got=%v, want=500", radius, got)
		}
	}
}

// TestHeatBell verifies the standard deviation and the peak of the density of one agent.
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
	if got, want := img.RGBAAt(20, 70), s[topLevel]; got != want {
		t.Errorf("at the agents: got=%v, want=%v", got, want)
	}
	if got := img.RGBAAt(20, 30); got != floor {
		t.Errorf("far from the agents: got=%v, want=%v", got, floor)
	}
	if got := img.RGBAAt(80, 20); got != solid {
		t.Errorf("obstacle: got=%v, want=%v", got, solid)
	}
}

// TestHeatTop verifies that the top of the scale is Max or, if Max is 0, TopDensity, the greatest density rounded up.
func TestHeatTop(t *testing.T) {
	c := crowdOf(1000)
	p := NewPainter(c, Options{Width: 100, Bare: true, Heat: &Heat{}})
	most := p.heat.measure(c.Agents)
	if p.heat.top < most || p.heat.top > 2*most {
		t.Errorf("top: got=%v, want %v to %v", p.heat.top, most, 2*most)
	}
	if got := p.TopDensity(c); got != p.heat.top {
		t.Errorf("TopDensity: got=%v, want=%v", got, p.heat.top)
	}
	if got := NewPainter(c, Options{Width: 100, Heat: &Heat{Max: 7}}).heat.top; got != 7 {
		t.Errorf("top with Max: got=%v, want=7", got)
	}
}
