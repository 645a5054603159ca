package scene

import (
	"math"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func (g *Group) hasTarget() bool {
	return g.Target != nil || g.TargetPointer || g.TargetGroup != "" || g.setsTarget() || len(g.Itineraries) > 0
}

func (g *Group) setsTarget() bool {
	return slices.ContainsFunc(g.Behaviors, func(b any) bool {
		e := byType[reflect.TypeOf(b)]
		return e != nil && e.Does.Has(catalog.SetsTarget) && slices.Contains(e.Needs, any(c.Target{}))
	})
}

func (s *Scene) group(name string) int {
	for i := range s.Groups {
		if name != "" && s.Groups[i].Name == name {
			return i
		}
	}
	return -1
}

// followed returns an empty list for each group that refers to a group, or to which a group refers.
func (s *Scene) followed() map[int][]ecs.Entity {
	groups := map[int][]ecs.Entity{}
	for i := range s.Groups {
		for _, x := range s.references(&s.Groups[i]) {
			if x.ofGroup() {
				groups[i], groups[s.group(x.name)] = nil, nil
			}
		}
	}
	return groups
}

func (s *crowd) keep(r *world.Rows, group int) {
	if _, wanted := s.others[group]; !wanted {
		return
	}
	for i := range r.Len {
		s.others[group] = append(s.others[group], r.Entity(i))
	}
}

func (s *crowd) follow(w *world.World) {
	for group := range s.others {
		for _, x := range s.references(&s.Groups[group]) {
			if !x.ofGroup() {
				continue
			}
			of := reflect.TypeOf(x.entry.Component)
			id, leaders := ecs.TypeID(w.ECS, of), s.leaders(x.name, group)
			for i, e := range s.others[group] {
				x.set(reflect.NewAt(of, w.ECS.Get(e, id)).Interface(), leaders(i))
			}
		}
	}
}

// leaders returns a function that returns agent i's leader: agent i of the named group, modulo its size; the
// next agent if both groups are the same; or zero if the named group is empty.
func (s *crowd) leaders(name string, group int) func(i int) ecs.Entity {
	of := s.group(name)
	others, next := s.others[of], 0
	if of == group {
		next = 1
	}
	return func(i int) ecs.Entity {
		if len(others) == 0 {
			return ecs.Entity{}
		}
		return others[(i+next)%len(others)]
	}
}

type pointer struct{ crowd *crowd }

// pace lets the pointer continue from its place when its speed changes.
type pace struct {
	speed float64 // m/s
	since float64 // s, time of the last change of speed
	way   float64 // m, covered by then
}

// Keep writes or reads the progress of the pointer and the position at which it is held.
func (p *pointer) Keep(a *frame.Archive) { a.Keep(&p.crowd.pace, &p.crowd.hand) }

func (p *pace) gone(time float64) float64 { return p.way + float64((time-p.since)*p.speed) }

// Sense moves the pointer to where it is held, or along its path, except during a pause.
func (p *pointer) Sense(w *ecs.World) {
	clock := ecs.GetResource[frame.Clock](w)
	if clock.Dt == 0 || !w.Alive(p.crowd.point) {
		return
	}
	to := (*c.Position)(w.Get(p.crowd.point, ecs.ComponentID[c.Position](w)))
	if p.crowd.hold != nil {
		if at, held := p.crowd.hold(); held && vec.Finite(at) {
			to.Vec = at
			return
		}
	}
	if p.crowd.hand.holds {
		to.Vec = p.crowd.hand.at
		return
	}
	to.Vec = p.crowd.Pointer.along(p.crowd.pace.gone(clock.Time))
}

// PointerOf returns the position of the scene's pointer at the start of the last step, in m, and reports
// whether the world was built from a scene with a pointer.
func PointerOf(w *world.World) (at r2.Vec, ok bool) {
	s, err := crowdOf(w)
	if err != nil || s.Pointer == nil || !w.ECS.Alive(s.point) {
		return r2.Vec{}, false
	}
	return (*c.Position)(w.ECS.Get(s.point, ecs.ComponentID[c.Position](w.ECS))).Vec, true
}

func (p *Pointer) at(time float64) r2.Vec { return p.along(time * p.Speed) }

func (p *Pointer) along(gone float64) r2.Vec {
	round := 0.
	for i := range p.Way {
		round += vec.Norm(vec.Sub(p.Way[(i+1)%len(p.Way)], p.Way[i]))
	}
	if !(round > 0) {
		return p.Way[0]
	}
	left := math.Mod(gone, round)
	for i, from := range p.Way {
		leg := vec.Sub(p.Way[(i+1)%len(p.Way)], from)
		length := vec.Norm(leg)
		if left <= length && length > 0 {
			return vec.AddScaled(from, left/length, leg)
		}
		left -= length
	}
	return p.Way[0]
}
