package frame

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// pass is a walk over all rows that any of its systems works on.
type pass struct {
	frame   *Frame // frame of the pass, or of its Walk; nil for BatchOf
	workers int
	perRow  float64 // ns of CPU time per row, running average
	members []*member
	parts   []Attacher  // parts of its systems
	meets   []interlude // interludes in the middle of the pass
	slots   []slot
	sizes   []uint32 // size of a row, per slot
	handles []*handle

	world      *ecs.World
	bound      column.Bindings
	filters    []*rowFilter            // filters of the systems and of their requirements
	registered map[reflect.Type]ecs.ID // components of the world at the last look-up
	complete   bool                    // all components of the pass were found
	filter     ecs.CachedFilter

	walker  column.Walker
	plans   []*plan // by archetype
	query   ecs.Query
	runs    []column.Run
	columns []column.Column // columns of all slots, run by run
	loaded  []*plan         // owner of the columns of each run
	batches []int           // number of batches up to and including each run
	batch   Batch           // batch of the walk
	ready   int             // number of workers with scratch memory for all systems that have met rows
}

type member struct {
	system        System
	name          string
	place         int // index in the frame's list
	with          []reflect.Type
	without       []reflect.Type
	writes        []reflect.Type // types of the columns that it writes
	wants         []want
	partial       bool           // it is the Collect system of the next member
	adds          []reflect.Type // columns that other systems add to as well
	takes         []reflect.Type // columns that other systems have added to
	after, before []order
	once          bool   // the frame must have no other system of its type
	inFrame       string // what the system needs from a frame
	rows          rowFilter
	scratch       []scratch
	met           bool // the system has met rows
}

// plan describes how the rows of an archetype are processed.
type plan struct {
	members []int // systems that work on the rows, in order
	part    []int // the active systems
	still   []int // systems that write nothing, except Collect systems
	slots   []int // slots of the rows' columns
}

func (p *pass) add(s System, place int) {
	m := &member{system: s, name: NameOf(s), place: place}
	p.members = append(p.members, m)
	s.Needs(&Needs{p, m})
	checkDeclared(m.name, reflect.ValueOf(s))
}

// enter is like add, for a system of a frame, which may need an interlude.
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

// load finds the runs of the open query, loads their columns and cuts them into batches of at most
// batchRows rows. It returns the number of rows and batches.
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

// loadRun loads the columns of a run. With ten thousand archetypes, each load is a cache miss, and
// most columns have not moved since the last step. Arche moves all columns of an archetype together
// when they grow, and other columns cannot be at a remembered address. So if the first column
// has not moved, none has.
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

// store writes back columns that had to be copied.
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

// allot allocates the scratch memory of workers for the systems that have met rows.
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

// fetchFirst prefetches the rows of a batch if they are the first rows of a run. The processor
// prefetches within an archetype by itself, but cannot predict where the next archetype begins.
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

// rowsOf returns the run of a batch, searched from the given run on, and the rows of the batch in that run.
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

// NameOf returns the name of a system in Stats and in messages: the result of its method
// SystemName, or the name of its type.
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

// order is a requirement that a system comes after, or before, the systems of a type.
type order struct {
	other     reflect.Type
	otherwise string // what the system that belongs later does if it comes first
}

// After declares that the system comes after the first system of type T, a pointer to a struct, if
// the frame has one. otherwise says what this system would do if it came before that one, such as "push
// away from the threat of the previous step"; Initialize panics with this text if the order is wrong.
func After[T any](n *Needs, otherwise string) {
	n.member.after = append(n.member.after, order{reflect.TypeFor[T](), otherwise})
}

// Before declares that the system comes before all systems of type T. otherwise says what those
// would do if they came before this system.
func Before[T any](n *Needs, otherwise string) {
	n.member.before = append(n.member.before, order{reflect.TypeFor[T](), otherwise})
}

// Add is like Write, for columns that several systems add to, such as Steering. All these systems
// must come before the system that takes the sum (see Take); otherwise Initialize panics. Columns
// already declared Optional stay optional.
func (n *Needs) Add(columns ...interface{ declareOut(*Needs, bool) }) {
	n.member.adds = append(n.member.adds, n.writes(columns)...)
}

// Take is like Write, for columns that other systems add to and this system consumes: see Add.
// Columns already declared Optional stay optional.
func (n *Needs) Take(columns ...interface{ declareOut(*Needs, bool) }) {
	n.member.takes = append(n.member.takes, n.writes(columns)...)
}

func (n *Needs) writes(columns []interface{ declareOut(*Needs, bool) }) []reflect.Type {
	from := len(n.member.writes)
	n.Write(columns...)
	return n.member.writes[from:]
}

// Once declares that a frame must have no other system of this type, because the two would process
// every agent twice.
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

// checkOrder panics if a list of systems cannot work: if a system violates After or Before or adds
// to a column after it was taken, or if there are two systems of a type declared Once.
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

// what returns the name of the values that systems add to a component.
func what(t reflect.Type) string {
	if t == reflect.TypeFor[c.Steering]() {
		return "force"
	}
	return t.Name()
}

// wrongOrder panics because the system at index first must come before the one at index then, but
// comes after it; otherwise says what the latter would do.
func (f *Frame) wrongOrder(first, then int, otherwise string) {
	a, b := NameOf(f.systems[first]), NameOf(f.systems[then])
	panic(fmt.Sprintf("crowd: %s comes before %s in the frame, and would %s: put %s first", b, a, otherwise, a))
}

func (f *Frame) find(t reflect.Type) int {
	return slices.IndexFunc(f.systems, func(s any) bool { return reflect.TypeOf(s) == t })
}
