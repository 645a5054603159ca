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

// Source makes agents over time, batch by batch. Each comes when its time has come and there
// is room for its body where it is to start; until then it waits, and so do all that come
// after it. No agent starts on another one, or in a wall.
type Source struct {
	Components []any   // that agents start with, as for Spawn
	Batches    []Batch // the earliest first
	First      uint64  // id of the first agent, whose ids count up; 0: they are those of Spawn

	// Place returns where agent i, counted from 0, may start, and how large its body is. It is
	// asked again, with the next try, while there is no room; try counts from 0 for each agent.
	// It must return the same for the same numbers.
	Place func(i, try int) (at r2.Vec, radius float64)

	// Fill sets what differs between the agents of some rows, the first of which is agent
	// first. Their positions and ids are set. It may be nil.
	Fill func(r *Rows, first int)

	came int // how many have come
	try  int // of the one that comes next
}

// Batch is a number of agents that come at the same time.
type Batch struct {
	Time float64 // s
	N    int
}

// Came returns how many agents of the source have come.
func (s *Source) Came() int { return s.came }

// Waiting returns for how many agents the time has come at t seconds that have not come
// because there is no room for them.
func (s *Source) Waiting(t float64) int { return s.due(t) - s.came }

// Agents returns how many agents the source makes in all.
func (s *Source) Agents() int { return s.due(math.Inf(1)) }

// due returns for how many agents the time has come.
func (s *Source) due(t float64) (n int) {
	for _, b := range s.Batches {
		if b.Time > t {
			break
		}
		n += b.N
	}
	return n
}

// AddSource adds a source to the world. Those whose time has come are there at once, if there
// is room; others come at the end of a step. After Restore into a world without entities it goes on where the
// source that was added in its place had come when the world was saved.
func (w *World) AddSource(s *Source) error {
	if err := w.checkSource(s); err != nil {
		return err
	}
	if len(w.saved) > 0 { // it goes on, with the next step
		w.sources = append(w.sources, s)
		s.came, s.try, w.saved = w.saved[0].Came, w.saved[0].Try, w.saved[1:]
		return nil
	}
	if w.counts.Steps == 0 {
		w.Obstacles.Sense(w.ECS)
	}
	w.sources = append(w.sources, s)
	return w.come(s, nil)
}

func (w *World) checkSource(s *Source) error {
	last := math.Inf(-1)
	for i, b := range s.Batches {
		if !(b.Time >= last) || math.IsInf(b.Time, 1) {
			return fmt.Errorf("source: time of batch %d is %v s, want a finite number, and the earliest first", i, b.Time)
		}
		if b.N < 0 || b.N > MaxAgents {
			return fmt.Errorf("source: batch %d has %d agents, want 0 to %d", i, b.N, MaxAgents)
		}
		last = b.Time
	}
	if s.Place == nil {
		panic("crowd: source without Place, which says where agents start")
	}
	if slices.Contains(w.sources, s) {
		panic("crowd: a source is added twice")
	}
	_, err := w.complete(s.Components)
	return err
}

// comeAll lets all agents come whose time has come.
func (w *World) comeAll() error {
	var errs []error
	var there []body
	for _, s := range w.sources {
		if s.Waiting(w.soon()) == 0 {
			continue
		}
		if there == nil {
			there = w.bodies()
		}
		errs = append(errs, w.come(s, &there))
	}
	return errors.Join(errs...)
}

// soon is until when agents are due that come now.
func (w *World) soon() float64 { return w.Clock.Time + float64(w.Clock.Dt/2) }

// body is that of an agent.
type body struct {
	at     r2.Vec
	radius float64
}

// come lets the agents of a source come for which there is room. Those that are there are known
// already, or nil.
func (w *World) come(s *Source, there *[]body) error {
	n := s.Waiting(w.soon())
	if n == 0 {
		return nil
	}
	if there == nil {
		all := w.bodies()
		there = &all
	}
	const tries = 32 // in a step
	first, before := s.came, len(*there)
	for s.came-first < n {
		found := false
		for range tries {
			at, radius := s.Place(s.came, s.try)
			s.try++
			if found = w.room(at, radius, *there); found {
				*there = append(*there, body{at, radius})
				s.came, s.try = s.came+1, 0
				break
			}
		}
		if !found {
			break
		}
	}
	came := (*there)[before:]
	if len(came) == 0 {
		return nil
	}
	return w.Spawn(len(came), s.Components, func(r *Rows) {
		agents := Column[c.Agent](r)
		for i, pos := 0, Column[c.Position](r); i < len(pos); i++ {
			pos[i].Vec = came[i].at
			if s.First > 0 {
				agents[i].ID = s.First + uint64(first+i)
			}
		}
		if s.Fill != nil {
			s.Fill(r, first)
		}
	})
}

// room reports whether there is room for a body between obstacles and others.
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

// bodies returns those of all agents.
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
