package systems

import "gonum.org/v1/gonum/spatial/r2"

// plan is what an agent wants, and then what it does.
type plan struct {
	toward   r2.Vec  // unit vector to its target; zero: it is there
	heading  r2.Vec  // unit vector
	velocity r2.Vec  // m/s, that it chooses
	turned   r2.Vec  // unit vector, the heading that it chooses
	speed    float64 // m/s, that it desires
	maxSpeed float64 // m/s
	mass     float64 // kg; 0: it does not choose
}
