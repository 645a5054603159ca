package view

import (
	"cmp"
	"context"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	neighborsUpTo = 2000 // how many agents that look there may be in the windows for all neighbors to be shown
	nearestOf     = 10   // how many of the agents that an agent sees are shown: few behaviors react to more
)

// pair is two agents, by their places, the lower one first.
type pair struct{ a, b uint32 }

// capturePairs takes the pairs of which one is in some boxes and has the other among
// the nearest that are near enough to be seen, unless too many agents look.
func (s *snapshot) capturePairs(n *sense.Neighbors, boxes []r2.Box) {
	s.pairs, s.crowded = s.pairs[:0], false
	asking := 0
	var near [nearestOf]sense.NeighborHit
	for place := range uint32(n.Len()) {
		me, reach := n.At(place), n.Reach(place)
		if !(reach > 0) || !s.knows(me) || !inAny(boxes, me.Position) {
			continue
		}
		if asking++; asking > neighborsUpTo {
			s.pairs, s.crowded = s.pairs[:0], true
			return
		}
		for _, f := range near[:n.Nearest(me.Position, reach, me.Entity, me.Sees, near[:])] {
			if o := n.At(f.Index); s.knows(o) {
				a, b := uint32(placeOf(me.Entity)), uint32(placeOf(o.Entity))
				s.pairs = append(s.pairs, pair{min(a, b), max(a, b)})
			}
		}
	}
	slices.SortFunc(s.pairs, func(p, q pair) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
	s.pairs = slices.Compact(s.pairs)
}

// knows reports whether there is a place for another one.
func (s *snapshot) knows(o sense.Neighbor) bool { return placeOf(o.Entity) < len(s.ids) }

func inAny(boxes []r2.Box, p r2.Vec) bool {
	for _, b := range boxes {
		if p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y {
			return true
		}
	}
	return false
}

// sees is what an agent sees.
type sees struct {
	who   uint64 // id
	place int
	of    []sighting
}

// sighting is another one, and which of the agent's behaviors see it, a bit each
// in the order of Explanation.Looks.
type sighting struct {
	id    uint64
	place int
	by    uint32
}

// mostLooks is how many behaviors are told apart: a float32 holds their bits.
const mostLooks = 24

// seesOf returns what an explanation says about that, nil if there is none.
func seesOf(x *world.Explanation) *sees {
	if x == nil {
		return nil
	}
	s, at := &sees{who: x.ID, place: placeOf(x.Entity)}, map[uint64]int{}
	for k := range x.Looks[:min(len(x.Looks), mostLooks)] {
		for i := range x.Looks[k].Seen {
			other := &x.Looks[k].Seen[i]
			n, known := at[other.ID]
			if !known {
				n = len(s.of)
				at[other.ID], s.of = n, append(s.of, sighting{id: other.ID, place: placeOf(other.Entity)})
			}
			s.of[n].by |= 1 << k
		}
	}
	return s
}

// neighbors writes the layer of that name: first what the selected agent sees, then
// the pairs of agents in the window.
func (f *frames) neighbors(s *snapshot, box r2.Box, selected uint64, sees *sees, full func() bool) {
	line := func(from, to r2.Vec, by uint32) (ok bool) {
		if by == 0 && !inAny([]r2.Box{box}, from) && !inAny([]r2.Box{box}, to) {
			return true
		}
		if full() {
			return false
		}
		f.point(from, box.Min)
		f.point(to, box.Min)
		f.f32(float64(by))
		return true
	}
	if sees != nil && sees.who == selected {
		from, alive := s.at(selected, sees.place)
		for _, o := range sees.of {
			if to, both := s.at(o.id, o.place); alive && both && !line(from, to, o.by) {
				return
			}
		}
	}
	if s.crowded {
		f.out[1] |= flagCut
	}
	for _, p := range s.pairs {
		if s.ids[p.a] != 0 && s.ids[p.b] != 0 && !line(s.pos[p.a], s.pos[p.b], 0) {
			return
		}
	}
}

// Steering is a system that notes the force on every agent in the middle of a step,
// after the behaviors and before it is used up, for the layer of that name. Put one at
// the end of Config.Steer of a world, and the same into Options. It reads Steering,
// Limits and Mass, and changes nothing. What is spawned shows from the next look on.
type Steering struct {
	to []r2.Vec // m/s², by place

	steer frame.In[c.Steering]
	limit frame.In[c.Limits]
	mass  frame.In[c.Mass]

	entities frame.Scratch[[]ecs.Entity] // of a batch
}

// grow makes room for n places.
func (s *Steering) grow(n int) {
	if n > len(s.to) {
		s.to = append(s.to, make([]r2.Vec, n-len(s.to))...)
	}
}

func (s *Steering) Needs(n *frame.Needs) {
	n.Read(&s.steer)
	n.Optional(&s.limit, &s.mass)
	n.Scratch(&s.entities)
}

func (s *Steering) Run(b *frame.Batch) {
	steer, limits, mass := s.steer.Of(b), s.limit.Of(b), s.mass.Of(b)
	entities := s.entities.Of(b)
	*entities = entitiesOf(b, *entities)
	for i, e := range *entities {
		k := placeOf(e)
		if k >= len(s.to) {
			continue
		}
		force := steer[i].Vec
		if n := math.Sqrt(r2.Norm2(force)); limits != nil && n > limits[i].MaxForce {
			force = r2.Scale(limits[i].MaxForce/n, force)
		}
		if mass != nil {
			force = r2.Scale(1/mass[i].Kilograms, force)
		}
		s.to[k] = force
	}
}

// measuredAgents is up to how many agents of a scene their collisions are counted: that
// costs as much as a step.
const measuredAgents = 200_000

// crowd is a world that is shown, and the scene that it was built from.
type crowd struct {
	name, text string
	scene      *scene.Scene // with the changes of viewers; nil: none
	sliders    sliders      // of the scene, as it was opened
	copied     bool         // from the scene that ran before
	units      units        // of its figures, which a change of dt does not change
	own        bool         // the view made the world, and closes it
	box        r2.Box       // m, what a page shows at first
	agents     int          // at first
	measured   bool         // collisions are counted
	crowding   crowding     // how many are many
	world      *world.World
	recorder   *recorder
	frame      *frame.Frame // of the recorder
	steering   *Steering
	beside     *Beside // shown beside it; nil: none
	film       *film   // that it is shown from; nil: none

	drawn bool // obstacles were changed by hand

	traces []hash.Trace // of the steps 0, TraceEvery, 2·TraceEvery and so on
}

// crowdOf returns the crowd of a scene that has just been opened, without a world.
func crowdOf(name string, sc *scene.Scene) *crowd {
	return &crowd{name: name, text: sc.Text, scene: sc, units: unitsOf(sc)}
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
	c.own = true
	if c.name == s.accompanied {
		c.beside = s.company
	}
	options := s.options(ctx, c)
	if s.scenes.Admit != nil {
		if err := s.scenes.Admit(c.scene, options); err != nil {
			return err
		}
	}
	if c.world, err = c.film.build(c.scene, options); err != nil {
		return err
	}
	if c.sliders == nil {
		c.sliders = newSliders(c.scene)
	}
	if c.box = c.scene.Box; s.scenes.Fit != nil && empty(c.box) {
		c.box = s.scenes.Fit(c.scene, c.world)
	}
	if err := ctx.Err(); err != nil {
		c.world.Close()
		return err
	}
	c.watch()
	return nil
}

// options returns how the world of a crowd is made, and gives the crowd what the view needs in there.
func (s *simulation) options(ctx context.Context, c *crowd) scene.Options {
	c.steering = &Steering{}
	o := s.scenes.Options
	o.Measure = o.Measure || c.scene.Agents() <= measuredAgents
	o.Steer = append(slices.Clone(o.Steer), c.steering)
	o.Profile, o.Context = true, ctx
	o.Point = nil // inputs hold the pointer
	return o
}

// watch begins to look at the world of the crowd, and notes what it is like at first.
func (c *crowd) watch() {
	config := c.world.Config()
	all := takeCensus(c.world)
	c.agents, c.measured = all.agents, config.Measure || config.Safety
	if empty(c.box) {
		c.box = config.Box
	}
	if empty(c.box) {
		c.box = all.around(c.world)
	}
	c.crowding = crowdingOf(all, c.box)
	c.look()
}

// look begins to look at the world of the crowd.
func (c *crowd) look() {
	var firsts []uint64
	if c.scene != nil {
		firsts = c.scene.FirstIDs()
	}
	c.recorder = newRecorder(c.world, activitiesOf(c.world, behaviorsOf(c.world)), c.crowding, firsts)
	c.frame = frameOver(c.world, c.recorder.near, c.recorder)
	c.recorder.to = &snapshot{} // without room for agents: it only names the archetypes
	c.frame.Update(c.world.ECS)
	c.recorder.sum()
	if c.steering != nil {
		c.steering.grow(placesOf(c.world))
	}
}

// behaviorsOf returns the entries of all behaviors of a world, ours and the host's.
func behaviorsOf(w *world.World) []catalog.Entry {
	return append(systems.Catalog(), w.Config().Behaviors...)
}

// frameOver returns a frame of systems over a world, with its workers and the types that
// are bound in it.
func frameOver(w *world.World, list ...any) *frame.Frame {
	config := w.Config()
	f := frame.New(list...)
	f.Workers, f.BatchRows = config.Workers, config.BatchRows
	if err := f.Bind(config.Bind...); err != nil {
		panic(err) // the world has bound them
	}
	f.Initialize(w.ECS)
	return f
}

// close ends the looking, and the world if it is the view's own.
func (c *crowd) close() {
	c.frame.Finalize(c.world.ECS)
	if c.own {
		c.world.Close()
	}
}

func empty(b r2.Box) bool { return !(b.Max.X > b.Min.X && b.Max.Y > b.Min.Y) }
