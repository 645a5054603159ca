package menge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	mostStops  = 400_000 // of all agents
	leastReach = 0.05    // m, minimum Reach of a stop
	inward     = 0.5     // m, minimum distance of a stop from the edge of its area, if there is room
	atOnce     = 100     // maximum number of successive states that take no time
	beyond     = 1e4     // m, distance to look ahead in a direction
)

// walk follows the state machine for one agent with nothing in the agent's way. It tries the transitions,
// in order, when a state begins, when the agent reaches its goal or enters or leaves an area, and when a
// timer ends. Only then do conditions change.
type walk struct {
	*Project
	agent  *Agent
	draws  uint64 // seed of the agent
	drawn  uint64
	timers map[*condition]float64
	kept   map[*state]*goal

	pref, most float64 // m/s, preferred and maximum speed after actions
	speed      float64 // m/s, at the last stop
	at         r2.Vec
	goal       *area // goal reached at the end of the last state, or nil
}

func (w *walk) draw() uint64 {
	w.drawn++
	return hash.Mix(w.draws + w.drawn)
}

type motion struct {
	goal  *area   // nil if the agent walks in a direction or stands
	led   bool    // see Agent.Led
	to    r2.Vec  // end of the motion, or a point far away
	speed float64 // m/s
	takes float64 // s
}

func (m *motion) at(from r2.Vec, t float64) r2.Vec {
	if t >= m.takes {
		return m.to
	}
	return vec.AddScaled(from, t/m.takes, vec.Sub(m.to, from))
}

// event is a time, in s since the state began, at which a condition may change.
type event struct {
	t   float64
	why *condition
}

func (w *walk) run(s *state) error {
	a, begin := w.agent, s
	w.pref, w.most, w.at = a.PreferredSpeed, a.MaxSpeed, a.Position
	w.speed = min(w.pref, w.most)
	var before *state
	var rounds []int // number of stops at each entry into the first state
	most := DefaultDuration
	if w.Duration > 0 {
		most = w.Duration
	}
	for idle := 0; ; {
		if s == begin {
			rounds = append(rounds, len(a.Stops))
			if n := len(rounds); n == 3 && rounds[1] > 0 && slices.Equal(a.Stops[:rounds[1]], a.Stops[rounds[1]:]) {
				a.Stops, a.End = a.Stops[:rounds[1]], formats.Repeat
				return nil
			}
		}
		if a.Seconds > most || len(a.Stops) >= w.maxStops {
			if w.reaches(s, begin) {
				a.End = formats.Repeat
			}
			return nil
		}
		pref, top := w.pref, w.most
		w.act(s)
		m := w.motion(s)
		a.Led = a.Led || m.led
		tr, e := w.next(s, &m)
		if tr == nil {
			w.last(s, &m)
			return nil
		}
		if w.goal = nil; e.t > 0 && e.why.kind == "goal_reached" {
			w.goal = m.goal
		}
		if e.t > 0 {
			w.stop(s, &m, e)
			if w.at = m.at(w.at, e.t); e.why.inside {
				w.at = a.Stops[len(a.Stops)-1].At
			}
			a.Seconds += e.t
			idle = 0
		} else if idle++; idle > atOnce {
			return fmt.Errorf("%s: <State name=%q> follows itself endlessly without taking time: want a transition that takes time", s.place, s.name)
		}
		w.undo(s, pref, top)
		switch {
		case tr.target == "return" && before != nil:
			s, before = before, s
		case tr.target == "return":
			w.last(s, &m)
			return nil
		default:
			k := pickIndex(len(tr.states), func(i int) float64 { return tr.chances[i].weight }, w.draw())
			s, before = tr.states[k], s
		}
	}
}

func (p *Project) reaches(from, to *state) bool {
	reached, known := p.reached[[2]*state{from, to}]
	if known {
		return reached
	}
	seen := map[*state]bool{from: true}
	for next := []*state{from}; len(next) > 0 && !seen[to]; {
		s := next[len(next)-1]
		next = next[:len(next)-1]
		for _, tr := range s.leave {
			for _, t := range tr.states {
				if !seen[t] {
					seen[t] = true
					next = append(next, t)
				}
			}
		}
	}
	p.reached[[2]*state{from, to}] = seen[to]
	return seen[to]
}

