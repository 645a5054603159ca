package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

func Example_changeWhatAnAgentDoes() {
	w := ecs.NewWorld()
	f := frame.New(&systems.Track{}, &systems.Arrival{}, &systems.Pursuit{}, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	thief, guard := w.NewEntity(), w.NewEntity()
	systems.Add(&w, thief, c.Position{Vec: r2.Vec{X: 6}}, c.Velocity{Vec: r2.Vec{Y: 1}})

	patrolling := []any{c.Target{Vec: r2.Vec{X: 10}}, systems.Default[c.Arrival]()}
	chasing := []any{c.Quarry{Entity: thief}, systems.Default[c.Pursuit]()}
	systems.Add(&w, guard, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 2, MaxForce: 20})
	systems.Add(&w, guard, patrolling...)

	positions := generic.NewMap1[c.Position](&w)
	for tick := range 600 {
		if tick == 60 {
			systems.Replace(f, &w, guard, patrolling, chasing...)
		}
		f.Update(&w)
		if tick%100 == 59 {
			fmt.Printf("%.1f m apart\n", r2.Norm(r2.Sub(positions.Get(thief).Vec, positions.Get(guard).Vec)))
		}
	}
	// Output:
	// 4.9 m apart
	// 2.5 m apart
	// 0.8 m apart
	// 0.1 m apart
	// 0.0 m apart
	// 0.0 m apart
}

// Escort makes an agent stay beside a client.
type Escort struct {
	Client c.TrackedEntity
	Beside r2.Vec  // m, the agent's place relative to the client
	Gain   float64 // N/m
}

type escorting struct {
	pos    frame.In[c.Position]
	escort frame.In[Escort]
	steer  frame.Out[c.Steering]
}

func (s *escorting) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.escort)
	n.Add(&s.steer)
}

func (s *escorting) Run(b *frame.Batch) {
	pos, escort, steer := s.pos.Of(b), s.escort.Of(b), s.steer.Of(b)
	for i, e := range escort {
		if e.Client.Seen {
			place := r2.Add(r2.Add(e.Client.At, e.Client.Velocity), e.Beside) // in one second
			steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(e.Gain, r2.Sub(place, pos[i].Vec)))
		}
	}
}

// A bodyguard stays beside a client until the client is gone.
func ExampleTracking() {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	client, guard := w.NewEntity(), w.NewEntity()
	systems.Add(&w, client, c.Position{}, c.Velocity{Vec: r2.Vec{X: 1}})
	systems.Add(&w, guard, c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 2, MaxForce: 2}, c.Steering{},
		Escort{Client: c.TrackedEntity{Entity: client}, Beside: r2.Vec{Y: 1}, Gain: 1})
	f := frame.New(
		&systems.Tracking[Escort]{Of: func(e *Escort) *c.TrackedEntity { return &e.Client }},
		&escorting{}, &systems.Integration{},
	)
	f.Initialize(&w)
	defer f.Finalize(&w)
	escorts := generic.NewMap2[c.Velocity, Escort](&w)
	for step := range 3 {
		if step == 2 {
			w.RemoveEntity(client)
		}
		f.Update(&w)
		velocity, escort := escorts.Get(guard)
		fmt.Printf("client at %.0f, seen %v; velocity %.1f\n", escort.Client.At, escort.Client.Seen, velocity.Vec)
	}
	// Output:
	// client at {0 0}, seen true; velocity {1.0 1.0}
	// client at {1 0}, seen true; velocity {1.8 0.9}
	// client at {1 0}, seen false; velocity {1.8 0.9}
}
