package world

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// MaxAgents is the maximum number of agents in one call to Spawn, and in one Batch of a Source.
const MaxAgents = 50_000_000

type spawn struct {
	by         uint64 // ID of the requesting agent
	n          int
	components []any
	fill       func(*Rows)
}

// Spawn creates n agents with the given components. It adds missing components: Agent, Position, Velocity,
// those of systems.RequiredComponents and, if Config.Combination needs it, ForceCombination. Then the
// function fill, which may be nil, sets what differs between agents. If Config.Bind binds a host's type to a
// component, values of either type are accepted.
//
//	walker := []any{c.Target{}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Seek{Gain: 2}}
//	err := w.Spawn(n, walker, func(r *world.Rows) {
//		for i, p := range world.Column[c.Position](r) { … }
//	})
//
// IDs count up from NextID. If n is 1, components may include an Agent with an ID other than 0. The function
// fill may set any IDs that no living agent has; NextID continues after the highest. On an error other than
// ErrInterrupted, no agent is created and no ID is used. If a value or an ID is invalid, the error names the
// agent.
//
// While a step or a query locks the world, Spawn only checks n and components, and records the request.
// The current or next step handles the request at its end and returns the error. Within a system's Run,
// use SpawnBy.
func (w *World) Spawn(n int, components []any, fill func(*Rows)) error {
	return w.SpawnBy(0, n, components, fill)
}

// SpawnBy acts like Spawn on behalf of the agent with the given ID. Requests are handled in the order
// of these IDs, so the result does not depend on the workers.
func (w *World) SpawnBy(agent uint64, n int, components []any, fill func(*Rows)) error {
	if w.closed {
		panic("crowd: Spawn called after Close")
	}
	if n < 1 || n > MaxAgents {
		return fmt.Errorf("cannot spawn %d agents, want 1 to %d", n, MaxAgents)
	}
	all, err := w.complete(components)
	if err != nil {
		return fmt.Errorf("cannot spawn: %w", err)
	}
	s := spawn{agent, n, all, fill}
	if w.ECS.IsLocked() {
		w.mu.Lock()
		w.spawns = append(w.spawns, s)
		w.mu.Unlock()
		return nil
	}
	return w.spawn(s)
}

func (w *World) complete(components []any) ([]any, error) {
	if err := w.types.Unbound(components, systems.Components()); err != nil {
		return nil, err
	}
	return w.config.complete(w.types.ToOurs(components))
}

func (cfg *Config) complete(components []any) ([]any, error) {
	all, err := systems.RequiredComponents(components, cfg.Behaviors...)
	if err != nil {
		return nil, err
	}
	has := map[reflect.Type]bool{}
	for _, comp := range all {
		has[reflect.TypeOf(comp)] = true
	}
	always := []any{c.Agent{}, c.Position{}, c.Velocity{}}
	if cfg.Combination != systems.CombineSum && has[reflect.TypeFor[c.Steering]()] {
		always = append(always, c.ForceCombination{})
	}
	for _, comp := range always {
		if t := reflect.TypeOf(comp); !has[t] {
			has[t] = true
			all = append(all, comp)
		}
	}
	return all, cfg.checkNeeds(has)
}

func (w *World) spawn(s spawn) error {
	ids := make([]ecs.ID, len(s.components))
	for i, comp := range s.components {
		ids[i] = w.idOf(comp)
	}
	var bad []ecs.Entity
	defer func() {
		for _, e := range bad {
			w.ECS.RemoveEntity(e)
		}
	}()
	return w.fill(ecs.NewBuilder(w.ECS, ids...), ids, s, &bad)
}

