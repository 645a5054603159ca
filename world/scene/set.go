package scene

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// shortNames are names of Set that are no keys, and the keys that they mean.
var shortNames = map[string][]string{
	"avoidance":   {"avoidance.max-force"},
	"facing":      {"facing.rate"},
	"turn-rate":   {"turn-towards.rate", "turn-away.rate"},
	"drive-speed": {"drive.speed", "drive.top-speed"},
	"flee-radius": {"flee.radius"},
	"goal-radius": {"goal.radius"},
}

// Set changes a number in all groups of the scene that have it. The name is that
// of its key in a group, such as max-speed or threat-scan.look-ahead; the key alone,
// such as look-ahead, which means all tables that have it; or that of a Parameter,
// such as groups[0].arrival.gain. The number is in the unit of the scene file. It is
// an error if there is no such number, if no group has it, and if a file may not say
// it. What does not go with other numbers, Build refuses.
func (s *Scene) Set(name string, x float64) error {
	var numbers []boundKey
	own := numbersOf(s.groupKeys(new(Group)), "", "", 0)
	alone := !slices.ContainsFunc(own, func(k boundKey) bool { return k.path == name })
	for i := range s.Groups {
		for _, k := range s.groupNumbers(i) {
			if k.path == name || slices.Contains(shortNames[name], k.path) || alone && k.key.name == name {
				numbers = append(numbers, k)
			}
		}
	}
	if k, err := s.boundKey(name); err == nil {
		numbers = append(numbers, k)
	}
	switch known := s.Settings(); {
	case len(numbers) > 0:
	case slices.Contains(known, name[strings.LastIndexByte(name, '.')+1:]):
		return fmt.Errorf("%s: no agent of scene %s has it", name, s.Name)
	default:
		hint := cmp.Or(suggest.DidYouMean(name, known), "want one of "+strings.Join(known, ", "))
		return fmt.Errorf("nothing is named %q, %s", name, hint)
	}
	for _, k := range numbers {
		if !k.Allow(x) {
			return fmt.Errorf("%s is %v%s, want %v", name, x, spaced(k.unit()), k.Limits)
		}
	}
	for _, k := range numbers {
		k.set(x)
	}
	return nil
}

