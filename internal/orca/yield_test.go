package orca

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestRank(t *testing.T) {
	east, north, west := xy(1, 0), xy(0, 1), xy(-1, 0)
	slanted := xy(0.6, 0.8)
	for _, tt := range []struct {
		name     string
		to       r2.Vec // the other one
		own, way r2.Vec
		want     float64 // rank
	}{
		{"follows the other", xy(2, 0), east, east, kernel.Behind},
		{"leads the other", xy(-2, 0), east, east, kernel.Ahead},
		{"beside, a little in front", xy(-0.1, 2), east, east, kernel.Ahead},
		{"level", xy(0, 2), east, east, kernel.Level},
		{"they come together, the other nearer", xy(1, 0.5), east, slanted, kernel.Behind},
		{"against one another", xy(2, 0), east, west, 0},
		{"across", xy(2, 0), east, north, kernel.Behind},
		{"at 117 degrees", xy(2, 0), east, xy(-0.45, 0.9), kernel.Behind},
		{"at 127 degrees", xy(2, 0), east, xy(-0.6, 0.8), 0},
		{"the other stands", xy(2, 0), east, r2.Vec{}, kernel.Behind},
		{"the same place", r2.Vec{}, east, east, kernel.Level},
	} {
		got := rankOf(tt.to, tt.own, tt.way)
		testkit.Equal(t, got, tt.want, "%s", tt.name)
		back := rankOf(xy(-tt.to.X, -tt.to.Y), tt.way, tt.own)
		want := map[float64]float64{kernel.Ahead: kernel.Behind, kernel.Behind: kernel.Ahead, kernel.Level: kernel.Level}[got]
		testkit.Equal(t, back, want, "%s: rank of the other one", tt.name)
	}
}

func TestLevel(t *testing.T) {
	left, right := xy(0.6, 0.8), xy(-0.6, 0.8)
	for _, id := range []uint64{1, 3} {
		a := Agent{ID: id, Velocity: left, Preferred: left, Way: left, Radius: 0.25, MaxSpeed: 1, Rule: Rule{Horizon: 2, Yield: true, Keep: 0.15}}
		o := Other{ID: 2, Position: xy(1, 0), Velocity: right, Radius: 0.25, Way: right, Share: 0.5}
		var s Alone
		got, _ := s.Velocity(&a, []Other{o}, nil, 0.1)
		n := s.Neighbors(0)
		if want := id > 2; n.Behind(0) != want || (got != left) != want {
			t.Errorf("agent %d, level with agent 2: got=behind %v, velocity %v, want=behind, and a velocity other than %v: %v", id, n.Behind(0), got, left, want)
		}
	}
}

// Agents that wait in front of a passage have no reason to keep to the right: no agent comes toward them.
func TestJamStays(t *testing.T) {
	c := &crowd{speed: 1.3, near: 8, most: 10, dt: 0.1, sidestep: true}
	for _, side := range []float64{-1, 1} {
		c.walls = Ring(c.walls, []r2.Vec{xy(side*50, 0), xy(side*1.7, 0), xy(side*1.7, 8), xy(side*50, 8)}, 0)
	}
	for i := range 120 {
		p := xy(float64(i%12)*1.5-8.25, -1-1.2*float64(i/12))
		c.add(Agent{Radius: 0.5, MaxSpeed: 1.3, Rule: Rule{Horizon: 3, ObstacleHorizon: 1, Firm: true, Yield: true, Keep: 0.15}}, p, xy(0, 10))
	}
	waiting, sum := 0, 0.
	for range 400 {
		c.step()
		for i := range c.agents {
			if c.agents[i].Position.Y > 8 {
				c.goals[i] = xy(0, 100) // it makes room
			}
		}
	}
	for i := range c.agents {
		if p := c.agents[i].Position; p.Y < 0 {
			sum += p.X
			waiting++
		}
	}
	if mean := sum / float64(waiting); !(math.Abs(mean) <= 1.7) { // NaN if none waits
		t.Errorf("mean x of the %d agents that wait after %v s: got=%.2f m, want=-1.7 to 1.7", waiting, float64(c.steps)*c.dt, mean)
	}
}

func TestArch(t *testing.T) {
	door := []Edge{Wall(xy(-9, 0), xy(-0.65, 0), 0.1), Wall(xy(0.65, 0), xy(9, 0), 0.1)}
	for _, yield := range []bool{true, false} {
		c := &crowd{speed: 1.2, near: 3, most: 10, dt: 1. / 30, sidestep: true, walls: door}
		for _, p := range [][2]float64{ // an arch of four, and three behind it
			{0.576, 0.333}, {0.21, 0.636}, {-0.263, 0.636}, {-0.649, 0.345}, {0.467, 1.02}, {-0.02, 1.08}, {-0.5, 1.07},
		} {
			c.add(Agent{Radius: 0.236, MaxSpeed: 1.2, Rule: Rule{Horizon: 1, ObstacleHorizon: 0.5, Firm: true, Yield: yield, Keep: 0.15}}, xy(p[0], p[1]), xy(0.3*p[0], -2.5))
		}
		for range 3000 {
			c.step()
		}
		if n := c.arrived(2); (n == len(c.agents)) != yield {
			t.Errorf("yield %v: got=%d of %d out, want=all: %v", yield, n, len(c.agents), yield)
		}
	}
}

// The agent restores its distance in half a second, or in a step if that is longer.
func TestYieldClosing(t *testing.T) {
	const gap = 1.1 // m, between centers; bodies touch at 1 m, and the agent keeps 1.15 m
	for _, dt := range []float64{0.01, 0.1, 0.5, 2} {
		a := Agent{ID: 1, Velocity: xy(1, 0), Preferred: xy(1, 0), Way: xy(1, 0), Radius: 0.5, MaxSpeed: 2, Rule: Rule{Horizon: 3, Yield: true, Keep: 0.15}}
		o := Other{ID: 2, Position: xy(gap, 0), Velocity: xy(1, 0), Radius: 0.5, Way: xy(1, 0), Share: 0.5}
		var s Alone
		got, _ := s.Velocity(&a, []Other{o}, nil, dt)
		if want := xy(1-(1.15-gap)/max(0.5, dt), 0); vec.Norm(vec.Sub(got, want)) > 1e-12 {
			t.Errorf("step of %v s: got=%v, want=%v", dt, got, want)
		}
	}
}
