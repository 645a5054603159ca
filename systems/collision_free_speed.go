package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// CollisionFreeSpeed is the collision-free speed model: each agent chooses a direction, and then
// the speed that the gap ahead allows.
//
//	e = (e0 - Σ Repulsion·exp((l - s)/Range)·n - Σ WallRepulsion·exp((r - d)/WallRange)·nw)^
//	v = max(0, min(v0, (s - l)/TimeGap)) e, with the least s - l of those ahead
//
// v0 is MaxSpeed, e0 the direction to the target, s the distance between centers, l the sum of
// both radii, n the direction to the other one, r the radius, d the distance between the
// agent's center and the nearest point of an obstacle, and nw the direction there. Ahead is who is at most
// a right angle from e, and at most l beside the line through the agent along e.
// The nearest point of an obstacle counts as somebody without a body.
//
// It keeps bodies apart if no step is longer than TimeGap/2 and l·(√2 - 1)/(√2·v0). Without
// any direction an agent stands. Nobody in the same place counts. It wants steps of 0.01 s or less.
//
// It wants Obstacles and Neighbors before it in the frame.
//
// Reads Position, Target, Limits, CollisionFreeSpeed, the snapshot of agents, Obstacles. Writes
// Velocity.
// Source: Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016;
// walls: Xu, Chraibi, Tordeux, Zhang, "Generalized collision-free velocity model for pedestrian
// dynamics", 2019.
type CollisionFreeSpeed struct {
	Obstacles *sense.Obstacles // the snapshot to look into, of a frame that runs before; nil: that of the same frame

	pedestrians[c.CollisionFreeSpeed]
}

func (s *CollisionFreeSpeed) Needs(n *frame.Needs) {
	s.declare(n, func(p c.CollisionFreeSpeed) float64 { return p.NeighborDist }, collisionFreeSpeed)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
}

// Attach finds the obstacles.
func (s *CollisionFreeSpeed) Attach(f *frame.Frame, _ *ecs.World) { s.attach(f, s, s.Obstacles) }

// collisionFreeSpeed sets the velocity of an agent.
func collisionFreeSpeed(a *surroundings, par *c.CollisionFreeSpeed) {
	course := a.toward
	for _, i := range a.others {
		to, d := a.to(i)
		course = vec.AddScaled(course, -repulsion(par.Repulsion, d-a.radius-a.agents.Radius[i], par.Range), to)
	}
	course = vec.Unit(a.awayFromWalls(course, par.WallRepulsion, par.WallRange))
	a.velocity = vec.Scale(speedOf(a.spacing(course), par.TimeGap, a.speed), course)
}

var collisionFreeSpeedEntry = catalog.Of(catalog.Entry{
	Name: "collision-free-speed", Text: "walk to the target as in the collision-free speed model",
	Source: `Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016; walls: Xu, Chraibi, Tordeux, Zhang 2019`,
	Needs:  []any{c.Target{}, c.Limits{}},
	System: func(o catalog.Options) any {
		return &CollisionFreeSpeed{Obstacles: catalog.Get[*sense.Obstacles](o)}
	},
	Phase: catalog.Choose, Does: catalog.SetsVelocity | catalog.SeesAgents | catalog.SeesObstacles, Laws: catalog.AllLaws,
	MaxDt: 0.01,
	Doing: "walking",
}, func(b *c.CollisionFreeSpeed) []catalog.Param {
	return []catalog.Param{
		timeGap(&b.TimeGap).Or(1.),
		onDirection("repulsion", &b.Repulsion, "others").Or(5.),
		rangeOf("range", &b.Range, "that").Or(0.1),
		onDirection("wall-repulsion", &b.WallRepulsion, "walls").Or(6.),
		rangeOf("wall-range", &b.WallRange, "that").Or(0.05),
		lookDist(&b.NeighborDist).Or(3.),
	}
})
