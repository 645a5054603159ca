package view

import (
	"context"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// measuredAgents is up to how many agents their collisions are counted: that costs
// as much as a step.
const measuredAgents = 200_000

// crowd is a scene, and the world that is shown of it.
type crowd struct {
	name   string       // by which viewers choose the scene
	scene  *scene.Scene // with their changes
	copied bool         // from the scene that ran before
	pixels bool         // whether its lengths are pixels, which a change of dt does not change
	box    r2.Box       // m, what it takes to see all of it
	world  *world.World
	tap    *tap
	frame  *systems.Frame // of the tap
	push   *push
}

// crowdOf returns the crowd of a scene that has just been opened, without a world.
func crowdOf(name string, sc *scene.Scene) *crowd {
	return &crowd{name: name, scene: sc, pixels: sc.Dt == 1}
}

// carryOut makes the crowd of an order. It touches nothing that runs.
func (s *simulation) carryOut(ctx context.Context, o *order) (*crowd, error) {
	c, err := o.open(ctx, s)
	if err != nil {
		return nil, err
	}
	return c, s.fill(ctx, c)
}

// fill makes the world of a crowd, and all that it takes to show it. It gives up
// when the context ends.
func (s *simulation) fill(ctx context.Context, c *crowd) (err error) {
	c.push = &push{}
	options := scene.Options{
		Workers: s.workers, Measure: c.scene.Agents() <= measuredAgents, Profile: true, Steer: []any{c.push}, Context: ctx,
		Point: func() (r2.Vec, bool) { return s.point, s.holder != nil },
	}
	if s.admit != nil {
		if err := s.admit(c.scene, options); err != nil {
			return err
		}
	}
	c.push.to = make([]r2.Vec, c.scene.Agents())
	if c.world, err = c.scene.Build(options); err != nil {
		return err
	}
	if c.box = c.scene.Box; s.fit != nil && !(c.box.Size().X > 0 && c.box.Size().Y > 0) {
		c.box = s.fit(c.scene, c.world)
	}
	if err := ctx.Err(); err != nil {
		c.world.Close()
		return err
	}
	c.tap = newTap(crowdingOf(c.world.ECS, c.box))
	c.frame = systems.NewFrame(c.tap.near, c.tap)
	c.frame.Workers = s.workers
	c.frame.Initialize(c.world.ECS)
	c.tap.to = &snapshot{} // without room for agents: it only names the archetypes
	c.frame.Update(c.world.ECS)
	return nil
}

// close ends the world.
func (c *crowd) close() {
	c.frame.Finalize(c.world.ECS)
	c.world.Close()
}
