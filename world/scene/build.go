package scene

import (
	"cmp"
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

// Options configures a run of a scene.
type Options struct {
	Workers int  // goroutines that share a step; 0 means one per processor
	Measure bool // measure trips and collisions with obstacles, and use the scene's lines and areas
	Safety  bool // measure collisions and distances between agents; implies Measure
	Profile bool // time the systems

	// Point returns the position, in m, at which a user holds the scene's pointer. If held is false, or the
	// position is not finite, an Input may hold the pointer; otherwise it is on its path. If the scene has a
	// pointer, world.Inspector.Explain and world.World.Step begin by calling Point in the caller's goroutine;
	// during a pause, Step does not.
	Point func() (at r2.Vec, held bool) // may be nil

	Context context.Context // cancels Build or Resume, which then returns an error that wraps Context.Err(); may be nil

	Sense []any // a host's systems that run before all others except the pointer's; see world.Config
	Steer []any // a host's systems that run after behaviors that steer; see world.Config
}

type crowd struct {
	*Scene
	ctx     context.Context // cancels building
	rows    int             // calls of ended so far
	saved   bool            // agents come from a saved world, so spawn only adds sources
	cut     bool            // ctx was canceled
	firsts  []uint64        // ID of the first agent of each group, and the ID after the last
	point   ecs.Entity      // the pointer
	pace    pace
	hold    func() (r2.Vec, bool) // Options.Point
	hand    hand                  // where inputs hold the pointer
	routes  map[int]uint32        // by group, the index of its first itinerary
	fields  map[int]uint32        // by group, the index of its first flow field
	others  map[int][]ecs.Entity  // agents of each group that follows or is followed
	tracked map[uint64]uint32     // index of each tracked agent, by ID
	sources map[int]*world.Source // by group
}

// Build creates a world from the scene. The caller must close it. The world reads the scene while it
// runs, so change parameters with Tune. If the scene is invalid, the error has one line per problem.
func (s *Scene) Build(o Options) (*world.World, error) { return s.build(o, false) }

// Resume creates a world that continues from the output of world.World.Save for a world of this scene; if
// inputs set parameters, see After. Its steps give the same bits as those of the saved world, and the same
// Stats except StepTime and Frame. Resume reads the saved state up to its end, and returns an error if the
// measurements differ. The caller must close the world.
func (s *Scene) Resume(o Options, in io.Reader) (*world.World, error) {
	w, err := s.build(o, true)
	if err != nil {
		return nil, err
	}
	w.ECS.Batch().RemoveEntities(ecs.All()) // Restore needs an empty world
	if _, err := w.Restore(in); err != nil {
		w.Close()
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	return w, nil
}

func (s *Scene) build(o Options, saved bool) (*world.World, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	build := &crowd{Scene: s, saved: saved, ctx: cmp.Or(o.Context, context.Background()), others: s.followed(), routes: map[int]uint32{}, fields: map[int]uint32{}, tracked: map[uint64]uint32{}, sources: map[int]*world.Source{}, hold: o.Point}
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
	w.Obstacles.Sense(w.ECS) // for places that must be clear of obstacles
	s.firsts = append(s.FirstIDs(), uint64(s.Agents())+1)
	for i := range s.Groups {
		if err := s.spawn(w, i); err != nil || s.cut {
			return err
		}
	}
	s.follow(w)
	return nil
}

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
				w.Interrupt() // skip the checks
				return
			}
		}
		s.begin(w, group, r, 0)
	})
}

