package world

import (
	"bytes"
	"cmp"
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

// Restored is the result of Restore.
type Restored struct {
	// Resources are the saved resources, in the order of Config.Saved, with references to the new entities; a
	// resource that the saved world lacked is nil. If the world had entities, the host must merge the
	// resources with its own.
	Resources []any

	was, now []ecs.Entity // by saved entity ID; the second is nil if entities are unchanged
}

// Entity returns the restored entity for a saved one, and reports whether the saved one was alive.
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

// Restore reads the output of Save, up to the end of the stream. Call it between two steps; it panics if
// the world is locked. If it fails, the world is unchanged. For a fault in the stream, the error gives
// the block and the offset, in bytes.
//
// In a world without entities, Restore recreates the same entities, resources, IDs, clock, counts and flow
// fields, finished or not, but arche's queries may visit the entities in another order. The world then
// continues with the same bits, for any number of workers, and the same Stats except StepTime and Frame. The
// configuration must have the same Bounds, Box, Seed, modes, Priority, Chances, Behaviors and measurements;
// otherwise the error names the first difference. The host's systems must be the same. Sources must be added
// again before the next step, in the same order; they continue where they stopped.
//
// In a world with entities, Restore adds the saved ones as new entities. It rewrites references to entities
// and to paths, itineraries, polygons, fields, routes and tracked entities; references to dead entities
// become zero. It adds zones and portals, and shifts times to the clock of the world. Agents keep their IDs.
// Restore returns an error if one of these IDs is in use, or if the old and new portals are invalid together.
// It does not restore sources, measurements, the state of systems, or counts other than Stats.Goals.
func (w *World) Restore(in io.Reader) (*Restored, error) {
	w.mustBeIdle("Restore")
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
	s.entities.read(a, w)
	if a.Err() != nil {
		return nil, a.Err()
	}
	s.tables.routes = &systems.Routes{}
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

func (w *World) empty() bool {
	q := w.ECS.Query(ecs.All())
	defer q.Close()
	return q.Count() == 0
}

type savedState struct {
	entities  entitySet
	tables    tables
	resources []any
	ids       []uint64 // IDs of agents, sorted
}

func (s *savedState) checkAgents(a *archive.Archive) {
	s.entities.each(reference{component: c.Agent{}, field: "ID"}, func(field []byte) { s.ids = append(s.ids, native.Uint64(field)) })
	if err := checkIDs(s.ids); err != nil {
		a.Fail("%w", err)
	}
}

func (s *savedState) restored() *Restored {
	was := make([]ecs.Entity, len(s.entities.dump.Entities))
	for _, id := range s.entities.alive {
		was[id] = s.entities.dump.Entities[id]
	}
	return &Restored{Resources: s.resources, was: was}
}

// replace sets the state of a world without entities. On an error, it changes nothing.
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
	w.ECS.LoadEntities(s.entities.asFree())
	s.entities.create(w, true)
	s.tables.put(w)
	w.putHost(s.resources)
	w.before, w.final, w.routes = nil, nil, nil
	return s.restored(), nil
}

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

// join adds the state to a world with entities. On an error, it changes nothing.
func (s *savedState) join(w *World) (*Restored, error) {
	var err error
	w.eachAgent(func(a c.Agent, r *column.Run, i int) bool {
		if _, saved := slices.BinarySearch(s.ids, a.ID); saved {
			err = fmt.Errorf("agent %d already exists, as %s: want a world without it, such as a new one", a.ID, entityText(r.Entity(i)))
		}
		return err == nil
	})
	if err = cmp.Or(err, s.tables.checkJoin(w)); err != nil {
		return nil, fmt.Errorf("crowd state: %w", err)
	}
	r := s.restored()
	r.now = make([]ecs.Entity, len(r.was))
	next := upcoming(w.ECS, len(s.entities.alive))
	for row, id := range s.entities.alive {
		r.now[id] = next[row]
	}
	entity := func(old ecs.Entity) ecs.Entity {
		now, _ := r.Entity(old)
		return now
	}
	owners := s.owners(entity)
	s.entities.rewrite(w.savedTables(), w.Clock.Time-s.tables.clock.Time, entity)
	rewriteEntities(reflect.ValueOf(&s.tables.tracked), entity)
	rewriteEntities(reflect.ValueOf(&s.resources), entity)
	s.entities.create(w, false)
	s.entities.relate(w, entity)
	s.tables.join(w, owners)
	w.newcomers = true
	if n := s.entities.component(reflect.TypeFor[c.Goal]()); n >= 0 {
		for run := range s.entities.runs {
			if rows, ok := s.entities.column(n, run); ok {
				w.counts.Goals += rows.Len()
			}
		}
	}
	return r, nil
}

// owners maps old to new IDs of entities without an Agent. These IDs derive from the entities.
func (s *savedState) owners(entity func(ecs.Entity) ecs.Entity) map[uint64]uint64 {
	owners := map[uint64]uint64{}
	n := s.entities.component(reflect.TypeFor[c.Agent]())
	row := 0
	for run, r := range s.entities.runs {
		if n >= 0 {
			if _, ok := s.entities.column(n, run); ok {
				row += r.Rows
				continue
			}
		}
		for range r.Rows {
			e := s.entities.entity(row)
			owners[c.IDOf(nil, e)] = c.IDOf(nil, entity(e))
			row++
		}
	}
	return owners
}
