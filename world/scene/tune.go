package scene

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// Tune changes a number of the scene, and with it all living agents that it is
// about, between two steps. The name is that of a Parameter, such as
// groups[0].arrival.slowing-radius. A restart, and a file that is written, have
// the new number too. Tuned before the first step, the run is that of a scene that
// had the number from the start.
//
// The world must be the one that Build made of this very scene. What a file may
// not say is refused, and so is what does not go with the other numbers; then
// nothing changes, and the error names the parameter, the value, and what is
// allowed.
//
// A number that differs from agent to agent becomes the same for all. The first
// mass or radius of agents without one gives them the component, which takes some
// 0.2 µs for each; all else takes some nanoseconds.
func (s *Scene) Tune(w *world.World, name string, x float64) error {
	build, err := crowdOf(w)
	switch {
	case err != nil:
		return err
	case build.Scene != s:
		return fmt.Errorf("the world was built from another scene than %s, or from a copy of it", s.Name)
	case w.ECS.IsLocked():
		return fmt.Errorf("%s cannot be changed in the middle of a step, or while a query is open", name)
	}
	k, err := s.knob(name)
	if err != nil {
		return err
	}
	if k.group >= len(build.firsts)-1 {
		return fmt.Errorf("%s cannot be changed: the world was built before the scene had that group", name)
	}
	if !k.allow(x) {
		return fmt.Errorf("%s is %v, want %v", name, x, k.limits)
	}
	restore := k.keep()
	k.set(x)
	if wrong := s.problems(); len(wrong) > 0 {
		restore()
		for _, p := range wrong {
			if p.key == name {
				return fmt.Errorf("%s %s", p.key, p.text)
			}
		}
		more := ""
		if len(wrong) > 1 {
			more = fmt.Sprintf(", and %d more", len(wrong)-1)
		}
		return fmt.Errorf("%s cannot be %v: %s %s%s", name, x, wrong[0].key, wrong[0].text, more)
	}
	k.live(&living{crowd: build, world: w, group: k.group}, x)
	return nil
}

// crowdOf returns the crowd that Build made in a world.
func crowdOf(w *world.World) (*crowd, error) {
	for _, id := range ecs.ResourceIDs(w.ECS) { // without registering the type in a world that lacks it
		if build, ok := w.ECS.Resources().Get(id).(*crowd); ok {
			return build, nil
		}
	}
	return nil, errors.New("the world was not built from a scene")
}

// dial is a number of a scene that can be changed.
type dial struct {
	limits
	get  func() float64
	set  func(x float64)
	keep func() (restore func()) // for all that set changes
}

// knob is a dial, and where in the scene it is.
type knob struct {
	*dial
	key
	name, section string
	path          string // the name within its group
	group         int    // -1: of the scene
}

// knob returns the knob with that name.
func (s *Scene) knob(name string) (knob, error) {
	all, above, inner := s.sceneKnobs(), "", name
	if rest, ok := strings.CutPrefix(name, "groups["); ok {
		number, rest, _ := strings.Cut(rest, "]")
		group, err := strconv.Atoi(number)
		if err != nil || group < 0 || group >= len(s.Groups) {
			return knob{}, fmt.Errorf("%s is no parameter: the scene has %d groups, counted from 0", cut(name), len(s.Groups))
		}
		all, above, inner = s.groupKnobs(group), fmt.Sprintf("groups[%d].", group), strings.TrimPrefix(rest, ".")
		if slices.ContainsFunc(groupKeys(&s.Groups[group]), func(k key) bool { return k.name == inner && k.live == nil && k.inside == nil }) {
			return knob{}, fmt.Errorf("%s cannot be changed while the scene runs: it counts only at the start", cut(name))
		}
	}
	var names []string
	for _, k := range all {
		if k.name == name {
			return k, nil
		}
		names = append(names, strings.TrimPrefix(k.name, above))
	}
	if near := suggest.Nearest(inner, names); near != "" {
		return knob{}, fmt.Errorf("%s is no parameter: did you mean %q?", cut(name), above+near)
	}
	of := either(above == "", "", " of "+strings.TrimSuffix(above, "."))
	return knob{}, fmt.Errorf("%s is no parameter; those%s are %s", cut(name), of, strings.Join(names, ", "))
}

// sceneKnobs returns those that are of no group.
func (s *Scene) sceneKnobs() []knob {
	all := knobsOf([]key{s.dtKey()}, "", "", -1)
	if s.Pointer != nil {
		all = append(all, knobsOf(pointerKeys(s.Pointer), "pointer.", "pointer", -1)...)
	}
	return all
}

// groupKnobs returns those of a group.
func (s *Scene) groupKnobs(group int) []knob {
	return knobsOf(groupKeys(&s.Groups[group]), fmt.Sprintf("groups[%d].", group), "", group)
}

