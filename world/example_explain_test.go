package world_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Why does the agent turn away from its target? A pillar is in the way.
func ExampleInspector_Explain() {
	w, err := world.New(world.Default())
	if err != nil {
		panic(err)
	}
	defer w.Close()
	if _, err := w.AddObstacle(r2.Vec{X: 4, Y: 0.5}, c.Obstacle{Radius: 1}); err != nil {
		panic(err)
	}
	err = w.Spawn(1, []any{
		c.Velocity{Vec: r2.Vec{X: 1}}, c.Target{Vec: r2.Vec{X: 10}}, c.Limits{MaxSpeed: 2, MaxForce: 5},
		c.Seek{Gain: 4}, c.ThreatScan{LookAhead: 4}, c.Avoidance{MaxForce: 6},
	}, nil)
	if err != nil {
		panic(err)
	}
	agent, _ := w.Entity(1)
	x, err := w.Inspect().Explain(agent)
	if err != nil {
		panic(err)
	}
	for _, s := range x.Shares {
		if f := s.Force; f != nil {
			fmt.Printf("%-9s %v × %v %s = %v N, of which %.2f is left\n", s.Behavior, f.Raw, f.Gain, f.GainUnit, f.Newtons, f.Truncated)
		}
	}
	fmt.Printf("%s ahead, %.2f m away\n", x.Threat.Kind, x.Threat.Distance)
	// Output:
	// Seek      {1 0} × 4 kg/s = {4 0} N, of which {2.77 0.00} is left
	// Avoidance {0 -1} × 6 N = {0 -6} N, of which {0.00 -4.16} is left
	// circle ahead, 3.13 m away
}
