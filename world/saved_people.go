package world

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// people are all entities of a world with their components: those that are saved, or have
// been read and are not there yet.
type people struct {
	dump       ecs.EntityDump
	types      []savedType
	components []savedComponent
	runs       []savedRun
	alive      []uint32        // ids of the entities of all runs, one after another
	walked     []column.Run    // in the order of the world
	order      []int           // of each run that is written, its place among these
	columns    []reflect.Value // of each component, in each run: pointers to slices, as they were read
}

// savedRun are entities with the same components, and in relation to the same entity.
type savedRun struct {
	Components []uint32 // by their numbers in people.components, the lowest first
	Relation   int      // which of these components is the relation; -1: none
	Target     ecs.Entity
	Rows       int
}

// census lists all entities. The error names components that would be lost.
func (w *World) census() (*people, error) {
	p := &people{dump: w.ECS.DumpEntities()}
	q := w.ECS.Query(ecs.All())
	defer q.Close()
	var walker column.Walker
	p.walked = walker.Walk(w.ECS, &q, nil)
	known := map[reflect.Type]savedType{}
	for _, t := range w.savedTypes() {
		known[t.host] = t
	}
	for _, component := range w.config.Unsaved {
		known[reflect.TypeOf(component)] = savedType{}
	}
	types, unknown := map[ecs.ID]savedType{}, map[reflect.Type]int{}
	for t, id := range column.Registered(w.ECS) {
		for i := range p.walked {
			if r := &p.walked[i]; r.Kind.Mask.Get(id) {
				if s, ok := known[t]; !ok {
					unknown[t] += r.Rows
				} else if s.name != "" {
					types[id] = s
				}
			}
		}
	}
	if err := unknownComponents(unknown); err != nil {
		return nil, err
	}
	numbers := p.number(types)
	runs := make([]savedRun, len(p.walked))
	for i := range p.walked {
		runs[i], p.order = p.run(w, &p.walked[i], numbers), append(p.order, i)
	}
	slices.SortStableFunc(p.order, func(i, k int) int { // the same whatever the order of archetypes
		a, b := &runs[i], &runs[k]
		return cmp.Or(slices.Compare(a.Components, b.Components), cmp.Compare(a.Target.ID(), b.Target.ID()))
	})
	for _, i := range p.order {
		p.runs = append(p.runs, runs[i])
		entities := make([]ecs.Entity, runs[i].Rows)
		p.walked[i].Entities(0, entities)
		for _, e := range entities {
			p.alive = append(p.alive, e.ID())
		}
	}
	return p, nil
}

// number numbers the components that entities have, by name.
func (p *people) number(types map[ecs.ID]savedType) map[ecs.ID]uint32 {
	for _, t := range types {
		p.types = append(p.types, t)
	}
	slices.SortFunc(p.types, func(a, b savedType) int { return cmp.Compare(a.name, b.name) })
	for _, t := range p.types {
		p.components = append(p.components, savedComponent{t.name, t.fields()})
	}
	numbers := map[ecs.ID]uint32{}
	for id, t := range types {
		numbers[id] = uint32(slices.IndexFunc(p.types, func(x savedType) bool { return x.name == t.name }))
	}
	return numbers
}

// run returns a run as it is saved.
func (p *people) run(w *World, r *column.Run, numbers map[ecs.ID]uint32) savedRun {
	run := savedRun{Relation: -1, Rows: r.Rows}
	for id, n := range numbers {
		if r.Kind.Mask.Get(id) {
			run.Components = append(run.Components, n)
		}
	}
	slices.Sort(run.Components)
	if id, target, ok := r.Target(); ok {
		if n, saved := numbers[id]; saved {
			run.Relation = slices.Index(run.Components, n)
			if !target.IsZero() && w.ECS.Alive(target) {
				run.Target = target
			}
		}
	}
	return run
}

// write writes all.
func (p *people) write(a *archive.Archive, w *World) {
	a.Block("components", func() { a.Keep(&p.components) })
	p.keepEntities(a)
	ids := column.Registered(w.ECS)
	q := w.ECS.Query(ecs.All()) // the runs hold as long as the world is not changed
	defer q.Close()
	for n, t := range p.types {
		a.Block(t.name, func() {
			for i, run := range p.runs {
				if slices.Contains(run.Components, uint32(n)) {
					rows := p.walked[p.order[i]].Slice(ids[t.host], t.host)
					to := reflect.New(rows.Type())
					to.Elem().Set(rows)
					a.Keep(to.Interface())
				}
			}
		})
	}
}

