package frame

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"sync"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// In is a column that a system reads: a field of the system, declared in its Needs.
type In[T any] struct{ handle }

// Out is a column that a system reads and writes: a field of the system, declared in its Needs.
type Out[T any] struct{ handle }

// Of returns the column's rows in a batch, or nil if the column is optional and the batch lacks it. The slice
// is valid during Run.
func (c *In[T]) Of(b *Batch) []T { return column.Rows[T](b.columns[c.place-1], b.lo, b.hi) }

// Of returns the column's rows in a batch, or nil if the column is optional and the batch lacks it. The slice
// is valid during Run.
func (c *Out[T]) Of(b *Batch) []T { return column.Rows[T](b.columns[c.place-1], b.lo, b.hi) }

func (c *In[T]) declareIn(n *Needs, optional bool)   { declare[T](n, &c.handle, false, optional) }
func (c *Out[T]) declareOut(n *Needs, optional bool) { declare[T](n, &c.handle, true, optional) }
func (c *In[T]) declare(n *Needs)                    { c.declareIn(n, true) }
func (c *Out[T]) declare(n *Needs)                   { c.declareOut(n, true) }

// FetchNext prefetches the column's rows in the archetype's next batch, for systems that read scattered rows.
func (c *In[T]) FetchNext(b *Batch) {
	if b.run != nil && b.hi < b.run.Rows {
		size := [1]uint32{uint32(reflect.TypeFor[T]().Size())}
		column.Fetch(b.columns[c.place-1:c.place], size[:], b.hi, min(b.hi+b.Len(), b.run.Rows))
	}
}

// handle locates a column by its slot, which is the same in every batch of a pass.
type handle struct {
	place int // slot number, from 1; 0 means not declared
	pass  *pass
}

func (h *handle) declared() bool { return h.place > 0 }

// Needs collects a system's declarations. The batches of a system contain only rows with all required columns
// and components, and without excluded ones. A system must declare all its columns and scratch memory;
// otherwise Initialize panics. Columns used only sometimes are Optional.
type Needs struct {
	pass   *pass
	member *member
}

// Read declares columns that the system reads.
func (n *Needs) Read(columns ...interface{ declareIn(*Needs, bool) }) {
	for _, c := range columns {
		c.declareIn(n, false)
	}
}

// Write declares columns that the system writes and may read.
func (n *Needs) Write(columns ...interface{ declareOut(*Needs, bool) }) {
	for _, c := range columns {
		c.declareOut(n, false)
	}
}

// Optional declares columns, In or Out, that a batch may lack.
func (n *Needs) Optional(columns ...interface{ declare(*Needs) }) {
	for _, c := range columns {
		c.declare(n)
	}
}

// With restricts a system to rows that have component T, such as a tag.
func With[T any](n *Needs) { n.member.with = append(n.member.with, reflect.TypeFor[T]()) }

// WithType is like With, for a type known only at run time.
func (n *Needs) WithType(t reflect.Type) { n.member.with = append(n.member.with, t) }

// Without restricts a system to rows that lack component T.
func Without[T any](n *Needs) { n.member.without = append(n.member.without, reflect.TypeFor[T]()) }

// want is a component required of entities that have another component.
type want struct {
	of, component reflect.Type
	rows          rowFilter // entities that lack the component
}

// Require makes the frame panic when it meets entities that have component T but lack U.
func Require[T, U any](n *Needs) {
	n.member.wants = append(n.member.wants, want{of: reflect.TypeFor[T](), component: reflect.TypeFor[U]()})
}

func (m *member) checkWants(kind *ecs.Mask) {
	for _, want := range m.wants {
		if want.rows.Matches(kind) {
			panic(fmt.Sprintf("crowd: %s found an entity with %v but without %v: add both, as systems.Add does", m.name, want.of, want.component))
		}
	}
}

// Scratch is a system's memory per worker. A worker has memory only once the system has rows and the crowd is
// large enough for the worker to take part.
type Scratch[T any] struct {
	workers []*padded[T] // nil means none
	init    func(*T)
}

type padded[T any] struct {
	value T
	_     [64]byte
}

// Of returns the memory of the worker that runs the batch.
func (s *Scratch[T]) Of(b *Batch) *T { return &s.workers[b.Worker].value }

// Each calls the function visit for the memory of each worker that has some. Call Each in Observe.
func (s *Scratch[T]) Each(visit func(*T)) {
	for _, w := range s.workers {
		if w != nil {
			visit(&w.value)
		}
	}
}

// First returns the memory of the first worker, and allocates it if needed. It is for use in Keep.
func (s *Scratch[T]) First() *T {
	s.allot(1)
	return &s.workers[0].value
}

// Init sets a function that initializes each worker's memory before its first use. Call it after
// Needs.Scratch.
func (s *Scratch[T]) Init(init func(*T)) { s.init = init }

