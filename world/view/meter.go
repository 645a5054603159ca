package view

import (
	"time"

	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
)

// meter measures what runs, from one reading to the next.
type meter struct {
	since time.Time // of the last reading
	steps int
	took  time.Duration
	old   frame.Stats
}

// stepped counts a step.
func (m *meter) stepped(w *world.World) {
	m.steps++
	m.took += w.StepTime()
}

// pause begins a new reading: a rate over a pause means nothing.
func (m *meter) pause() { m.since = time.Time{} }

// read returns the figures since the last reading, nil if that was not long ago.
func (m *meter) read(now time.Time, s *simulation) *statsMessage {
	if now.Sub(m.since) < statsEvery {
		return nil
	}
	first := m.since.IsZero()
	st := s.world.Stats()
	out := &statsMessage{
		Kind: "stats", Step: uint64(s.world.Clock.Tick), Time: s.world.Clock.Time, Agents: st.Agents,
		Pace: s.pace, Paused: s.paused, Arrived: st.Arrived,
		Obstacles: s.solids.count, Systems: []systemMessage{},
	}
	if s.measured {
		out.Collisions = new(int)
		*out.Collisions = int(st.ObstacleCollisions.Collisions)
		out.addMotion(&st.Trips)
	}
	out.Timeline, out.Seeking = s.timeline(), s.seeking
	out.Beside = s.beside.count(s.world.Clock.Time)
	if s.out > 0 {
		out.Out = &s.out
	}
	if st.Steps == 0 {
		out.Agents = s.agents
	}
	out.Viewers = s.each(func(*viewer) {})
	if m.steps > 0 && !first {
		out.StepsPerSecond = float64(m.steps) / now.Sub(m.since).Seconds()
		out.StepMs = m.took.Seconds() * 1e3 / float64(m.steps)
	}
	for i, sys := range st.Frame.Systems {
		ns := 0.
		if i < len(m.old.Systems) && st.Agents > 0 {
			ns = since(sys, m.old.Systems[i], m.steps, st.Agents)
		}
		out.Systems = append(out.Systems, systemMessage{sys.Name, ns})
	}
	out.addMeasurements(&st)
	m.since, m.steps, m.took, m.old = now, 0, 0, st.Frame
	return out
}

// since returns what a system cost in nanoseconds per agent and step since
// earlier counts.
func since(now, old frame.SystemStats, steps, agents int) float64 {
	if steps == 0 {
		return 0
	}
	ns := float64((now.Alone - old.Alone).Nanoseconds())
	if timed := now.Samples - old.Samples; timed > 0 {
		ns += float64((now.Took - old.Took).Nanoseconds()) / float64(timed) * float64(now.Rows-old.Rows)
	}
	return ns / float64(steps) / float64(agents)
}
