package frame

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// pass is a walk over all rows on which any of its systems works.
type pass struct {
	frame   *Frame // nil for BatchOf
	workers int
	perRow  float64 // ns of CPU time per row, running average
	members []*member
	parts   []Attacher // declared by its systems: see Needs.Part
	meets   []interlude
	slots   []slot
	sizes   []uint32 // bytes per row, by slot
	handles []*handle

	world      *ecs.World
	bound      column.Bindings
	filters    []*rowFilter            // of the systems and their requirements
	registered map[reflect.Type]ecs.ID // at the last lookup
	complete   bool                    // all components were found
	filter     ecs.CachedFilter

	walker  column.Walker
	plans   []*plan // by archetype
	query   ecs.Query
	runs    []column.Run
	columns []column.Column // of all slots, run by run
	loaded  []*plan         // owner of each run's columns
	still   []int           // steps since the run's columns moved
	batches []int           // number of batches up to and including each run
	batch   Batch           // for a Walk
	ready   int             // workers with scratch memory for all systems that have met rows
}

type member struct {
	system        System
	name          string
	place         int // in the frame's list
	with          []reflect.Type
	without       []reflect.Type
	writes        []reflect.Type
	wants         []want
	partial       bool           // the Collect system of the next member
	adds          []reflect.Type // columns that other systems add to as well
	takes         []reflect.Type // columns that other systems have added to
	after, before []order
	once          bool
	inFrame       string
	rows          rowFilter
	scratch       []scratch
	met           bool // has met rows
}

type plan struct {
	members []int // all systems for the rows, in order
	part    []int // active members
	still   []int // members that write nothing, without Collect systems
	slots   []int
}

func (p *pass) add(s System, place int) {
	m := &member{system: s, name: NameOf(s), place: place}
	p.members = append(p.members, m)
	s.Needs(&Needs{p, m})
	checkDeclared(m.name, reflect.ValueOf(s))
}

func (p *pass) enter(s System, place int) {
	if d, ok := s.(TwoPhase); ok {
		p.add(d.Collect(), place)
		p.members[len(p.members)-1].partial = true
		p.meets = append(p.meets, interlude{d, place, len(p.members)})
	}
	p.add(s, place)
}

