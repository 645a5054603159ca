package view

import (
	"strconv"
	"time"
)

// tell sends figures and explanations to those who are due for them.
func (s *simulation) tell(now time.Time) {
	if m := s.meter.read(now, s); m != nil {
		if s.tuned || len(s.recorder.does.archetypes()) != s.kinds {
			s.announce()
		}
		if s.scenes == nil || s.solids.doors > 0 { // which open and close by themselves
			s.edited = true // the host may have moved obstacles, too
		}
		data := encode(m)
		s.each(func(v *viewer) { v.post("stats", data) })
	}
	s.mu.Lock()
	all := make([]*viewer, 0, 8)
	for v := range s.viewers {
		if v.selected.Load() != 0 && v.explained != s.version && now.Sub(v.explainedAt) >= explainEvery {
			all = append(all, v)
		}
	}
	s.mu.Unlock()
	for _, v := range all {
		v.explained, v.explainedAt = s.version, now
		id := v.selected.Load()
		m := s.explain(id)
		v.shows(seesOf(m.Explanation))
		v.post("agent", encode(m))
	}
}

// explain says what the next step will do to an agent.
func (s *simulation) explain(id uint64) *agentMessage {
	m := &agentMessage{Kind: "agent", ID: strconv.FormatUint(id, 10)}
	e, known := s.found[id]
	if !known {
		e, known = s.world.Entity(id)
		if len(s.found) > 1000 {
			clear(s.found)
		}
		s.found[id] = e
	}
	if !known || !s.world.ECS.Alive(e) {
		return m
	}
	explanation, err := s.world.Explain(e)
	if err == nil {
		m.Alive, m.Explanation = true, explanation
	}
	return m
}
