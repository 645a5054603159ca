package components

import "gonum.org/v1/gonum/spatial/r2"

// Wander steers at a point that moves about on a circle ahead of the agent. How
// far the way bends goes by Radius/Distance; which way, a hash says.
type Wander struct {
	Gain     float64 // kg/s; 0 pauses
	Distance float64 // m, from the agent to the center of the circle
	Radius   float64 // m, of the circle; 0: straight on
	Rate     float64 // 1/s, new points on the circle in a unit of time; 0: the same point for ever
}

// Containment keeps the body in a box and off obstacles, by looking ahead.
type Containment struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, how far it looks ahead; 0: it rests
	Box     r2.Box  // m; the zero box: only obstacles
}

// WallFollowing keeps the body at a distance from the nearest obstacle, and moves
// along it.
type WallFollowing struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, how far it looks ahead
	Offset  float64 // m, between the surfaces of obstacle and body
	Range   float64 // m, from the point that it predicts; farther obstacles are of no account
}
