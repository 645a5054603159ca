package frame

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// pass is one walk over all rows that at least one of its systems works on.
type pass struct {
	frame   *Frame // whose part it is, or that of its Walk; nil: of BatchOf
	workers int
	perRow  float64 // ns of processor time that a row takes, as of late
	members []*member
	parts   []Attacher  // of its systems
	meets   []interlude // in the middle of it
	slots   []slot
	sizes   []uint32 // bytes, of the rows of each slot
	handles []*handle

	world      *ecs.World
	bound      column.Bindings
	filters    []*rowFilter // of the systems, and of what they want
	registered int          // components in the world, when last looked up
	complete   bool         // all components of the pass were among them
	filter     ecs.CachedFilter

	walker  column.Walker
	plans   []*plan // by kind
	query   ecs.Query
	runs    []column.Run
	columns []column.Column // of all slots, run after run
	loaded  []*plan         // of each run whose columns these are
	batches []int           // number of batches up to and with each run
	batch   Batch           // of walk
	ready   int             // workers that have the memory of all systems that met rows
}

// member is a system in a pass.
type member struct {
	system        System
	name          string
	place         int // in the list of the frame
	with          []reflect.Type
	without       []reflect.Type
	writes        []reflect.Type // the columns among them
	wants         []want
	partial       bool           // it is the first part of the system that is next
	adds          []reflect.Type // to what others add to as well
	takes         []reflect.Type // what others have added
	after, before []order
	once          bool   // no other one of its type in the frame
	inFrame       string // what it looks into in a frame, and cannot do without
	rows          rowFilter
	scratch       []scratch
	met           bool // it has rows, or had some
}

// plan is what happens to the rows of one kind.
type plan struct {
	members []int // the systems that work on them, in order
	part    []int // of members, those that do so now
	still   []int // of members, those that write nothing
	slots   []int // the columns that they have
}

// add enters a system and asks it for its needs.
func (p *pass) add(s System, place int) {
	m := &member{system: s, name: NameOf(s), place: place}
	p.members = append(p.members, m)
	s.Needs(&Needs{p, m})
	checkDeclared(m.name, reflect.ValueOf(s))
}

// enter is add for a system of a frame, which may want an interlude.
func (p *pass) enter(s System, place int) {
	if d, ok := s.(TwoPhase); ok {
		p.add(d.Collect(), place)
		p.members[len(p.members)-1].partial = true
		p.meets = append(p.meets, interlude{d, place, len(p.members)})
	}
	p.add(s, place)
}

// attach looks up the components that the world has and registers the filter.
func (p *pass) attach(w *ecs.World, bound column.Bindings) {
	p.world, p.bound = w, bound
	for _, m := range p.members {
		m.rows = rowFilter{with: m.with, without: m.without}
		p.filters = append(p.filters, &m.rows)
		for i := range m.wants {
			want := &m.wants[i]
			want.rows = rowFilter{with: []reflect.Type{want.of}, without: []reflect.Type{want.component}}
			p.filters = append(p.filters, &want.rows)
		}
	}
	p.lookUp()
	p.filter = w.Cache().Register(p)
}

// detach gives the filter back and forgets the world.
func (p *pass) detach(w *ecs.World) {
	w.Cache().Unregister(&p.filter)
	for _, h := range p.handles {
		h.pass = nil
	}
}

// load finds the runs of the open query, loads their columns and cuts them into
// batches of at most batchRows rows. It returns the number of rows and batches.
func (p *pass) load(w *ecs.World, batchRows int) (rows, batches int) {
	p.runs = p.walker.Walk(w, &p.query, p.runs)
	n := len(p.slots)
	p.columns = column.Resize(p.columns, n*len(p.runs))
	p.loaded = column.Resize(p.loaded, len(p.runs))
	p.batches = p.batches[:0]
	for i := range p.runs {
		r := &p.runs[i]
		p.loadRun(r, p.columns[i*n:(i+1)*n], &p.loaded[i])
		rows += r.Rows
		batches += (r.Rows + batchRows - 1) / batchRows
		p.batches = append(p.batches, batches)
	}
	return rows, batches
}