func (p *pass) attach(w *ecs.World, bound column.Bindings) {
	p.world, p.bound, p.registered = w, bound, nil
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

func (p *pass) detach(w *ecs.World) {
	w.Cache().Unregister(&p.filter)
	for _, h := range p.handles {
		h.pass = nil
	}
}

// load loads the columns of the open query.
func (p *pass) load(w *ecs.World, batchRows int) (rows, batches int) {
	p.runs = p.walker.Walk(w, &p.query, p.runs)
	n := len(p.slots)
	p.columns = column.Resize(p.columns, n*len(p.runs))
	p.loaded, p.still = column.Resize(p.loaded, len(p.runs)), column.Resize(p.still, len(p.runs))
	p.batches = p.batches[:0]
	for i := range p.runs {
		r := &p.runs[i]
		p.loadRun(r, p.columns[i*n:(i+1)*n], &p.loaded[i], &p.still[i])
		rows += r.Rows
		batches += (r.Rows + batchRows - 1) / batchRows
		p.batches = append(p.batches, batches)
	}
	return rows, batches
}

// loadRun loads the columns of a run. If the first column has not moved, none has, because arche moves all
// columns of an archetype together.
func (p *pass) loadRun(r *column.Run, columns []column.Column, loaded **plan, still *int) {
	plan := p.planOf(r.Kind)
	known := *loaded == plan
	if !known {
		clear(columns)
		*loaded = plan
	}
	for _, s := range plan.slots {
		same := p.slots[s].source.Reload(r, &columns[s])
		if same && known {
			if *still++; *still == settled {
				p.settle(r, plan, columns)
			}
			return
		}
	}
	*still = 0
}

// settled is the number of steps without a move after which columns get huge pages. Moving them there takes
// about as long as a move by arche, and columns of a growing archetype would soon move again.
const settled = 10

func (p *pass) settle(r *column.Run, plan *plan, columns []column.Column) {
	for _, s := range plan.slots {
		columns[s].Huge(r.Rows, p.sizes[s])
	}
}

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

// allot allocates scratch memory for the systems that have met rows.
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

// planOf returns the plan for an archetype. It panics if a component that Require names is missing.
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

// fetchFirst prefetches a batch if it is the first of a run, because the processor prefetches only within an
// archetype.
func (p *pass) fetchFirst(batch, run, batchRows int) {
	run, lo, hi := p.rowsOf(batch, run, batchRows)
	if n := len(p.slots); lo == 0 {
		column.Fetch(p.columns[run*n:run*n+n], p.sizes, lo, hi)
	}
}

func (p *pass) set(b *Batch, run, lo, hi int) {
	n := len(p.slots)
	b.columns = p.columns[run*n : run*n+n]
	b.run, b.lo, b.hi = &p.runs[run], lo, hi
}

// rowsOf returns the run of a batch, searched from the given run on, and the batch's rows in that run.
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

// NameOf returns the name of a system in Stats and in messages: the result of its method SystemName, or else
// the name of its type.
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

type order struct {
	other     reflect.Type
	otherwise string // what the system that belongs later does if it comes first
}

// After declares that the system must come after the first system of the pointer type T, if the frame has
// one. If the order is wrong, Initialize panics with a message that contains the given text: what this system
// would then do, such as "push away from the threat of the previous step".
func After[T any](n *Needs, otherwise string) {
	n.member.after = append(n.member.after, order{reflect.TypeFor[T](), otherwise})
}

// Before declares that the system must come before all systems of type T. The given text says what those
// systems would do if they came first.
func Before[T any](n *Needs, otherwise string) {
	n.member.before = append(n.member.before, order{reflect.TypeFor[T](), otherwise})
}

// Add is like Write, for columns that several systems add to, such as Steering. Initialize panics if such a
// system comes after the system that takes the sum: see Take. Columns that are already Optional stay
// optional.
func (n *Needs) Add(columns ...interface{ declareOut(*Needs, bool) }) {
	n.member.adds = append(n.member.adds, n.writes(columns)...)
}

// Take is like Write, for columns that other systems add to and this system consumes: see Add. Columns that
// are already Optional stay optional.
func (n *Needs) Take(columns ...interface{ declareOut(*Needs, bool) }) {
	n.member.takes = append(n.member.takes, n.writes(columns)...)
}

func (n *Needs) writes(columns []interface{ declareOut(*Needs, bool) }) []reflect.Type {
	from := len(n.member.writes)
	n.Write(columns...)
	return n.member.writes[from:]
}

// Once declares that a frame must have no other system of this type, because two would process every agent
// twice.
func (n *Needs) Once() { n.member.once = true }

func checkOnce(systems []any) {
	for i, s := range systems {
		if t := reflect.TypeOf(s); t.Kind() != reflect.Pointer || t.Elem().Size() == 0 {
			continue // values without state are equal, which is harmless
		}
		if slices.Contains(systems[:i], s) {
			panic(fmt.Sprintf("crowd: %s appears twice in one frame", NameOf(s)))
		}
	}
}

// checkOrder panics if a system violates After, Before or Once, or adds to a column that an earlier system
// has taken.
func (f *Frame) checkOrder() {
	taken := map[reflect.Type]int{} // index of the first system that takes each column
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
				panic(fmt.Sprintf("crowd: %s appears twice in one frame, and would process every agent twice", m.name))
			}
			seen[t] = true
		}
	}
}

func what(t reflect.Type) string {
	if t == reflect.TypeFor[c.Steering]() {
		return "force"
	}
	return t.Name()
}

func (f *Frame) wrongOrder(first, then int, otherwise string) {
	a, b := NameOf(f.systems[first]), NameOf(f.systems[then])
	panic(fmt.Sprintf("crowd: %s comes before %s in the frame, and would %s: put %s first", b, a, otherwise, a))
}

func (f *Frame) find(t reflect.Type) int {
	return slices.IndexFunc(f.systems, func(s any) bool { return reflect.TypeOf(s) == t })
}
