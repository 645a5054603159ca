package scene

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Values of Input.Do.
const (
	InputSet     = "set"     // set the scene's parameter Name to Value: see [Scene.Tune]
	InputGoal    = "goal"    // send Agent, or all agents, to At: see [world.World.SetDestination] and [world.World.SetGoals]
	InputAdd     = "add"     // add an obstacle: a polygon with Corners, a circle at At, or a wall or a door from At to To
	InputMove    = "move"    // move Obstacle to At: see [world.World.MoveObstacle]
	InputRemove  = "remove"  // remove Obstacle
	InputDoor    = "door"    // open or close the door Obstacle
	InputPointer = "pointer" // hold the pointer at At; if nil, release it
)

// Input is a manual change to a running scene between two steps. The same inputs at the same steps give
// the same bits. The JSON of an Input is the data of a replay.Input whose Name is Do.
type Input struct {
	Do       string     `json:"-"`
	Name     string     `json:"name,omitempty"`
	Value    float64    `json:"value,omitempty"`   // in the unit of the scene file
	Agent    uint64     `json:"agent,omitempty"`   // ID; 0 means all
	At       *r2.Vec    `json:"at,omitempty"`      // m
	To       *r2.Vec    `json:"to,omitempty"`      // m
	Radius   float64    `json:"radius,omitempty"`  // m, of a circle, or half the thickness of a wall
	Corners  []r2.Vec   `json:"corners,omitempty"` // m, of a polygon
	Door     bool       `json:"door,omitempty"`    // the added wall is a door
	Open     bool       `json:"open,omitempty"`    // true opens the door, false closes it
	Obstacle ecs.Entity `json:"obstacle,omitzero"`
}

