package world

import (
	"encoding"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

type tables struct {
	nextID      uint64
	clock       frame.Clock
	paths       systems.Paths
	itineraries systems.Itineraries
	tracked     systems.TrackedEntities
	zones       systems.Zones
	polygons    sense.Polygons
	portals     sense.Portals
	fields      sense.FlowFields
	routes      *systems.Routes
}

func ourResources() []reflect.Type {
	all := []reflect.Type{reflect.TypeFor[Attachment]()}
	for f := range reflect.TypeFor[tables]().Fields() {
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.PkgPath() != "" { // not a plain number
			all = append(all, t)
		}
	}
	return all
}

// savedTables returns the tables, which share the memory of the world.
func (w *World) savedTables() *tables {
	return &tables{
		nextID: w.attachment.NextID, clock: *w.Clock,
		paths: *resource(w.ECS, &systems.Paths{}), itineraries: *resource(w.ECS, &systems.Itineraries{}),
		tracked: *resource(w.ECS, &systems.TrackedEntities{}), zones: *resource(w.ECS, &systems.Zones{}),
		polygons: *resource(w.ECS, &sense.Polygons{}), portals: *resource(w.ECS, &sense.Portals{}),
		fields: *resource(w.ECS, &sense.FlowFields{}), routes: resource(w.ECS, &systems.Routes{}),
	}
}

// keep writes the tables, or reads them into new memory.
func (t *tables) keep(a *archive.Archive) {
	a.Block("world.Attachment", func() { a.Keep(&t.nextID) })
	a.Block("frame.Clock", func() {
		a.Keep(&t.clock)
		if c := &t.clock; a.Reading() && !(c.Dt >= 0 && c.Dt <= math.MaxFloat64 && math.Abs(c.Time) <= math.MaxFloat64) {
			a.Fail("clock is at %v s with steps of %v s, want finite numbers, and steps of 0 or more", c.Time, c.Dt)
		}
	})
	a.Block("systems.Paths", func() { a.Keep(&t.paths) })
	a.Block("systems.Itineraries", func() { a.Keep(&t.itineraries) })
	a.Block("systems.TrackedEntities", func() { a.Keep(&t.tracked) })
	a.Block("systems.Zones", func() { a.Keep(&t.zones) })
	a.Block("sense.Polygons", func() { a.Keep(&t.polygons) })
	a.Block("sense.Portals", func() { a.Keep(&t.portals) })
	a.Block("sense.FlowFields", func() { a.Keep(&t.fields) })
	a.Block("systems.Routes", func() { t.routes.Keep(a) })
}

func (t *tables) put(w *World) {
	w.attachment.NextID, *w.Clock, w.fullPolygons = t.nextID, t.clock, 0
	*resource(w.ECS, &systems.Paths{}) = t.paths
	*resource(w.ECS, &systems.Itineraries{}) = t.itineraries
	*resource(w.ECS, &systems.TrackedEntities{}) = t.tracked
	*resource(w.ECS, &systems.Zones{}) = t.zones
	*resource(w.ECS, &sense.Polygons{}) = t.polygons
	*resource(w.ECS, &sense.Portals{}) = t.portals
	*resource(w.ECS, &sense.FlowFields{}) = t.fields
	*resource(w.ECS, &systems.Routes{}) = *t.routes
}

func (t *tables) checkJoin(w *World) error {
	all := slices.Concat(*resource(w.ECS, &sense.Portals{}), t.portals)
	if err := all.Check(); err != nil {
		return fmt.Errorf("saved and existing portals together: %w", err)
	}
	return nil
}

// join adds the tables to those of the world. For owners, see savedState.owners.
func (t *tables) join(w *World, owners map[uint64]uint64) {
	for i := range t.itineraries {
		for k := range t.itineraries[i] {
			if stop := &t.itineraries[i][k]; stop.GoesBy() {
				stop.Other = shifted(stop.Other, len(*resource(w.ECS, &systems.TrackedEntities{})))
			}
		}
	}
	now := w.savedTables()
	w.attachment.NextID = max(now.nextID, t.nextID)
	*resource(w.ECS, &systems.Paths{}) = append(now.paths, t.paths...)
	*resource(w.ECS, &systems.Itineraries{}) = append(now.itineraries, t.itineraries...)
	*resource(w.ECS, &systems.TrackedEntities{}) = append(now.tracked, t.tracked...)
	*resource(w.ECS, &systems.Zones{}) = append(now.zones, t.zones...)
	*resource(w.ECS, &sense.Polygons{}) = append(now.polygons, t.polygons...)
	*resource(w.ECS, &sense.Portals{}) = append(now.portals, t.portals...)
	*resource(w.ECS, &sense.FlowFields{}) = append(now.fields, t.fields...)
	now.routes.Join(t.routes, owners)
}

// shifted returns index+by, or the largest uint32 if that is less. No table has that many rows.
func shifted(index uint32, by int) uint32 {
	return uint32(min(uint64(index)+uint64(by), math.MaxUint32))
}

// reference is a component's field, such as a clock time or the index of a row in a table. References to
// entities are found by type.
type reference struct {
	component any
	field     string
	table     func(*tables) int // returns the number of rows of the table
	fromOne   bool              // rows are counted from 1, and 0 means none
}

func references() []reference {
	paths := func(t *tables) int { return len(t.paths) }
	itineraries := func(t *tables) int { return len(t.itineraries) }
	polygons := func(t *tables) int { return len(t.polygons) }
	fields := func(t *tables) int { return len(t.fields) }
	routes := func(t *tables) int { return t.routes.Len() }
	return []reference{
		{c.Path{}, "Index", paths, false}, {c.Itinerary{}, "Index", itineraries, false}, {c.FlowField{}, "Index", fields, false},
		{c.Obstacle{}, "Polygon", polygons, true}, {c.Route{}, "Way", routes, true},
	}
}

func times() []reference {
	all := []reference{{component: c.FreeSpeed{}, field: "Start"}}
	for _, component := range systems.Components() {
		all = append(all, reference{component: component, field: "Since"})
	}
	return all
}

func (p *entitySet) rewrite(now *tables, ahead float64, entity func(ecs.Entity) ecs.Entity) {
	for _, r := range references() {
		by := r.table(now)
		p.each(r, func(field []byte) {
			if index := native.Uint32(field); index > 0 || !r.fromOne {
				native.PutUint32(field, shifted(index, by))
			}
		})
	}
	for _, r := range times() {
		p.each(r, func(field []byte) { putFloat(field, floatOf(field)+ahead) })
	}
	p.shiftDoors(ahead)
	one := archive.NewEntities(1)
	for n, t := range p.types {
		for _, leaf := range column.Leaves(t.host) {
			if leaf.Kind == reflect.Struct {
				p.eachOf(n, leaf, func(field []byte) {
					e := entity(one.Set(0, native.Uint32(field), native.Uint32(field[4:])))
					native.PutUint32(field, e.ID())
					native.PutUint32(field[4:], e.Generation())
				})
			}
		}
	}
}

// shiftDoors shifts the times of doors. A periodic time below 0 becomes its first occurrence at 0 or
// later.
func (p *entitySet) shiftDoors(ahead float64) {
	var periods []float64
	p.each(reference{component: c.Door{}, field: "Period"}, func(field []byte) { periods = append(periods, floatOf(field)) })
	for _, name := range []string{"Opens", "Closes"} {
		door := 0
		p.each(reference{component: c.Door{}, field: name}, func(field []byte) {
			at, period := floatOf(field)+ahead, periods[door]
			if at < 0 && period > 0 {
				at += float64(math.Ceil(-at/period) * period)
			}
			putFloat(field, at)
			door++
		})
	}
}

var native = binary.NativeEndian

func floatOf(field []byte) float64 { return math.Float64frombits(native.Uint64(field)) }

func putFloat(field []byte, x float64) { native.PutUint64(field, math.Float64bits(x)) }

func (p *entitySet) each(r reference, visit func(field []byte)) {
	t := reflect.TypeOf(r.component)
	if n := p.component(t); n >= 0 {
		for _, leaf := range column.Leaves(t) {
			if leaf.Path == r.field {
				p.eachOf(n, leaf, visit)
			}
		}
	}
}

func (p *entitySet) eachOf(component int, leaf column.Leaf, visit func(field []byte)) {
	for run := range p.runs {
		rows, ok := p.column(component, run)
		if !ok {
			continue
		}
		memory, size := column.Memory(rows), int(rows.Type().Elem().Size())
		for i := range rows.Len() {
			visit(memory[i*size+int(leaf.Offset):])
		}
	}
}

func (w *World) hostResources() (types []reflect.Type) {
	for _, value := range w.config.Saved {
		if t := reflect.TypeOf(value); t.Kind() == reflect.Pointer {
			types = append(types, t)
		}
	}
	return types
}

// checkKinds returns an error if Config.Saved lists a resource by value, a component by pointer, or a resource
// with unexported fields that JSON would lose.
func (w *World) checkKinds() error {
	components := column.Registered(w.ECS, nil)
	for i, value := range w.config.Saved {
		t := reflect.TypeOf(value)
		if t.Kind() == reflect.Pointer {
			if _, is := components[t.Elem()]; is && w.findResource(t) == nil {
				return fmt.Errorf("saved[%d] is %v, but %v is a component; list it by value", i, t, t.Elem())
			}
			if field := unexported(t, map[reflect.Type]bool{}); field != "" {
				return fmt.Errorf("saved[%d] is %v, but JSON would lose %s; export it, give it the tag json:\"-\" to leave it out, or write the methods MarshalJSON and UnmarshalJSON", i, t, field)
			}
		} else if _, is := components[t]; !is && w.findResource(reflect.PointerTo(t)) != nil {
			return fmt.Errorf("saved[%d] is %v, which is a resource; list it by pointer", i, t)
		}
	}
	return nil
}

// unexported returns the name of an unexported field that JSON would lose in a value of type t, or "". It
// ignores fields with the tag json:"-", and types that marshal themselves.
func unexported(t reflect.Type, seen map[reflect.Type]bool) string {
	to := reflect.PointerTo(t)
	if seen[t] || to.Implements(reflect.TypeFor[json.Marshaler]()) || to.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return unexported(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("json") == "-" {
				continue
			}
			if !f.IsExported() && !f.Anonymous {
				return fmt.Sprintf("%v.%s", t, f.Name)
			}
			if name := unexported(f.Type, seen); name != "" {
				return name
			}
		}
	}
	return ""
}