func (s *Scratch[T]) declare(workers int) { s.workers, s.init = make([]*padded[T], workers), nil }
func (s *Scratch[T]) declared() bool      { return s.workers != nil }

func (s *Scratch[T]) allot(workers int) {
	for i := range workers {
		if s.workers[i] == nil {
			if s.workers[i] = new(padded[T]); s.init != nil {
				s.init(&s.workers[i].value)
			}
		}
	}
}

// Name returns the name of the system.
func (n *Needs) Name() string { return n.member.name }

// Part declares a field of the system, such as a sense.Query, that is attached after all systems.
func (n *Needs) Part(p Attacher) { n.pass.parts = append(n.pass.parts, p) }

// InFrame declares that the system works only in a frame, because it reads the named input, such as
// "sense.Neighbors". BatchOf panics for such a system.
func (n *Needs) InFrame(what string) { n.member.inFrame = what }

// Scratch declares memory per worker.
func (n *Needs) Scratch(s scratch) {
	s.declare(n.pass.workers)
	n.member.scratch = append(n.member.scratch, s)
}

type scratch interface {
	declare(workers int)
	allot(workers int)
}

func declare[T any](n *Needs, h *handle, write, optional bool) {
	t := reflect.TypeFor[T]()
	if t.Size() == 0 {
		panic(fmt.Sprintf("crowd: %s declares a column of %v, which has size 0: use With", n.member.name, t))
	}
	if h.pass != nil && h.pass != n.pass {
		panic(fmt.Sprintf("crowd: %s is in two frames at once", n.member.name))
	}
	p := n.pass
	known := h.pass == p
	slot := p.slotOf(t, column.SourceIn[T])
	h.pass, h.place = p, slot+1
	if !known {
		p.handles = append(p.handles, h)
	}
	p.slots[slot].written = p.slots[slot].written || write
	if write {
		n.member.writes = append(n.member.writes, t)
	}
	if !optional && !known {
		n.member.with = append(n.member.with, t)
	}
}

// checkDeclared panics if a system has a column or scratch memory that Needs has not declared. A system that
// is a field of another system declares its own fields.
func checkDeclared(name string, system reflect.Value) {
	if system = reflect.Indirect(system); system.Kind() != reflect.Struct || !system.CanAddr() {
		return
	}
	for _, index := range declarableFields(system.Type()) {
		field := system.FieldByIndex(index)
		if !reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Interface().(declarable).declared() {
			panic(fmt.Sprintf("crowd: %s has the field %s, a %v, but does not declare it: pass it to Read, Write, Optional or Scratch in Needs",
				name, system.Type().FieldByIndex(index).Name, field.Type()))
		}
	}
}

func declarableFields(system reflect.Type) [][]int {
	if all, ok := declarables.Load(system); ok {
		return all.([][]int)
	}
	var all [][]int
	var look func(t reflect.Type, index []int)
	look = func(t reflect.Type, index []int) {
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Type.Kind() != reflect.Struct {
				continue
			}
			at := append(slices.Clip(index), i)
			switch pointer := reflect.PointerTo(f.Type); {
			case pointer.Implements(declarableType):
				all = append(all, at)
			case f.Anonymous || !pointer.Implements(systemType):
				look(f.Type, at)
			}
		}
	}
	look(system, nil)
	declarables.Store(system, all)
	return all
}

var declarables sync.Map // fields by reflect.Type

type declarable interface{ declared() bool }

var (
	declarableType = reflect.TypeFor[declarable]()
	systemType     = reflect.TypeFor[System]()
)

type slot struct {
	typ     reflect.Type
	find    func(column.Bindings, *ecs.World) column.Source
	source  column.Source
	found   bool // registered in the world
	written bool
}

func (p *pass) slotOf(t reflect.Type, find func(column.Bindings, *ecs.World) column.Source) int {
	for i := range p.slots {
		if p.slots[i].typ == t {
			return i
		}
	}
	p.slots = append(p.slots, slot{typ: t, find: find})
	p.sizes = append(p.sizes, uint32(t.Size()))
	return len(p.slots) - 1
}

// Component reads component T, or the type bound in its place, of any entity. It is for systems that have the
// world to themselves, such as a Sensor. For many entities, a Walk is faster.
type Component[T any] struct {
	world  *ecs.World
	source column.Source
}

// Attach looks up the component in a world.
func (c *Component[T]) Attach(f *Frame, w *ecs.World) {
	c.world, c.source = w, column.SourceIn[T](f.bound, w)
}

// Of returns the component of a living entity, and whether the entity has the component.
func (c *Component[T]) Of(e ecs.Entity) (T, bool) { return column.At[T](c.world, &c.source, e) }

// Alive reports whether an entity is alive. The zero entity is not.
func (c *Component[T]) Alive(e ecs.Entity) bool { return !e.IsZero() && c.world.Alive(e) }

