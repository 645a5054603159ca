package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/8f878440/crowd/world"
)

// Side is one of the runs that Compare compares.
type Side struct {
	// Recording may be nil on one side. That side then runs with the inputs of the other recording.
	Recording *Recording

	// Restore creates a world with the configuration that this side had after the step, and restores the
	// state that world.World.Save wrote after that step. Compare closes the world.
	Restore func(step int, state io.Reader) (*world.World, error)

	Apply Apply // see Recording.Run
}

// Parting describes the step at which two runs diverge.
type Parting struct {
	Step   int       `json:"step"`   // first step after which the hashes differ; 0 means before the first step
	Hashes [2]string `json:"hashes"` // after Step

	// InputStep is the first step, up to Step, whose inputs differ; 0 means none. Inputs are the inputs of
	// both sides before that step.
	InputStep int        `json:"inputStep,omitempty"`
	Inputs    [2][]Input `json:"inputs,omitzero"`

	// Earlier is the first entity that already differed before the step and its inputs, in fields that are
	// not hashed; nil means none.
	Earlier *Difference `json:"earlier,omitempty"`

	// Difference is the first entity with a new difference after the step; nil means that it cannot be
	// determined: see Unrepeated.
	Difference *Difference `json:"difference"`

	// Forces explain what the step does to the agent of Difference on both sides. An element is nil if the
	// entity is not an agent, or is missing on that side.
	Forces [2]*world.Explanation `json:"forces"`

	// Unrepeated holds, for each side, the error of a replay that does not match the recording, or nil. The
	// error means that another program made the recording, or that the recording lacks data that reached the
	// crowd.
	Unrepeated [2]error `json:"-"`
}

// Compare returns where two runs diverge, or nil if they have the same hashes up to the end of the shorter
// one. To find the difference, it replays both sides from the last states saved before the step. It returns
// ctx.Err(), errors from reading, Restore and Apply, and an error if neither side has a recording. If an
// error occurs after the step has been found, Compare also returns the Parting.
func Compare(ctx context.Context, a, b Side) (*Parting, error) {
	sides := [2]Side{a, b}
	p, err := part(ctx, &sides)
	if p == nil || err != nil {
		return nil, err
	}
	p.inputs(&sides)
	return p, p.lookInto(ctx, &sides)
}

// part returns a Parting with only Step and Hashes, or nil if the hashes agree.
func part(ctx context.Context, sides *[2]Side) (*Parting, error) {
	a, b := sides[0].Recording, sides[1].Recording
	if a == nil && b == nil {
		return nil, errors.New("neither side has a recording, want at least one")
	}
	if a == nil || b == nil {
		return runs(ctx, sides)
	}
	for step := range min(len(a.hashes), len(b.hashes)) {
		if x, y := a.hashes[step], b.hashes[step]; x != y {
			return parting(step, x, y), nil
		}
	}
	return nil, nil
}

func parting(step int, a, b uint64) *Parting {
	return &Parting{Step: step, Hashes: [2]string{fmt.Sprintf("%016x", a), fmt.Sprintf("%016x", b)}}
}

// runs does the work of part if one side has no recording. It gives that side the hashes of its run and the
// inputs of the other side.
func runs(ctx context.Context, sides *[2]Side) (*Parting, error) {
	live := 0
	if sides[0].Recording != nil {
		live = 1
	}
	r := sides[1-live].Recording
	one := *r // only the first state: later ones may differ in fields that are not hashed
	one.states = r.states[:1]
	sides[live].Recording = &one
	w, err := sides[live].at(ctx, r.Steps())
	var d *Diverged
	switch {
	case err == nil:
		w.Close()
		return nil, nil
	case !errors.As(err, &d):
		return nil, err
	}
	one.hashes = append(slices.Clone(r.hashes[:d.Step]), d.Got)
	hashes := [2]uint64{d.Want, d.Want}
	hashes[live] = d.Got
	return parting(d.Step, hashes[0], hashes[1]), nil
}

