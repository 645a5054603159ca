package world

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Explanation is what the next step will do to one agent, and why. Its JSON is
// described in docs/report.md.
type Explanation struct {
	ID         uint64      // see World.ID
	Entity     ecs.Entity  // the agent
	Time       float64     // s, at the beginning of the step
	Dt         float64     // s, length of the step
	Components []Component // all that the agent has, by name, as they are before the step

	Before State
	After  State // when the agent has moved, and before anything is done about an arrival

	Shares    []Share // what each rule adds, in the order in which they run
	Force     r2.Vec  // N, the sum of all forces, as far as the combination grants them
	Truncated r2.Vec  // N, what is left of it within MaxForce; zero unless MovedBy is Integration, and if ORCA takes the forces
	MaxForce  float64 // N; +Inf without Limits
	MaxSpeed  float64 // m/s; +Inf without Limits
	Mass      float64 // kg
	MovedBy   string  // Integration, Drive, or empty: nothing moves it

	Combination systems.Combination // how the forces became one

	Looks      []Look              // which others the agent sees, a look for each behavior that looks
	Reciprocal *systems.Reciprocal // how ORCA chooses its velocity; nil: it does not

	Threat    *Threat // what the agent sees ahead; nil: nothing
	LookAhead float64 // m; 0 without ThreatScan

	Arrives bool     // whether it comes to its Goal, which it was not at before
	Leaves  bool     // whether it is then removed
	Skipped []string // systems that leave the agent as it is, because a number is not finite
	LeftOut []string // a host's systems that may change the agent in the step: they are not in the account

	taken bool // ORCA has taken Force, and nothing is left of it
}

// State is where an agent is and goes; zero for what it does not have.
type State struct {
	Position r2.Vec // m
	Velocity r2.Vec // m/s
	Heading  r2.Vec // unit vector
}

// Share is what one rule does to the agent. What it does not touch is nil.
type Share struct {
	Behavior string      // name of the system; Steering: the force that stood there before
	Force    *ForceShare // of a rule that steers
	Velocity *r2.Vec     // m/s, change
	Turn     *float64    // rad, change of the heading, positive to the left
	Speed    *float64    // m/s, change of Drive.Speed
	MaxSpeed *float64    // m/s, change of Limits.MaxSpeed
	Target   *r2.Vec     // m, the point to go to from now on; of FleeFrom that to flee from
	Position *r2.Vec     // m, change by the edge of the world, by an obstacle or by bodies that overlap
}

// ForceShare is the force of one rule.
type ForceShare struct {
	Raw       r2.Vec  // the rule's answer before any gain
	RawUnit   string  // m/s: a velocity error; empty: a direction, of length 1 or 0
	Gain      float64 // what the answer is multiplied by; 0: paused
	GainUnit  string  // kg/s or N; empty: a force without a rule
	Newtons   r2.Vec  // N, the force
	Granted   *r2.Vec // N, what the combination leaves of the force; nil: all of it, because forces are added
	Truncated r2.Vec  // N, its part of Explanation.Truncated
}

// Look is what a behavior sees of other agents, as of the start of the step.
type Look struct {
	Behavior string           // name of the system
	Reach    float64          // m, how far it looks, from center to center
	View     float64          // rad, width of its field of view about Facing; 0, or 2π and more: all round
	Facing   r2.Vec           // unit vector; zero for an agent that faces nowhere, and sees all round
	Seen     []sense.Neighbor // those it minds
}

// Threat is an obstacle ahead.
type Threat struct {
	c.Threat
	Kind   string  // circle, wall or polygon; empty: the entity is no obstacle
	At     r2.Vec  // m, position of the obstacle
	Radius float64 // m, of the circle, or half the thickness of the wall
}

// Inspector looks into a world between two steps, for people and tools. It changes nothing.
type Inspector struct{ world *World }

// Inspect returns what looks into the world.
func (w *World) Inspect() Inspector { return Inspector{w} }

// Explain returns what the next step will do to an agent, if nothing is changed
// until then: Explanation.After has the bits that the step will give it. It asks
// the systems themselves, which write in its row alone, and puts the row back, so that no
// count, no hash and no other agent takes notice. The error is of an entity that
// is dead or has no Position.
//
// To see what the step will see it runs the Sensors of Config.Sense and Config.Behaviors and
// brings Obstacles up to date, as the step does once more; a host's Sensor must bear
// that. What they move that is neither agent nor obstacle, such as a pointer, is
// put back. A host's systems that change agents are left out: see LeftOut.
//
// In a pause, with a Clock.Dt of 0, it explains a step of Config.Dt instead.
//
// It takes time in proportion to the obstacles, and none for the other agents
// unless some of them look at one another: then the snapshot is taken once more.
func (in Inspector) Explain(e ecs.Entity) (*Explanation, error) {
	w := in.world
	if w.ECS.IsLocked() {
		panic("crowd: Explain in a locked world: close the query over it first")
	}
	if !w.ECS.Alive(e) {
		return nil, fmt.Errorf("cannot explain %s: it is dead", entityText(e))
	}
	if _, ok := look[c.Position](w, e); !ok {
		return nil, fmt.Errorf("cannot explain %s: it has no Position", entityText(e))
	}
	if w.Clock.Dt == 0 {
		w.Clock.Dt = w.config.Dt
		defer func() { w.Clock.Dt = 0 }()
	}
	if w.trace == nil {
		w.trace = newStepTrace(w)
	}
	defer w.trace.sense()()
	x := w.trace.explain(e)
	x.LeftOut = w.leftOut(e)
	return x, nil
}