// keepEntities writes which entities there are, or reads it.
func (p *people) keepEntities(a *archive.Archive) {
	rewrite := a.Entity
	a.Entity = nil // here they are as they stand
	defer func() { a.Entity = rewrite }()
	a.Block("entities", func() {
		a.Keep(&p.dump.Entities, &p.dump.Next, &p.dump.Available, &p.alive)
		if a.Reading() && a.Err() == nil {
			p.checkEntities(a)
		}
	})
	a.Block("runs", func() {
		a.Keep(&p.runs)
		if a.Reading() && a.Err() == nil {
			p.checkRuns(a)
		}
	})
}

// checkEntities refuses a table of entities in which one is there twice, or lost.
func (p *people) checkEntities(a *archive.Archive) {
	all := p.dump.Entities
	if len(all) < 1 || all[0] != archive.EntityOf(0, math.MaxUint32) || len(all) != 1+len(p.alive)+int(p.dump.Available) {
		a.Fail("it has places for %d entities, %d entities and %d free places, which does not fit", len(all), len(p.alive), p.dump.Available)
		return
	}
	seen := make([]bool, len(all))
	take := func(id uint32) bool {
		if id == 0 || int(id) >= len(all) || seen[id] {
			a.Fail("place %d of an entity is taken twice, or not there", id)
			return false
		}
		seen[id] = true
		return true
	}
	for _, id := range p.alive {
		if !take(id) {
			return
		}
		if all[id].ID() != id {
			a.Fail("entity %s stands in place %d", entityText(all[id]), id)
			return
		}
	}
	next := p.dump.Next
	for range p.dump.Available {
		if !take(next) {
			return
		}
		next = all[next].ID()
	}
}

// checkRuns refuses runs that cannot be.
func (p *people) checkRuns(a *archive.Archive) {
	rows := 0
	for i, run := range p.runs {
		if run.Rows < 1 || run.Rows > len(p.alive)-rows {
			a.Fail("run %d has %d rows, and %d entities are left", i, run.Rows, len(p.alive)-rows)
			return
		}
		rows += run.Rows
		for k, n := range run.Components {
			if int(n) >= len(p.components) || k > 0 && run.Components[k-1] >= n {
				a.Fail("run %d has components %v of %d, want each once, in their order", i, run.Components, len(p.components))
				return
			}
		}
		if run.Relation < -1 || run.Relation >= len(run.Components) {
			a.Fail("run %d has the relation %d of %d components", i, run.Relation, len(run.Components))
			return
		}
		relation := ""
		for k, n := range run.Components {
			if isRelation(p.types[n].host) != (k == run.Relation) {
				relation = p.types[n].name
			}
		}
		if relation != "" {
			a.Fail("run %d has components that do not fit its relation: %s", i, relation)
			return
		}
		if t := run.Target; !t.IsZero() && (within(t, len(p.dump.Entities)) != nil || p.dump.Entities[t.ID()] != t) {
			a.Fail("run %d is in relation to entity %s, which is dead", i, entityText(t))
			return
		}
		if run.Target != (ecs.Entity{}) && run.Relation < 0 {
			a.Fail("run %d has a target and no relation", i)
			return
		}
	}
	if rows != len(p.alive) {
		a.Fail("runs have %d rows, want %d", rows, len(p.alive))
	}
}

// isRelation reports whether a component is in relation to an entity: arche wants that as the
// first field.
func isRelation(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == reflect.TypeFor[ecs.Relation]()
}