// at returns a new world with the state of a side after a step. The caller must close it.
func (s *Side) at(ctx context.Context, step int) (*world.World, error) {
	saved, state, err := s.Recording.State(step)
	if err != nil {
		return nil, err
	}
	w, err := s.Restore(saved, state)
	if err != nil {
		return nil, err
	}
	if err = s.Recording.check(w, saved); err == nil {
		err = s.Recording.RunOn(ctx, w, saved, step, s.Apply)
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func (p *Parting) inputs(sides *[2]Side) {
	for step := 1; step <= p.Step; step++ {
		a, b := sides[0].Recording.inputs[step], sides[1].Recording.inputs[step]
		same := func(x, y Input) bool { return x.Name == y.Name && bytes.Equal(x.Data, y.Data) }
		if !slices.EqualFunc(a, b, same) {
			p.InputStep, p.Inputs = step, [2][]Input{a, b}
			return
		}
	}
}

func (p *Parting) lookInto(ctx context.Context, sides *[2]Side) error {
	worlds, err := p.worlds(ctx, sides, max(p.Step-1, 0))
	defer func() { closeAll(worlds) }()
	if worlds[0] == nil || worlds[1] == nil {
		return err
	}
	var old []Difference
	if p.Step > 0 {
		if old = slices.Collect(Differences(worlds[0].Inspect().States(), worlds[1].Inspect().States())); len(old) > 0 {
			p.Earlier = &old[0]
		}
		if err := p.step(ctx, sides, worlds); err != nil {
			return err
		}
	}
	p.Difference = First(Differences(worlds[0].Inspect().States(), worlds[1].Inspect().States()), old...)
	if p.Difference == nil || p.Difference.Agent == 0 {
		return nil
	}
	closeAll(worlds)
	if worlds, err = p.worlds(ctx, sides, max(p.Step-1, 0)); worlds[0] == nil || worlds[1] == nil {
		return err
	}
	return p.explain(sides, worlds)
}

func (p *Parting) step(ctx context.Context, sides *[2]Side, worlds [2]*world.World) error {
	for i, w := range worlds {
		err := sides[i].Recording.RunOn(ctx, w, p.Step-1, p.Step, sides[i].Apply)
		if errors.As(err, new(*Diverged)) {
			p.Unrepeated[i] = err
		} else if err != nil {
			return err
		}
	}
	return nil
}

// worlds returns the worlds of both sides after a step. If a replay diverges, its world is nil, and its error
// is in Unrepeated. The caller must close the worlds, even after an error.
func (p *Parting) worlds(ctx context.Context, sides *[2]Side, step int) (worlds [2]*world.World, err error) {
	for i := range sides {
		worlds[i], err = sides[i].at(ctx, step)
		if errors.As(err, new(*Diverged)) {
			p.Unrepeated[i], err = err, nil
		}
		if err != nil {
			return worlds, err
		}
	}
	return worlds, nil
}

// explain sets Forces. The worlds must be in the state before the step and its inputs.
func (p *Parting) explain(sides *[2]Side, worlds [2]*world.World) error {
	for i, w := range worlds {
		if p.Step > 0 {
			if err := sides[i].Recording.Apply(w, p.Step, sides[i].Apply); err != nil {
				return err
			}
		}
		e, ok := w.Entity(p.Difference.Agent)
		if !ok {
			continue
		}
		x, err := w.Inspect().Explain(e)
		if err != nil {
			return err
		}
		p.Forces[i] = x
	}
	return nil
}

func closeAll(worlds [2]*world.World) {
	for _, w := range worlds {
		if w != nil {
			w.Close()
		}
	}
}

// Field is a field of a component, with its values in two worlds.
type Field struct {
	Component string `json:"component"`
	Field     string `json:"field,omitempty"` // empty if the component is a single value, or is missing in one world
	A         string `json:"a"`               // value in the first world; numbers have full precision
	B         string `json:"b"`               // value in the second world
}

// Difference is an entity that differs between two worlds.
type Difference struct {
	Agent  uint64  `json:"agent,omitempty"` // ID; 0 means that the entity has no Agent
	Entity uint32  `json:"entity"`
	Fields []Field `json:"fields"` // differing fields, ordered by component
}

// missing is the value of a component or entity that only the other world has.
const missing = "missing"

// Differences returns an iterator over the entities that differ between two worlds, given their
// [world.Inspector.States]. Entities with an Agent come first, by ID, then all others, by entity ID.
func Differences(a, b iter.Seq[world.EntityState]) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		nextA, stopA := iter.Pull(a)
		defer stopA()
		nextB, stopB := iter.Pull(b)
		defer stopB()
		x, okA := nextA()
		y, okB := nextB()
		for okA || okB {
			d := Difference{Agent: x.Agent, Entity: x.Entity}
			atA, atB := placeOf(x.Agent, x.Entity), placeOf(y.Agent, y.Entity)
			order := slices.Compare(atA[:], atB[:])
			onlyA, onlyB := !okB || okA && order < 0, !okA || okB && order > 0
			switch {
			case onlyA:
				d.Fields = []Field{{Component: "all", A: "present", B: missing}}
			case onlyB:
				d.Agent, d.Entity = y.Agent, y.Entity
				d.Fields = []Field{{Component: "all", A: missing, B: "present"}}
			default:
				d.Fields = components(x.Components, y.Components)
			}
			if len(d.Fields) > 0 && !yield(d) {
				return
			}
			if !onlyB {
				x, okA = nextA()
			}
			if !onlyA {
				y, okB = nextB()
			}
		}
	}
}

// First returns the first difference with a field that no old difference has for the same entity, or nil if
// there is none. Both sequences must be in the order of Differences.
func First(all iter.Seq[Difference], old ...Difference) *Difference {
	for d := range all {
		at := placeOf(d.Agent, d.Entity)
		var known []Field
		for ; len(old) > 0; old = old[1:] {
			before := placeOf(old[0].Agent, old[0].Entity)
			if order := slices.Compare(before[:], at[:]); order > 0 {
				break
			} else if order == 0 {
				known = old[0].Fields
			}
		}
		for _, f := range d.Fields {
			same := func(g Field) bool { return g.Component == f.Component && g.Field == f.Field }
			if !slices.ContainsFunc(known, same) {
				return &d
			}
		}
	}
	return nil
}

// placeOf returns the position of an entity in the order of world.Inspector.States.
func placeOf(agent uint64, entity uint32) [2]uint64 {
	if agent != 0 {
		return [2]uint64{agent - 1}
	}
	return [2]uint64{math.MaxUint64, uint64(entity)}
}

// components returns the fields that differ between two lists of components, which must be ordered by name.
func components(a, b []world.Component) (all []Field) {
	for len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			all = append(all, Field{Component: a[0].Name, A: "present", B: missing})
			a = a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			all = append(all, Field{Component: b[0].Name, A: missing, B: "present"})
			b = b[1:]
		default:
			all = append(all, fields(a[0].Name, a[0].Fields, b[0].Fields)...)
			a, b = a[1:], b[1:]
		}
	}
	return all
}

func fields(name string, a, b []world.Field) (all []Field) {
	for i := range max(len(a), len(b)) {
		f, x, y := Field{Component: name, A: missing, B: missing}, world.Field{}, world.Field{}
		if i < len(a) {
			x = a[i]
			f.Field, f.A = x.Name, x.Value
		}
		if i < len(b) {
			y = b[i]
			f.Field, f.B = y.Name, y.Value
		}
		if x != y {
			all = append(all, f)
		}
	}
	return all
}