func (w *walk) act(s *state) {
	for i := range s.actions {
		a := &s.actions[i]
		x := &w.pref
		if a.property == "max_speed" {
			x = &w.most
		}
		switch by := a.by.of(w.draw()); a.kind {
		case "set_property":
			*x = by
		case "offset_property":
			*x += by
		case "scale_property":
			*x *= by
		}
		*x = min(max(*x, 0), 1e6)
	}
}

// undo restores the speeds from before state s, except those that actions of s change for good.
func (w *walk) undo(s *state, pref, most float64) {
	for i := range s.actions {
		switch a := &s.actions[i]; {
		case !a.reset:
		case a.property == "pref_speed":
			w.pref = pref
		default:
			w.most = most
		}
	}
}

func (w *walk) motion(s *state) motion {
	goal := w.choose(s)
	m := motion{to: w.at, speed: min(w.pref, w.most)}
	switch s.moves {
	case "zero":
		m.speed = 0
	case "goal":
		m.goal = goal
	case "road_map", "nav_mesh":
		m.goal, m.led = goal, true
	case "vel_field": // the field leads to where the agent leaves the state
		if m.led = true; s.selector.kind != "identity" {
			m.goal = goal
		} else if c := leads(s); c != nil {
			m.goal = &c.area
		}
	case "const":
		m.speed = min(vec.Norm(s.velocity), w.most)
		m.to = r2.Add(w.at, vec.WithNorm(s.velocity, beyond))
	case "const_dir":
		m.to = r2.Add(w.at, vec.WithNorm(s.velocity, beyond))
	}
	if m.goal != nil {
		m.to = m.goal.nearest(w.at)
	}
	if m.speed == 0 {
		m.goal, m.to = nil, w.at
	}
	if far := vec.Norm(r2.Sub(m.to, w.at)); far > 0 {
		m.takes = far / m.speed
	}
	return m
}

// leads returns the first condition that ends a state when the agent enters an area, or nil.
func leads(s *state) *condition {
	for _, tr := range s.leave {
		if c := tr.when; (c.kind == "AABB" || c.kind == "circle" || c.kind == "OBB") && c.inside {
			return c
		}
	}
	return nil
}

// choose returns the goal of a state. The agent keeps it if the selector is persistent or the goal has a
// capacity.
func (w *walk) choose(s *state) *area {
	p := &s.selector
	switch p.kind {
	case "identity":
		return &area{center: w.at, cos: 1}
	case "mirror":
		at := w.at
		if p.mirrorX {
			at.X = -at.X
		}
		if p.mirrorY {
			at.Y = -at.Y
		}
		return &area{center: at, cos: 1}
	}
	if g := w.kept[s]; g != nil {
		return &g.area
	}
	var open []*goal
	all := w.sets[p.set]
	for _, g := range all {
		if g.taken < g.capacity && (p.kind != "explicit" || g.id == p.goal) {
			open = append(open, g)
		}
	}
	if len(open) == 0 { // agents share these goals
		for _, g := range all {
			if p.kind != "explicit" || g.id == p.goal {
				open = append(open, g)
			}
		}
	}
	best := open[0]
	switch p.kind {
	case "random":
		best = open[int(hash.Float(w.draw())*float64(len(open)))]
	case "weighted":
		best = open[pickIndex(len(open), func(i int) float64 { return open[i].weight }, w.draw())]
	case "nearest", "farthest":
		far := func(g *goal) float64 { return vec.Norm2(r2.Sub(g.center, w.at)) }
		for _, g := range open[1:] {
			if p.kind == "nearest" && far(g) < far(best) || p.kind == "farthest" && far(g) > far(best) {
				best = g
			}
		}
	}
	if limited := best.capacity < 1e9; limited || p.persistent {
		best.taken++
		w.kept[s] = best
	}
	return &best.area
}

// next returns the first transition that the agent takes, or nil if there is none, and the event that
// triggers it.
func (w *walk) next(s *state, m *motion) (*transition, event) {
	timers := map[*condition]float64{}
	events := []event{{}}
	for _, tr := range s.leave {
		events = w.events(tr.when, m, timers, events)
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.t, b.t) })
	for _, e := range events {
		for _, tr := range s.leave {
			if w.holds(tr.when, m, timers, e.t) {
				return tr, e
			}
		}
	}
	return nil, event{}
}

