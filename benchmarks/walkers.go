package benchmarks

import (
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
	if w.Reciprocal && w.Side == 0 {
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

// walking is the frame of walkers. The published rule is that of the paper alone.
func walking(published bool) *frame.Frame {
	rule := &systems.ORCA{Seed: seedAgents, Faithful: published}
	return frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, rule, &systems.Integration{})
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