// fill creates the entities of a spawn. If a value is invalid or a host's function panics, fill stores the
// entities in bad, and the caller must remove them.
func (w *World) fill(builder *ecs.Builder, ids []ecs.ID, s spawn, bad *[]ecs.Entity) error {
	q := builder.NewBatchQ(s.n)
	defer q.Close()
	r := newRows(w, &q, s.n)
	good := false
	defer func() {
		for i := 0; i < s.n && !good; i++ {
			*bad = append(*bad, r.Entity(i))
		}
	}()
	for i, comp := range s.components {
		if w.Frame.Interrupted() {
			good = true // removing the agents would also be slow
			return ErrInterrupted
		}
		r.run.SetAll(ids[i], w.types.ToHost(comp))
		r.has(reflect.TypeOf(comp))
	}
	for i, agents := 0, Column[c.Agent](r); i < s.n && agents[i].ID == 0; i++ {
		agents[i].ID = w.NextID() + uint64(i)
	}
	r.store()
	if s.fill != nil {
		s.fill(r)
		r.store()
	}
	goals := Column[c.Goal](r)
	for i := range goals {
		goals[i].Since = w.Clock.Time
	}
	for i, its := 0, Column[c.Itinerary](r); i < len(its); i++ {
		its[i].Since = w.Clock.Time
	}
	next, err := w.number(r)
	if err == nil {
		err = w.check(r)
	}
	if good = err == nil || errors.Is(err, ErrInterrupted); err == nil {
		w.attachment.NextID, w.newcomers = next, true
		w.counts.Goals += len(goals)
		r.store()
	}
	return err
}

// Remove removes an agent or obstacle. While a step or a query locks the world, Remove only records a
// request, which the current or next step handles at its end. Remove does nothing if the entity is dead.
func (w *World) Remove(e ecs.Entity) {
	if w.ECS.IsLocked() {
		w.mu.Lock()
		w.removals = append(w.removals, e)
		w.mu.Unlock()
		return
	}
	if !w.ECS.Alive(e) {
		return
	}
	o, _ := look[c.Obstacle](w, e)
	w.ECS.RemoveEntity(e)
	w.freePolygon(o.Polygon)
}

// flush handles pending requests in an order that does not depend on workers.
func (w *World) flush() error {
	slices.SortFunc(w.removals, func(a, b ecs.Entity) int { return cmp.Compare(a.ID(), b.ID()) })
	for _, e := range w.removals {
		w.Remove(e)
	}
	w.removals = w.removals[:0]
	if len(w.spawns) == 0 {
		return nil
	}
	slices.SortStableFunc(w.spawns, func(a, b spawn) int { return cmp.Compare(a.by, b.by) })
	var errs []error
	for range len(w.spawns) { // requests made by fill functions wait for the next step
		s := w.spawns[0]
		w.spawns = w.spawns[1:]
		errs = append(errs, w.spawn(s))
	}
	return errors.Join(errs...)
}

// AddObstacle adds an obstacle at a position, in m, and returns its entity. It returns an error if a
// value is invalid, or if a step or a query locks the world. For a new polygon, use AddPolygon.
func (w *World) AddObstacle(at r2.Vec, o c.Obstacle) (ecs.Entity, error) {
	if w.ECS.IsLocked() {
		return ecs.Entity{}, errLocked
	}
	if err := checkObstacle(at, o); err != nil {
		return ecs.Entity{}, err
	}
	if o.Polygon > 0 {
		rings := *resource(w.ECS, &sense.Polygons{})
		if int(o.Polygon) > len(rings) {
			return ecs.Entity{}, fmt.Errorf("polygon of obstacle is %d, but the number of polygons is %d", o.Polygon, len(rings))
		}
		if err := checkRing(rings[o.Polygon-1]); err != nil {
			return ecs.Entity{}, err
		}
	}
	return w.addObstacle(at, o), nil
}

func (w *World) addObstacle(at r2.Vec, o c.Obstacle) ecs.Entity {
	e := w.ECS.NewEntity()
	systems.AddBound(w.Frame, w.ECS, e, c.Position{Vec: at}, o)
	return e
}

var errLocked = errors.New("cannot add an obstacle: the world is locked by a step or a query; add it afterward")

// AddPolygon adds a solid polygon with three or more corners, in m, in world coordinates, and returns its
// entity. The outline may touch but not cross itself. Errors are as for AddObstacle.
func (w *World) AddPolygon(corners []r2.Vec) (ecs.Entity, error) {
	if w.ECS.IsLocked() {
		return ecs.Entity{}, errLocked
	}
	if err := checkRing(corners); err != nil {
		return ecs.Entity{}, err
	}
	return w.addObstacle(r2.Vec{}, c.Obstacle{Polygon: w.newPolygon(slices.Clone(corners))}), nil
}