func (w *World) findResource(t reflect.Type) any {
	for _, id := range ecs.ResourceIDs(w.ECS) {
		if typ, _ := ecs.ResourceType(w.ECS, id); typ == t.Elem() && w.ECS.Resources().Has(id) {
			return w.ECS.Resources().Get(id)
		}
	}
	return nil
}

func (w *World) saveHost(a *archive.Archive) (err error) {
	for _, t := range w.hostResources() {
		r := w.findResource(t)
		a.Block(t.Elem().String(), func() {
			var text []byte
			if r != nil {
				if text, err = json.Marshal(r); err != nil {
					err = fmt.Errorf("resource %v: %w", t.Elem(), err)
				}
			}
			a.Keep(&text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *World) readHost(a *archive.Archive) (all []any) {
	for _, t := range w.hostResources() {
		a.Block(t.Elem().String(), func() {
			var text []byte
			if a.Keep(&text); a.Err() != nil || len(text) == 0 {
				all = append(all, nil)
				return
			}
			r := reflect.New(t.Elem())
			if err := json.Unmarshal(text, r.Interface()); err != nil {
				a.Fail("%w", err)
				return
			}
			all = append(all, r.Interface())
			rewriteEntities(r, func(e ecs.Entity) ecs.Entity {
				if _, err := a.Entity(e); err != nil {
					a.Fail("%w", err)
				}
				return e
			})
		})
	}
	if next := a.Next(); next != "" && next != "world" {
		a.Fail("resource %s was saved but is not in Config.Saved", next)
	}
	return all
}

func (w *World) putHost(all []any) {
	for _, r := range all {
		if r == nil {
			continue
		}
		if old := w.findResource(reflect.TypeOf(r)); old != nil {
			reflect.ValueOf(old).Elem().Set(reflect.ValueOf(r).Elem())
			continue
		}
		w.ECS.Resources().Add(ecs.ResourceTypeID(w.ECS, reflect.TypeOf(r).Elem()), r)
	}
}

// rewriteEntities replaces the entities in v, following pointers, maps and interfaces.
func rewriteEntities(v reflect.Value, entity func(ecs.Entity) ecs.Entity) {
	(&rewriter{entity: entity, seen: map[visited]bool{}}).visit(v)
}

type rewriter struct {
	entity func(ecs.Entity) ecs.Entity
	seen   map[visited]bool
}

type visited struct {
	at uintptr
	t  reflect.Type
}

func (r *rewriter) visit(v reflect.Value) {
	if v.Type() == reflect.TypeFor[ecs.Entity]() {
		v.Set(reflect.ValueOf(r.entity(v.Interface().(ecs.Entity))))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if at := (visited{v.Pointer(), v.Type()}); !v.IsNil() && !r.seen[at] {
			r.seen[at] = true
			r.visit(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(r.copied(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			r.visit(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // includes unexported fields
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			r.visit(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		all := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			all.SetMapIndex(r.copied(it.Key()), r.copied(it.Value()))
		}
		v.Set(all)
	}
}

func (r *rewriter) copied(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	r.visit(to)
	return to
}
