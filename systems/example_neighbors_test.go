package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// A host's own code queries which agents are near.
func ExampleNeighbors() {
	w := ecs.NewWorld()
	put := func(id uint64, x, radius float64) ecs.Entity {
		e := w.NewEntity()
		systems.Add(&w, e, c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x}}, c.Radius{Meters: radius})
		return e
	}
	me := put(1, 0, 0.3)
	put(2, 1, 0.3)
	put(3, 2, 0.3)
	put(4, 10, 8)

	neighbors := &sense.Neighbors{Always: true}
	f := frame.New(neighbors)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	neighbors.Within(r2.Vec{}, 1.5, me, func(o sense.Neighbor) bool {
		fmt.Println("within 1.5 m:", o.ID)
		return true
	})
	neighbors.Touching(r2.Vec{X: 3}, 0.5, me, func(o sense.Neighbor) bool {
		fmt.Println("its body is within 0.5 m of (3, 0):", o.ID)
		return true
	})
	var two [2]sense.NeighborHit
	for _, f := range two[:neighbors.Nearest(r2.Vec{}, 100, me, 1, two[:])] {
		fmt.Println("nearest:", neighbors.At(f.Index).ID, "at", f.Distance, "m")
	}
	// Output:
	// within 1.5 m: 2
	// its body is within 0.5 m of (3, 0): 4
	// nearest: 2 at 1 m
	// nearest: 3 at 2 m
}

// Shy makes an agent keep away from other agents.
type Shy struct{ Distance float64 } // m

// shyness queries neighbors before agents move, and steers by the result.
type shyness struct {
	query sense.Query[Shy, r2.Vec]
	shy   frame.In[Shy]
	steer frame.Out[c.Steering]
}

func (s *shyness) Needs(n *frame.Needs) {
	n.Read(&s.shy)
	n.Add(&s.steer)
	s.query.Ask(n, func(p Shy) sense.Look { return sense.Look{NeighborDist: p.Distance} }, s.away)
}

// away sums up the vectors from the neighbors to the agent.
func (s *shyness) away(h *sense.Neighborhood, _ Shy) (sum r2.Vec) {
	for other := range h.All() {
		sum = r2.Add(sum, r2.Sub(h.Self().Position, other.Position))
	}
	return sum
}

func (s *shyness) Run(b *frame.Batch) {
	steer := s.steer.Of(b)
	for i, away := range s.query.Of(b) {
		steer[i].Vec = r2.Add(steer[i].Vec, away)
	}
}

// A host's own behavior queries the neighbors of agents.
func ExampleQuery() {
	w := ecs.NewWorld()
	for id, x := range []float64{0, 1, 1.5, 9} {
		systems.Add(&w, w.NewEntity(), c.Agent{ID: uint64(id)}, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{}, c.Steering{}, Shy{2})
	}
	keepAway := &shyness{}
	f := frame.New(&sense.Neighbors{}, keepAway)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	steering, shy := ecs.ComponentID[c.Steering](&w), ecs.All(ecs.ComponentID[Shy](&w))
	for q := w.Query(&shy); q.Next(); {
		fmt.Print((*c.Steering)(q.Get(steering)).X, " ")
	}
	// Output: -2.5 0.5 2 0
}
