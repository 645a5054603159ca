package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Follow sets the Target or, if present, the Destination of each agent with Follow, and the Flee.From of each
// agent with FleeFrom, to the position of another entity at the start of the step. If that entity is dead or
// has no finite position, the last position is kept.
//
// Reads Follow, FleeFrom, and Position of the other entity. Writes Flee, and Target or, if present,
// Destination.
type Follow struct {
	rows    frame.Walk
	follow  followTarget
	flee    followFlee
	tracker tracker
}

func (s *Follow) Attach(f *frame.Frame, w *ecs.World) {
	s.tracker.attach(f, w)
	s.follow.tracker, s.flee.tracker = &s.tracker, &s.tracker
	s.rows.Attach(f, w, &s.follow, &s.flee)
}

func (s *Follow) Detach(w *ecs.World) { s.rows.Detach(w) }

func (s *Follow) Sense(w *ecs.World) {
	s.tracker.reset()
	s.rows.Run(w)
}

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
	Name: "follow", Text: "set the target to the position of another entity",
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &Follow{} }, Phase: catalog.Prepare,
	Does: catalog.SetsTarget, Laws: catalog.AllLaws, Special: true,
}, func(b *c.Follow) []catalog.Param {
	return []catalog.Param{catalog.Entity("", &b.Entity, "entity to follow")}
})

var fleeFromEntry = catalog.Of(catalog.Entry{
	Name: "flee-from", Text: "set the point of flee to the position of another entity",
	Needs: []any{c.Flee{}},
	By:    []any{(*Follow)(nil)},
	Does:  catalog.SetsTarget, Laws: catalog.AllLaws, Special: true,
}, func(b *c.FleeFrom) []catalog.Param {
	return []catalog.Param{catalog.Entity("", &b.Entity, "entity to flee from")}
})

// Track updates the Quarry and the Pursuer of each agent from the position and velocity of another entity at
// the start of the step. If that entity is dead or has no Position, or its position or velocity is not
// finite, then Seen is false, At and Velocity keep their values, and behaviors ignore the entity. If Entity
// is zero, all fields keep their values.
//
// Reads Position and Velocity of the other entity. Writes Quarry, Pursuer.
type Track struct {
	quarries tracking[c.Quarry]
	pursuers tracking[c.Pursuer]
}

func (s *Track) Attach(f *frame.Frame, w *ecs.World) {
	s.quarries.attach(f, w, func(q *c.Quarry, t *tracker) { *q = c.Quarry(t.track(c.TrackedEntity(*q))) })
	s.pursuers.attach(f, w, func(p *c.Pursuer, t *tracker) { *p = c.Pursuer(t.track(c.TrackedEntity(*p))) })
}

func (s *Track) Detach(w *ecs.World) {
	s.quarries.detach(w)
	s.pursuers.detach(w)
}

func (s *Track) Sense(w *ecs.World) {
	s.quarries.sense(w)
	s.pursuers.sense(w)
}

var quarryEntry = catalog.Of(catalog.Entry{
	Name: "quarry", Text: "entity that pursuit and offset-pursuit pursue: \"pointer\", or the name of a group",
	System: func(catalog.Options) any { return &Track{} }, Phase: catalog.Prepare,
	Check: func(b any) (string, string) { return checkTracked("", (*c.TrackedEntity)(b.(*c.Quarry))) },
	Laws:  catalog.AllLaws,
}, func(b *c.Quarry) []catalog.Param {
	return []catalog.Param{catalog.Entity("", &b.Entity, "entity to pursue")}
})

var pursuerEntry = catalog.Of(catalog.Entry{
	Name: "pursuer", Text: "entity that evasion evades: \"pointer\", or the name of a group",
	By:    []any{(*Track)(nil)},
	Check: func(b any) (string, string) { return checkTracked("", (*c.TrackedEntity)(b.(*c.Pursuer))) },
	Laws:  catalog.AllLaws,
}, func(b *c.Pursuer) []catalog.Param {
	return []catalog.Param{catalog.Entity("", &b.Entity, "entity to evade")}
})