// ReadInput decodes and checks an input, whose Do is the given name.
func ReadInput(name string, data []byte) (Input, error) {
	in := Input{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return in, fmt.Errorf("input %.40q: %w", name, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return in, fmt.Errorf("input %.40q: there is data after the object", name)
	}
	in.Do = name
	return in, in.check()
}

func (in *Input) check() error {
	places := []*r2.Vec{in.At, in.To}
	for i := range in.Corners {
		places = append(places, &in.Corners[i])
	}
	for _, p := range places {
		if p != nil && !(math.Abs(p.X) <= farthest && math.Abs(p.Y) <= farthest) {
			return fmt.Errorf("input %s: (%v, %v) is out of range, want coordinates from %v to %v m", in.Do, p.X, p.Y, -farthest, farthest)
		}
	}
	switch in.Do {
	case InputGoal, InputAdd, InputMove:
		if in.At == nil && !in.isPolygon() {
			return fmt.Errorf("input %s: key \"at\" is missing, want a place", in.Do)
		}
		if in.Door && in.To == nil {
			return fmt.Errorf("input %s: key \"to\" is missing, want the other end of the door", in.Do)
		}
		if !(in.Radius >= 0 && in.Radius <= farthest) {
			return fmt.Errorf("input %s: radius is %v m, want 0 to %v m", in.Do, in.Radius, farthest)
		}
	case InputSet, InputRemove, InputDoor, InputPointer:
	default:
		return fmt.Errorf("unknown input %.40q, want set, goal, add, move, remove, door or pointer", in.Do)
	}
	return nil
}

// Apply applies the input to a world. Call it between two steps. If the parameter, agent or obstacle does not
// exist, or the change is not allowed, Apply returns an error, and changes nothing. A world that was not
// built from a scene has no parameters and no pointer.
func (in *Input) Apply(w *world.World) error {
	if err := in.check(); err != nil {
		return err
	}
	switch in.Do {
	case InputSet, InputPointer:
		build, err := crowdOf(w)
		if err != nil {
			return err
		}
		if in.Do == InputSet {
			return build.Tune(w, in.Name, in.Value)
		}
		build.hand = handAt(in.At)
		return nil
	case InputGoal:
		return in.send(w)
	case InputAdd:
		return in.add(w)
	}
	if !isObstacle(w, in.Obstacle) {
		return fmt.Errorf("obstacle %d is gone", in.Obstacle.ID())
	}
	switch in.Do {
	case InputMove:
		return w.MoveObstacle(in.Obstacle, *in.At)
	case InputRemove:
		return w.RemoveObstacle(in.Obstacle)
	}
	if w.SetDoor(in.Obstacle, in.Open) != nil {
		return fmt.Errorf("obstacle %d is not a door", in.Obstacle.ID())
	}
	return nil
}

// send sends the agents to At. For agents that follow a field, it changes the goals of the field.
func (in *Input) send(w *world.World) error {
	b := w.Frame.Bindings()
	target, field := column.SourceIn[c.Target](b, w.ECS), column.SourceIn[c.FlowField](b, w.ECS)
	there := []r2.Box{{Min: *in.At, Max: *in.At}}
	if in.Agent != 0 {
		e, known := w.Entity(in.Agent)
		if !known {
			return fmt.Errorf("agent %d is gone", in.Agent)
		}
		if f, follows := column.At[c.FlowField](w.ECS, &field, e); follows {
			return w.SetGoals(f.Index, there)
		}
		if !w.ECS.Has(e, target.ID) {
			return fmt.Errorf("cannot send agent %d: it has no target", in.Agent)
		}
		w.SetDestination(e, *in.At)
		return nil
	}
	var all []ecs.Entity
	for q := w.ECS.Query(ecs.All(target.ID)); q.Next(); {
		all = append(all, q.Entity())
	}
	for _, e := range all {
		w.SetDestination(e, *in.At)
	}
	for i := range *frame.Resource[sense.FlowFields](w.ECS) {
		if err := w.SetGoals(uint32(i), there); err != nil {
			return err
		}
	}
	return nil
}

func isObstacle(w *world.World, e ecs.Entity) (is bool) {
	w.Inspect().EachObstacle(func(o world.ObstacleShape) { is = is || o.Entity == e })
	return is
}

func (in *Input) isPolygon() bool { return in.Do == InputAdd && len(in.Corners) > 0 }

func (in *Input) add(w *world.World) (err error) {
	switch {
	case in.isPolygon():
		_, err = w.AddPolygon(in.Corners)
	case in.Door:
		_, err = w.AddDoor(*in.At, *in.To, in.Radius, c.Door{})
	case in.To != nil:
		_, err = w.AddObstacle(*in.At, c.Obstacle{Span: vec.Sub(*in.To, *in.At), Radius: in.Radius})
	default:
		_, err = w.AddObstacle(*in.At, c.Obstacle{Radius: in.Radius})
	}
	return err
}

// Replay applies a recorded input. It is a replay.Apply for worlds built from scenes.
func Replay(w *world.World, name string, data json.RawMessage) error {
	in, err := ReadInput(name, data)
	if err != nil {
		return err
	}
	return in.Apply(w)
}

// After returns a copy of the scene with the parameters that the inputs set. Call Resume on the copy to
// continue from a state that was saved after these inputs.
func (s *Scene) After(inputs []Input) *Scene {
	after := s.Clone()
	for i := range inputs {
		if in := &inputs[i]; in.Do == InputSet {
			_ = after.Set(in.Name, in.Value) // the value was allowed when it was recorded
		}
	}
	return after
}

type hand struct {
	holds bool
	at    r2.Vec // m
}

func handAt(at *r2.Vec) hand {
	if at == nil {
		return hand{}
	}
	return hand{true, *at}
}

// HeldAt returns the position, in m, at which inputs hold the pointer, or nil.
func HeldAt(w *world.World) *r2.Vec {
	build, err := crowdOf(w)
	if err != nil || !build.hand.holds {
		return nil
	}
	at := build.hand.at
	return &at
}
