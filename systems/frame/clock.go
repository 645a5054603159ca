package frame

import (
	"fmt"
	"math"

	"github.com/mlange-42/arche/ecs"
)

// Clock is the resource that says how long a step is. Frame.Step sets Dt and advances
// it; a loop that calls Frame.Update does so itself.
type Clock struct {
	Dt   float64 // s, length of this step, finite; may differ from step to step; 0: a pause
	Time float64 // s, at the beginning of this step
	Tick uint64  // how many steps went before, pauses aside
}

// Advance moves the clock on by one step; in a pause it stands.
func (c *Clock) Advance() {
	if c.Dt != 0 {
		c.Time += c.Dt
		c.Tick++
	}
}

// ClockOf returns the clock of a world. A world without one is given one of 60
// steps a second. It panics if the length of the step is not allowed.
func ClockOf(w *ecs.World) *Clock { return clockIn(w, ecs.ResourceID[Clock](w)) }

// clockIn is ClockOf with the id of the resource.
func clockIn(w *ecs.World, id ecs.ResID) *Clock {
	if !w.Resources().Has(id) {
		w.Resources().Add(id, &Clock{Dt: 1. / 60})
	}
	clock := w.Resources().Get(id).(*Clock)
	if !(clock.Dt >= 0) || math.IsInf(clock.Dt, 1) {
		panic(fmt.Sprintf("crowd: Clock.Dt is %v, want a finite number of seconds, 0 or more", clock.Dt))
	}
	return clock
}
