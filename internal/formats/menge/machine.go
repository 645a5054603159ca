package menge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

type goal struct {
	area
	id               string
	weight, capacity float64
	taken            float64 // number of agents that have taken the goal
}

type state struct {
	name, place string
	final       bool
	selector    selector
	moves       string // type of the velocity component; "zero" if there is none
	velocity    r2.Vec // for const and const_dir
	actions     []action
	leave       []*transition
}

type selector struct {
	kind             string
	place            string
	set              string
	goal             string
	mirrorX, mirrorY bool
	persistent       bool
}

type action struct {
	kind, property string
	by             draw
	reset          bool // undo the change when the agent leaves the state
}

type transition struct {
	from    string
	place   string
	order   float64
	when    *condition
	target  string     // prob or return, instead of a state
	chances []weighted // states with their weights
	states  []*state   // states of the chances
}

type condition struct {
	kind   string
	area   area
	inside bool
	within float64 // m, for goal_reached
	after  draw    // s, for a timer
	each   bool    // each agent has its own timer
	parts  []*condition
}

func (r *reader) machine(t textio.Tag) error {
	var all []*transition
	err := r.Element(t, func(c textio.Tag) error {
		switch c.Name {
		case "GoalSet":
			return r.goalSet(c)
		case "State":
			return r.state(c)
		}
		tr, err := r.transition(c)
		if tr != nil {
			all = append(all, tr)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b *transition) int { return cmp.Compare(a.order, b.order) })
	for _, tr := range all {
		for _, w := range tr.chances {
			to := r.p.byName[w.name]
			if to == nil {
				return fmt.Errorf("%s: a transition to %q: want the name of a state", w.place, textio.Clip(w.name))
			}
			tr.states = append(tr.states, to)
		}
		for name := range strings.SplitSeq(tr.from, ",") {
			from := r.p.byName[strings.TrimSpace(name)]
			if from == nil {
				return fmt.Errorf("%s: <Transition> from=%q: want names of states, with commas between them", tr.place, textio.Clip(tr.from))
			}
			from.leave = append(from.leave, tr)
		}
	}
	return nil
}

func (r *reader) goalSet(t textio.Tag) error {
	id := 0.
	if err := r.needed(&id, t, "id", wholeNumber); err != nil {
		return err
	}
	key := fmt.Sprint(id)
	return r.Element(t, func(c textio.Tag) error {
		kind, err := r.kind(c)
		if kind == "" {
			return err
		}
		g, number := &goal{weight: 1, capacity: 1e9}, 0.
		g.area, err = r.area(c, kind)
		if err := cmp.Or(err, r.needed(&number, c, "id", wholeNumber),
			r.Number(&g.weight, c, "weight", notNegative), r.Number(&g.capacity, c, "capacity", wholeNumber)); err != nil {
			return err
		}
		if g.id = fmt.Sprint(number); slices.ContainsFunc(r.p.sets[key], func(h *goal) bool { return h.id == g.id }) {
			return r.Fail(c.Line, "second <Goal id=%q> in a <GoalSet>: want one", g.id)
		}
		r.p.sets[key] = append(r.p.sets[key], g)
		return r.Element(c, nil)
	})
}

// state reads a state. By default, the goal of an agent is its own position, and the agent stands still.
func (r *reader) state(t textio.Tag) error {
	s := &state{place: r.Place(t.Line), selector: selector{kind: "identity"}, moves: "zero"}
	if err := cmp.Or(r.String(&s.name, t, "name"), r.flag(&s.final, t, "final")); err != nil {
		return err
	}
	if r.p.byName[s.name] != nil {
		return r.BadAttr(t, "name", "a name that no other state has")
	}
	if _, has := t.Attr("weight"); has {
		if err := r.Odd(t.Line, "weight only in a <State> of <Target>", "attribute weight in a <State> of <BFSM>"); err != nil {
			return err
		}
	}
	r.p.states = append(r.p.states, s)
	r.p.byName[s.name] = s
	return r.Element(t, func(c textio.Tag) error {
		kind, err := r.kind(c)
		if kind == "" {
			return err
		}
		switch c.Name {
		case "GoalSelector":
			err = r.goalSelector(s, c, kind)
		case "VelComponent":
			err = r.velocity(s, c, kind)
		default:
			err = r.action(s, c, kind)
		}
		return cmp.Or(err, r.Element(c, nil))
	})
}

func (r *reader) goalSelector(s *state, t textio.Tag, kind string) (err error) {
	p := &s.selector
	*p = selector{kind: kind, place: r.Place(t.Line)}
	if err := r.flag(&p.persistent, t, "persistent"); err != nil {
		return err
	}
	set, id := -1., -1.
	switch kind {
	case "mirror":
		return cmp.Or(r.flag(&p.mirrorX, t, "mirror_x"), r.flag(&p.mirrorY, t, "mirror_y"))
	case "explicit":
		err = r.needed(&id, t, "goal", wholeNumber)
		fallthrough
	case "nearest", "farthest", "random", "weighted":
		err = cmp.Or(err, r.needed(&set, t, "goal_set", wholeNumber))
	}
	p.set, p.goal = fmt.Sprint(set), fmt.Sprint(id)
	return err
}

func (r *reader) velocity(s *state, t textio.Tag, kind string) (err error) {
	s.moves = kind
	switch kind {
	case "const", "const_dir":
		return r.Point(&s.velocity, t, "x", "y")
	case "road_map", "nav_mesh", "vel_field":
		var file string
		if err := r.String(&file, t, "file_name"); err != nil {
			return err
		}
		r.Warn(t.Line, "<VelComponent type=%q> file_name=%q not read: agents find their own paths", kind, textio.Clip(file))
	}
	return nil
}

func (r *reader) action(s *state, t textio.Tag, kind string) (err error) {
	a := action{kind: kind, reset: true}
	if err := r.String(&a.property, t, "property"); err != nil {
		return err
	}
	of, known := numbersOfAgents[a.property]
	if !known && !slices.Contains(otherNumbers, a.property) {
		return r.BadAttr(t, "property", "pref_speed, max_speed or another number of agents")
	}
	l := anyNumber
	if kind == "set_property" && known {
		l = of.Limit
	}
	if a.by, err = r.distribution(t, "", l); err != nil {
		return err
	}
	if err := r.flag(&a.reset, t, "exit_reset"); err != nil {
		return err
	}
	if a.property != "pref_speed" && a.property != "max_speed" {
		r.Warn(t.Line, "<Action type=%q> of %s ignored: actions can change only the speeds of agents", kind, a.property)
		return nil
	}
	s.actions = append(s.actions, a)
	return nil
}

// transition returns nil for a transition that is skipped.
func (r *reader) transition(t textio.Tag) (*transition, error) {
	tr := &transition{place: r.Place(t.Line)}
	if err := cmp.Or(r.String(&tr.from, t, "from"), r.Number(&tr.order, t, "order", anyNumber)); err != nil {
		return nil, err
	}
	if to, has := t.Attr("to"); has {
		tr.chances = []weighted{{to, tr.place, 1}}
	}
	skipped := false
	err := r.Element(t, func(c textio.Tag) error {
		switch {
		case c.Name == "Condition" && tr.when != nil || c.Name == "Target" && (tr.chances != nil || tr.target != ""):
			return textio.ErrSecond
		case c.Name == "Condition":
			when, known, err := r.condition(c)
			tr.when, skipped = when, skipped || !known
			return err
		}
		kind, err := r.kind(c)
		if kind == "" {
			skipped = true
			return err
		}
		tr.target = kind
		return r.Element(c, func(s textio.Tag) error {
			w, err := r.weighted(s)
			tr.chances = append(tr.chances, w)
			return err
		})
	})
	switch {
	case err != nil:
		return nil, err
	case skipped:
		return nil, nil
	case tr.when == nil:
		return nil, r.Fail(t.Line, "<Transition> without <Condition>: want one")
	case tr.target != "return" && len(tr.chances) == 0:
		return nil, r.Fail(t.Line, "<Transition> without to: want the name of a state, or a <Target>")
	}
	return tr, nil
}

// condition reads a condition, and reports whether all its parts are known.
func (r *reader) condition(t textio.Tag) (*condition, bool, error) {
	kind, err := r.kind(t)
	if kind == "" {
		return nil, false, err
	}
	known := true
	c := &condition{kind: kind, each: true}
	switch kind {
	case "goal_reached":
		err = r.Number(&c.within, t, "distance", notNegative)
	case "timer":
		c.after, err = r.distribution(t, "", notNegative)
		err = cmp.Or(err, r.flag(&c.each, t, "per_agent"))
	case "AABB", "circle", "OBB":
		c.inside = true
		c.area, err = r.area(t, kind)
		err = cmp.Or(err, r.flag(&c.inside, t, "inside"))
	}
	if err != nil {
		return nil, false, err
	}
	err = r.Element(t, func(p textio.Tag) error {
		part, ok, err := r.condition(p)
		c.parts, known = append(c.parts, part), known && ok
		return err
	})
	want := map[string]int{"and": 2, "or": 2, "not": 1}[kind]
	if err == nil && known && len(c.parts) != want {
		err = r.Fail(t.Line, "<Condition type=%q> with %d conditions: want %d", kind, len(c.parts), want)
	}
	return c, known, err
}

func (l *loader) resolve() error {
	for _, g := range l.p.groups {
		for _, w := range g.profiles {
			if l.p.profiles[w.name] == nil {
				return fmt.Errorf("%s: profile %q: want the name of an <AgentProfile>", w.place, textio.Clip(w.name))
			}
		}
		if l.p.behaves && l.p.byName[g.state] == nil {
			return fmt.Errorf("%s: state %q: want the name of a <State> of the behavior", g.place, textio.Clip(g.state))
		}
	}
	for _, s := range l.p.states {
		if s.selector.set == "" || s.selector.set == "-1" {
			continue
		}
		set := l.p.sets[s.selector.set]
		if len(set) == 0 {
			return fmt.Errorf("%s: <GoalSelector> goal_set=%q: want a <GoalSet> with goals", s.selector.place, s.selector.set)
		}
		if s.selector.kind == "explicit" && !slices.ContainsFunc(set, func(g *goal) bool { return g.id == s.selector.goal }) {
			return fmt.Errorf("%s: <GoalSelector> goal=%q: want a goal of set %s", s.selector.place, s.selector.goal, s.selector.set)
		}
	}
	l.p.Step = cmp.Or(l.p.Step, DefaultStep)
	return nil
}
