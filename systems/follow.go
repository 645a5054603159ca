package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Follow keeps the Target of each agent that has Follow, and the point of Flee
// of each that has FleeFrom, on the position of another entity, as of the
// start of the step. When that entity dies, or its position is not finite, the
// last point stays.
//
// Reads Position of the entity, Follow, FleeFrom. Writes Target, Flee.
type Follow struct {
	targets pass
	flees   pass
	follow  followTarget
	flee    followFlee
	leader  leader
}

func (s *Follow) attach(f *Frame, w *ecs.World) {
	s.targets, s.flees = pass{workers: 1}, pass{workers: 1}
	s.targets.add(&s.follow, 0)
	s.flees.add(&s.flee, 0)
	s.targets.attach(w, f.bound)
	s.flees.attach(w, f.bound)
	s.leader = leader{world: w, source: sourceOf[c.Position](f, w)}
	s.follow.leader, s.flee.leader = &s.leader, &s.leader
}

func (s *Follow) detach(w *ecs.World) {
	s.targets.detach(w)
	s.flees.detach(w)
}

// Sense copies the positions.
func (s *Follow) Sense(w *ecs.World) {
	s.leader.entity, s.leader.ok = ecs.Entity{}, false
	s.targets.walk(w)
	s.flees.walk(w)
}

// followTarget walks over the agents with Follow.
type followTarget struct {
	follow In[c.Follow]
	target Out[c.Target]
	leader *leader
}

func (s *followTarget) Needs(n *Needs) { n.Read(&s.follow); n.Write(&s.target) }

func (s *followTarget) Run(b *Batch) {
	follow, target := s.follow.Of(b), s.target.Of(b)
	for i := range follow {
		if p, ok := s.leader.position(follow[i].Entity); ok {
			target[i].Vec = p
		}
	}
}

// followFlee walks over the agents with FleeFrom.
type followFlee struct {
	from   In[c.FleeFrom]
	flee   Out[c.Flee]
	leader *leader
}

func (s *followFlee) Needs(n *Needs) { n.Read(&s.from); n.Write(&s.flee) }

func (s *followFlee) Run(b *Batch) {
	from, flee := s.from.Of(b), s.flee.Of(b)
	for i := range from {
		if p, ok := s.leader.position(from[i].Entity); ok {
			flee[i].From = p
		}
	}
}

// leader finds positions, and remembers the last one: most followers in a row
// follow the same entity.
type leader struct {
	world  *ecs.World
	source column.Source
	entity ecs.Entity
	at     r2.Vec
	ok     bool
}

func (l *leader) position(e ecs.Entity) (r2.Vec, bool) {
	if e != l.entity {
		l.entity, l.ok = e, false
		if !e.IsZero() && l.world.Alive(e) {
			p, has := column.At[c.Position](l.world, &l.source, e)
			l.at, l.ok = p.Vec, has && vec.Finite(p.Vec)
		}
	}
	return l.at, l.ok
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
