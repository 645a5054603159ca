package measure_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Three agents walk in file over a line that is 2 m wide, one meter from each other
// at 2 m/s.
func ExampleMeasurements() {
	world := ecs.NewWorld()
	for i := range 3 {
		systems.Add(&world, world.NewEntity(), c.Position{Vec: r2.Vec{X: float64(i)}}, c.Velocity{Vec: r2.Vec{X: 2}})
	}
	trips := &measure.TripMetrics{}
	measurements := &measure.Measurements{TripMetrics: trips, Lines: []measure.MeasurementLine{{A: r2.Vec{X: 10, Y: -1}, B: r2.Vec{X: 10, Y: 1}}}}
	f := frame.New(&systems.Integration{}, trips, measurements)
	f.Initialize(&world)
	defer f.Finalize(&world)
	trips.Begin(&world)
	for range 40 {
		f.Step(&world, 0.25)
	}
	line := measurements.Line(0)
	flow, _ := line.Flow()
	fmt.Printf("%d passed at %v m/s, %v /s, %v /(m s)\n", line.Passed, line.Speed, flow, flow/2)
	// Output: 3 passed at 2 m/s, 2 /s, 1 /(m s)
}
