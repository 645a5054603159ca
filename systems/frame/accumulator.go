package frame

import "fmt"

// Accumulator turns pictures that take any time into steps of one length, so that a game
// does the same on slow machines and on fast ones:
//
//	for range steps.Due(seconds) { // since the last picture
//		f.Step(&w, steps.Dt)
//	}
//
// Source: Fiedler 2004, "Fix Your Timestep!".
type Accumulator struct {
	Dt   float64 // s, length of a step, above 0
	Most int     // steps for one picture, after which the rest of its time is dropped; 0: 8

	left float64 // s, that are not yet a step
}

// Due adds the time that a picture took and returns how many steps are due. Time that is
// negative or NaN counts as none.
func (a *Accumulator) Due(seconds float64) int {
	if !(a.Dt > 0) {
		panic(fmt.Sprintf("crowd: Accumulator.Dt is %v, want a number of seconds above 0", a.Dt))
	}
	most := a.Most
	if most <= 0 {
		most = 8
	}
	if seconds > 0 {
		a.left += seconds
	}
	if a.left >= float64(a.Dt*float64(most+1)) {
		a.left = 0
		return most
	}
	n := int(a.left / a.Dt)
	a.left = max(0, a.left-float64(a.Dt*float64(n)))
	return n
}

// Alpha returns how much of a step is left over, from 0 to 1, by which to draw agents between
// where they were before the last step and where they are.
func (a *Accumulator) Alpha() float64 { return a.left / a.Dt }
