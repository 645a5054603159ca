package systems_test

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// person returns the components of a person that walks to a target.
func person(target r2.Vec) []any {
	return []any{
		c.Velocity{}, c.Radius{Meters: 0.25}, c.Target{Vec: target}, c.Limits{MaxSpeed: 1.4},
		c.Arrival{Gain: 2, SlowingRadius: 1},
		systems.Default[c.ORCA](),
		c.Solid{Push: 0.8},
	}
}

// corridor builds a corridor, with 15 people at each end that walk to the other end.
func corridor(w *ecs.World) {
	for _, y := range []float64{0, 5} {
		systems.Add(w, w.NewEntity(), c.Position{Vec: r2.Vec{X: -40, Y: y}}, c.Obstacle{Span: r2.Vec{X: 80}})
	}
	for i := range 30 {
		at := r2.Vec{X: 5 + float64(i/10), Y: 0.5 + float64(i/2%5)}
		if i%2 == 0 {
			at.X = -at.X
		}
		spawn(w, append(person(r2.Vec{X: -5 * at.X, Y: at.Y}), c.Agent{ID: uint64(i)}, c.Position{Vec: at})...)
	}
}

// report prints how many people are on the other side at the end, and the deepest overlap of two
// bodies.
func report(w *ecs.World, steps int, step func()) {
	people := generic.NewFilter3[c.Position, c.Target, c.Radius]()
	overlap, across := 0., 0
	for range steps {
		step()
		var bodies []r2.Vec
		across = 0
		for q := people.Query(w); q.Next(); {
			position, target, radius := q.Get()
			for _, other := range bodies {
				overlap = max(overlap, 2*radius.Meters-r2.Norm(r2.Sub(position.Vec, other)))
			}
			if bodies = append(bodies, position.Vec); position.X*target.X > 0 {
				across++
			}
		}
	}
	fmt.Printf("%d of 30 are on the other side, overlaps are up to %.3f m\n", across, overlap)
}

// Two crowds meet in a corridor, in the game's own frame.
func Example_crowdThatAvoids() {
	w := ecs.NewWorld()
	corridor(&w)
	f := frame.New(
		&sense.Obstacles{}, &sense.Neighbors{}, // what agents see
		&systems.PreviousPosition{},             // where bodies are before they move
		&systems.Arrival{},                      // the preferred velocity
		&systems.ORCA{}, &systems.Integration{}, // the velocity they take, and the move
		&systems.ResolveOverlaps{}, &systems.Slide{}, // overlaps and walls
	)
	f.Initialize(&w)
	defer f.Finalize(&w)
	report(&w, 250, func() { f.Step(&w, 0.1) })
	// Output: 30 of 30 are on the other side, overlaps are up to 0.000 m
}

// The same crowd runs in a world.World, which has all systems in order.
func Example_crowdThatAvoidsInAWorld() {
	w := ecs.NewWorld()
	corridor(&w)
	config := world.Default()
	config.Dt = 0.1
	crowd, err := world.Attach(&w, config)
	check(err)
	defer crowd.Close()
	report(&w, 250, func() {
		check(crowd.Step())
	})
	// Output: 30 of 30 are on the other side, overlaps are up to 0.000 m
}

// A marshal sees no layer: it goes straight on, and the visitor makes way.
func Example_layersOfACrowd() {
	w := ecs.NewWorld()
	put := func(id uint64, at, target r2.Vec, layers c.Layers) ecs.Entity {
		return spawn(&w, append(person(target), c.Agent{ID: id}, c.Position{Vec: at}, layers)...)
	}
	marshal := put(1, r2.Vec{X: -5}, r2.Vec{X: 5}, c.Layers{On: 1})
	visitor := put(2, r2.Vec{X: 5}, r2.Vec{X: -5}, c.Layers{On: 1, Sees: 1})

	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, &systems.ORCA{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	aside := map[ecs.Entity]float64{}
	for range 100 {
		f.Step(&w, 0.1)
		for _, e := range []ecs.Entity{marshal, visitor} {
			aside[e] = max(aside[e], math.Abs(get[c.Position](&w, e).Y))
		}
	}
	fmt.Printf("the marshal goes %.1f m aside, the visitor %.1f m\n", aside[marshal], aside[visitor])
	// Output: the marshal goes 0.0 m aside, the visitor 0.6 m
}

// Patience is a component of the game.
type Patience struct {
	Distance float64 // m, range within which other agents count
	Speed    float64 // m/s, if no other agent is in range
}

type patience struct {
	near     sense.Query[Patience, int]
	patience frame.In[Patience]
	limits   frame.Out[c.Limits]
}

func (s *patience) Needs(n *frame.Needs) {
	n.Read(&s.patience)
	n.Write(&s.limits)
	s.near.Ask(n,
		func(p Patience) sense.Look { return sense.Look{NeighborDist: p.Distance} },
		func(h *sense.Neighborhood, _ Patience) int { return len(h.Indexes()) })
}

func (s *patience) Run(b *frame.Batch) {
	own, limits := s.patience.Of(b), s.limits.Of(b)
	for i, others := range s.near.Of(b) {
		limits[i].MaxSpeed = own[i].Speed / float64(1+others)
	}
}

// A behavior of the game uses the same neighbors.
func ExampleQuery() {
	w := ecs.NewWorld()
	people := generic.NewMap4[c.Position, c.Velocity, c.Limits, Patience](&w)
	var queue []ecs.Entity
	for _, x := range []float64{0, 1, 2, 9} {
		queue = append(queue, people.NewWith(&c.Position{Vec: r2.Vec{X: x}}, &c.Velocity{}, &c.Limits{}, &Patience{Distance: 1.5, Speed: 1.2}))
	}
	slow := &patience{}
	f := frame.New(&sense.Neighbors{}, slow, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	for _, e := range queue {
		_, _, limits, _ := people.Get(e)
		fmt.Printf("%.1f ", limits.MaxSpeed)
	}
	fmt.Println("m/s")
	// Output: 0.6 0.4 0.6 1.2 m/s
}