// read reads all, and changes nothing.
func (p *people) read(a *archive.Archive, w *World) {
	known := w.savedTypes()
	a.Block("components", func() {
		a.Keep(&p.components)
		for i := range p.components {
			s := &p.components[i]
			t, ok := known[s.Name]
			switch {
			case !ok:
				a.Fail("component %s is not known here: want it in Config.Saved", s.Name)
			case i > 0 && p.components[i-1].Name >= s.Name:
				a.Fail("component %s is not in the order of names", s.Name)
			default:
				if err := s.check(t); err != nil {
					a.Fail("%w", err)
				}
			}
			p.types = append(p.types, t)
		}
	})
	p.keepEntities(a)
	if a.Err() != nil {
		return
	}
	n := len(p.dump.Entities)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) { return e, within(e, n) }
	p.columns = make([]reflect.Value, len(p.types)*len(p.runs))
	for n, t := range p.types {
		a.Block(t.name, func() {
			for i, run := range p.runs {
				if slices.Contains(run.Components, uint32(n)) {
					rows := reflect.New(reflect.SliceOf(t.host))
					if a.Keep(rows.Interface()); a.Err() == nil && rows.Elem().Len() != run.Rows {
						a.Fail("run %d has %d rows of it, want %d", i, rows.Elem().Len(), run.Rows)
					}
					p.columns[n*len(p.runs)+i] = rows.Elem()
				}
			}
		})
	}
}

// column returns the rows of a component in a run, as they were read; false if the run does not have it.
func (p *people) column(component, run int) (reflect.Value, bool) {
	rows := p.columns[component*len(p.runs)+run]
	return rows, rows.IsValid()
}

// component returns the number of a component of ours, -1 if no entity has it.
func (p *people) component(t reflect.Type) int {
	return slices.IndexFunc(p.types, func(x savedType) bool { return x.ours == t })
}

// entity returns the entity of a row, counted over all runs, as it was saved.
func (p *people) entity(row int) ecs.Entity { return p.dump.Entities[p.alive[row]] }

// asFree returns the table of entities with none alive, in which those to be made next
// are the ones that were read, run by run.
func (p *people) asFree() *ecs.EntityDump {
	all, next := archive.EntitiesOf(slices.Clone(p.dump.Entities)), p.dump.Next
	for _, id := range slices.Backward(p.alive) {
		all.Set(int(id), next, all.List[id].Generation())
		next = id
	}
	return &ecs.EntityDump{Entities: all.List, Next: next, Available: p.dump.Available + uint32(len(p.alive))}
}

// upcoming returns the next n entities that a world will make.
func upcoming(w *ecs.World, n int) []ecs.Entity {
	dump, next := w.DumpEntities(), archive.NewEntities(n)
	for i := range n {
		if i < int(dump.Available) {
			place := dump.Entities[dump.Next]
			next.Set(i, dump.Next, place.Generation())
			dump.Next = place.ID()
			continue
		}
		next.Set(i, uint32(len(dump.Entities)+i-int(dump.Available)), 0)
	}
	return next.List
}

// create makes the entities that were read, run by run; with their relations if the entities they are in
// relation to are known to the world.
func (p *people) create(w *World, related bool) {
	ids := make([]ecs.ID, len(p.types))
	for n, t := range p.types {
		ids[n] = ecs.TypeID(w.ECS, t.host)
	}
	var walker column.Walker
	for i := range p.runs {
		run := &p.runs[i]
		of := make([]ecs.ID, len(run.Components))
		for k, n := range run.Components {
			of[k] = ids[n]
		}
		p.fill(w, &walker, i, ids, p.batch(w, run, of, related))
	}
}

// batch makes the entities of a run.
func (p *people) batch(w *World, run *savedRun, ids []ecs.ID, related bool) ecs.Query {
	builder := ecs.NewBuilder(w.ECS, ids...)
	if related && run.Relation >= 0 {
		return builder.WithRelation(ids[run.Relation]).NewBatchQ(run.Rows, run.Target)
	}
	return builder.NewBatchQ(run.Rows)
}

// fill sets the components of the entities of a run.
func (p *people) fill(w *World, walker *column.Walker, run int, ids []ecs.ID, q ecs.Query) {
	defer q.Close()
	made := &walker.Walk(w.ECS, &q, nil)[0]
	for _, n := range p.runs[run].Components {
		rows, _ := p.column(int(n), run)
		reflect.Copy(made.Slice(ids[n], p.types[n].host), rows)
	}
}

// relate sets the relations of entities that have been made.
func (p *people) relate(w *World, entity func(ecs.Entity) ecs.Entity) {
	row := 0
	for i := range p.runs {
		run := &p.runs[i]
		for range run.Rows {
			if !run.Target.IsZero() {
				id := ecs.TypeID(w.ECS, p.types[run.Components[run.Relation]].host)
				w.ECS.Relations().Set(entity(p.entity(row)), id, entity(run.Target))
			}
			row++
		}
	}
}