// Binding replaces a component type of this module with a host's type, without copies: see Bound. The zero
// Binding is invalid.
type Binding = column.Binding

// Bindings holds the bindings of a frame.
type Bindings = column.Bindings

// Bound returns the binding of a host's type H in place of component T, for Frame.Bind and world.Config.Bind.
// Both types must have the same memory layout, such as two float64 fields, and fields called X and Y must be
// in the same order. The functions that use the binding check this.
func Bound[T, H any]() Binding { return column.Bound[T, H]() }

// Bind uses host types in place of types of this module in all systems of the frame. It returns an error for
// a type that differs in layout, has its axes swapped, or is bound to two types. Earlier bindings in the list
// take effect. Bind panics if the frame is initialized.
func (f *Frame) Bind(bindings ...Binding) error {
	if f.workers != nil {
		panic("crowd: Bind called after Initialize")
	}
	for _, b := range bindings {
		if err := f.bound.Add(b); err != nil {
			return fmt.Errorf("crowd: %w", err)
		}
	}
	return nil
}

// Bind is like Frame.Bind, for a single type.
func Bind[T, H any](f *Frame) error { return f.Bind(Bound[T, H]()) }

// Declared holds what a System of an initialized frame declared in its Needs.
type Declared struct {
	System  System
	Name    string
	Index   int            // in the frame's list
	With    []reflect.Type // required components
	Without []reflect.Type // excluded components
	Writes  []reflect.Type // columns that the system writes, optional or not; for a TwoPhase, also those of Collect
	Adds    []reflect.Type // columns that the system adds to: see Needs.Add
	Takes   []reflect.Type // columns that the system consumes: see Needs.Take

	rows *rowFilter
}

// Matches reports whether the system works on the row of a living entity.
func (d *Declared) Matches(w *ecs.World, e ecs.Entity) bool {
	mask := w.Mask(e)
	return d.rows.Matches(&mask)
}

// Declared returns an iterator over the declarations of all Systems of an initialized frame, in order.
func (f *Frame) Declared() iter.Seq[*Declared] {
	return func(yield func(*Declared) bool) {
		var collected []reflect.Type
		for p := range f.passes {
			for _, m := range p.members {
				if m.partial {
					collected = m.writes
					continue
				}
				writes := slices.Concat(collected, m.writes)
				collected = nil
				if !yield(&Declared{m.system, m.name, m.place, m.with, m.without, writes, m.adds, m.takes, &m.rows}) {
					return
				}
			}
		}
	}
}

// members visits the members of all passes except Collect systems, in order.
func (f *Frame) members(yield func(*member) bool) {
	for p := range f.passes {
		for _, m := range p.members {
			if !m.partial && !yield(m) {
				return
			}
		}
	}
}

// rowFilter matches rows that have some components and lack others. It registers no components, because arche
// has room for only 256, or 64 in its tiny build. No row has a component that is not registered.
type rowFilter struct {
	with, without []reflect.Type
	mask          ecs.MaskFilter
	asleep        bool // a component of with is not registered
}

func (f *rowFilter) Matches(bits *ecs.Mask) bool { return !f.asleep && f.mask.Matches(bits) }

// lookUp sets the mask to the registered components, and reports whether all are registered.
func (f *rowFilter) lookUp(registered func(reflect.Type) (ecs.ID, bool)) (all bool) {
	mask := func(types []reflect.Type) (m ecs.Mask, all bool) {
		all = true
		for _, t := range types {
			id, ok := registered(t)
			if all = all && ok; ok {
				m.Set(id, true)
			}
		}
		return m, all
	}
	include, with := mask(f.with)
	exclude, without := mask(f.without)
	f.mask, f.asleep = ecs.MaskFilter{Include: include, Exclude: exclude}, !with
	return with && without
}

func (p *pass) lookUp() {
	p.registered, p.complete = column.Registered(p.world, p.registered), true
	registered := func(t reflect.Type) (ecs.ID, bool) {
		id, ok := p.registered[p.bound.HostType(t)]
		return id, ok
	}
	for i := range p.slots {
		s := &p.slots[i]
		if s.found {
			continue
		}
		if _, s.found = registered(s.typ); s.found {
			s.source = s.find(p.bound, p.world)
		}
		p.complete = p.complete && s.found
	}
	for _, f := range p.filters {
		p.complete = f.lookUp(registered) && p.complete
	}
}

// Matches reports whether a system works on rows with the given components, or Require must check those rows.
// Arche calls Matches for each new archetype, so the pass finds components that are registered late.
func (p *pass) Matches(bits *ecs.Mask) bool {
	if !p.complete && len(ecs.ComponentIDs(p.world)) != len(p.registered) {
		p.lookUp()
	}
	for _, f := range p.filters {
		if f.Matches(bits) {
			return true
		}
	}
	return false
}
