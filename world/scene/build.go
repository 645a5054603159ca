package scene

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"sort"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options is what a scene does not say about a run.
type Options struct {
	Workers int  // goroutines that share a step; 0: one for each processor
	Measure bool // count collisions, and what passes the lines and is in the areas of the scene
	Safety  bool // measure how agents meet one another, too; implies Measure
	Profile bool // time the systems

	// Point is where a user holds the pointer of the scene, in meters, in place of
	// its own way; not held, or not at a finite place, it is where an Input holds it, or goes its way. It is asked
	// once a step, at its start, by the goroutine that steps, and by Inspector.Explain.
	// It may be nil.
	Point func() (at r2.Vec, held bool)

	Context context.Context // ends building early, with its error; nil: nothing does

	Sense []any // a host's own systems that run before all others; see world.Config
	Steer []any // a host's own systems that run after the behaviors and before agents move
}

// crowd is a scene that is being built, or runs.
type crowd struct {
	*Scene
	ctx    context.Context // of building
	rows   int             // built so far
	saved  bool            // agents are those of a saved world, and not to be made
	cut    bool            // the context ended before all were
	firsts []uint64        // id of the first agent of each group, and of the one after the last
	point  ecs.Entity
	pace   pace                  // of the point
	hold   func() (r2.Vec, bool) // of the options
	hand   hand                  // of inputs
	routes map[int]uint32        // the first itinerary of each group that has some
	fields map[int]uint32        // the flow field of each group that follows one
	others map[int][]ecs.Entity  // the agents of each group that follows, or is followed
	seen   map[uint64]uint32     // the sighting of each agent that a stop goes by, by its id
}

// Build makes a world of the scene. The error names what is wrong.
func (s *Scene) Build(o Options) (*world.World, error) { return s.build(o, false) }

