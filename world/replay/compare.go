package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/8f878440/crowd/world"
)

// Side is one of two runs that are compared.
type Side struct {
	// Recording may be nil on one side: then its world runs with the inputs of the other one.
	Recording *Recording

	// Restore returns a new world with the state that World.Save wrote after a step: world.World.Restore into
	// a new one with the configuration of this side, as it was then.
	Restore func(step int, state io.Reader) (*world.World, error)

	Apply Apply // as for Run
}

// Parting is where two runs part.
type Parting struct {
	Step   int       `json:"step"`   // the first after which their hashes differ; 0: before the first
	Hashes [2]string `json:"hashes"` // after it

	// InputStep is the first step up to this one that had other inputs on one side, which are
	// Inputs; 0: none had.
	InputStep int        `json:"inputStep,omitempty"`
	Inputs    [2][]Input `json:"inputs,omitzero"`

	// Earlier is the first entity that differed already before the step and its inputs, where hashes do
	// not look; nil: none did.
	Earlier *Difference `json:"earlier,omitempty"`

	// Difference is the first entity in which the step left something that differs and did not before; nil:
	// that is not to be had, see Unrepeated.
	Difference *Difference `json:"difference"`

	// Forces are what the step does to the agent of the difference, on both sides; nil: it is no agent,
	// or is not there.
	Forces [2]*world.Explanation `json:"forces"`

	// Unrepeated say why a side does not run again as it was recorded. Then another program recorded
	// it, and that one can say what differs.
	Unrepeated [2]error `json:"-"`
}

// Compare returns where two runs part; nil: they do not, as far as both go. It compares the
// hashes, and then goes on from the last states that were saved before the step, on both sides.
func Compare(ctx context.Context, a, b Side) (*Parting, error) {
	sides := [2]Side{a, b}
	p, err := part(ctx, &sides)
	if p == nil || err != nil {
		return nil, err
	}
	p.inputs(&sides)
	return p, p.lookInto(ctx, &sides)
}

// part returns the first step after which the hashes differ. It gives a side without
// a recording that of the other.
func part(ctx context.Context, sides *[2]Side) (*Parting, error) {
	a, b := sides[0].Recording, sides[1].Recording
	if a == nil && b == nil {
		return nil, errors.New("neither side has a recording")
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

// runs lets the side run that has no recording.
func runs(ctx context.Context, sides *[2]Side) (*Parting, error) {
	live := 0
	if sides[0].Recording != nil {
		live = 1
	}
	r := sides[1-live].Recording
	one := *r // whose only state is the first: what hashes do not see may differ in the others
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
	one.hashes = append(append([]uint64{}, r.hashes[:d.Step]...), d.Got)
	hashes := [2]uint64{d.Want, d.Want}
	hashes[live] = d.Got
	return parting(d.Step, hashes[0], hashes[1]), nil
}

// at returns a new world of a side as it is after a step.
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

// inputs finds the first step with other inputs on one side.
func (p *Parting) inputs(sides *[2]Side) {
	for step := 1; step <= p.Step; step++ {
		a, b := sides[0].Recording.inputs[step], sides[1].Recording.inputs[step]
		if !sameInputs(a, b) {
			p.InputStep, p.Inputs = step, [2][]Input{a, b}
			return
		}
	}
}

func sameInputs(a, b []Input) bool {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i].Name != b[i].Name || string(a[i].Data) != string(b[i].Data) {
			return false
		}
	}
	return true
}

// lookInto finds the first entity that differs, and what moved it.
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

// step does the step in both worlds.
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

// worlds returns those of both sides after a step; nil for one that cannot be had, and Unrepeated
// says why.
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

// explain explains what the step does to the agent, on both sides.
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

// Field is a number of a component, or what else it holds, in two worlds.
type Field struct {
	Component string `json:"component"`
	Field     string `json:"field,omitempty"` // empty where the component is a single value, or is missing
	A         string `json:"a"`               // as text, with all digits
	B         string `json:"b"`
}

// Difference is the first entity that is not the same in two worlds.
type Difference struct {
	Agent  uint64  `json:"agent,omitempty"` // its id; 0: it is no agent
	Entity uint32  `json:"entity"`
	Fields []Field `json:"fields"` // those that differ, by component
}

// missing stands for a component, or all of them, that one world has and the other has not.
const missing = "missing"

// Differences visits the entities that are not the same in two worlds, whose [world.Inspector.States] these are:
// agents by their ids, and then all others.
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
			onlyA, onlyB := !okB || okA && atA.before(atB), !okA || okB && atB.before(atA)
			switch {
			case onlyA:
				d.Fields = []Field{{Component: "all", A: "there", B: missing}}
			case onlyB:
				d.Agent, d.Entity = y.Agent, y.Entity
				d.Fields = []Field{{Component: "all", A: missing, B: "there"}}
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

// First returns the first of the differences with a field that is not among the old ones; nil: there
// is none. Both are in the order of Differences.
func First(all iter.Seq[Difference], old ...Difference) *Difference {
	for d := range all {
		for len(old) > 0 && old[0].place().before(d.place()) {
			old = old[1:]
		}
		known := map[[2]string]bool{}
		if len(old) > 0 && old[0].place() == d.place() {
			for _, f := range old[0].Fields {
				known[[2]string{f.Component, f.Field}] = true
			}
		}
		for _, f := range d.Fields {
			if !known[[2]string{f.Component, f.Field}] {
				return &d
			}
		}
	}
	return nil
}

// place is that of an entity among those of world.Inspector.States.
type place struct {
	agent  uint64
	entity uint32 // 0 for an agent, which goes by its id
}

func placeOf(agent uint64, entity uint32) place {
	if agent != 0 {
		entity = 0
	}
	return place{agent, entity}
}

func (d *Difference) place() place { return placeOf(d.Agent, d.Entity) }

// before reports whether a place comes before another one.
func (p place) before(q place) bool {
	if p.agent != q.agent {
		return p.agent-1 < q.agent-1 // 0 comes last
	}
	return p.entity < q.entity
}

// components compares those of two entities, which are in the order of their names.
func components(a, b []world.Component) (all []Field) {
	for len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			all = append(all, Field{Component: a[0].Name, A: "there", B: missing})
			a = a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			all = append(all, Field{Component: b[0].Name, A: missing, B: "there"})
			b = b[1:]
		default:
			all = append(all, fields(a[0].Name, a[0].Fields, b[0].Fields)...)
			a, b = a[1:], b[1:]
		}
	}
	return all
}

// fields compares those of a component.
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