// loadRun loads the columns of a run. With ten thousand archetypes that is a
// cache miss a column, and most runs are where they were in the last step.
// Arche moves all columns of an archetype at once, when they grow, and no other
// can have come to lie where a column is remembered: so if the first one is
// still there, all are.
func (p *pass) loadRun(r *column.Run, columns []column.Column, loaded **plan) {
	plan := p.planOf(r.Kind)
	known := *loaded == plan
	if !known {
		clear(columns)
		*loaded = plan
	}
	for _, s := range plan.slots {
		same := p.slots[s].source.Reload(r, &columns[s])
		if same && known {
			return
		}
	}
}

// store writes back what had to be copied.
func (p *pass) store() {
	if !column.Copies {
		return
	}
	n := len(p.slots)
	for i := range p.runs {
		r := &p.runs[i]
		for _, s := range p.loaded[i].slots {
			if p.slots[s].written {
				p.slots[s].source.Store(r, p.columns[i*n+s])
			}
		}
	}
}

// allot gives as many workers the memory of the systems that met rows.
func (p *pass) allot(workers int) {
	if workers <= p.ready {
		return
	}
	for _, m := range p.members {
		for _, s := range m.scratch {
			if m.met {
				s.allot(workers)
			}
		}
	}
	p.ready = workers
}

// planOf returns the plan for rows of a kind.
func (p *pass) planOf(k *column.Kind) *plan {
	for len(p.plans) <= k.Index {
		p.plans = append(p.plans, nil)
	}
	if p.plans[k.Index] != nil {
		return p.plans[k.Index]
	}
	pl := &plan{}
	for i, m := range p.members {
		m.checkWants(&k.Mask)
		if m.rows.Matches(&k.Mask) {
			pl.members = append(pl.members, i)
			if !m.met {
				m.met, p.ready = true, 0
			}
			if !m.partial && len(m.writes) == 0 {
				pl.still = append(pl.still, i)
			}
		}
	}
	for i := range p.slots {
		if s := &p.slots[i]; s.found && k.Mask.Get(s.source.ID) {
			pl.slots = append(pl.slots, i)
		}
	}
	pl.part = pl.members
	p.plans[k.Index] = pl
	return pl
}

// fetchFirst has the rows of a batch brought into the cache if they are the first of a run.
// Where one archetype lies cannot be guessed from where others do; within one, the
// processor reads ahead by itself.
func (p *pass) fetchFirst(batch, run, batchRows int) {
	run, lo, hi := p.rowsOf(batch, run, batchRows)
	if n := len(p.slots); lo == 0 {
		column.Fetch(p.columns[run*n:run*n+n], p.sizes, lo, hi)
	}
}

// set puts the batch on rows lo to hi of a run.
func (p *pass) set(b *Batch, run, lo, hi int) {
	n := len(p.slots)
	b.columns = p.columns[run*n : run*n+n]
	b.run, b.lo, b.hi = &p.runs[run], lo, hi
}

// rowsOf returns in which run a batch is, from that of an earlier one on, and its rows.
func (p *pass) rowsOf(batch, run, batchRows int) (_, lo, hi int) {
	for p.batches[run] <= batch {
		run++
	}
	if run > 0 {
		batch -= p.batches[run-1]
	}
	lo = batch * batchRows
	return run, lo, min(lo+batchRows, p.runs[run].Rows)
}

// NameOf returns the name of a system, as it stands in Stats and in messages: what its method
// SystemName returns, or that of its type.
func NameOf(system any) string {
	if s, ok := system.(interface{ SystemName() string }); ok {
		return s.SystemName()
	}
	t := reflect.TypeOf(system)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}

// order says that a system comes after those of a type, or before them.
type order struct {
	other     reflect.Type
	otherwise string // what the later one would do
}

