package systems

import (
	"fmt"
	"reflect"
	"slices"
	"unicode"

	c "github.com/8f878440/crowd/components"
)

// order says that one system of a frame comes before another one.
type order struct {
	first, then reflect.Type
	otherwise   string // what the second one would do
}

// orders are those that every frame keeps, if it has both systems. What steers
// comes before what takes the forces as well: see checkOrder.
var orders = []order{
	before[ThreatScan, Avoidance]("push away from the threat of the step before"),
	before[ORCA, Integration]("move agents before they have chosen their velocity"),
	before[KinematicSeek, Integration]("move agents by the velocity of the step before"),
	before[OpposingArrival, Integration]("move agents by the velocity of the step before"),
	before[DampedArrival, Integration]("move agents by the velocity of the step before"),
	before[TurnTowards, Drive]("move agents along the heading of the step before"),
	before[TurnAway, Drive]("move agents along the heading of the step before"),
	before[SmoothArrival, Drive]("move agents at the speed of the step before"),
	before[Integration, Slide]("hold bodies before they move, and let them through walls"),
	before[Drive, Slide]("hold bodies before they move, and let them through walls"),
	before[ResolveOverlaps, Slide]("hold bodies before they are pushed, and let them through walls"),
	before[Integration, Arrivals]("list arrivals a step late"),
	before[Drive, Arrivals]("list arrivals a step late"),
}

func before[First, Then any](otherwise string) order {
	return order{reflect.TypeFor[*First](), reflect.TypeFor[*Then](), otherwise}
}

// checkOnce panics for a system that is twice in the list, which would run twice.
func checkOnce(systems []any) {
	for i, s := range systems {
		if t := reflect.TypeOf(s); t.Kind() != reflect.Pointer || t.Elem().Size() == 0 {
			continue // values without a state are equal, and no harm comes of that
		}
		if slices.Contains(systems[:i], s) {
			panic(fmt.Sprintf("crowd: %s is twice in one frame", nameOf(s)))
		}
	}
}

// checkOrder panics for a list of systems that can't work: one that looks for what
// another one finds after it, and two of our own rules that would both add the same
// force or make the same move.
func (f *Frame) checkOrder() {
	for _, o := range orders {
		if first, then := f.find(o.first), f.find(o.then); first > then && then >= 0 {
			f.wrongOrder(first, then, o.otherwise)
		}
	}
	var rules []*member
	for _, st := range f.stages {
		if st.pass != nil {
			rules = append(rules, st.pass.members...)
		}
	}
	taker := -1 // of forces
	for i, m := range rules {
		if m.partial || !ours(m.system) {
			continue
		}
		switch m.system.(type) {
		case *Combine, *Bounds: // several are of use
			continue
		case *ORCA, *Integration:
			if taker < 0 {
				taker = m.place
			}
		default:
			if taker >= 0 && m.steers() {
				f.wrongOrder(m.place, taker, "leave its force to the next step")
			}
		}
		for _, other := range rules[:i] {
			if len(m.writes) > 0 && !other.partial && reflect.TypeOf(other.system) == reflect.TypeOf(m.system) {
				panic(fmt.Sprintf("crowd: %s is twice in one frame, and would treat every agent twice", m.name))
			}
		}
	}
}

// wrongOrder panics because a system comes too late.
func (f *Frame) wrongOrder(first, then int, otherwise string) {
	a, b := nameOf(f.systems[first]), nameOf(f.systems[then])
	panic(fmt.Sprintf("crowd: %s comes before %s in the frame, and would %s: put %s first", b, a, otherwise, a))
}

// find returns the place of the first system of that type, -1 if there is none.
func (f *Frame) find(t reflect.Type) int {
	return slices.IndexFunc(f.systems, func(s any) bool { return reflect.TypeOf(s) == t })
}

// steers tells whether a system adds to Steering.
func (m *member) steers() bool { return slices.Contains(m.writes, reflect.TypeFor[c.Steering]()) }

// ours tells whether a system is one that this package exports.
func ours(system any) bool {
	t := reflect.TypeOf(system)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == ownPackage && unicode.IsUpper(rune(t.Elem().Name()[0]))
}

var ownPackage = reflect.TypeFor[Frame]().PkgPath()
