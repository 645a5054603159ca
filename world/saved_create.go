package world

import (
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// asFree returns the table of entities with nobody alive, in which those who are to be made next
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

// create makes the entities that were read, run by run; with their relations if whom they are in
// relation to is known to the world.
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