// begin sets the components that differ between agents of a group, except positions. The parameter from
// is the index, within the group, of the agent in row 0.
func (s *crowd) begin(w *world.World, group int, r *world.Rows, from int) {
	g := &s.Groups[group]
	s.keep(r, group)
	s.track(w, r)
	agent, pos, vel := world.Column[c.Agent](r), world.Column[c.Position](r), world.Column[c.Velocity](r)
	heading, target, dest := world.Column[c.Heading](r), world.Column[c.Target](r), world.Column[c.Destination](r)
	field := world.Column[c.FlowField](r)
	for i := range pos {
		id := agent[i].ID
		vel[i].Vec = s.startVelocity(g, id)
		if heading != nil && vel[i].Vec != (r2.Vec{}) {
			heading[i].Vec = vec.Unit(vel[i].Vec)
		}
		if target != nil { // a behavior may set it later
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
			w.Interrupt() // skip the checks
			return
		}
	}
	each := func(v Value, use uint64) func(i int) float64 {
		return func(i int) float64 { return v.of(s.Seed, agent[i].ID, use, from+i) }
	}
	radius, mass, maxSpeed, maxForce, delay := each(g.Radius, useRadius), each(g.Mass, useMass), each(g.MaxSpeed, useMaxSpeed), each(g.MaxForce, useMaxForce), each(g.Delay, useDelay)
	set(world.Column[c.Radius](r), func(i int, x *c.Radius) { x.Meters = radius(i) })
	if !g.Mass.Zero() { // otherwise a behavior may set it
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

// place calls Place.at. After an interruption or cancellation, the result is arbitrary.
func (s *crowd) place(w *world.World, p *Place, i, n int, id, visit, use uint64) r2.Vec {
	return p.at(s.Scene, w.Obstacles, func() bool { return s.ended(1) || w.Frame.Interrupted() }, i, n, id, visit, use)
}

func (s *crowd) startVelocity(g *Group, id uint64) r2.Vec {
	if g.Speed == 0 {
		return g.Velocity
	}
	sin, cos := vec.SinCos(2 * math.Pi * frame.HashFloat(s.Seed, id, 0, 4*useDirection))
	return r2.Vec{X: g.Speed * cos, Y: g.Speed * sin}
}

func (s *crowd) itineraries(w *world.World) error {
	for i := range s.Groups {
		for k, stops := range s.Groups[i].Itineraries {
			index, err := w.AddItinerary(s.trackedStops(w, stops))
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

// arrived implements all values of Goal.Then except Leave.
func (s *crowd) arrived(w *world.World, a systems.Arrived) {
	k := sort.Search(len(s.firsts), func(i int) bool { return s.firsts[i] > a.ID }) - 1
	if k < 0 || k == len(s.firsts)-1 {
		return // added by a host
	}
	g := &s.Groups[k]
	i := int(a.ID - s.firsts[k])
	switch {
	case g.Goal == nil:
	case g.Goal.Then == Wander && g.Target != nil:
		visit := uint64(a.Visit) + 1
		w.SetDestination(a.Entity, s.place(w, g.Target, i, g.Count, a.ID, visit, useTarget))
		if g.drawsExit() {
			edit(w, a.Entity, func(f *c.FlowField) { f.Index, f.Looked = s.fieldOf(k, a.ID, visit), false })
		}
	case g.Goal.Then == Again:
		start := s.place(w, &g.At, i, g.Count, a.ID, 0, useStart)
		w.Restart(a.Entity, start, s.startVelocity(g, a.ID))
		s.rewind(w, g, i, &a)
	case g.Goal.Then == Repeat:
		again(w, a.Entity)
	}
}

func (s *crowd) rewind(w *world.World, g *Group, i int, a *systems.Arrived) {
	if path, ok := Behavior[c.Path](g); ok {
		edit(w, a.Entity, func(x *c.Path) { x.Next = path.Next })
	}
	if len(g.Itineraries) == 0 {
		return // no stop has changed the speed
	}
	speed := g.MaxSpeed.of(s.Seed, a.ID, useMaxSpeed, i)
	if !edit(w, a.Entity, func(x *c.FreeSpeed) { x.Speed = speed }) {
		edit(w, a.Entity, func(x *c.Limits) { x.MaxSpeed = speed })
	}
}

func edit[T any](w *world.World, e ecs.Entity, change func(*T)) bool {
	id := ecs.ComponentID[T](w.ECS)
	if !w.ECS.Has(e, id) {
		return false
	}
	change((*T)(w.ECS.Get(e, id)))
	return true
}

func again(w *world.World, e ecs.Entity) {
	edit(w, e, func(it *c.Itinerary) { it.Next, it.Since, it.Done = 0, w.Clock.Time, false })
	edit(w, e, func(goal *c.Goal) { goal.Inside, goal.Since = false, w.Clock.Time })
}

// Clone returns a deep copy.
func (s *Scene) Clone() *Scene {
	return copied(reflect.ValueOf(s), true).Interface().(*Scene)
}

func (g *Group) shallow() Group {
	return copied(reflect.ValueOf(*g), false).Interface().(Group)
}

// copied returns a deep copy of plain data or, if lists is false, a copy that shares slices and maps.
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

// Rows between two checks of the context.
const (
	cheapRows = 4096 // rows that take microseconds each
	dearRows  = 32   // rows that may take milliseconds each

	largeCrowd = 1 << 17 // number of agents at which allocation alone is slow
)

// ended returns ctx.Err() if row+1 is a multiple of the interval every, and nil otherwise.
func ended(ctx context.Context, row, every int) error {
	if (row+1)%every != 0 {
		return nil
	}
	return ctx.Err()
}

// ended reports whether ctx is canceled, but checks it only once in the given number of calls.
func (s *crowd) ended(every int) bool {
	s.rows++
	s.cut = s.cut || ended(cmp.Or(s.ctx, context.Background()), s.rows-1, every) != nil
	return s.cut
}
