package sense

import (
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Keep keeps the snapshot of the last step, so that the next one knows what has changed since. Obstacles that
// are not in the index are left out.
func (o *Obstacles) Keep(a *frame.Archive) {
	var entities []ecs.Entity
	for i := range o.shapes {
		if o.shapes[i].Valid() {
			entities = append(entities, o.entities[i])
		}
	}
	a.Keep(&entities, &o.table, &o.version, &o.reach, &o.wanted)
	keepShapes(a, &o.index, o.reach)
	if !a.Reading() || a.Err() != nil {
		return
	}
	if o.shapes = o.index.Found(); len(o.shapes) != len(entities) {
		a.Fail("%d obstacles have %d shapes", len(entities), len(o.shapes))
	}
	o.entities, o.corners, o.portals, o.edges = entities, nil, nil, edges{}
	if o.table.Check() == nil {
		o.portals = o.table
	}
}

// keepShapes keeps the shapes that an index finds, in their order, and builds it of them.
func keepShapes(a *frame.Archive, x *space.Index, reach float64) {
	shapes := x.Found()
	a.Keep(&shapes)
	if !a.Reading() || a.Err() != nil {
		return
	}
	for i := range shapes {
		if !shapes[i].Valid() {
			a.Fail("shape %d of an obstacle is %+v, want finite numbers, a radius of 0 or more, and no corners or three", i, shapes[i])
			return
		}
	}
	x.Build(shapes, reach, 0)
}