// groupNumbers returns those of a group, and numbers that count only at the start.
func (s *Scene) groupNumbers(group int) []knob {
	return numbersOf(groupKeys(&s.Groups[group]), fmt.Sprintf("groups[%d].", group), "", group)
}

// knobsOf returns those of a table and of the tables in it, whose path is above.
func knobsOf(keys []key, above, section string, group int) []knob {
	return slices.DeleteFunc(numbersOf(keys, above, section, group), func(k knob) bool { return k.live == nil })
}

// numbersOf returns all numbers of a table and of the tables in it.
func numbersOf(keys []key, above, section string, group int) (all []knob) {
	for _, k := range keys {
		switch {
		case k.dial != nil:
			path := k.name
			if section != "" {
				path = section + "." + path
			}
			all = append(all, knob{dial: k.dial(), key: k, name: above + k.name, path: path, section: section, group: group})
		case k.inside != nil:
			all = append(all, numbersOf(k.inside(), above+k.name+".", k.name, group)...)
		}
	}
	return all
}

// live brings a new number to those in a running world that it is about.
type live func(l *living, x float64)

// tuned returns the key as one of a number that can be tuned.
func (k key) tuned(by live) key {
	k.live = by
	return k
}

// living are the agents of one group of a scene that runs.
type living struct {
	*crowd
	world *world.World
	group int
}

// has tells whether an agent is of the group.
func (l *living) has(a c.Agent) bool {
	return a.ID >= l.firsts[l.group] && a.ID < l.firsts[l.group+1]
}

// each calls change for component T of all agents of the group that have it.
func each[T any](l *living, change func(*T)) {
	agent, comp := column.SourceOf[c.Agent](l.world.ECS), column.SourceOf[T](l.world.ECS)
	q := l.world.ECS.Query(ecs.All(agent.ID, comp.ID))
	defer q.Close()
	var walker column.Walker
	for _, r := range walker.Walk(l.world.ECS, &q, nil) {
		of := comp.Load(&r)
		rows := column.Rows[T](of, 0, r.Rows)
		for i, a := range column.Rows[c.Agent](agent.Load(&r), 0, r.Rows) {
			if l.has(a) {
				change(&rows[i])
			}
		}
		comp.Store(&r, of)
	}
}

// wear adds component T to all agents of the group that do not have it: to all
// rows of an archetype in one go where no others are among them, which takes a
// sixth of the time.
func wear[T any](l *living) {
	w := l.world.ECS
	agent, comp := column.SourceOf[c.Agent](w), ecs.ComponentID[T](w)
	var masks []ecs.Mask
	all, ours := map[ecs.Mask]int{}, map[ecs.Mask]int{}
	bare := ecs.All(agent.ID).Without(comp)
	q := w.Query(&bare)
	var walker column.Walker
	for _, r := range walker.Walk(w, &q, nil) {
		mask := r.Kind.Mask
		if all[mask] == 0 {
			masks = append(masks, mask)
		}
		all[mask] += r.Rows
		for _, a := range column.Rows[c.Agent](agent.Load(&r), 0, r.Rows) {
			if l.has(a) {
				ours[mask]++
			}
		}
	}
	q.Close()
	for _, mask := range masks {
		same := mask.Exclusive()
		if ours[mask] == all[mask] {
			w.Batch().Add(&same, comp)
			continue
		}
		var some []ecs.Entity
		for q := w.Query(&same); q.Next(); {
			if l.has(*(*c.Agent)(q.Get(agent.ID))) {
				some = append(some, q.Entity())
			}
		}
		for _, e := range some {
			w.Add(e, comp)
		}
	}
}

// had sets a number in component T of the agents that have it.
func had[T any](set func(*T, float64)) live {
	return func(l *living, x float64) { each(l, func(t *T) { set(t, x) }) }
}

// worn sets a number in component T of all agents, and gives T to those that do
// not have it.
func worn[T any](set func(*T, float64)) live {
	return func(l *living, x float64) {
		wear[T](l)
		each(l, func(t *T) { set(t, x) })
	}
}

func tuneClock(l *living, x float64) { l.world.Clock.Dt = x }

// tunePointer lets the pointer go on from where it is on its way.
func tunePointer(l *living, x float64) {
	now := l.world.Clock.Time
	l.pace = pace{speed: x, since: now, way: l.pace.gone(now)}
}

// tuneGoal sets the radius of the goal, which is also that of the stops of an
// itinerary.
func tuneGoal(l *living, x float64) {
	each(l, func(g *c.Goal) { g.Radius = x })
	each(l, func(it *c.Itinerary) { it.Reached = x })
}
