package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// avoidingCrowd returns a world with agents that arrive at targets among obstacles in a square with
// sides of 1 km, and the systems that move them.
func avoidingCrowd(agents, obstacles int) (*ecs.World, []any) {
	w := arrivalCrowd(1, agents)
	w.Batch().Add(ecs.All(ecs.ComponentID[c.Arrival](w)), ecs.ComponentID[c.ThreatScan](w), ecs.ComponentID[c.Avoidance](w), ecs.ComponentID[c.Threat](w))
	q := w.Query(ecs.All(ecs.ComponentID[c.ThreatScan](w)))
	for q.Next() {
		(*c.ThreatScan)(q.Get(ecs.ComponentID[c.ThreatScan](w))).LookAhead = 20
		(*c.Avoidance)(q.Get(ecs.ComponentID[c.Avoidance](w))).MaxForce = 5
	}
	for i := range uint64(obstacles) {
		d := func(use uint64) float64 { return frame.HashFloat(2, i, 0, use) }
		Add(w, w.NewEntity(), c.Position{Vec: r2.Vec{X: 1000 * d(0), Y: 1000 * d(1)}}, c.Obstacle{Radius: 3 + 4*d(2)})
	}
	index := &sense.Obstacles{}
	return w, []any{index, &Arrival{}, &ThreatScan{Obstacles: index}, &Avoidance{}, &Integration{}}
}
