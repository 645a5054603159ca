package view

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
)

const (
	publishEvery = 8 * time.Millisecond
	explainEvery = 100 * time.Millisecond
	statsEvery   = 250 * time.Millisecond
	listEvery    = 50 * time.Millisecond  // an edit sends all obstacles
	backlog      = 100 * time.Millisecond // a simulation with a longer delay does not catch up
)

// At pace 1, a world whose time step is 0 or longer than longStep runs at framesPerSecond steps per second.
const (
	longStep        = 0.1 // s
	framesPerSecond = 60
)

// Ways to step the world.
const (
	hostSteps     = iota // by Update: viewers do not control time
	viewSteps            // by Step: viewers can pause, and take single steps
	viewKeepsPace        // by Run: viewers can also set the speed and, with scenes to choose from, seek
)

type presence struct {
	looking bool // a viewer is connected
	seeing  bool // a viewer wants frames
	waiting bool // a viewer wants a newer snapshot
}

func (s *simulation) run(ctx context.Context) {
	s.steppedBy(viewKeepsPace)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		select {
		case next := <-s.builder.ready:
			s.showAndTell(next)
		default:
		}
		here := s.attend()
		now := time.Now()
		if s.fresh && here.seeing {
			s.publish(now) // show the crowd before the first step, which may be slow
			s.fresh = false
			yield()
		}
		running := here.seeing && (!s.paused || s.owed > 0 || s.seeking)
		if running && !now.Before(s.due) {
			if err := s.step(); err != nil {
				s.paused, s.owed, s.seeking = true, 0, false // report the error only once
			}
			s.keepPace(now)
			yield()
			now = time.Now()
		}
		s.report(now, here)

		pause := s.wait(now, running, here)
		if pause <= 0 {
			continue
		}
		timer.Reset(pause)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.wake:
		case next := <-s.builder.ready:
			s.showAndTell(next)
		}
	}
}

func (s *simulation) stepOnce() (err error) {
	s.steppedBy(viewSteps)
	here := s.attend()
	if !here.looking {
		s.paused = false // no viewer could resume the loop
	}
	switch {
	case !s.paused:
		err = s.step()
	case s.owed > 0:
		s.owed--
		err = s.step()
	default:
		select {
		case <-time.After(time.Second / framesPerSecond):
		case <-s.wake:
		}
	}
	s.report(time.Now(), here)
	return err
}

func (s *simulation) update() {
	s.steppedBy(hostSteps)
	if tick := s.world.Clock.Tick; tick != s.tick {
		s.tick = tick
		s.stepped()
	}
	s.report(time.Now(), s.attend())
}

func (s *simulation) steppedBy(what int) {
	if s.steps != what {
		s.steps, s.paused, s.owed = what, false, 0
		s.announce()
	}
}

// attend handles requests, releases the pointer if its holder has left, and returns the presence of viewers.
func (s *simulation) attend() (here presence) {
	s.doAll()
	if s.again.Swap(false) {
		s.version++
	}
	holding := false
	s.each(func(v *viewer) {
		here.looking, here.seeing = true, here.seeing || v.seeing.Load()
		here.waiting = here.waiting || v.waiting.Load()
		holding = holding || v == s.holder
	})
	if !holding {
		s.holder = nil
	}
	return here
}

func (s *simulation) report(now time.Time, here presence) {
	if s.edited && now.Sub(s.listed) >= listEvery {
		s.listed = now
		s.list()
	}
	if here.waiting && s.version != s.shown && now.Sub(s.last) >= s.publishEvery() {
		s.publish(now)
	}
	if here.looking {
		s.tell(now)
	}
}

func (s *simulation) publishEvery() time.Duration {
	if s.seeking {
		return statsEvery
	}
	return publishEvery
}

