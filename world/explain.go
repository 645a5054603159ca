package world

import (
	"cmp"
	"errors"
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

// Explanation describes what the next step will do to an agent, and why. docs/report.md describes its
// JSON.
type Explanation struct {
	ID         uint64      `json:"-"` // see World.ID
	Entity     ecs.Entity  `json:"-"`
	Time       float64     `json:"-"` // s, at the start of the step
	Dt         float64     `json:"-"` // s, length of the step
	Components []Component `json:"-"` // before the step, ordered by name

	Before State
	After  State // after the agent has moved, and before arrivals are handled

	Shares    []Share // in the order in which rules run
	Force     r2.Vec  // N, combined
	Truncated r2.Vec  // N, Force limited to MaxForce; zero if ORCA uses up Force or MovedBy is not Integration
	MaxForce  float64 // N; +Inf without Limits
	MaxSpeed  float64 // m/s; +Inf without Limits
	Mass      float64 // kg; 1 without Mass
	MovedBy   string  // name of a system, such as Integration or Drive; may be empty

	Combination systems.Combination `json:"-"`

	Looks      []Look              `json:",omitempty"` // one Look for each behavior that looks at other agents
	Reciprocal *systems.Reciprocal `json:",omitempty"` // how ORCA chooses the velocity; nil if it does not

	Threat    *Threat // the obstacle ahead, or nil
	LookAhead float64 // m; 0 without ThreatScan

	Path *systems.PathStatus `json:",omitempty"` // before the step; nil without Route, FlowField and BoundaryFollowing

	Arrives bool     // whether the agent arrives at its Goal in this step
	Leaves  bool     // whether the agent is then removed
	Skipped []string `json:",omitempty"` // systems that skip the agent because a number is not finite
	LeftOut []string `json:",omitempty"` // a host's systems that may change the agent, but that Explain does not run

	taken bool
}

// State is the position and motion of an agent. Fields of missing components are zero.
type State struct {
	Position r2.Vec // m
	Velocity r2.Vec // m/s
	Heading  r2.Vec // unit vector
}

// Share is the effect of one rule on the agent. A pointer is nil if there is no such effect.
type Share struct {
	Behavior string      // name of the system, or Steering for the force present before the step
	Force    *ForceShare `json:",inline"`    // of a steering rule
	Velocity *r2.Vec     `json:",omitempty"` // m/s, change
	Turn     *float64    `json:",omitempty"` // rad, change in heading, positive to the left
	Speed    *float64    `json:",omitempty"` // m/s, change in Drive.Speed
	MaxSpeed *float64    `json:",omitempty"` // m/s, change in Limits.MaxSpeed
	Target   *r2.Vec     `json:",omitempty"` // m, the new target; for FleeFrom, the point to flee from
	Position *r2.Vec     `json:",omitempty"` // m, change due to edges, obstacles, portals or overlapping bodies
}

// ForceShare is the force of one rule.
type ForceShare struct {
	Raw       r2.Vec  // result of the rule before the gain
	RawUnit   string  // m/s for a velocity error; empty means a direction of length 1 or 0
	Gain      float64 // multiplies Raw; 0 means that the rule is paused
	GainUnit  string  // kg/s or N; empty means a force without a rule
	Newtons   r2.Vec  `json:"force"` // N
	Truncated r2.Vec  // N, share of Explanation.Truncated
	Granted   *r2.Vec `json:",omitempty"` // N, the part that the combination uses; nil means all
}

// Look lists the agents that a behavior sees at the start of the step.
type Look struct {
	Behavior string           // name of the system
	Reach    float64          // m, range from center to center
	View     float64          `json:",omitempty"` // rad, field of view centered on Facing; 0, or 2π or more, means all directions
	Facing   r2.Vec           // unit vector; zero means none, so the agent sees in all directions
	Seen     []sense.Neighbor // agents to which the behavior reacts
}

// Threat is an obstacle ahead.
type Threat struct {
	c.Threat
	Kind   string  // circle, wall or polygon; empty if the entity is not an obstacle
	At     r2.Vec  `json:"position"` // m
	Radius float64 // m, of a circle, or half the thickness of a wall or outline
}

// Inspector inspects a world between two steps without changing its agents.
type Inspector struct{ world *World }

// Inspect returns an Inspector for w.
func (w *World) Inspect() Inspector { return Inspector{w} }

// Explain returns what the next step will do to an agent if nothing changes until then:
// Explanation.After equals the result to the last bit. During a pause, Explain assumes a step of
// Config.Dt. Counts, hashes and agents do not change. Explain returns an error if the entity is zero or
// dead, or has no Position, and panics if the world is locked.
//
// Explain runs the Sensors in Config.Sense and Config.Behaviors and updates Obstacles. The step will do both
// again, so a host's Sensors must be idempotent. Explain restores doors, and what these Sensors move, such as
// a mouse pointer, except agents and obstacles. It does not run the other systems in Config.Sense and
// Config.Steer: see Explanation.LeftOut.
//
// Explain takes time proportional to the number of obstacles and, if agents look at others, to the
// number of agents.
func (in Inspector) Explain(e ecs.Entity) (*Explanation, error) {
	w := in.world
	w.mustBeIdle("Explain")
	if e.IsZero() {
		return nil, errors.New("cannot explain the zero entity, want an agent")
	}
	if !w.ECS.Alive(e) {
		return nil, fmt.Errorf("cannot explain %s: it is dead", entityText(e))
	}
	if !has[c.Position](w, e) {
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
	if has[c.Route](w, e) || has[c.FlowField](w, e) || has[c.BoundaryFollowing](w, e) {
		if status, ok := systems.PathStatusOf(w.Frame, w.ECS, e); ok {
			x.Path = &status
		}
	}
	return x, nil
}

// Diagnose returns the reasons why an entity does not do what its components ask for: see
// [systems.Diagnose].
func (in Inspector) Diagnose(e ecs.Entity) []systems.Problem {
	w := in.world
	if dt := w.Clock.Dt; dt != 0 { // like Spawn, check gains against Config.Dt
		w.Clock.Dt = w.config.Dt
		defer func() { w.Clock.Dt = dt }()
	}
	return systems.Diagnose(w.Frame, w.ECS, e, w.config.Behaviors...)
}

func (w *World) leftOut(e ecs.Entity) (names []string) {
	writes := map[int]bool{} // by index in the list
	for d := range w.Frame.Declared() {
		writes[d.Index] = len(d.Writes) > 0 && d.Matches(w.ECS, e)
	}
	list := slices.Concat(w.config.Sense, w.config.Steer)
	for _, part := range w.hosts {
		for i := range part.n {
			_, alone := list[0].(frame.Exclusive)
			_, senses := list[0].(frame.Sensor)
			if alone || senses && len(list) <= len(w.config.Steer) || writes[part.first+i] {
				names = append(names, nameOf(list[0]))
			}
			list = list[1:]
		}
	}
	return names
}

// Component is a component of an entity as text.
type Component struct {
	Name   string  `json:"name"`   // type name; includes the package for a host's types
	Fields []Field `json:"fields"` // empty for a tag
}

// Field is a field of a component as text. Numbers have full precision.
type Field struct {
	Name  string `json:"name"` // empty if the component is a single value
	Value string `json:"value"`
}

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

func fieldsOf(all []Field, v reflect.Value) []Field {
	if v.Kind() != reflect.Struct || v.Type() == entityType {
		return append(all, Field{Value: text(v)})
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Type.Size() == 0: // such as ecs.Relation
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			all = fieldsOf(all, v.Field(i))
		default:
			all = append(all, Field{f.Name, text(v.Field(i))})
		}
	}
	return all
}

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

const maxListed = 16

func listText(v reflect.Value) string {
	var parts []string
	for i := range min(v.Len(), maxListed) {
		parts = append(parts, text(v.Index(i)))
	}
	if v.Len() > maxListed {
		parts = append(parts, fmt.Sprintf("… %d in all", v.Len()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

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
