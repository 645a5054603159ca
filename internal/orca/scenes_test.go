package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
)

func TestScenes(t *testing.T) {
	kind := Agent{Radius: 0.3, MaxSpeed: 1.3, Rule: Rule{Horizon: 3, ObstacleHorizon: 1, Firm: true, Yield: true, Keep: 0.15}}
	small := circle(20, 5, kind)
	small.speed, small.near, small.most, small.dt, small.sidestep = 1, 5, 10, 0.1, true
	paper := circle(20, 5, kind)
	paper.speed, paper.near, paper.most, paper.dt, paper.sidestep = 1, 5, 10, 0.1, true
	for i := range paper.agents {
		a := &paper.agents[i]
		a.Firm, a.Yield = false, false
	}
	large := circle(100, 80, Agent{Radius: 1.5, MaxSpeed: 2, Rule: Rule{Horizon: 10, ObstacleHorizon: 10, Firm: true, Yield: true, Keep: 0.15}})
	large.speed, large.near, large.most, large.dt, large.sidestep = 1, 15, 10, 0.25, true
	squares := blocks(Agent{Radius: 2, MaxSpeed: 2, Rule: Rule{Horizon: 5, ObstacleHorizon: 5, Firm: true, Yield: true, Keep: 0.15}})
	squares.speed, squares.near, squares.most, squares.dt, squares.sidestep = 1, 15, 10, 0.25, true
	for _, tt := range []struct {
		name   string
		crowd  *crowd
		within float64
		steps  int
		deep   float64
	}{
		{"20 on a circle", small, 0.1, 200, 1e-8},
		{"20 on a circle, not firm", paper, 0.1, 200, 0.01},
		{"100 on a circle", large, 1.5, 1090, 1e-8},
		{"rvo-blocks", squares, 20, 2520, 1e-8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := tt.crowd
			ok := c.run(tt.within, tt.steps)
			t.Logf("%d of %d arrived after %d steps, penetration %.2g", c.arrived(tt.within), len(c.agents), c.steps, c.deepest)
			if !ok || c.deepest > tt.deep {
				t.Errorf("got=%d of %d arrived after %d steps, penetration %v m, want=all in fewer than %d steps, at most %v m", c.arrived(tt.within), len(c.agents), c.steps, c.deepest, tt.steps, tt.deep)
			}
		})
	}
}

// TestPushedAtWalls verifies that a jam of agents with goals outside a room stays in the room.
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
