package benchmarks

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
)

// What walkers have in common, who avoid one another.
const (
	density   = 0.15 // agents a m²
	walkDt    = 0.1  // s
	walkSpeed = 1.3  // m/s, top speed
	walkBody  = 0.3  // m, radius
)

// sized returns the workload with the side that its agents need.
func (w Workload) sized(agents int) *Workload {
	if w.Reciprocal {
		w.Side = math.Sqrt(float64(agents) / density)
	}
	return &w
}

// walker returns what a walker starts with.
func walker() []any {
	return []any{
		c.Target{}, c.Radius{Meters: walkBody}, c.Limits{MaxSpeed: walkSpeed, MaxForce: math.Inf(1)}, c.Arrival{Gain: gain, SlowingRadius: 1},
		c.ORCA{Gain: gain, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10, Priority: 1},
	}
}

// walking is the frame of walkers.
func walking() *frame.Frame {
	return frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, &systems.ORCA{Seed: seedAgents}, &systems.Integration{})
}

// speed is the top speed in m/s.
func (w *Workload) speed() float64 {
	if w.Reciprocal {
		return walkSpeed
	}
	return maxSpeed
}

// dt is the length of a step in s.
func (w *Workload) dt() float64 {
	if w.Reciprocal {
		return walkDt
	}
	return dt
}

// reciprocal measures W5.
func (t *trial) reciprocal() {
	for _, agents := range t.sizes() {
		one, two, people := entry{w5, "crowd", agents, 1}, entry{w5, "crowd", agents, 2}, entry{w5People, "crowd", agents, 1}
		t.hold([]entry{one, two, people}, func(c *contest) {
			name := fmt.Sprintf("W5/agents=%d", agents)
			cost := Target{Name: name + "/cost", What: fmt.Sprintf("W5, %s agents, cost", amount(agents)), Kind: Reported, Unit: "ns/agent"}
			if agents == large {
				cost.Kind, cost.Bound, cost.Beyond = AtMost, 450, 300
			}
			t.add(cost, c.costs(one))
			t.add(Target{Name: name + "/workers=2", What: fmt.Sprintf("W5, %s agents, times faster with two workers", amount(agents)),
				Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times}, c.ratios(one, two))
			t.add(Target{Name: name + "/people", What: fmt.Sprintf("W5, %s agents, cost of walking as people do ÷ without", amount(agents)),
				Kind: AtMost, Bound: 1.25, Beyond: 1.1, Unit: times}, c.ratios(people, one))
		})
	}
}