// Settings returns the names that Set knows, but for those with a dot in them.
func (s *Scene) Settings() []string {
	var names []string
	for _, k := range s.groupKeys(new(Group)) {
		if k.binding != nil {
			names = append(names, k.name)
			continue
		}
		if k.inside == nil {
			continue
		}
		for _, k := range k.keys() {
			if k.binding != nil {
				names = append(names, k.name)
			}
		}
	}
	for name := range shortNames {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// startSpeedKey sets a velocity that is the same for all to zero.
func startSpeedKey(g *Group) key {
	k := may("start-speed", &g.Speed, notNegative, 0, "m/s at the start, in place of velocity, each in a direction drawn at random")
	of := k.binding
	k.binding = func() *binding {
		d := of()
		d.set = func(x float64) { g.Speed, g.Velocity = x, r2.Vec{} }
		return d
	}
	return k
}

// unit returns the unit of the key, with which its text begins; empty for a number
// without one.
func (k *key) unit() string {
	word, _, _ := strings.Cut(k.text, " ")
	word = strings.TrimRight(word, ",;")
	switch word {
	case "m", "m/s", "N", "kg/s", "kg", "s", "1/s", "rad", "rad/s", "degrees":
		return word
	}
	return ""
}

func spaced(unit string) string { return either(unit == "", "", " "+unit) }

// setter brings a new number to those in a running world that it is about.
type setter func(l *groupAgents, x float64)

// tuned returns the key as one of a number that can be tuned.
func (k key) tuned(by setter) key {
	k.apply = by
	return k
}

// tuneRadius sets the radius of a group, and lets the field that it follows have room for it.
func tuneRadius(l *groupAgents, x float64) {
	give[c.Radius](l)
	each(l, func(r *c.Radius) { r.Meters = x })
	if index, follows := l.fields[l.group]; follows {
		fields := *l.world.ECS.Resources().Get(ecs.ResourceID[sense.FlowFields](l.world.ECS)).(*sense.FlowFields)
		fields[index].Radius = l.fieldRadius(l.group)
	}
}

// groupAgents are the agents of one group of a scene that runs.
type groupAgents struct {
	*crowd
	world *world.World
	group int
}

// has reports whether an agent is of the group.
func (l *groupAgents) has(a c.Agent) bool {
	return a.ID >= l.firsts[l.group] && a.ID < l.firsts[l.group+1]
}

// each calls change for component T of all agents of the group that have it.
func each[T any](l *groupAgents, change func(*T)) {
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

// give adds component T to all agents of the group that do not have it: to all
// rows of an archetype in one go where no others are among them, which takes a
// sixth of the time.
func give[T any](l *groupAgents) {
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

// setIn sets a number in component T of the agents that have it.
func setIn[T any](set func(*T, float64)) setter {
	return func(l *groupAgents, x float64) { each(l, func(t *T) { set(t, x) }) }
}

// setInAll sets a number in component T of all agents, and gives T to those that do
// not have it.
func setInAll[T any](set func(*T, float64)) setter {
	return func(l *groupAgents, x float64) {
		give[T](l)
		each(l, func(t *T) { set(t, x) })
	}
}

// setParam sets the i-th parameter of a behavior of the agents that have it.
func setParam(e *catalog.Entry, i int) setter {
	return func(l *groupAgents, x float64) {
		var value float64
		floats(&e.Params(e.New())[i]).binding(&value).set(x)
		agent, comp := column.SourceOf[c.Agent](l.world.ECS), e.Column(nil, l.world.ECS)
		q := l.world.ECS.Query(ecs.All(agent.ID, comp.ID))
		defer q.Close()
		var walker column.Walker
		for _, r := range walker.Walk(l.world.ECS, &q, nil) {
			of, agents := comp.Load(&r), column.Rows[c.Agent](agent.Load(&r), 0, r.Rows)
			e.Each(of, r.Rows, func(row int, _ any, params []catalog.Param) {
				if l.has(agents[row]) {
					*params[i].At.(*float64) = value
				}
			})
			comp.Store(&r, of)
		}
	}
}

// tuneMaxSpeed sets the greatest speed, or the free speed of agents that have one.
func tuneMaxSpeed(l *groupAgents, x float64) {
	each(l, func(limits *c.Limits) { limits.MaxSpeed = x })
	each(l, func(free *c.FreeSpeed) { free.Speed = x })
}

func tuneClock(l *groupAgents, x float64) { l.world.Clock.Dt = x }

// tunePointer lets the pointer go on from where it is on its way.
func tunePointer(l *groupAgents, x float64) {
	now := l.world.Clock.Time
	l.pace = pace{speed: x, since: now, way: l.pace.gone(now)}
}

// tuneGoal sets the radius of the goal, which is also that of the stops of an
// itinerary.
func tuneGoal(l *groupAgents, x float64) {
	each(l, func(g *c.Goal) { g.Radius = x })
	each(l, func(it *c.Itinerary) { it.Reached = x })
}

// Tune changes a number of the scene, and with it all living agents that it is
// about, between two steps. The name is that of a Parameter, such as
// groups[0].arrival.slowing-radius; or, without the group, such as max-speed, it means
// all groups that have it. A restart, and a file that is written, have the new number too. Tuned before the first step, the run is that of a scene that
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
	keys, wrong := s.findKeys(name)
	if wrong != "" {
		return fmt.Errorf("%s %s", cut(name), wrong)
	}
	for _, k := range keys {
		if k.group >= len(build.firsts)-1 {
			return fmt.Errorf("%s cannot be changed: the world was built before the scene had that group", name)
		}
		if !k.Allow(x) {
			return fmt.Errorf("%s is %v, want %v", name, x, k.Limits)
		}
	}
	if err := s.setAll(keys, name, x); err != nil {
		return err
	}
	for _, k := range keys {
		k.apply(&groupAgents{crowd: build, world: w, group: k.group}, x)
	}
	return nil
}

// setAll sets numbers of the scene, or none of them if they would not go with the others.
func (s *Scene) setAll(keys []boundKey, name string, x float64) error {
	var restore []func()
	for _, k := range keys {
		restore = append(restore, k.keep())
		k.set(x)
	}
	wrong := s.problems()
	if len(wrong) == 0 {
		return nil
	}
	for _, undo := range restore {
		undo()
	}
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

// crowdOf returns the crowd that Build made in a world.
func crowdOf(w *world.World) (*crowd, error) {
	for _, id := range ecs.ResourceIDs(w.ECS) { // without registering the type in a world that lacks it
		if build, ok := w.ECS.Resources().Get(id).(*crowd); ok {
			return build, nil
		}
	}
	return nil, errors.New("the world was not built from a scene")
}
