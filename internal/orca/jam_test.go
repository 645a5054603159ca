package orca

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestJamStays verifies that agents that wait in front of a passage do not drift sideways: no agent comes
// toward them, so they have no reason to keep to the right.
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