// Diagnose says why an entity does not move, or does not do what its components
// say: see [systems.Diagnose]. No problem means that the step moves it by all
// of its behaviors; Explain then says what forces they give.
func (in Inspector) Diagnose(e ecs.Entity) []systems.Problem {
	w := in.world
	if dt := w.Clock.Dt; dt != 0 { // gains are those of a usual step
		w.Clock.Dt = w.config.Dt
		defer func() { w.Clock.Dt = dt }()
	}
	return systems.Diagnose(w.Frame, w.ECS, e, w.config.Behaviors...)
}

// leftOut returns the names of a host's systems that may change an entity.
func (w *World) leftOut(e ecs.Entity) (names []string) {
	writes := map[int]bool{} // in the row of the entity, by index in the list
	for d := range w.Frame.Declared() {
		writes[d.Index] = len(d.Writes) > 0 && d.Matches(w.ECS, e)
	}
	list := slices.Concat(w.config.Sense, w.config.Steer)
	for _, part := range w.hosts {
		for i := range part.n {
			if _, alone := list[0].(frame.Exclusive); alone || writes[part.first+i] {
				names = append(names, nameOf(list[0]))
			}
			list = list[1:]
		}
	}
	return names
}

// Component is a component of an entity as text.
type Component struct {
	Name   string  `json:"name"`   // of the type; a host's types with their package
	Fields []Field `json:"fields"` // none for a tag
}

// Field is a field of a component. Numbers have all their digits.
type Field struct {
	Name  string `json:"name"` // empty where the component is a single value
	Value string `json:"value"`
}

// componentsOf returns all components of a living entity, a host's too, by name.
func componentsOf(w *ecs.World, e ecs.Entity) (all []Component) {
	eachComponent(w, e, func(v reflect.Value) {
		name := v.Type().String()
		if v.Type().PkgPath() == ourComponents {
			name = v.Type().Name()
		}
		all = append(all, Component{name, fieldsOf([]Field{}, v)})
	})
	slices.SortFunc(all, func(a, b Component) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

var (
	ourComponents = reflect.TypeFor[c.Agent]().PkgPath()
	entityType    = reflect.TypeFor[ecs.Entity]()
	vectorType    = reflect.TypeFor[r2.Vec]()
)

// eachComponent visits the components of a living entity, in the order in which
// their types were registered.
func eachComponent(w *ecs.World, e ecs.Entity, visit func(reflect.Value)) {
	for _, id := range w.Ids(e) {
		info, ok := ecs.ComponentInfo(w, id)
		if !ok {
			continue
		}
		v := reflect.Zero(info.Type)
		if info.Type.Size() > 0 {
			v = reflect.NewAt(info.Type, w.Get(e, id)).Elem()
		}
		visit(v)
	}
}

// fieldsOf appends the fields of a component, those of embedded types among them.
func fieldsOf(all []Field, v reflect.Value) []Field {
	if v.Kind() != reflect.Struct || v.Type() == entityType {
		return append(all, Field{Value: text(v)})
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Type.Size() == 0: // such as what marks a relation
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			all = fieldsOf(all, v.Field(i))
		default:
			all = append(all, Field{f.Name, text(v.Field(i))})
		}
	}
	return all
}

// text writes a value for people, without looking behind pointers.
func text(v reflect.Value) string {
	if v.Type() == entityType {
		return entityName(v.Field(0).Uint(), v.Field(1).Uint())
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.String:
		return v.String()
	case reflect.Struct:
		return structText(v)
	case reflect.Array, reflect.Slice:
		return listText(v)
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
	}
	return v.Type().String()
}

func structText(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		part := text(v.Field(i))
		if v.Type() != vectorType {
			part = v.Type().Field(i).Name + " " + part
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// mostListed bounds what is written of a host's slices.
const mostListed = 16

func listText(v reflect.Value) string {
	var parts []string
	for i := range min(v.Len(), mostListed) {
		parts = append(parts, text(v.Index(i)))
	}
	if v.Len() > mostListed {
		parts = append(parts, fmt.Sprintf("… %d in all", v.Len()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// entityText writes an entity, such as "entity 17", and the zero one as "none".
func entityText(e ecs.Entity) string { return entityName(uint64(e.ID()), uint64(e.Generation())) }

func entityName(id, generation uint64) string {
	switch {
	case id == 0:
		return "none"
	case generation == 0:
		return fmt.Sprintf("entity %d", id)
	}
	return fmt.Sprintf("entity %d, generation %d", id, generation)
}