func (w *walk) events(c *condition, m *motion, timers map[*condition]float64, all []event) []event {
	for _, part := range c.parts {
		all = w.events(part, m, timers, all)
	}
	switch c.kind {
	case "goal_reached":
		if m.goal != nil {
			in, _, meets := m.goal.span(w.at, m.to, max(c.within, 1e-9))
			if meets {
				all = append(all, event{in * m.takes, c})
			}
		}
	case "timer":
		t, has := w.timers[c]
		if c.each || !has {
			t = c.after.of(w.draw())
			w.timers[c] = t
		}
		timers[c] = t
		all = append(all, event{t, c})
	case "AABB", "circle", "OBB":
		in, out, meets := c.area.span(w.at, m.to, 1e-9)
		switch {
		case meets:
			all = append(all, event{in * m.takes, c}, event{min(out+1e-12, 1) * m.takes, c})
		case m.led && m.goal != nil && c.inside: // the path is unknown and not straight
			all = append(all, event{m.takes * nearly, c})
		}
	}
	return all
}

// nearly is the fraction of the path of a led agent after which the agent counts as inside any area.
const nearly = 1 - 1e-9

func (w *walk) holds(c *condition, m *motion, timers map[*condition]float64, t float64) bool {
	switch c.kind {
	case "auto":
		return true
	case "goal_reached":
		return m.goal != nil && m.goal.distance(m.at(w.at, t)) <= max(c.within, 1e-9)+1e-9
	case "timer":
		return t >= timers[c]
	case "and":
		return w.holds(c.parts[0], m, timers, t) && w.holds(c.parts[1], m, timers, t)
	case "or":
		return w.holds(c.parts[0], m, timers, t) || w.holds(c.parts[1], m, timers, t)
	case "not":
		return !w.holds(c.parts[0], m, timers, t)
	}
	inside := c.area.distance(m.at(w.at, t)) <= 1e-9
	if m.led && m.goal != nil && c.inside && t > 0 && t >= m.takes*nearly {
		return true
	}
	return inside == c.inside
}

func (w *walk) add(s Stop, speed float64) {
	if speed != w.speed && speed > 0 {
		s.Speed, w.speed = speed, speed
	}
	w.agent.Stops = append(w.agent.Stops, s)
}

func (w *walk) stop(s *state, m *motion, e event) {
	switch {
	case e.why.kind == "goal_reached":
		w.add(m.goal.stop(w.at, e.why.within), m.speed)
	case e.why.kind == "timer" && m.goal != nil && m.takes < e.t:
		w.add(m.goal.stop(w.at, leastReach), m.speed)
		w.add(Stop{Stop: systems.Stop{Kind: systems.StopIdle, Duration: e.t - m.takes}}, m.speed)
	case e.why.kind == "timer" && m.goal != nil:
		stop := m.goal.stop(w.at, leastReach)
		stop.Duration = e.t
		w.add(stop, m.speed)
	case e.why.kind == "timer" && m.takes > 0:
		w.add(Stop{Stop: systems.Stop{Kind: systems.StopFlow, Direction: s.velocity, Duration: e.t}}, m.speed)
	case e.why.kind == "timer":
		w.add(Stop{Stop: systems.Stop{Kind: systems.StopIdle, Duration: e.t}}, m.speed)
	case e.why.inside:
		w.add(e.why.area.stop(w.at, 0), m.speed)
	default:
		w.add(Stop{Stop: systems.Stop{At: m.at(w.at, e.t)}, Reach: leastReach}, m.speed)
	}
}

func (w *walk) last(s *state, m *motion) {
	switch {
	case m.goal != nil && m.takes > 0:
		w.add(m.goal.stop(w.at, leastReach), m.speed)
		w.agent.Seconds += m.takes
	case m.goal != nil || m.takes == 0:
		w.stay()
	case len(w.agent.Stops) > 0 && s.final:
		w.agent.End = formats.Leave
	default:
		w.add(Stop{Stop: systems.Stop{Kind: systems.StopFlow, Direction: s.velocity}}, m.speed)
	}
}

// stay moves the agent's last stop, if it is at w.goal, to a random point there. Without this, all agents
// would stand at the edge of the goal.
func (w *walk) stay() {
	a := w.agent
	if n := len(a.Stops); n > 0 && w.goal != nil && a.Stops[n-1].Kind == systems.StopPlace && w.goal.distance(a.Stops[n-1].At) < leastReach {
		a.Stops[n-1].At = w.goal.somewhere(hash.Float(w.draw()), hash.Float(w.draw()))
	}
}
