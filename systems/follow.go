package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Follow keeps the Target of each agent that has Follow, and the point of Flee
// of each that has FleeFrom, on the position of another entity, as of the
// start of the step. When that entity dies, or its position is not finite, the
// last point stays.
//
// Reads Position of the entity, Follow, FleeFrom. Writes Target, or Destination if there is one,
// and Flee.
type Follow struct {
	rows    frame.Walk
	follow  followTarget
	flee    followFlee
	tracker tracker
}

// Attach registers the walk over those who follow.
func (s *Follow) Attach(f *frame.Frame, w *ecs.World) {
	s.tracker.attach(f, w)
	s.follow.tracker, s.flee.tracker = &s.tracker, &s.tracker
	s.rows.Attach(f, w, &s.follow, &s.flee)
}

// Detach gives back what Attach took.
func (s *Follow) Detach(w *ecs.World) { s.rows.Detach(w) }

// Sense copies the positions.
func (s *Follow) Sense(w *ecs.World) {
	s.tracker.reset()
	s.rows.Run(w)
}

// followTarget walks over the agents with Follow.
type followTarget struct {
	follow  frame.In[c.Follow]
	target  frame.Out[c.Target]
	dest    frame.Out[c.Destination]
	tracker *tracker
}

func (s *followTarget) Needs(n *frame.Needs) {
	n.Read(&s.follow)
	n.Write(&s.target)
	n.Optional(&s.dest)
}

func (s *followTarget) Run(b *frame.Batch) {
	follow, target, dest := s.follow.Of(b), s.target.Of(b), s.dest.Of(b)
	for i := range follow {
		if p, ok := s.tracker.where(follow[i].Entity); ok {
			send(target, dest, i, p)
		}
	}
}

// followFlee walks over the agents with FleeFrom.
type followFlee struct {
	from    frame.In[c.FleeFrom]
	flee    frame.Out[c.Flee]
	tracker *tracker
}

func (s *followFlee) Needs(n *frame.Needs) { n.Read(&s.from); n.Write(&s.flee) }

func (s *followFlee) Run(b *frame.Batch) {
	from, flee := s.from.Of(b), s.flee.Of(b)
	for i := range from {
		if p, ok := s.tracker.where(from[i].Entity); ok {
			flee[i].From = p
		}
	}
}

var followEntry = catalog.Of(catalog.Entry{
	Name: "follow", Text: "keep the target on another entity",
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &Follow{} }, Phase: catalog.Prepare,
	Does: catalog.SetsTarget, Laws: catalog.AllLaws, Special: true,
}, func(b *c.Follow) []catalog.Param {
	return []catalog.Param{catalog.Whom("", &b.Entity, "which entity")}
})

var fleeFromEntry = catalog.Of(catalog.Entry{
	Name: "flee-from", Text: "keep the point of flee on another entity",
	Needs: []any{c.Flee{}},
	By:    []any{(*Follow)(nil)},
	Does:  catalog.SetsTarget, Laws: catalog.AllLaws, Special: true,
}, func(b *c.FleeFrom) []catalog.Param {
	return []catalog.Param{catalog.Whom("", &b.Entity, "which entity")}
})
