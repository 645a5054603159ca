package menge

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// goalSet is a list of goals.
type goalSet struct{ goals []*goal }

type goal struct {
	area
	id               string
	weight, capacity float64
	taken            float64 // by how many agents
}

// state is a state of the machine.
type state struct {
	name, place string
	line        int
	final       bool
	selector    selector
	moves       string // the type of its velocity component; zero if there is none
	velocity    r2.Vec // of const and const_dir
	actions     []action
	leave       []*transition
}

// selector says which goal an agent has in a state.
type selector struct {
	kind             string
	place            string
	set              string
	goal             string
	mirrorX, mirrorY bool
	persistent       bool
}

// action changes a property of an agent that enters a state.
type action struct {
	kind, property string
	by             draw
	reset          bool // when the agent leaves the state
}

// transition is a way from one state, or several, to another.
type transition struct {
	from    string
	place   string
	order   float64
	when    *condition
	target  string     // prob or return, in place of a state
	chances []weighted // of states; one if it leads to one
	states  []*state   // of the chances
}

// condition is when a transition is taken.
type condition struct {
	kind   string
	area   area
	inside bool
	within float64 // m, of goal_reached
	after  draw    // s, of a timer
	each   bool    // agents have timers of their own
	parts  []*condition
}

// machine reads a behavior.
func (r *reader) machine(t textio.Tag) error {
	var all []*transition
	err := r.Element(t, nil, func(c textio.Tag) error {
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
	if r.p.sets[key] == nil {
		r.p.sets[key] = &goalSet{}
	}
	set := r.p.sets[key]
	return r.Element(t, ignore, func(c textio.Tag) error {
		kind, known, err := r.kind(c)
		if err != nil || !known {
			return first(err, r.skipUnless(known, c))
		}
		g, number := &goal{weight: 1, capacity: 1e9}, 0.
		g.area, err = r.area(c, kind)
		if err := first(err, r.needed(&number, c, "id", wholeNumber), r.number(&g.weight, c, "weight", notNegative), r.number(&g.capacity, c, "capacity", wholeNumber)); err != nil {
			return err
		}
		if g.id = fmt.Sprint(number); slices.ContainsFunc(set.goals, func(h *goal) bool { return h.id == g.id }) {
			return r.Fail(c.Line, "second <Goal id=%q> in a <GoalSet>: want one", g.id)
		}
		set.goals = append(set.goals, g)
		return r.Element(c, ignore, nil)
	})
}

// state reads a state. One without a goal selector has its goal where it is, and one without a
// velocity component stands.
func (r *reader) state(t textio.Tag) (err error) {
	if err := r.Require(t, "name"); err != nil {
		return err
	}
	a, _ := t.Attr("name")
	s := &state{name: a.Value, place: r.Place(t.Line), line: t.Line, selector: selector{kind: "identity"}, moves: "zero"}
	if r.p.byName[s.name] != nil {
		return r.BadAttr(t, a, "a name that no other state has")
	}
	if s.final, err = r.flag(t, "final", false); err != nil {
		return err
	}
	r.p.states = append(r.p.states, s)
	r.p.byName[s.name] = s
	return r.Element(t, func(a xml.Attr) error {
		if a.Name.Local == "weight" {
			return r.Odd(t.Line, "it in <Target>", "attribute weight in <State> of <BFSM>")
		}
		return nil
	}, func(c textio.Tag) error {
		kind, known, err := r.kind(c)
		if err != nil || !known {
			return first(err, r.skipUnless(known, c))
		}
		switch c.Name {
		case "GoalSelector":
			err = r.goalSelector(s, c, kind)
		case "VelComponent":
			err = r.velocity(s, c, kind)
		default:
			err = r.action(s, c, kind)
		}
		return first(err, r.Element(c, ignore, nil))
	})
}

func (r *reader) goalSelector(s *state, t textio.Tag, kind string) (err error) {
	s.selector = selector{kind: kind, place: r.Place(t.Line)}
	if s.selector.persistent, err = r.flag(t, "persistent", false); err != nil {
		return err
	}
	set, id := -1., -1.
	switch kind {
	case "mirror":
		x, err1 := r.flag(t, "mirror_x", false)
		y, err2 := r.flag(t, "mirror_y", false)
		s.selector.mirrorX, s.selector.mirrorY = x, y
		return first(err1, err2)
	case "explicit":
		err = r.needed(&id, t, "goal", wholeNumber)
		fallthrough
	case "nearest", "farthest", "random", "weighted":
		err = first(err, r.needed(&set, t, "goal_set", wholeNumber))
	}
	s.selector.set, s.selector.goal = fmt.Sprint(set), fmt.Sprint(id)
	return err
}

func (r *reader) velocity(s *state, t textio.Tag, kind string) (err error) {
	switch kind {
	case "const", "const_dir":
		s.velocity, err = r.point(t, "x", "y")
	case "road_map", "nav_mesh", "vel_field":
		if err := r.Require(t, "file_name"); err != nil {
			return err
		}
		a, _ := t.Attr("file_name")
		r.Warn(t.Line, "<VelComponent type=%q> file_name=%q not read: agents find their own ways", kind, textio.Clip(a.Value))
	}
	s.moves = kind
	return err
}

func (r *reader) action(s *state, t textio.Tag, kind string) (err error) {
	if err := r.Require(t, "property"); err != nil {
		return err
	}
	p, _ := t.Attr("property")
	a := action{kind: kind, property: p.Value}
	of, known := numbersOfAgents[a.property]
	if !known && !slices.Contains(otherNumbers, a.property) {
		return r.BadAttr(t, p, "pref_speed, max_speed or another number of agents")
	}
	l := anyNumber
	if kind == "set_property" && known {
		l = of.limit
	}
	if a.by, err = r.distribution(t, "", l); err != nil {
		return err
	}
	if a.reset, err = r.flag(t, "exit_reset", true); err != nil {
		return err
	}
	if a.property != "pref_speed" && a.property != "max_speed" {
		r.Warn(t.Line, "<Action type=%q> of %s not followed: only speeds of agents change", kind, a.property)
		return nil
	}
	s.actions = append(s.actions, a)
	return nil
}

// transition reads a transition; nil if it is skipped.
func (r *reader) transition(t textio.Tag) (*transition, error) {
	if err := r.Require(t, "from"); err != nil {
		return nil, err
	}
	a, _ := t.Attr("from")
	tr := &transition{from: a.Value, place: r.Place(t.Line)}
	if err := r.number(&tr.order, t, "order", anyNumber); err != nil {
		return nil, err
	}
	if to, has := t.Attr("to"); has {
		tr.chances = []weighted{{to.Value, tr.place, 1}}
	}
	skipped := false
	err := r.Element(t, ignore, func(c textio.Tag) error {
		switch {
		case c.Name == "Condition" && tr.when != nil || c.Name == "Target" && (tr.chances != nil || tr.target != ""):
			return textio.ErrSecond
		case c.Name == "Condition":
			when, known, err := r.condition(c)
			tr.when, skipped = when, skipped || !known
			return err
		}
		kind, known, err := r.kind(c)
		if err != nil || !known {
			skipped = true
			return first(err, r.skipUnless(known, c))
		}
		tr.target = kind
		return r.Element(c, ignore, func(s textio.Tag) error {
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

// condition reads a condition, and reports whether it is known.
func (r *reader) condition(t textio.Tag) (*condition, bool, error) {
	kind, known, err := r.kind(t)
	if err != nil || !known {
		return nil, false, first(err, r.skipUnless(known, t))
	}
	c := &condition{kind: kind}
	switch kind {
	case "goal_reached":
		err = r.number(&c.within, t, "distance", notNegative)
	case "timer":
		var err1, err2 error
		c.after, err1 = r.distribution(t, "", notNegative)
		c.each, err2 = r.flag(t, "per_agent", true)
		err = first(err1, err2)
	case "AABB", "circle", "OBB":
		var err1, err2 error
		c.area, err1 = r.area(t, kind)
		c.inside, err2 = r.flag(t, "inside", true)
		err = first(err1, err2)
	}
	if err != nil {
		return nil, false, err
	}
	err = r.Element(t, ignore, func(p textio.Tag) error {
		part, ok, err := r.condition(p)
		c.parts, known = append(c.parts, part), known && ok
		return err
	})
	want := map[string]int{"and": 2, "or": 2, "not": 1}[kind]
	if err == nil && known && len(c.parts) != want {
		err = r.Fail(t.Line, "<Condition type=%q> with %d conditions in it: want %d", kind, len(c.parts), want)
	}
	return c, known, err
}

// resolve verifies that what files name is there.
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
		if set == nil || len(set.goals) == 0 {
			return fmt.Errorf("%s: <GoalSelector> goal_set=%q: want a <GoalSet> with goals", s.selector.place, s.selector.set)
		}
		if s.selector.kind == "explicit" && !slices.ContainsFunc(set.goals, func(g *goal) bool { return g.id == s.selector.goal }) {
			return fmt.Errorf("%s: <GoalSelector> goal=%q: want a goal of set %s", s.selector.place, s.selector.goal, s.selector.set)
		}
	}
	if l.p.Step == 0 {
		l.p.Step = DefaultStep
	}
	return nil
}
