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

// wind runs on many batches at a time, so Run does not change its fields.
type wind struct {
	force r2.Vec // N per square meter

	sail  frame.In[Sail]
	steer frame.Out[c.Steering]
}

// Sail is a component of the game.
type Sail struct{ Area float64 } // m²

func (s *wind) Needs(n *frame.Needs) {
	n.Read(&s.sail)
	n.Write(&s.steer)
}

func (s *wind) Run(b *frame.Batch) {
	sail, steer := s.sail.Of(b), s.steer.Of(b)
	for i := range sail {
		steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(sail[i].Area, s.force))
	}
}

// calendar has the world to itself.
type calendar struct{ wind *wind }

func (s *calendar) Update(w *ecs.World) {
	if ecs.GetResource[frame.Clock](w).Tick == 2 {
		s.wind.force = r2.Vec{} // a calm
	}
}

// A system of the game runs in the frame, after an Exclusive system.
func Example_ownSystem() {
	w := ecs.NewWorld()
	boats := generic.NewMap4[c.Position, c.Velocity, c.Steering, Sail](&w)
	boat := boats.NewWith(&c.Position{}, &c.Velocity{}, &c.Steering{}, &Sail{Area: 4})

	breeze := &wind{force: r2.Vec{X: 0.25}}
	f := frame.New(&calendar{breeze}, breeze, &systems.Integration{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 4 {
		f.Step(&w, 1)
		_, velocity, _, _ := boats.Get(boat)
		fmt.Print(velocity.X, " ")
	}
	// Output: 1 2 2 2
}
