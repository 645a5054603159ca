package world

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// Restored says what became of what was saved.
type Restored struct {
	// Resources are those of Config.Saved as they were saved, with the entities that are there
	// now, in their order; nil where there was none. If the world had entities they are not put
	// into it: the host decides what becomes of both.
	Resources []any

	was, now []ecs.Entity // by the ids of entities when they were saved; now is nil if they are the same
}

// Entity returns the entity that was another one in the world that was saved; false if
// that one was not alive there.
func (r *Restored) Entity(old ecs.Entity) (now ecs.Entity, ok bool) {
	id := int(old.ID())
	if id == 0 || id >= len(r.was) || r.was[id] != old {
		return ecs.Entity{}, false
	}
	if r.now == nil {
		return old, true
	}
	return r.now[id], true
}

// Restore reads what Save wrote, up to its end, between two steps. It checks all of it first: on
// an error, which names the block and the byte, nothing has changed.
//
// Into a world without entities it makes the very same entities, resources, ids, clock and counts, and
// the world goes on with the same bits, for any number of workers, and with the same Stats but for times. That
// wants a configuration with the same Bounds, Box, Seed and modes, the same Behaviors, and the same things measured: a
// difference is an error that names it. The host's systems must be the same; sources are added
// again, the same ones in the same order, before the next step: they go on where they were. Flow fields are as they were, those that are being worked out too.
//
// Into a world with entities it adds new ones. References between them, and to paths, itineraries, polygons,
// fields, ways and entities that stops go by, are rewritten, and a reference to a dead entity becomes the zero one; zones and
// portals are added to those that are there, times are shifted to the clock of the world, and agents keep
// their ids: it is an error if an agent there has one of them. What was counted, measured and kept by systems is left out, and so are sources.
//
// It panics if the world is locked.
func (w *World) Restore(in io.Reader) (*Restored, error) {
	if w.ECS.IsLocked() {
		panic("crowd: Restore of a locked world: close the query over it first")
	}
	a, err := archive.Read(in, saveVersion)
	if err != nil {
		return nil, err
	}
	empty := w.empty()
	var settings []setting
	a.Block("config", func() {
		if a.Keep(&settings); a.Err() == nil && empty {
			if err := w.config.checkSettings(settings); err != nil {
				a.Fail("%w", err)
			}
		}
	})
	s := &savedState{}
	s.people.read(a, w)
	if a.Err() != nil {
		return nil, a.Err()
	}
	s.tables.ways = &systems.Routes{}
	s.tables.keep(a)
	s.checkAgents(a)
	s.resources = w.readHost(a)
	if a.Err() != nil {
		return nil, a.Err()
	}
	if empty {
		return s.replace(a, w)
	}
	return s.join(w)
}

// empty reports whether the world has no entities.
func (w *World) empty() bool {
	q := w.ECS.Query(ecs.All())
	defer q.Close()
	return q.Count() == 0
}

// savedState is what was read, before the world has it.
type savedState struct {
	people    people
	tables    tables
	resources []any
	ids       []uint64 // of agents, the lowest first
}

// checkAgents refuses ids of agents that cannot be.
func (s *savedState) checkAgents(a *archive.Archive) {
	s.people.each(reference{component: c.Agent{}, field: "ID"}, func(field []byte) { s.ids = append(s.ids, here.Uint64(field)) })
	if err := checkIDs(s.ids); err != nil {
		a.Fail("%w", err)
	}
}

// restored returns what the host is told.
func (s *savedState) restored() *Restored {
	was := make([]ecs.Entity, len(s.people.dump.Entities))
	for _, id := range s.people.alive {
		was[id] = s.people.dump.Entities[id]
	}
	return &Restored{Resources: s.resources, was: was}
}

// replace makes the state that of a world without entities.
func (s *savedState) replace(a *archive.Archive, w *World) (*Restored, error) {
	var before bytes.Buffer
	now := archive.Write(&before, saveVersion)
	w.keep(now)
	if err := now.Close(); err != nil {
		return nil, err
	}
	w.keep(a)
	if err := a.Close(); err != nil {
		back, _ := archive.Read(&before, saveVersion)
		w.keep(back)
		return nil, err
	}
	w.reset()
	w.ECS.LoadEntities(s.people.asFree())
	s.people.create(w, true)
	s.tables.put(w)
	w.putHost(s.resources)
	w.before, w.final, w.routes = nil, nil, nil
	return s.restored(), nil
}

// reset makes the entities of a world without any begin anew.
func (w *World) reset() {
	all := map[ecs.ResID]any{}
	for _, id := range ecs.ResourceIDs(w.ECS) {
		if w.ECS.Resources().Has(id) {
			all[id] = w.ECS.Resources().Get(id)
		}
	}
	w.ECS.Reset()
	for id, r := range all {
		w.ECS.Resources().Add(id, r)
	}
}

// join adds the state to that of a world with entities.
func (s *savedState) join(w *World) (*Restored, error) {
	var taken []identified
	w.eachAgent(func(a c.Agent, r *column.Run, i int) bool {
		if _, saved := slices.BinarySearch(s.ids, a.ID); saved {
			taken = append(taken, identified{a.ID, r.Entity(i)})
		}
		return len(taken) == 0
	})
	if len(taken) > 0 {
		return nil, fmt.Errorf("crowd state: agent %d is there already, as %s: want a world without it, such as a new one", taken[0].id, entityText(taken[0].entity))
	}
	if err := s.tables.checkJoin(w); err != nil {
		return nil, fmt.Errorf("crowd state: %w", err)
	}
	r := s.restored()
	r.now = make([]ecs.Entity, len(r.was))
	next := upcoming(w.ECS, len(s.people.alive))
	for row, id := range s.people.alive {
		r.now[id] = next[row]
	}
	entity := func(old ecs.Entity) ecs.Entity {
		now, _ := r.Entity(old)
		return now
	}
	owners := s.owners(entity)
	s.people.rewrite(w.savedTables(), w.Clock.Time-s.tables.clock.Time, entity)
	rewriteEntities(reflect.ValueOf(&s.tables.tracked), entity)
	rewriteEntities(reflect.ValueOf(&s.resources), entity)
	s.people.create(w, false)
	s.people.relate(w, entity)
	s.tables.join(w, owners)
	w.newcomers = true
	if n := s.people.component(reflect.TypeFor[c.Goal]()); n >= 0 {
		for run := range s.people.runs {
			if rows, ok := s.people.column(n, run); ok {
				w.counts.Goals += rows.Len()
			}
		}
	}
	return r, nil
}

// owners returns the new ids of agents without Agent, which go by their entities.
func (s *savedState) owners(entity func(ecs.Entity) ecs.Entity) map[uint64]uint64 {
	owners := map[uint64]uint64{}
	n := s.people.component(reflect.TypeFor[c.Agent]())
	row := 0
	for run, r := range s.people.runs {
		if n >= 0 {
			if _, ok := s.people.column(n, run); ok {
				row += r.Rows
				continue
			}
		}
		for range r.Rows {
			e := s.people.entity(row)
			owners[c.IDOf(nil, e)] = c.IDOf(nil, entity(e))
			row++
		}
	}
	return owners
}
