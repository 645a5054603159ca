package view

import (
	"cmp"
	"context"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	neighborsUpTo = 2000 // if more agents than this in the windows look for neighbors, no pairs are shown
	nearestOf     = 10   // neighbors shown per agent; behaviors may react to more
)

// pair holds the indexes of two agents, the lower one first.
type pair struct{ a, b uint32 }

// capturePairs captures each pair of an agent in the boxes and one of its nearest visible neighbors. If too
// many agents in the boxes look for neighbors, it captures no pairs, and sets s.crowded.
func (s *snapshot) capturePairs(n *sense.Neighbors, boxes []r2.Box) {
	s.pairs, s.crowded, s.wrap = s.pairs[:0], false, n.Wrap
	asking := 0
	var near [nearestOf]sense.NeighborHit
	for place := range uint32(n.Len()) {
		me, reach := n.At(place), n.Reach(place)
		here := func(b r2.Box) bool { return inside(b, me.Position) }
		if !(reach > 0) || !s.knows(me) || !slices.ContainsFunc(boxes, here) {
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

func (s *snapshot) knows(o sense.Neighbor) bool { return placeOf(o.Entity) < len(s.ids) }

// image returns, of all periodic images of the second point, the one nearest to the first point.
func (s *snapshot) image(from, to r2.Vec) r2.Vec {
	size := s.wrap.Size()
	if d := to.X - from.X; 2*math.Abs(d) > size.X {
		to.X -= math.Copysign(size.X, d)
	}
	if d := to.Y - from.Y; 2*math.Abs(d) > size.Y {
		to.Y -= math.Copysign(size.Y, d)
	}
	return to
}

type sees struct {
	agent uint64 // ID
	place int
	of    []sighting
}

// sighting is an agent that another one sees. Bit k of the field by is set if the behavior of
// world.Explanation.Looks[k] sees the agent.
type sighting struct {
	id    uint64
	place int
	by    uint32
}

// mostLooks is the largest number of behaviors, one bit each, that a float32 holds exactly.
const mostLooks = 24

func seesOf(x *world.Explanation) *sees {
	if x == nil {
		return nil
	}
	s, at := &sees{agent: x.ID, place: placeOf(x.Entity)}, map[uint64]int{}
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

// neighbors writes lines from the selected agent to the agents that it sees, then lines for the pairs with an
// agent in the window.
func (f *frames) neighbors(s *snapshot, box r2.Box, selected uint64, sees *sees, full func() bool) {
	line := func(from, to r2.Vec, by uint32) (ok bool) {
		if by == 0 && !inside(box, from) && !inside(box, to) {
			return true
		}
		if full() {
			return false
		}
		f.points(box.Min, from, to)
		f.f32(float64(by))
		return true
	}
	if sees != nil && sees.agent == selected {
		from, alive := s.at(selected, sees.place)
		for _, o := range sees.of {
			if to, both := s.at(o.id, o.place); alive && both && !line(from, s.image(from, to), o.by) {
				return
			}
		}
	}
	if s.crowded {
		f.out[1] |= flagCut
	}
	for _, p := range s.pairs {
		if s.ids[p.a] == 0 || s.ids[p.b] == 0 {
			continue
		}
		a, b := s.pos[p.a], s.pos[p.b]
		if to := s.image(a, b); !line(a, to, 0) || to != b && !line(b, s.image(b, a), 0) {
			return
		}
	}
}

// Steering is a system that records the steering of each agent for the view's layer "steering": the force,
// limited to MaxForce and divided by the mass. Put the same Steering at the end of a world's Config.Steer and
// in Options.Steering. It reads the components Steering, Limits and Mass, and changes nothing. New agents may
// appear one step late.
type Steering struct {
	to []r2.Vec // m/s², by index in the snapshot

	steer frame.In[c.Steering]
	limit frame.In[c.Limits]
	mass  frame.In[c.Mass]

	entities frame.Scratch[[]ecs.Entity]
}

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

// measuredAgents is the largest number of agents for which the view sets Measure. Counting collisions takes
// about as long as a step.
const measuredAgents = 200_000

type crowd struct {
	name, text string
	scene      *scene.Scene // with the viewers' changes; may be nil
	sliders    sliders      // of the scene as it was opened
	copied     bool         // the scene is a copy of the previous one
	units      units        // changes to dt do not affect them
	own        bool         // the view must close the world
	box        r2.Box       // m, initial view
	agents     int          // number at the start
	measured   bool         // collisions are counted
	crowding   crowding
	world      *world.World
	recorder   *recorder
	frame      *frame.Frame // of the recorder
	steering   *Steering
	beside     *Beside // may be nil
	film       *film   // may be nil

	drawn bool                  // obstacles were edited
	doors map[ecs.Entity]c.Door // in their initial states

	traces []hash.Trace // of steps 0, TraceEvery, 2·TraceEvery and so on
}

func crowdOf(name string, sc *scene.Scene) *crowd {
	return &crowd{name: name, text: sc.Text, scene: sc, units: unitsOf(sc)}
}

func (s *simulation) carryOut(ctx context.Context, o *order) (*crowd, error) {
	c, err := o.open(ctx, s)
	if err != nil {
		return nil, err
	}
	return c, s.fill(ctx, c)
}

// fill builds the world of a crowd, and what is needed to show it. If it returns an error, it leaves no world
// open.
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

// options returns the build options of the world, and sets c.steering.
func (s *simulation) options(ctx context.Context, c *crowd) scene.Options {
	c.steering = &Steering{}
	o := s.scenes.Options
	o.Measure = o.Measure || c.scene.Agents() <= measuredAgents
	o.Steer = append(slices.Clone(o.Steer), c.steering)
	o.Profile, o.Context = true, ctx
	o.Point = nil // viewers' inputs control the pointer
	return o
}

func (c *crowd) watch() {
	config := c.world.Config()
	all := takeCensus(c.world)
	c.doors = doorsOf(c.world)
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

func (c *crowd) look() {
	var firsts []uint64
	if c.scene != nil {
		firsts = c.scene.FirstIDs()
	}
	config := c.world.Config()
	does := activitiesOf(c.world, append(systems.Catalog(), config.Behaviors...))
	c.recorder = newRecorder(c.world, does, c.crowding, firsts)
	c.frame = frameOver(c.world, config.Workers, c.recorder.near, c.recorder)
	c.recorder.to = &snapshot{} // without room for agents: this run only finds the names of archetypes
	c.frame.Update(c.world.ECS)
	c.recorder.sum()
	if c.steering != nil {
		c.steering.grow(placesOf(c.world))
	}
}

func frameOver(w *world.World, workers int, list ...any) *frame.Frame {
	config := w.Config()
	f := frame.New(list...)
	f.Workers, f.BatchRows = workers, config.BatchRows
	if err := f.Bind(config.Bind...); err != nil {
		panic(err) // the world has applied the bindings
	}
	f.Initialize(w.ECS)
	return f
}

func (c *crowd) close() {
	c.frame.Finalize(c.world.ECS)
	if c.own {
		c.world.Close()
	}
}

func empty(b r2.Box) bool { return !(b.Max.X > b.Min.X && b.Max.Y > b.Min.Y) }