// Tracking updates a TrackedEntity in a host's component T, as Track does for Quarry and Pursuer. Put it in a
// frame or in world.Config.Sense, or embed it in the system that uses it. Attach panics if Of is nil.
//
// Reads Position and Velocity of the other entity. Writes T.
type Tracking[T any] struct {
	Of func(*T) *c.TrackedEntity // returns the field of the component

	tracking tracking[T]
}

func (s *Tracking[T]) Attach(f *frame.Frame, w *ecs.World) {
	if s.Of == nil {
		panic("crowd: Tracking.Of is nil, want a function that returns the TrackedEntity of the component")
	}
	s.tracking.attach(f, w, func(component *T, t *tracker) {
		x := s.Of(component)
		*x = t.track(*x)
	})
}

func (s *Tracking[T]) Detach(w *ecs.World) { s.tracking.detach(w) }

func (s *Tracking[T]) Sense(w *ecs.World) { s.tracking.sense(w) }

type tracking[T any] struct {
	walk    frame.Walk
	rows    trackingRows[T]
	tracker tracker
}

func (s *tracking[T]) attach(f *frame.Frame, w *ecs.World, update func(*T, *tracker)) {
	s.tracker.attach(f, w)
	s.rows.tracker, s.rows.update = &s.tracker, update
	s.walk.Attach(f, w, &s.rows)
}

func (s *tracking[T]) detach(w *ecs.World) { s.walk.Detach(w) }

func (s *tracking[T]) sense(w *ecs.World) {
	s.tracker.reset()
	s.walk.Run(w)
}

type trackingRows[T any] struct {
	column  frame.Out[T]
	tracker *tracker
	update  func(*T, *tracker)
}

func (s *trackingRows[T]) Needs(n *frame.Needs) { n.Write(&s.column) }

func (s *trackingRows[T]) Run(b *frame.Batch) {
	rows := s.column.Of(b)
	for i := range rows {
		s.update(&rows[i], s.tracker)
	}
}

// tracker caches the last entity, because consecutive agents often track the same one.
type tracker struct {
	position frame.Component[c.Position]
	velocity frame.Component[c.Velocity]
	entity   ecs.Entity
	at, v    r2.Vec
	placed   bool // alive, with a finite position
	seen     bool // also has a finite velocity, or none
}

func (t *tracker) attach(f *frame.Frame, w *ecs.World) {
	t.position.Attach(f, w)
	t.velocity.Attach(f, w)
}

func (t *tracker) reset() { t.entity, t.placed, t.seen = ecs.Entity{}, false, false }

func (t *tracker) track(s c.TrackedEntity) c.TrackedEntity {
	if s.Entity.IsZero() {
		return s
	}
	t.turn(s.Entity)
	if s.Seen = t.seen; t.seen {
		s.At, s.Velocity = t.at, t.v
	}
	return s
}

func (t *tracker) where(e ecs.Entity) (r2.Vec, bool) {
	t.turn(e)
	return t.at, t.placed
}

func (t *tracker) turn(to ecs.Entity) {
	if to == t.entity {
		return
	}
	t.entity, t.placed, t.seen = to, false, false
	if !t.position.Alive(to) {
		return
	}
	p, has := t.position.Of(to)
	v, _ := t.velocity.Of(to)
	t.at, t.v = p.Vec, v.Vec
	t.placed = has && vec.Finite(t.at)
	t.seen = t.placed && vec.Finite(t.v)
}

// checkTracked returns the key, with a prefix, of a value that is not finite, and the problem, or empty
// strings if there is none.
func checkTracked(prefix string, t *c.TrackedEntity) (key, problem string) {
	if !vec.Finite(t.At) {
		return prefix + "place", fmt.Sprintf("is (%v, %v), want finite numbers", t.At.X, t.At.Y)
	}
	if !vec.Finite(t.Velocity) {
		return prefix + "velocity", fmt.Sprintf("is (%v, %v), want finite numbers", t.Velocity.X, t.Velocity.Y)
	}
	return "", ""
}