// AddPath adds a path to the resource Paths and returns its index, for components.Path. Waypoints are
// in m. It returns an error if there is no waypoint, or if one is not finite.
func (w *World) AddPath(waypoints []r2.Vec) (uint32, error) {
	if len(waypoints) == 0 {
		return 0, errors.New("path has no waypoints, want 1 or more")
	}
	for i, p := range waypoints {
		if err := checkFinite(fmt.Sprintf("waypoint %d of path", i), p); err != nil {
			return 0, err
		}
	}
	paths := resource(w.ECS, &systems.Paths{})
	*paths = append(*paths, slices.Clone(waypoints))
	return uint32(len(*paths) - 1), nil
}

// AddItinerary adds an itinerary to the resource Itineraries and returns its index, for
// components.Itinerary. It returns an error if a stop is invalid or refers to a missing tracked entity.
func (w *World) AddItinerary(stops []systems.Stop) (uint32, error) {
	tracked := len(*resource(w.ECS, &systems.TrackedEntities{}))
	for i := range stops {
		if err := stops[i].Check(); err != nil {
			return 0, fmt.Errorf("stop %d of itinerary: %w", i, err)
		}
		if stops[i].GoesBy() && int(stops[i].Other) >= tracked {
			return 0, fmt.Errorf("stop %d of itinerary: other is %d, but the number of tracked entities is %d; call AddTracked first", i, stops[i].Other, tracked)
		}
	}
	all := resource(w.ECS, &systems.Itineraries{})
	*all = append(*all, slices.Clone(stops))
	return uint32(len(*all) - 1), nil
}

// Source spawns agents over time, in batches. An agent is spawned once it is due and its body fits at its
// starting place, clear of obstacles and other agents. Until then, later agents of the source also wait.
type Source struct {
	Components []any   // as for Spawn
	Batches    []Batch // ordered by Time
	First      uint64  // ID of the first agent; later IDs count up; 0 means that Spawn assigns IDs

	// Place returns a starting place of agent i and the radius of its body, in m. If the body does not
	// fit there, Place is called again with the next try, up to 32 times per agent per step. Both i and
	// try count from 0. Place must be deterministic.
	Place func(i, try int) (at r2.Vec, radius float64)

	// Fill sets what differs between agents, after positions and IDs are set. Row k of r is agent
	// first+k of the source. Fill may be nil.
	Fill func(r *Rows, first int)

	spawned int
	try     int // of the next agent
}

// Batch is a number of agents due at the same time.
type Batch struct {
	Time float64 // s
	N    int
}

// Came returns the number of agents that the source has spawned.
func (s *Source) Came() int { return s.spawned }

// Waiting returns the number of agents that are due at time t, in s, but not yet spawned.
func (s *Source) Waiting(t float64) int { return max(0, s.due(t)-s.spawned) }

// Agents returns the number of agents in all batches.
func (s *Source) Agents() int { return s.due(math.Inf(1)) }

func (s *Source) due(t float64) (n int) {
	for _, b := range s.Batches {
		if b.Time > t {
			break
		}
		n += b.N
	}
	return n
}

// AddSource adds a source, and spawns the agents already due for which there is room; the others are spawned
// at the end of later steps. After Restore into a world without entities, the source continues, with the next
// step, where the saved source with the same index stopped. AddSource returns an error if a batch or a
// component is invalid. If Spawn fails, AddSource returns its error, but keeps the source. AddSource panics
// if Place is nil, or if the source was already added.
func (w *World) AddSource(s *Source) error {
	if err := w.checkSource(s); err != nil {
		return err
	}
	if len(w.saved) > 0 {
		w.sources = append(w.sources, s)
		s.spawned, s.try, w.saved = w.saved[0].Came, w.saved[0].Try, w.saved[1:]
		return nil
	}
	w.sources = append(w.sources, s)
	return w.spawnDue(s, nil)
}

