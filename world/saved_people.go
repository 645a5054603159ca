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

type entitySet struct {
	dump       ecs.EntityDump
	types      []savedType
	components []savedComponent
	runs       []savedRun
	alive      []uint32        // IDs, in the order of runs
	walked     []column.Run    // in the order of the world
	order      []int           // for each run, its index in walked
	columns    []reflect.Value // rows read, by component and run
}

type savedRun struct {
	Components []uint32 // sorted indexes in entitySet.components
	Relation   int      // index in Components; -1 means none
	Target     ecs.Entity
	Rows       int
}

func (w *World) census() (*entitySet, error) {
	p := &entitySet{dump: w.ECS.DumpEntities()}
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
	for t, id := range column.Registered(w.ECS, nil) {
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
	slices.SortStableFunc(p.order, func(i, k int) int { // independent of the order of archetypes
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

func (p *entitySet) number(types map[ecs.ID]savedType) map[ecs.ID]uint32 {
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

func (p *entitySet) run(w *World, r *column.Run, numbers map[ecs.ID]uint32) savedRun {
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

func (p *entitySet) write(a *archive.Archive, w *World) {
	a.Block("components", func() { a.Keep(&p.components) })
	p.keepEntities(a)
	ids := column.Registered(w.ECS, nil)
	q := w.ECS.Query(ecs.All()) // locks the world, so the runs stay valid
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

func (p *entitySet) keepEntities(a *archive.Archive) {
	rewrite := a.Entity
	a.Entity = nil // keep these entities unchanged
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

func (p *entitySet) checkEntities(a *archive.Archive) {
	all := p.dump.Entities
	if len(all) < 1 || all[0] != archive.EntityOf(0, math.MaxUint32) || len(all) != 1+len(p.alive)+int(p.dump.Available) {
		a.Fail("have %d places, want one for each of %d entities, %d free places and the zero entity", len(all), len(p.alive), p.dump.Available)
		return
	}
	seen := make([]bool, len(all))
	take := func(id uint32) bool {
		if id == 0 || int(id) >= len(all) || seen[id] {
			a.Fail("entity %d is listed twice, or does not exist", id)
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
			a.Fail("%s is in place %d, want the place of its ID", entityText(all[id]), id)
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

func (p *entitySet) checkRuns(a *archive.Archive) {
	rows := 0
	for i, run := range p.runs {
		if run.Rows < 1 || run.Rows > len(p.alive)-rows {
			a.Fail("run %d has %d rows, want 1 or more, and at most the %d left", i, run.Rows, len(p.alive)-rows)
			return
		}
		rows += run.Rows
		for k, n := range run.Components {
			if int(n) >= len(p.components) || k > 0 && run.Components[k-1] >= n {
				a.Fail("run %d has the components %v, want ascending numbers below %d", i, run.Components, len(p.components))
				return
			}
		}
		if run.Relation < -1 || run.Relation >= len(run.Components) {
			a.Fail("run %d has the relation %d, want -1 or the index of one of its %d components", i, run.Relation, len(run.Components))
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
			a.Fail("the relation target of run %d is %s, which is dead", i, entityText(t))
			return
		}
		if run.Target != (ecs.Entity{}) && run.Relation < 0 {
			a.Fail("run %d has a target but no relation", i)
			return
		}
	}
	if rows != len(p.alive) {
		a.Fail("runs have %d rows, want %d", rows, len(p.alive))
	}
}

// isRelation reports whether t is a relation. Like arche, it looks at the first field.
func isRelation(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).Type == reflect.TypeFor[ecs.Relation]()
}

func (p *entitySet) read(a *archive.Archive, w *World) {
	known := w.savedTypes()
	a.Block("components", func() {
		a.Keep(&p.components)
		for i := range p.components {
			s := &p.components[i]
			t, ok := known[s.Name]
			switch {
			case !ok:
				a.Fail("unknown component %s: want it in Config.Saved", s.Name)
			case i > 0 && p.components[i-1].Name >= s.Name:
				a.Fail("component %s is out of order", s.Name)
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
						a.Fail("run %d has %d rows, want %d", i, rows.Elem().Len(), run.Rows)
					}
					p.columns[n*len(p.runs)+i] = rows.Elem()
				}
			}
		})
	}
}

func (p *entitySet) column(component, run int) (reflect.Value, bool) {
	rows := p.columns[component*len(p.runs)+run]
	return rows, rows.IsValid()
}

func (p *entitySet) component(t reflect.Type) int {
	return slices.IndexFunc(p.types, func(x savedType) bool { return x.ours == t })
}

// entity returns the saved entity in a row. Rows are counted over all runs.
func (p *entitySet) entity(row int) ecs.Entity { return p.dump.Entities[p.alive[row]] }

// asFree returns the table of entities, all of them free. A world that loads this table creates them in the
// order of the runs.
func (p *entitySet) asFree() *ecs.EntityDump {
	all, next := archive.EntitiesOf(slices.Clone(p.dump.Entities)), p.dump.Next
	for _, id := range slices.Backward(p.alive) {
		all.Set(int(id), next, all.List[id].Generation())
		next = id
	}
	return &ecs.EntityDump{Entities: all.List, Next: next, Available: p.dump.Available + uint32(len(p.alive))}
}

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

// create creates the saved entities in the order of the runs. If related is true, it also sets their
// relations; the targets must exist.
func (p *entitySet) create(w *World, related bool) {
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
		builder, target := ecs.NewBuilder(w.ECS, of...), []ecs.Entity(nil)
		if related && run.Relation >= 0 {
			builder, target = builder.WithRelation(of[run.Relation]), []ecs.Entity{run.Target}
		}
		q := builder.NewBatchQ(run.Rows, target...)
		created := &walker.Walk(w.ECS, &q, nil)[0]
		for _, n := range run.Components {
			rows, _ := p.column(int(n), i)
			reflect.Copy(created.Slice(ids[n], p.types[n].host), rows)
		}
		q.Close()
	}
}

func (p *entitySet) relate(w *World, entity func(ecs.Entity) ecs.Entity) {
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
