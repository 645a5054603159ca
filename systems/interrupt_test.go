package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// stopper counts its batches, and interrupts its frame in one of them.
type stopper struct {
	pos      frame.In[c.Position]
	frame    *frame.Frame
	at       int // number of the batch, from 1; 0 means none
	batches  int
	observed bool
}

func (s *stopper) Needs(n *frame.Needs) { n.Read(&s.pos) }

func (s *stopper) Run(*frame.Batch) {
	if s.batches++; s.batches == s.at {
		s.frame.Interrupt()
	}
}

func (s *stopper) Observe(*ecs.World) { s.observed = true }

type serialCount struct{ n int }

func (s *serialCount) Update(*ecs.World) { s.n++ }

// TestFrameInterrupt verifies that, after Interrupt, no other batch, Exclusive or Observer runs until
// Initialize.
func TestFrameInterrupt(t *testing.T) {
	w := interruptWorld(1000)
	s, after := &stopper{at: 5}, &serialCount{}
	s.frame = frame.New(s, after)
	s.frame.Workers, s.frame.BatchRows = 1, 10
	s.frame.Initialize(w)
	for range 2 {
		s.frame.Update(w)
		if s.batches != 5 || after.n != 0 || s.observed || !s.frame.Interrupted() {
			t.Errorf("got=%d batches, %d updates, observed=%v, want=5, 0, false, and interrupted", s.batches, after.n, s.observed)
		}
	}
	s.frame.Finalize(w)
	s.at = 0
	s.frame.Initialize(w)
	s.frame.Update(w)
	if s.batches != 105 || after.n != 1 || !s.observed {
		t.Errorf("after Initialize: got=%d batches, %d updates, observed=%v, want=105, 1, true", s.batches, after.n, s.observed)
	}
	s.frame.Finalize(w)
}

// stoppingQuery interrupts its frame while agents search for neighbors.
type stoppingQuery struct {
	query sense.Query[c.Seek, int]
	frame *frame.Frame
	looks int
}

func (s *stoppingQuery) Needs(n *frame.Needs) {
	s.query.AskBlocks(n, func(c.Seek) sense.Look { return sense.Look{NeighborDist: 1} }, func(*sense.Block) {
		if s.looks++; s.looks == 3 {
			s.frame.Interrupt()
		}
	})
}

func (s *stoppingQuery) Run(*frame.Batch) {}

// TestLooksInterrupt verifies that an interrupt stops a worker's search for neighbors after the current block.
func TestLooksInterrupt(t *testing.T) {
	w := interruptWorld(10_000)
	s := &stoppingQuery{}
	s.frame = frame.New(&sense.Neighbors{}, s)
	s.frame.Workers = 1
	s.frame.Initialize(w)
	defer s.frame.Finalize(w)
	s.frame.Update(w)
	if s.looks != 3 {
		t.Errorf("searched: got=%d blocks, want=3", s.looks)
	}
}

func interruptWorld(n int) *ecs.World {
	w := ecs.NewWorld(16)
	ecs.AddResource(&w, &frame.Clock{Dt: 0.1})
	for i := range n {
		e := w.NewEntity()
		Add(&w, e, c.Agent{ID: uint64(i + 1)}, c.Position{Vec: r2.Vec{X: float64(i % 100), Y: float64(i / 100)}}, c.Velocity{}, c.Seek{Gain: 1})
	}
	return &w
}