// After declares that the system comes after those of type T, a pointer to a struct,
// if the frame has any. Otherwise says what it would do before them, such as "push
// away from the threat of the step before": Initialize then panics with it.
func After[T any](n *Needs, otherwise string) {
	n.member.after = append(n.member.after, order{reflect.TypeFor[T](), otherwise})
}

// Before declares that the system comes before those of type T, which would otherwise
// do what is said: see After.
func Before[T any](n *Needs, otherwise string) {
	n.member.before = append(n.member.before, order{reflect.TypeFor[T](), otherwise})
}

// Add is Write for columns that several systems add to, such as Steering: they all
// come before the one that takes the sum, see Take, or Initialize panics. What is
// declared Optional before stays so.
func (n *Needs) Add(columns ...interface{ declareOut(*Needs, bool) }) {
	n.member.adds = append(n.member.adds, n.writes(columns)...)
}

// Take is Write for columns that the system uses up, and others add to: see Add. What
// is declared Optional before stays so.
func (n *Needs) Take(columns ...interface{ declareOut(*Needs, bool) }) {
	n.member.takes = append(n.member.takes, n.writes(columns)...)
}

// writes declares columns, and returns their types.
func (n *Needs) writes(columns []interface{ declareOut(*Needs, bool) }) []reflect.Type {
	from := len(n.member.writes)
	n.Write(columns...)
	return n.member.writes[from:]
}

// Once declares that the frame has no other system of this type, because a second one
// would do the same to every agent again.
func (n *Needs) Once() { n.member.once = true }

// checkOnce panics for a system that is twice in the list, which would run twice.
func checkOnce(systems []any) {
	for i, s := range systems {
		if t := reflect.TypeOf(s); t.Kind() != reflect.Pointer || t.Elem().Size() == 0 {
			continue // values without a state are equal, and no harm comes of that
		}
		if slices.Contains(systems[:i], s) {
			panic(fmt.Sprintf("crowd: %s is twice in one frame", NameOf(s)))
		}
	}
}

// checkOrder panics for a list of systems that can't work: one that comes before what
// it wants before it, one that adds to what was taken already, and two of a type of
// which there may be one.
func (f *Frame) checkOrder() {
	taken := map[reflect.Type]int{} // by which system
	seen := map[reflect.Type]bool{}
	for m := range f.members {
		for _, o := range m.after {
			if first := f.find(o.other); first > m.place {
				f.wrongOrder(first, m.place, o.otherwise)
			}
		}
		for _, o := range m.before {
			if then := f.find(o.other); then >= 0 && then < m.place {
				f.wrongOrder(m.place, then, o.otherwise)
			}
		}
		for _, t := range m.adds {
			if taker, ok := taken[t]; ok {
				f.wrongOrder(m.place, taker, "leave its "+what(t)+" to the next step")
			}
		}
		for _, t := range m.takes {
			if _, ok := taken[t]; !ok {
				taken[t] = m.place
			}
		}
		if t := reflect.TypeOf(m.system); m.once {
			if seen[t] {
				panic(fmt.Sprintf("crowd: %s is twice in one frame, and would treat every agent twice", m.name))
			}
			seen[t] = true
		}
	}
}

// what names what is added to a component.
func what(t reflect.Type) string {
	if t == reflect.TypeFor[c.Steering]() {
		return "force"
	}
	return t.Name()
}

// wrongOrder panics because a system comes too late.
func (f *Frame) wrongOrder(first, then int, otherwise string) {
	a, b := NameOf(f.systems[first]), NameOf(f.systems[then])
	panic(fmt.Sprintf("crowd: %s comes before %s in the frame, and would %s: put %s first", b, a, otherwise, a))
}

// find returns the index of the first system of that type, -1 if there is none.
func (f *Frame) find(t reflect.Type) int {
	return slices.IndexFunc(f.systems, func(s any) bool { return reflect.TypeOf(s) == t })
}
