package orca

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// random returns a crowd that crosses a square in all directions, with 0.28 agents
// per square meter and up to eight neighbors each, after a number of steps.
func random(steps int) *crowd {
	r := rand.New(rand.NewPCG(1, 2))
	at := func() r2.Vec { return xy(60*r.Float64(), 60*r.Float64()) }
	c := &crowd{speed: 1.3, near: 4, most: 8, dt: 0.1, sidestep: true}
	for range 1000 {
		c.add(Agent{Radius: 0.3, MaxSpeed: 2, Rule: Rule{Horizon: 2, ObstacleHorizon: 1, Firm: true}}, at(), at())
	}
	for range steps {
		c.step()
	}
	return c
}

// antipodal returns agents that cross a circle to its opposite side, after a number of steps.
func antipodal(steps int) *crowd {
	c := circle(250, 200, Agent{Radius: 1.5, MaxSpeed: 2, Rule: Rule{Horizon: 10, ObstacleHorizon: 10, Firm: true, Yield: true, Keep: 0.15}})
	c.speed, c.near, c.most, c.dt, c.sidestep = 1, 15, 10, 0.25, true
	for range steps {
		c.step()
	}
	return c
}

// BenchmarkVelocity measures Velocity, without the search for neighbors.
func BenchmarkVelocity(b *testing.B) {
	for _, bm := range []struct {
		name  string
		crowd *crowd
		walls int
		plain bool // without Side and Firm
	}{
		{"random", random(40), 0, false},
		{"random/paper", random(40), 0, true},
		{"random/walls=4", random(40), 4, false},
		{"circle", antipodal(700), 0, false},
		{"circle/paper", antipodal(700), 0, true},
	} {
		b.Run(bm.name, func(b *testing.B) {
			c := bm.crowd
			others, walls, sum := make([][]Other, len(c.agents)), make([][]Edge, len(c.agents)), 0
			for i := range c.agents {
				a := &c.agents[i]
				others[i] = c.neighbors(i)
				sum += len(others[i])
				corner := xy(a.Position.X+1+0.01*float64(i%100), a.Position.Y+0.5)
				walls[i] = Ring(nil, []r2.Vec{corner, xy(corner.X+1, corner.Y), xy(corner.X+1, corner.Y+1), xy(corner.X, corner.Y+1)}, 0)[:bm.walls]
				if bm.plain {
					a.Side, a.Firm = 0, false
				}
			}
			met, i := 0, 0
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if i++; i == len(c.agents) {
					i = 0
				}
				v, ok := c.solver.Velocity(&c.agents[i], others[i], walls[i], c.dt)
				if ok && v.X <= 1e9 {
					met++
				}
			}
			b.ReportMetric(float64(sum)/float64(len(c.agents)), "neighbors")
			b.ReportMetric(float64(met)/float64(b.N), "feasible")
		})
	}
}
