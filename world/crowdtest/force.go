package crowdtest

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// force verifies that each system of the behavior adds its force to Steering. The force must be proportional
// to the gain of the entry, but not to the length of the step.
func (k *kit) force() string {
	other := r2.Vec{X: 3, Y: -5}
	for seed := range uint64(2) {
		alone := k.forces(seed, r2.Vec{}, nil)
		if len(alone) == 0 {
			return ""
		}
		for i, force := range k.forces(seed, other, nil) {
			if want := vec.Add(other, alone[i].force); !near(force.force, want) {
				return fmt.Sprintf("seed %d: %s replaces the force of other behaviors: %s has %s in Steering, want %s, the sum of %s from other behaviors and %s from this system",
					seed, force.system, force.agent, text(force.force), text(want), text(other), text(alone[i].force))
			}
		}
		if !slices.ContainsFunc(alone, func(s steered) bool { return s.force != r2.Vec{} }) {
			continue
		}
		short := k.forces(seed, r2.Vec{}, func(cr *crowd) { cr.Clock.Dt /= 2 })
		if i := different(alone, short, 2); i < 0 {
			return fmt.Sprintf("seed %d: the force of %s is proportional to the length of the step, want a force in newtons: Integration multiplies by Dt", seed, alone[0].system)
		}
		if k.entry == nil {
			continue
		}
		double := k.forces(seed, r2.Vec{}, (*crowd).doubleGain)
		if i := different(alone, double, 0.5); i >= 0 {
			return fmt.Sprintf("seed %d: the force of %s is not proportional to its gain: %s has %s with twice the gain, want %s",
				seed, alone[i].system, alone[i].agent, text(double[i].force), text(vec.Scale(2, alone[i].force)))
		}
	}
	return ""
}

// steered is the force on an agent after a system has run.
type steered struct {
	system, agent string // names
	force         r2.Vec
}

// different returns the first index at which the force in forces is not factor times the force in others, or
// -1 if there is none.
func different(forces, others []steered, factor float64) int {
	for i, s := range forces {
		if !near(s.force, vec.Scale(factor, others[i].force)) {
			return i
		}
	}
	return -1
}

func near(a, b r2.Vec) bool {
	return vec.Norm(vec.Sub(a, b)) <= 1e-6*(vec.Norm(a)+vec.Norm(b)+1e-6)
}

func text(v r2.Vec) string { return fmt.Sprintf("(%v, %v) N", v.X, v.Y) }

// forces returns the forces after each system of the behavior that adds to Steering. Before each of these
// systems runs, Steering is set to others. The forces are those of the second step. Before that step, the
// crowd is closed and change, if not nil, is called.
func (k *kit) forces(seed uint64, others r2.Vec, change func(*crowd)) (all []steered) {
	cr := k.crowd(plain(seed))
	cr.step()
	cr.Close()
	if change != nil {
		change(cr)
	}
	var f *frame.Frame
	var list []any
	for _, s := range cr.Frame.Systems() {
		system, is := s.(frame.System)
		if !is || !k.isOf(s, cr) {
			list = append(list, s)
			continue
		}
		agents := func(visit func(name string, e ecs.Entity)) {
			for d := range f.Declared() {
				if d.System != system || !k.adds(d) {
					continue
				}
				for i, e := range cr.agents {
					if d.Matches(cr.ECS, e) && cr.ECS.Has(e, ecs.TypeID(cr.ECS, steering)) {
						visit(fmt.Sprintf("agent %d", i+1), e)
					}
				}
			}
		}
		list = append(list,
			during(func() {
				agents(func(_ string, e ecs.Entity) { column.Set(cr.ECS, e, c.Steering{Vec: others}) })
			}), s,
			during(func() {
				agents(func(name string, e ecs.Entity) {
					all = append(all, steered{frame.NameOf(s), name, of[c.Steering](cr, e).Vec})
				})
			}))
	}
	f = cr.frame(list)
	defer f.Finalize(cr.ECS)
	f.Update(cr.ECS)
	return all
}

var steering = reflect.TypeFor[c.Steering]()

// adds reports whether a system adds to Steering, according to the entry or, if there is none, to the
// system's declaration.
func (k *kit) adds(d *frame.Declared) bool {
	if e := k.entry; e != nil {
		return e.Does.Has(catalog.Steers) && e.Phase == catalog.Steer && slices.Contains(d.Writes, steering) && !slices.Contains(d.Takes, steering)
	}
	return slices.Contains(d.Adds, steering)
}

func (cr *crowd) doubleGain() {
	e := cr.kit.entry
	for _, r := range cr.snapshot().rows[:crowdSize] {
		for _, value := range r.values {
			if cr.types.OurType(value.Type()) != reflect.TypeOf(e.Component) {
				continue
			}
			params := e.Params(value.Addr().Interface())
			if gain, ok := catalog.Gain(params); ok {
				*gain.At.(*float64) *= 2
				column.Set(cr.ECS, r.entity, value.Interface())
			}
		}
	}
}

// during runs a function between two systems.
type during func()

func (f during) Update(*ecs.World) { f() }
