package orca

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

// crowd is a simulation by plain loops.
type crowd struct {
	agents []Agent
	goals  []r2.Vec
	speed  float64 // m/s, preferred
	near   float64 // m, limit of the distance between the centers of neighbors
	most   int
	walls  []Edge
	dt     float64

	sidestep bool // agents have the Side that Sides returns, and draw their Sidestep

	solver  Alone
	steps   int
	deepest float64 // m, largest penetration of two bodies so far
	unmet   int     // agent-steps without a feasible velocity
}

// add puts an agent of the same kind as the given one, with a new ID and a goal, at p.
func (c *crowd) add(kind Agent, p, goal r2.Vec) {
	kind.ID, kind.Position = uint64(len(c.agents)+1), p
	c.agents, c.goals = append(c.agents, kind), append(c.goals, goal)
}

func (c *crowd) neighbors(i int) []Other {
	type found struct {
		d2 float64
		j  int
	}
	var all []found
	for j := range c.agents {
		d2 := vec.Norm2(vec.Sub(c.agents[j].Position, c.agents[i].Position))
		if j != i && d2 < c.near*c.near {
			all = append(all, found{d2, j})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(cmp.Compare(a.d2, b.d2), a.j-b.j) })
	var others []Other
	for _, f := range all[:min(len(all), c.most)] {
		o := &c.agents[f.j]
		others = append(others, Other{ID: o.ID, Position: o.Position, Velocity: o.Velocity, Radius: o.Radius, Way: o.Way, Share: 0.5})
	}
	return others
}

func (c *crowd) step() {
	next := make([]r2.Vec, len(c.agents))
	for i := range c.agents {
		a := &c.agents[i]
		to := vec.Sub(c.goals[i], a.Position)
		a.Preferred = vec.Truncate(to, c.speed)
		if c.sidestep {
			start := float64(hash.Mix(a.ID)>>11) * 0x1p-53
			count := uint64(float64(c.steps)*c.dt/2 + start)
			a.Side, a.Sidestep = Sides()
			a.Sidestep *= float64(hash.Mix(hash.Mix(a.ID)^count)>>11) * 0x1p-53
		}
		v, ok := c.solver.Velocity(a, c.neighbors(i), c.walls, c.dt)
		if next[i] = v; !ok {
			c.unmet++
		}
	}
	for i := range c.agents {
		a := &c.agents[i]
		a.Velocity, a.Way = next[i], vec.Unit(a.Preferred)
		a.Position = vec.AddScaled(a.Position, c.dt, a.Velocity)
	}
	c.steps++
	for i := range c.agents {
		a := &c.agents[i]
		for j := range c.agents[:i] {
			o := &c.agents[j]
			if d := vec.Sub(o.Position, a.Position); math.Abs(d.X) < a.Radius+o.Radius {
				c.deepest = max(c.deepest, a.Radius+o.Radius-vec.Norm(d))
			}
		}
	}
}

// run steps until every agent is within a distance of its goal, and reports whether that took fewer than most
// steps.
func (c *crowd) run(within float64, most int) bool {
	for c.steps < most {
		if c.arrived(within) == len(c.agents) {
			return true
		}
		c.step()
	}
	return false
}

func (c *crowd) arrived(within float64) (n int) {
	for i := range c.agents {
		if vec.Norm(vec.Sub(c.goals[i], c.agents[i].Position)) <= within {
			n++
		}
	}
	return n
}
