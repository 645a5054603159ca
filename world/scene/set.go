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

var shortNames = map[string][]string{
	"avoidance":   {"avoidance.max-force"},
	"facing":      {"facing.rate"},
	"turn-rate":   {"turn-towards.rate", "turn-away.rate"},
	"drive-speed": {"drive.speed", "drive.top-speed"},
	"flee-radius": {"flee.radius"},
	"goal-radius": {"goal.radius"},
}

// Set sets a number of the scene to x, in the unit of the scene file. The name may be that of a
// Parameter, such as groups[0].arrival.gain. Other names change all groups that have the number:
// max-speed, threat-scan.look-ahead, look-ahead for all tables with that key, or a short name such as
// turn-rate. Set returns an error, and changes nothing, if no number has the name, or if a scene file
// must not contain x. Build rejects values that conflict with others.
func (s *Scene) Set(name string, x float64) error {
	var numbers []boundKey
	own := numbersOf(s.groupKeys(new(Group)), "", "", 0)
	alone := !slices.ContainsFunc(own, func(k boundKey) bool { return k.path == name })
	for i := range s.Groups {
		for _, k := range numbersOf(s.groupKeys(&s.Groups[i]), "", "", i) {
			if k.path == name || slices.Contains(shortNames[name], k.path) || alone && k.key.name == name {
				numbers = append(numbers, k)
			}
		}
	}
	if k, wrong := s.findKey(name); wrong == "" {
		numbers = append(numbers, k)
	}
	switch known := s.Settings(); {
	case len(numbers) > 0:
	case slices.Contains(known, name[strings.LastIndexByte(name, '.')+1:]):
		return fmt.Errorf("%s: no agent of scene %s has this parameter", name, s.Name)
	default:
		hint := cmp.Or(suggest.DidYouMean(name, known), "want one of "+strings.Join(known, ", "))
		return fmt.Errorf("no parameter is named %q, %s", name, hint)
	}
	for _, k := range numbers {
		if !k.Allow(x) {
			return fmt.Errorf("%s is %s, want %v", name, strings.TrimSpace(fmt.Sprint(x, " ", unitOf(k.text))), k.Limits)
		}
	}
	for _, k := range numbers {
		k.set(x)
	}
	return nil
}

// Settings returns, in sorted order, the names without a dot that Set accepts for numbers of groups.
func (s *Scene) Settings() []string {
	var names []string
	for _, k := range s.groupKeys(new(Group)) {
		numbers := []key{k}
		if k.inside != nil {
			numbers = k.keys()
		}
		for _, k := range numbers {
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

// startSpeedKey returns the key start-speed. Setting it clears the group's Velocity.
func startSpeedKey(g *Group) key {
	k := may("start-speed", &g.Speed, notNegative, 0, "m/s at the start, in random directions, instead of velocity")
	return k.bound(func(d *binding) {
		d.set = func(x float64) { g.Speed, g.Velocity = x, r2.Vec{} }
	})
}

func unitOf(text string) string {
	word, _, _ := strings.Cut(text, " ")
	word = strings.TrimRight(word, ",;")
	switch word {
	case "m", "m/s", "N", "kg/s", "kg", "s", "1/s", "rad", "rad/s", "degrees":
		return word
	}
	return ""
}

type setter func(l *groupAgents, x float64)

func (k key) tuned(by setter) key {
	k.apply = by
	return k
}

func tuneRadius(l *groupAgents, x float64) {
	give[c.Radius](l)
	each(l, func(r *c.Radius) { r.Meters = x })
	if index, follows := l.fields[l.group]; follows {
		fields := *l.world.ECS.Resources().Get(ecs.ResourceID[sense.FlowFields](l.world.ECS)).(*sense.FlowFields)
		g, radius := &l.Groups[l.group], l.fieldRadius(l.group)
		for k := range g.fields() {
			field := &fields[int(index)+k]
			field.Radius, field.Cell = radius, g.fieldCell(radius)
		}
	}
}

type groupAgents struct {
	*crowd
	world *world.World
	group int
}

func (l *groupAgents) has(a c.Agent) bool {
	return a.ID >= l.firsts[l.group] && a.ID < l.firsts[l.group+1]
}

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

// give adds component T to agents of the group that lack it. Adding it to a whole archetype is six times as
// fast as adding it to single agents.
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

func tuneMaxSpeed(l *groupAgents, x float64) {
	each(l, func(limits *c.Limits) { limits.MaxSpeed = x })
	each(l, func(free *c.FreeSpeed) { free.Speed = x })
}

func tuneMaxForce(l *groupAgents, x float64) {
	each(l, func(limits *c.Limits) { limits.MaxForce = x })
}

func tuneMass(l *groupAgents, x float64) {
	give[c.Mass](l)
	each(l, func(m *c.Mass) { m.Kilograms = x })
}

func tuneClock(l *groupAgents, x float64) { l.world.Clock.Dt = x }

func tunePointer(l *groupAgents, x float64) {
	now := l.world.Clock.Time
	l.pace = pace{speed: x, since: now, way: l.pace.gone(now)}
}

func tuneGoal(l *groupAgents, x float64) {
	each(l, func(g *c.Goal) { g.Radius = x })
	each(l, func(it *c.Itinerary) { it.Reached = x })
}

// Tune sets a number of the scene to x, in the unit of the scene file, for living agents and those not yet
// spawned. The name is that of a Parameter; a name without a group, such as max-speed, refers to all groups
// that have the number. Restarts and written files use x too. If Tune is called before the first step, the
// run is the same as that of a scene built with x.
//
// Build must have built w from this Scene itself, not a copy. Tune returns an error, and changes
// nothing, for values that a file must not contain or that conflict with others, and during a step or
// while a query is open.
//
// A number that differs between agents becomes the same for all. Setting mass or radius adds the component to
// agents that lack it, which takes about 0.2 µs per agent.
func (s *Scene) Tune(w *world.World, name string, x float64) error {
	build, err := crowdOf(w)
	switch {
	case err != nil:
		return err
	case build.Scene != s:
		return fmt.Errorf("the world was not built from the scene %s itself", s.Name)
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
		if source := build.sources[k.group]; source != nil {
			source.Components = s.Groups[k.group].components(build)
		}
	}
	return nil
}

// setAll sets numbers to x. If x conflicts with other numbers, it sets none and returns an error.
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

func crowdOf(w *world.World) (*crowd, error) {
	for _, id := range ecs.ResourceIDs(w.ECS) { // does not register the type
		if build, ok := w.ECS.Resources().Get(id).(*crowd); ok {
			return build, nil
		}
	}
	return nil, errors.New("the world was not built from a scene")
}
