package world

import (
	"errors"
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Source spawns agents over time, in batches. An agent is spawned once it is due and its body fits
// at its starting place; until then, the agent and all later agents of the source wait. No agent
// starts in an obstacle or on another agent.
type Source struct {
	Components []any   // initial components, as for Spawn
	Batches    []Batch // ordered by Time
	First      uint64  // ID of the first agent; later IDs count up; 0 means the IDs of Spawn

	// Place returns a starting place and the body radius of agent i, in m. If the body does not fit
	// there, Place is called with the next try, up to 32 times per agent and step. Both i and try
	// count from 0. Place must be deterministic.
	Place func(i, try int) (at r2.Vec, radius float64)

	// Fill sets what differs between agents; row 0 of r is agent first of the source. Positions and
	// IDs are already set. Fill may be nil.
	Fill func(r *Rows, first int)

	spawned int // number of agents spawned
	try     int // next try for the next agent
}

// Batch is a number of agents due at the same time.
type Batch struct {
	Time float64 // s
	N    int
}

// Came returns the number of agents that the source has spawned.
func (s *Source) Came() int { return s.spawned }

// Waiting returns the number of agents that are due at time t, in s, but not spawned.
func (s *Source) Waiting(t float64) int { return max(0, s.due(t)-s.spawned) }

// Agents returns the number of agents in all batches.
func (s *Source) Agents() int { return s.due(math.Inf(1)) }

// due returns the number of agents that are due at time t, spawned or not.
func (s *Source) due(t float64) (n int) {
	for _, b := range s.Batches {
		if b.Time > t {
			break
		}
		n += b.N
	}
	return n
}

// AddSource adds a source to the world, and spawns the agents that are already due, if there is room.
// The others are spawned at the end of steps. After Restore into a world without entities, the source
// continues, with the next step, where the saved source with the same index stopped. AddSource returns
// an error if a batch or a component is invalid. It also returns the error of Spawn, but has then added
// the source. It panics if Place is nil, or if the source was already added.
func (w *World) AddSource(s *Source) error {
	if err := w.checkSource(s); err != nil {
		return err
	}
	if len(w.saved) > 0 { // the source continues with the next step
		w.sources = append(w.sources, s)
		s.spawned, s.try, w.saved = w.saved[0].Came, w.saved[0].Try, w.saved[1:]
		return nil
	}
	if w.counts.Steps == 0 {
		w.Obstacles.Sense(w.ECS)
	}
	w.sources = append(w.sources, s)
	return w.spawnDue(s, nil)
}

func (w *World) checkSource(s *Source) error {
	last := math.Inf(-1)
	for i, b := range s.Batches {
		if !(b.Time >= last) || math.IsInf(b.Time, 1) {
			return fmt.Errorf("source: time of batch %d is %v s, want finite times in ascending order", i, b.Time)
		}
		if b.N < 0 || b.N > MaxAgents {
			return fmt.Errorf("source: batch %d has %d agents, want 0 to %d", i, b.N, MaxAgents)
		}
		last = b.Time
	}
	if s.Place == nil {
		panic("crowd: AddSource of a source without Place")
	}
	if slices.Contains(w.sources, s) {
		panic("crowd: AddSource of a source that was already added")
	}
	_, err := w.complete(s.Components)
	return err
}

func (w *World) spawnAllDue() error {
	var errs []error
	var there []body
	for _, s := range w.sources {
		if s.Waiting(w.soon()) == 0 {
			continue
		}
		if there == nil {
			there = w.bodies()
		}
		errs = append(errs, w.spawnDue(s, &there))
	}
	return errors.Join(errs...)
}

// soon returns the time up to which agents count as due: half a step ahead, against rounding errors.
func (w *World) soon() float64 { return w.Clock.Time + float64(w.Clock.Dt/2) }

type body struct {
	at     r2.Vec
	radius float64
}

// spawnDue spawns the due agents of a source for which there is room. The list there, if not nil, holds
// the bodies of all agents; spawnDue appends the new ones.
func (w *World) spawnDue(s *Source, there *[]body) error {
	n := s.Waiting(w.soon())
	if n == 0 {
		return nil
	}
	if there == nil {
		all := w.bodies()
		there = &all
	}
	const tries = 32 // per agent and step
	first, before := s.spawned, len(*there)
	for s.spawned-first < n {
		found := false
		for range tries {
			at, radius := s.Place(s.spawned, s.try)
			s.try++
			if found = w.room(at, radius, *there); found {
				*there = append(*there, body{at, radius})
				s.spawned, s.try = s.spawned+1, 0
				break
			}
		}
		if !found {
			break
		}
	}
	placed := (*there)[before:]
	if len(placed) == 0 {
		return nil
	}
	err := w.Spawn(len(placed), s.Components, func(r *Rows) {
		agents := Column[c.Agent](r)
		for i, pos := 0, Column[c.Position](r); i < len(pos); i++ {
			pos[i].Vec = placed[i].at
			if s.First > 0 {
				agents[i].ID = s.First + uint64(first+i)
			}
		}
		if s.Fill != nil {
			s.Fill(r, first)
		}
	})
	if err != nil {
		s.spawned = first
	}
	return err
}

func (w *World) room(at r2.Vec, radius float64, others []body) bool {
	if _, near := w.Obstacles.Nearest(at, radius); near {
		return false
	}
	for i := range others {
		reach := radius + others[i].radius
		if vec.Norm2(vec.Sub(others[i].at, at)) < reach*reach {
			return false
		}
	}
	return true
}

func (w *World) bodies() (all []body) {
	pos, radius := column.SourceIn[c.Position](w.types, w.ECS), column.SourceIn[c.Radius](w.types, w.ECS)
	filter := ecs.All(pos.ID).Without(w.idOf(c.Obstacle{}))
	q := w.ECS.Query(&filter)
	defer q.Close()
	var walker column.Walker
	runs := walker.Walk(w.ECS, &q, nil)
	all = []body{}
	for k := range runs {
		r := &runs[k]
		of := column.Rows[c.Radius](radius.Load(r), 0, r.Rows)
		for i, p := range column.Rows[c.Position](pos.Load(r), 0, r.Rows) {
			b := body{at: p.Vec}
			if of != nil {
				b.radius = of[i].Meters
			}
			all = append(all, b)
		}
	}
	return all
}
