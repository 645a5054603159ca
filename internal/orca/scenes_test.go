package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPushedAtWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for n := range 20 {
		corners := polygon(r, xy(0, 0), 3, 6)
		c := &crowd{speed: 2, near: 3, most: 10, dt: 0.15, sidestep: n%2 == 0}
		c.walls = append(Room(nil, corners, 0), Wall(xy(-0.5, 0), xy(0.5, 0.3), 0))
		for len(c.agents) < 40 {
			p := xy(8*r.Float64()-4, 8*r.Float64()-4)
			clear := within(c.walls, p)
			for _, e := range c.walls {
				clear = clear && far(p, e.A, e.B) > 0.3
			}
			if clear {
				c.add(Agent{Radius: 0.3, MaxSpeed: 2, Rule: Rule{Horizon: 2, ObstacleHorizon: float64(n%3) / 2, Firm: n%4 < 2}}, p, vec.Scale(20, direction(r)))
			}
		}
		for range 100 {
			before := make([]Agent, len(c.agents))
			copy(before, c.agents)
			c.step()
			least := math.Inf(1)
			for i := range c.agents {
				for _, e := range c.walls {
					least = min(least, closest(vec.Sub(c.agents[i].Position, before[i].Position), vec.Sub(e.A, before[i].Position), vec.Sub(e.B, before[i].Position), 1)-0.3)
				}
				if !within(c.walls, c.agents[i].Position) {
					t.Fatalf("room %d: got=%v outside, want=inside", n, c.agents[i])
				}
			}
			if least < -1e-6 {
				t.Fatalf("room %d, step %d: got=a body %v m in a wall, want=0", n, c.steps, -least)
			}
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