func (w *World) checkSource(s *Source) error {
	if s.Place == nil {
		panic("crowd: AddSource of a source without Place")
	}
	if slices.Contains(w.sources, s) {
		panic("crowd: AddSource of a source that was already added")
	}
	last := math.Inf(-1)
	for i, b := range s.Batches {
		if !(b.Time >= last) || math.IsInf(b.Time, 0) {
			return fmt.Errorf("source: time of batch %d is %v s, want finite times in ascending order", i, b.Time)
		}
		if b.N < 0 || b.N > MaxAgents {
			return fmt.Errorf("source: batch %d has %d agents, want 0 to %d", i, b.N, MaxAgents)
		}
		last = b.Time
	}
	_, err := w.complete(s.Components)
	return err
}

func (w *World) spawnAllDue() error {
	var errs []error
	var there []body
	for _, s := range w.sources {
		if s.Waiting(w.soon()) == 0 {
			continue
		}
		if there == nil {
			there = w.bodies()
		}
		errs = append(errs, w.spawnDue(s, &there))
	}
	return errors.Join(errs...)
}

// soon returns the time half a step ahead, so that rounding errors do not delay agents.
func (w *World) soon() float64 { return w.Clock.Time + float64(w.Clock.Dt/2) }

type body struct {
	at     r2.Vec
	radius float64
}

// spawnDue spawns due agents for which there is room. The parameter there is nil, or points to the
// bodies of all agents, to which spawnDue appends the new ones. On an error, the bodies and the source
// stay as they were.
func (w *World) spawnDue(s *Source, there *[]body) error {
	n := s.Waiting(w.soon())
	if n == 0 {
		return nil
	}
	if there == nil {
		all := w.bodies()
		there = &all
	}
	const tries = 32 // per agent per step
	first, try, before := s.spawned, s.try, len(*there)
	for s.spawned-first < n {
		found := false
		for range tries {
			at, radius := s.Place(s.spawned, s.try)
			s.try++
			if found = w.room(at, radius, *there); found {
				*there = append(*there, body{at, radius})
				s.spawned, s.try = s.spawned+1, 0
				break
			}
		}
		if !found {
			break
		}
	}
	placed := (*there)[before:]
	if len(placed) == 0 {
		return nil
	}
	err := w.Spawn(len(placed), s.Components, func(r *Rows) {
		agents := Column[c.Agent](r)
		for i, pos := 0, Column[c.Position](r); i < len(pos); i++ {
			pos[i].Vec = placed[i].at
			if s.First > 0 {
				agents[i].ID = s.First + uint64(first+i)
			}
		}
		if s.Fill != nil {
			s.Fill(r, first)
		}
	})
	if err != nil {
		s.spawned, s.try, *there = first, try, (*there)[:before]
	}
	return err
}

func (w *World) room(at r2.Vec, radius float64, others []body) bool {
	if _, near := w.Obstacles.Nearest(at, radius); near {
		return false
	}
	for i := range others {
		reach := radius + others[i].radius
		if vec.Norm2(vec.Sub(others[i].at, at)) < reach*reach {
			return false
		}
	}
	return true
}

// bodies returns the bodies of all agents. It also updates the snapshot of obstacles, which the method
// room reads.
func (w *World) bodies() (all []body) {
	w.Obstacles.Sense(w.ECS)
	pos, radius := column.SourceIn[c.Position](w.types, w.ECS), column.SourceIn[c.Radius](w.types, w.ECS)
	filter := ecs.All(pos.ID).Without(w.idOf(c.Obstacle{}))
	q := w.ECS.Query(&filter)
	defer q.Close()
	var walker column.Walker
	runs := walker.Walk(w.ECS, &q, nil)
	all = []body{}
	for k := range runs {
		r := &runs[k]
		of := column.Rows[c.Radius](radius.Load(r), 0, r.Rows)
		for i, p := range column.Rows[c.Position](pos.Load(r), 0, r.Rows) {
			b := body{at: p.Vec}
			if of != nil {
				b.radius = of[i].Meters
			}
			all = append(all, b)
		}
	}
	return all
}
