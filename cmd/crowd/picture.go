package main

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// draw writes the picture of the end of a run, if one is asked for.
func (c *runCmd) draw(s *scene.Scene, w *world.World, r *report, ways *trails) error {
	if c.Picture == "" {
		return nil
	}
	crowd := pictureOf(w)
	crowd.Title = s.Name
	crowd.Caption = fmt.Sprintf("%s, %.4g s, seed %d", plural(r.Agents, "agent"), w.Clock.Time, s.Seed)
	crowd.View, crowd.Trails = s.Box, ways.all()
	if len(c.View) == 4 {
		crowd.View = r2.Box{Min: r2.Vec{X: c.View[0], Y: c.View[1]}, Max: r2.Vec{X: c.View[2], Y: c.View[3]}}
	}
	if err := picture.WritePNG(c.Picture, crowd, picture.Options{}); err != nil {
		return err
	}
	return nil
}

// pictureOf returns what there is to see of a world.
func pictureOf(w *world.World) *picture.Crowd {
	crowd := &picture.Crowd{}
	agents := generic.NewFilter2[c.Position, c.Velocity]().Without(generic.T[c.Obstacle]()).Query(w.ECS)
	radius, heading := generic.NewMap[c.Radius](w.ECS), generic.NewMap[c.Heading](w.ECS)
	target, limits := generic.NewMap[c.Target](w.ECS), generic.NewMap[c.Limits](w.ECS)
	for agents.Next() {
		pos, vel := agents.Get()
		e := agents.Entity()
		a := picture.Agent{Position: pos.Vec, Speed: r2.Norm(vel.Vec), Heading: vel.Vec}
		if radius.Has(e) {
			a.Radius = radius.Get(e).Metres
		}
		if heading.Has(e) {
			a.Heading = heading.Get(e).Vec
		}
		if target.Has(e) {
			crowd.Targets = append(crowd.Targets, target.Get(e).Vec)
		}
		if limits.Has(e) {
			crowd.MaxSpeed = max(crowd.MaxSpeed, limits.Get(e).MaxSpeed)
		}
		crowd.Agents = append(crowd.Agents, a)
	}
	rings := *ecs.GetResource[systems.Polygons](w.ECS)
	obstacles := generic.NewFilter2[c.Position, c.Obstacle]().Query(w.ECS)
	for obstacles.Next() {
		pos, o := obstacles.Get()
		shape := picture.Obstacle{A: pos.Vec, B: r2.Add(pos.Vec, o.Span), Radius: o.Radius}
		if k := int(o.Polygon) - 1; k >= 0 && k < len(rings) {
			for _, corner := range rings[k] {
				shape.Ring = append(shape.Ring, r2.Add(pos.Vec, corner))
			}
		}
		crowd.Obstacles = append(crowd.Obstacles, shape)
	}
	return crowd
}

// checkView refuses a view that is no rectangle.
func (c *runCmd) checkView() error {
	if v := c.View; v != nil && (len(v) != 4 || !(v[0] < v[2] && v[1] < v[3])) {
		return fmt.Errorf("--view is %v, want X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", v)
	}
	return nil
}
