package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Swim steers along a river that flows to the right.
type Swim struct {
	Gain  float64 // kg/s; 0 pauses
	Speed float64 // m/s
}

type swimming struct {
	vel   frame.In[c.Velocity]
	swim  frame.In[Swim]
	steer frame.Out[c.Steering]
}

func (s *swimming) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.swim)
	n.Write(&s.steer)
}

func (s *swimming) Run(b *frame.Batch) {
	vel, swim, steer := s.vel.Of(b), s.swim.Of(b), s.steer.Of(b)
	for i := range swim {
		e := r2.Sub(r2.Vec{X: swim[i].Speed}, vel[i].Vec)
		steer[i].Vec = r2.Add(steer[i].Vec, r2.Scale(swim[i].Gain, e))
	}
}

var swim = catalog.Of(catalog.Entry{
	Name: "swim", Text: "steer along the river",
	Needs: []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &swimming{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 200, Laws: catalog.Translation | catalog.Finite | catalog.NoAllocation,
}, func(b *Swim) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain), catalog.Number("speed", &b.Speed, "m/s", "of the river")}
})

// A behavior with an entry is checked, combined and explained like a built-in one.
func Example_ownBehavior() {
	config := world.Default()
	config.Behaviors = []catalog.Entry{swim}
	crowd, err := world.New(config)
	check(err)
	defer crowd.Close()
	limits := c.Limits{MaxSpeed: 2, MaxForce: 9}
	fmt.Println(crowd.Spawn(1, []any{limits, Swim{Gain: -1}}, nil))
	check(crowd.Spawn(1, []any{limits, Swim{Gain: 2, Speed: 1.5}}, nil))
	swimmer, _ := crowd.Entity(1)
	step, err := crowd.Inspect().Explain(swimmer)
	check(err)
	for _, share := range step.Shares {
		fmt.Println(share.Behavior, "pushes with", share.Force.Newtons.X, "N")
	}
	// Output:
	// agent 1: swim gain is -1 kg/s, want 0 to mass/dt = 60
	// swimming pushes with 3 N
}
