package view

import (
	"strconv"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func (s *simulation) tell(now time.Time) {
	if m := s.meter.read(now, s); m != nil {
		if s.tuned || len(s.recorder.does.archetypes()) != s.kinds {
			s.announce()
		}
		if s.scenes == nil || s.solids.doors > 0 { // doors open and close on their own
			s.edited = true // the host may also have moved obstacles
		}
		data := encode(m)
		s.each(func(v *viewer) { v.post("stats", data) })
	}
	var all []*viewer
	s.each(func(v *viewer) {
		if v.selected.Load() != 0 && v.explained != s.version && now.Sub(v.explainedAt) >= explainEvery {
			all = append(all, v)
		}
	})
	for _, v := range all {
		v.explained, v.explainedAt = s.version, now
		id := v.selected.Load()
		m := s.explain(id)
		v.shows(seesOf(m.Explanation))
		v.post("agent", encode(m))
	}
}

// explain describes an agent's next step. Alive is false if the agent is gone.
func (s *simulation) explain(id uint64) *agentMessage {
	m := &agentMessage{Kind: "agent", ID: strconv.FormatUint(id, 10)}
	e, known := s.found[id]
	if !known {
		e, known = s.world.Entity(id)
		if len(s.found) > 1000 {
			clear(s.found)
		}
		if known { // an unknown agent may be spawned later
			s.found[id] = e
		}
	}
	if !known || !s.world.ECS.Alive(e) {
		return m
	}
	explanation, err := s.world.Inspect().Explain(e)
	if err == nil {
		m.Alive, m.Explanation = true, explanation
	}
	return m
}

// routes holds the paths of agents. placeOf returns an agent's index in agents and ends.
type routes struct {
	agents []router
	ends   []uint32                     // index in points at which each agent's path ends
	points []r2.Vec                     // m
	chosen map[uint64][]world.Clearance // corridors of the chosen agents, by ID
}

// router is an agent with a path; zero means none.
type router struct {
	entity ecs.Entity
	field  bool // the agent follows a flow field
}

const mostRoutePoints = 200_000 // per snapshot

// Spacing and largest radius of a corridor's discs, in m.
const (
	corridorStep   = 0.5
	corridorWidest = 3
)

func (r *routes) grow(n int, wanted bool) {
	if !wanted {
		*r = routes{}
		return
	}
	if len(r.agents) < n {
		r.agents, r.ends = make([]router, n), make([]uint32, n)
	}
	clear(r.agents)
}

// captureRoutes captures the paths and corridors of the chosen agents and, until there are mostRoutePoints
// points, the paths of other agents that do not follow a flow field.
func (s *simulation) captureRoutes(to *snapshot, chosen []uint64) {
	r := &to.routes
	if r.agents == nil {
		return
	}
	wants := map[uint64]bool{}
	for _, id := range chosen {
		wants[id] = true
	}
	r.points, r.chosen = r.points[:0], map[uint64][]world.Clearance{}
	for place, id := range to.ids {
		a := r.agents[place]
		if id != 0 && !a.entity.IsZero() && (wants[id] || !a.field && len(r.points) < mostRoutePoints) {
			r.points = append(r.points, s.world.Inspect().Path(a.entity)...)
		}
		if wants[id] && !a.entity.IsZero() {
			r.chosen[id] = s.world.Inspect().Corridor(a.entity, corridorStep, corridorWidest)
		}
		r.ends[place] = uint32(len(r.points))
	}
}

func (r *routes) of(place int) []r2.Vec {
	first := uint32(0)
	if place > 0 {
		first = r.ends[place-1]
	}
	return r.points[first:r.ends[place]]
}

// Values of the last number in each record of the layer "routes".
const (
	routeOfOther  = 0 // a segment of another path
	routeOfChosen = 1 // a segment of the selected agent's path
	roomOfChosen  = 2 // a disc of the selected agent's corridor
)

// routes writes the corridor and path of the selected agent, then the other paths.
func (f *frames) routes(s *snapshot, box r2.Box, selected uint64, full func() bool) {
	line := func(place int, own float64) (cut bool) {
		from := s.pos[place]
		for _, to := range s.routes.of(place) {
			if full() {
				return true
			}
			f.points(box.Min, from, to)
			f.f32(own)
			from = to
		}
		return false
	}
	if s.routes.agents == nil {
		return
	}
	for place, id := range s.ids {
		if id == 0 || id != selected {
			continue
		}
		for _, disc := range s.routes.chosen[id] {
			if full() {
				return
			}
			f.points(box.Min, disc.At)
			f.f32(disc.Radius)
			f.f32(0)
			f.f32(roomOfChosen)
		}
		if line(place, routeOfChosen) {
			return
		}
	}
	for _, i := range f.shown {
		if s.ids[i] != selected && line(int(i), routeOfOther) {
			return
		}
	}
}
