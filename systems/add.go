package systems

import (
	"fmt"
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Add gives an entity components with the given values, and those in which the
// behaviors among them meet: see RequiredComponents. The entity must not have the given
// ones yet; what RequiredComponents adds it may have.
//
//	systems.Add(&world, guard, c.Target{}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Seek{Gain: 2})
//
// It panics if a component is no plain value or is given twice, as arche does if
// the entity has it or the world is locked. It knows no bindings: Frame.Add does.
func Add(w *ecs.World, e ecs.Entity, components ...any) { addBound(nil, w, e, components) }

// Add is the function Add with the bindings of the frame: a component of ours
// becomes one of the type that is bound in its place, and may be given as such.
// It may be called before Initialize and after. It panics also if a host's component
// has the name and the numbers of one of ours, which is not given beside it, and is
// not bound.
func (f *Frame) Add(w *ecs.World, e ecs.Entity, components ...any) {
	if err := f.bound.Unbound(components); err != nil {
		panic("crowd: " + err.Error())
	}
	addBound(f.bound, w, e, components)
}

func addBound(bound column.Bindings, w *ecs.World, e ecs.Entity, components []any) {
	all, err := RequiredComponents(bound.ToOurs(components))
	if err != nil {
		panic("crowd: " + err.Error())
	}
	var ids []ecs.ID
	var values []any
	for i, comp := range all {
		comp = bound.ToHost(comp)
		if id := ecs.TypeID(w, reflect.TypeOf(comp)); i < len(components) || !w.Has(e, id) {
			ids, values = append(ids, id), append(values, comp)
		}
	}
	w.Add(e, ids...)
	for _, value := range values {
		column.Set(w, e, value)
	}
}

// RequiredComponents returns the component values, and after them the components in which
// the behaviors among them meet: Steering for what steers, Threat for
// ThreatScan, PreviousPosition for Solid, PreferredVelocity for ORCA, Heading (towards +x) for what turns or drives. The error names a
// component that is no plain value, or is there twice.
func RequiredComponents(components []any) ([]any, error) {
	has := map[reflect.Type]bool{}
	for i, comp := range components {
		t := reflect.TypeOf(comp)
		if t == nil || t.Kind() == reflect.Pointer {
			return nil, fmt.Errorf("component %d is a %T, want a value such as components.Seek{Gain: 2}", i, comp)
		}
		if has[t] {
			return nil, fmt.Errorf("component %v is given twice", t)
		}
		has[t] = true
	}
	all := append([]any(nil), components...)
	add := func(comp any) {
		if t := reflect.TypeOf(comp); !has[t] {
			has[t] = true
			all = append(all, comp)
		}
	}
	for _, comp := range components {
		switch comp.(type) {
		case c.Seek, c.Arrival, c.Avoidance, c.Pursuit, c.Evasion, c.OffsetPursuit, c.Wander, c.Containment, c.WallFollowing,
			c.Separation, c.Alignment, c.Cohesion, c.UnalignedCollisionAvoidance, c.ORCA:
			add(c.Steering{})
			if _, is := comp.(c.ORCA); is {
				add(c.PreferredVelocity{})
			}
		case c.Flee:
			if !has[reflect.TypeFor[c.TurnAway]()] { // which only takes the point from Flee
				add(c.Steering{})
			}
		case c.SmoothArrival:
			if !has[reflect.TypeFor[c.Drive]()] {
				add(c.Steering{})
			}
		case c.ThreatScan:
			add(c.Threat{})
		case c.Solid:
			add(c.PreviousPosition{})
		case c.Facing, c.TurnTowards, c.TurnAway, c.Drive:
			add(c.Heading{Vec: r2.Vec{X: 1}})
		}
	}
	return all, nil
}
