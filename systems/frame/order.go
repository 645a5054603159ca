package frame

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
)

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