// wait returns the time until the loop must act again.
func (s *simulation) wait(now time.Time, running bool, here presence) time.Duration {
	pause := time.Hour
	if here.looking {
		pause = statsEvery
	}
	if running {
		pause = min(pause, s.due.Sub(now))
	}
	if s.queue.waits() {
		return 0
	}
	if s.edited {
		pause = min(pause, max(listEvery-now.Sub(s.listed), 0))
	}
	if here.waiting && s.version != s.shown {
		pause = min(pause, max(s.publishEvery()-now.Sub(s.last), time.Millisecond))
	}
	return pause
}

// keepPace sets the time when the next step is due, or counts a requested step as done.
func (s *simulation) keepPace(now time.Time) {
	if s.owed > 0 {
		s.owed--
		return
	}
	if s.pace == 0 || s.seeking {
		s.due = now
		return
	}
	rate := 1 / s.world.Clock.Dt
	if s.world.Clock.Dt == 0 || s.world.Clock.Dt > longStep {
		rate = framesPerSecond
	}
	s.due = s.due.Add(time.Duration(float64(time.Second) / (rate * s.pace)))
	if now.Sub(s.due) > backlog {
		s.due = now
	}
}

func (s *simulation) showAndTell(next *handover) {
	defer close(next.shown)
	s.builder.forget(next.order)
	if err := s.show(next.crowd); err != nil {
		s.fail(err)
	}
}

func (s *simulation) fail(err error) { s.each(func(v *viewer) { v.fail(err) }) }

func (s *simulation) step() error {
	s.lead()
	if !s.past.repeats(s.world.Clock.Tick) {
		s.writeOn()
	}
	err := s.world.Step()
	if errors.Is(err, world.ErrInterrupted) && s.scenes != nil {
		return nil // another crowd is next, or the view ends
	}
	if err != nil {
		s.fail(err)
	}
	s.stepped()
	return err
}

// stepped updates the state after a step. When the last agent and the last recorded person have left a scene
// that ends by itself, Run pauses. A host's loop does not, because the host may spawn more agents.
func (s *simulation) stepped() {
	s.meter.stepped(s.world)
	s.version++
	s.trace()
	s.remember()
	if s.out == 0 && s.scene != nil && s.scene.Ends() && s.world.Departed() == s.scene.Agents() && !s.beside.goesOn(s.world.Clock.Time) {
		s.out = s.world.Clock.Time
		if s.steps == viewKeepsPace {
			s.paused, s.owed = true, 0
		}
	}
}

// trace updates the trace hash, which crowd run also prints. A world that was not shown from its first step
// has no trace hash.
func (s *simulation) trace() {
	tick := int(s.world.Clock.Tick)
	k := tick / hash.TraceEvery
	if tick%hash.TraceEvery != 0 || k > len(s.traces) {
		return
	}
	var t hash.Trace
	if k > 0 {
		t = s.traces[k-1]
	}
	t.Add(s.world.Hash())
	s.traces = append(s.traces[:k], t)
}

type meter struct {
	since time.Time
	steps int
	took  time.Duration
	old   frame.Stats
}

func (m *meter) stepped(w *world.World) {
	m.steps++
	m.took += w.Inspect().StepTime()
}

// read returns the statistics, with rates since the last reading, or nil if that was too recent.
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
		out.Collisions = new(int(st.ObstacleCollisions.Collisions))
		n := &st.Trips
		out.Motion = measured{
			"line": number(n.Line), "wiggle": number(n.Wiggle), "seconds": number(n.Seconds), "acceleration": number(n.Acceleration),
			"reversals": number(n.Reversals), "turnSeconds": number(n.TurnSeconds), "turning": number(n.Turning),
		}
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
	if k := int(out.Step) / hash.TraceEvery; k < len(s.traces) {
		out.Trace, out.TraceStep = fmt.Sprintf("%016x", s.traces[k].Sum()), k*hash.TraceEvery
	}
	out.addMeasurements(&st)
	m.since, m.steps, m.took, m.old = now, 0, 0, st.Frame
	return out
}

// since returns the cost of a system between two counts, in nanoseconds per agent per step.
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