// Resume makes a world of the scene that goes on where another one was when World.Save wrote it: with the
// same bits, and the same Stats if the same is measured. It reads up to the end of what Save wrote.
func (s *Scene) Resume(o Options, in io.Reader) (*world.World, error) {
	w, err := s.build(o, true)
	if err != nil {
		return nil, err
	}
	w.ECS.Batch().RemoveEntities(ecs.All()) // obstacles, and agents of sources
	if _, err := w.Restore(in); err != nil {
		w.Close()
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	return w, nil
}

// build makes a world of the scene, with agents or for those of a saved world.
func (s *Scene) build(o Options, saved bool) (*world.World, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	build := &crowd{Scene: s, saved: saved, ctx: contextOr(o.Context), others: s.followed(), routes: map[int]uint32{}, fields: map[int]uint32{}, seen: map[uint64]uint32{}, hold: o.Point}
	config := s.config(&o)
	config.OnArrived = build.arrived
	if s.Pointer != nil {
		build.pace.speed = s.Pointer.Speed
		config.Sense = append([]any{&pointer{crowd: build}}, o.Sense...)
	}
	w, err := world.New(config)
	if err != nil {
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	stop := func() bool { return true }
	if s.Agents() >= largeCrowd {
		stop = context.AfterFunc(build.ctx, w.Interrupt)
	}
	err = build.fill(w)
	stop()
	if build.cut || errors.Is(err, world.ErrInterrupted) {
		err = build.ctx.Err()
	}
	if build.ctx = context.Background(); err != nil {
		w.Close()
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	ecs.AddResource(w.ECS, build)
	return w, nil
}

// config returns how a crowd of the scene runs.
func (s *Scene) config(o *Options) world.Config {
	config := world.Config{
		Dt: s.Dt, Workers: o.Workers,
		Bounds: s.Bounds, Box: s.Box, Scan: s.Scan, AvoidOutward: s.AvoidOutward,
		FaithfulFacing: s.FaithfulFacing, FaithfulArrivals: s.FaithfulArrivals,
		FaithfulWalls: s.FaithfulWalls, FaithfulORCA: s.FaithfulORCA, Prediction: s.Prediction, Seed: s.Seed,
		Combination: s.Combination, Priority: s.Priority, Chances: s.Chances,
		Measure: o.Measure, Safety: o.Safety, Profile: o.Profile, Sense: o.Sense, Steer: o.Steer, Behaviors: s.Catalog,
	}
	if o.Measure || o.Safety {
		config.Lines, config.Areas = s.Lines, s.Areas
	}
	return config
}

func (s *crowd) fill(w *world.World) error {
	if err := s.obstacles(w); err != nil || s.cut {
		return err
	}
	for _, path := range s.Paths {
		if _, err := w.AddPath(path); err != nil {
			return err
		}
	}
	if err := s.itineraries(w); err != nil {
		return err
	}
	if err := errors.Join(w.SetPortals(s.Portals...), w.SetZones(s.Zones...)); err != nil {
		return err
	}
	if err := s.flowFields(w); err != nil {
		return err
	}
	if s.Pointer != nil {
		s.point = w.ECS.NewEntity()
		systems.Add(w.ECS, s.point, c.Position{Vec: s.Pointer.at(0)})
	}
	w.Obstacles.Sense(w.ECS) // so that places can be drawn clear of them
	first := uint64(1)
	for i := range s.Groups {
		s.firsts = append(s.firsts, first)
		first += uint64(s.Groups[i].Count)
		if err := s.spawn(w, i); err != nil || s.cut {
			return err
		}
	}
	s.firsts = append(s.firsts, first)
	s.follow(w)
	return nil
}

// spawn makes the agents of a group.
func (s *crowd) spawn(w *world.World, group int) error {
	g := &s.Groups[group]
	switch {
	case g.Count == 0:
		return nil
	case g.Source != nil:
		return s.source(w, group)
	case s.saved:
		return nil
	}
	return w.Spawn(g.Count, g.components(s), func(r *world.Rows) {
		for i, agent, pos := 0, world.Column[c.Agent](r), world.Column[c.Position](r); i < len(pos); i++ {
			if pos[i].Vec = s.place(w, &g.At, i, g.Count, agent[i].ID, 0, useStart); s.ended(cheapRows) {
				w.Interrupt() // what there is need not be checked
				return
			}
		}
		s.begin(w, group, r, 0)
	})
}

// begin sets what differs between agents of a group, the first of which has the number from,
// who are in their places.
func (s *crowd) begin(w *world.World, group int, r *world.Rows, from int) {
	g := &s.Groups[group]
	s.keep(r, group)
	s.show(w, r)
	agent, pos, vel := world.Column[c.Agent](r), world.Column[c.Position](r), world.Column[c.Velocity](r)
	heading, target, dest := world.Column[c.Heading](r), world.Column[c.Target](r), world.Column[c.Destination](r)
	field := world.Column[c.FlowField](r)
	for i := range pos {
		id := agent[i].ID
		vel[i].Vec = s.startVelocity(g, id)
		if heading != nil && vel[i].Vec != (r2.Vec{}) {
			heading[i].Vec = vec.Unit(vel[i].Vec)
		}
		if target != nil { // until something sets it
			target[i].Vec = pos[i].Vec
		}
		if g.Target != nil {
			target[i].Vec = s.place(w, g.Target, from+i, g.Count, id, 0, useTarget)
		}
		if dest != nil && target != nil {
			dest[i].Vec = target[i].Vec
		}
		if field != nil {
			field[i].Index = s.fieldOf(group, id, 0)
		}
		if s.ended(cheapRows) {
			w.Interrupt() // what there is need not be checked
			return
		}
	}
	each := func(v Value, use uint64) func(i int) float64 {
		return func(i int) float64 { return v.of(s.Seed, agent[i].ID, use, from+i) }
	}
	radius, mass, maxSpeed, maxForce, delay := each(g.Radius, useRadius), each(g.Mass, useMass), each(g.MaxSpeed, useMaxSpeed), each(g.MaxForce, useMaxForce), each(g.Delay, useDelay)
	set(world.Column[c.Radius](r), func(i int, x *c.Radius) { x.Meters = radius(i) })
	if !g.Mass.Zero() { // otherwise it is that which a behavior gives
		set(world.Column[c.Mass](r), func(i int, x *c.Mass) { x.Kilograms = mass(i) })
	}
	set(world.Column[c.Limits](r), func(i int, x *c.Limits) { x.MaxSpeed, x.MaxForce = maxSpeed(i), maxForce(i) })
	set(world.Column[c.FreeSpeed](r), func(i int, x *c.FreeSpeed) { x.Speed, x.Start = maxSpeed(i), w.Clock.Time+delay(i) })
	set(world.Column[c.Itinerary](r), func(i int, x *c.Itinerary) { x.Index = s.routes[group] + uint32((from+i)%len(g.Itineraries)) })
	if g.Goal == nil {
		return
	}
	reached := each(g.Goal.Radius, useGoalRadius)
	set(world.Column[c.Goal](r), func(i int, x *c.Goal) { x.Radius, x.Remove = reached(i), g.Goal.Then == Leave })
	set(world.Column[c.Itinerary](r), func(i int, x *c.Itinerary) { x.Reached = reached(i) })
}

// place returns where the i-th of n agents is or goes to: see Place.at. When the
// world is interrupted, or building is, it is any place.
func (s *crowd) place(w *world.World, p *Place, i, n int, id, visit, use uint64) r2.Vec {
	return p.at(s.Scene, w.Obstacles, func() bool { return s.ended(1) || w.Frame.Interrupted() }, i, n, id, visit, use)
}

// startVelocity returns the velocity of an agent at the start.
func (s *crowd) startVelocity(g *Group, id uint64) r2.Vec {
	if g.Speed == 0 {
		return g.Velocity
	}
	sin, cos := vec.SinCos(2 * math.Pi * frame.HashFloat(s.Seed, id, 0, 4*useDirection))
	return r2.Vec{X: g.Speed * cos, Y: g.Speed * sin}
}

// itineraries enters the itineraries of all groups into the world's table.
func (s *crowd) itineraries(w *world.World) error {
	for i := range s.Groups {
		for k, stops := range s.Groups[i].Itineraries {
			index, err := w.AddItinerary(s.sighted(w, stops))
			if err != nil {
				return fmt.Errorf("groups[%d].itineraries[%d]: %w", i, k, err)
			}
			if k == 0 {
				s.routes[i] = index
			}
		}
	}
	return nil
}

func set[T any](column []T, to func(i int, x *T)) {
	for i := range column {
		to(i, &column[i])
	}
}

// components returns what the agents of a group start with.
func (g *Group) components(s *crowd) []any {
	var all []any
	add := func(has bool, comp any) {
		if has {
			all = append(all, comp)
		}
	}
	add(true, c.Limits{})
	add(!g.Radius.Zero(), c.Radius{})
	add(!g.Mass.Zero(), c.Mass{})
	add(g.hasTarget(), c.Target{})
	add(g.Goal != nil, c.Goal{})
	add(len(g.Itineraries) > 0, c.Itinerary{})
	add((g.Way == Route || g.Way == Boundary) && g.hasTarget(), c.Destination{})
	add(g.Way == Route && g.hasTarget(), c.Route{})
	add(g.Way == Boundary && g.hasTarget(), systems.Default[c.BoundaryFollowing]())
	add(g.followsField(), c.FlowField{})
	add(!g.Delay.Zero() || len(s.Zones) > 0, c.FreeSpeed{})
	if g.Layers != nil {
		all = append(all, *g.Layers)
	}
	for _, b := range g.Behaviors {
		all = append(all, s.filled(b))
	}
	for _, x := range s.references(g) {
		var to ecs.Entity
		if x.name == pointerName {
			to = s.point
		}
		all = x.with(all, to)
	}
	return all
}

// filled returns a behavior with what it takes from the scene where it has nothing of
// its own.
func (s *Scene) filled(behavior any) any {
	e := s.entry(behavior)
	if e == nil {
		return behavior
	}
	b := pointerTo(behavior)
	for _, p := range e.Params(b) {
		if box, is := p.At.(*r2.Box); is && p.Box && *box == (r2.Box{}) {
			*box = s.Box
		}
	}
	return pointedAt(b)
}

// arrived gives an agent that wanders its next target, puts one that starts again
// where it started, and sends one that repeats its itinerary to the first stop.
func (s *crowd) arrived(w *world.World, a systems.Arrived) {
	k := sort.Search(len(s.firsts), func(i int) bool { return s.firsts[i] > a.ID }) - 1
	if k < 0 || k == len(s.firsts)-1 {
		return // an agent that a host added
	}
	g := &s.Groups[k]
	i := int(a.ID - s.firsts[k])
	switch {
	case g.Goal == nil:
	case g.Goal.Then == Wander && g.Target != nil:
		visit := uint64(a.Visit) + 1
		w.SetDestination(a.Entity, s.place(w, g.Target, i, g.Count, a.ID, visit, useTarget))
		if g.drawsExit() {
			field := (*c.FlowField)(w.ECS.Get(a.Entity, ecs.ComponentID[c.FlowField](w.ECS)))
			field.Index, field.Looked = s.fieldOf(k, a.ID, visit), false
		}
	case g.Goal.Then == Again:
		start := s.place(w, &g.At, i, g.Count, a.ID, 0, useStart)
		w.Restart(a.Entity, start, s.startVelocity(g, a.ID))
	case g.Goal.Then == Repeat:
		again(w, a.Entity)
	}
}

// again lets the itinerary of an agent begin again from where the agent is, and with it the trip to its goal.
func again(w *world.World, e ecs.Entity) {
	if id := ecs.ComponentID[c.Itinerary](w.ECS); w.ECS.Has(e, id) {
		it := (*c.Itinerary)(w.ECS.Get(e, id))
		it.Next, it.Since, it.Done = 0, w.Clock.Time, false
	}
	goal := (*c.Goal)(w.ECS.Get(e, ecs.ComponentID[c.Goal](w.ECS)))
	goal.Inside, goal.Since = false, w.Clock.Time
}

// Clone returns a copy of the scene that shares nothing with it.
func (s *Scene) Clone() *Scene {
	return copied(reflect.ValueOf(s), true).Interface().(*Scene)
}

// shallow returns a copy of the group that shares its lists, but not its
// behaviors and places.
func (g *Group) shallow() Group {
	return copied(reflect.ValueOf(*g), false).Interface().(Group)
}

// copied returns a copy of plain data and of all it points to. Lists are copied
// too, or shared.
func copied(from reflect.Value, lists bool) reflect.Value {
	to := reflect.New(from.Type()).Elem()
	to.Set(from)
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			to.Elem().Set(copied(from.Elem(), lists))
		}
	case reflect.Slice:
		if from.IsNil() || !lists {
			break
		}
		to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		reflect.Copy(to, from)
		for i := 0; i < from.Len() && shares(from.Type().Elem()); i++ {
			to.Index(i).Set(copied(from.Index(i), lists))
		}
	case reflect.Map:
		if from.IsNil() || !lists {
			break
		}
		to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
		for _, name := range from.MapKeys() {
			to.SetMapIndex(name, from.MapIndex(name))
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if shares(from.Type().Field(i).Type) {
				to.Field(i).Set(copied(from.Field(i), lists))
			}
		}
	}
	return to
}

// shares reports whether values of a type share what they point to with their
// copies.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if shares(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// contextOr returns a context, one that never ends for nil.
func contextOr(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// The rows between two looks at the context. A scene of fewer is read and
// built whole though its context has ended.
const (
	cheapRows = 4096 // of some microseconds
	dearRows  = 32   // of up to some milliseconds

	// Making room for this many agents takes long by itself.
	largeCrowd = 1 << 17
)

// ended returns the error of a context at every n-th row, counted from 0.
func ended(ctx context.Context, row, every int) error {
	if (row+1)%every != 0 {
		return nil
	}
	return ctx.Err()
}

// ended is true when the context has ended and there is still much to build.
func (s *crowd) ended(every int) bool {
	s.rows++
	s.cut = s.cut || ended(contextOr(s.ctx), s.rows-1, every) != nil
	return s.cut
}
