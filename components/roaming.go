package components

import "gonum.org/v1/gonum/spatial/r2"

// Wander steers at a point that moves on a circle ahead of the agent. Radius/Distance
// says how much the way bends; a hash says in which direction.
type Wander struct {
	Gain     float64 // kg/s; 0 pauses
	Distance float64 // m, from the agent to the center of the circle
	Radius   float64 // m, of the circle; 0: straight on
	Rate     float64 // 1/s, how many new points on the circle per second; 0: the same point for ever
}

// Containment keeps the body in a box and off obstacles, by looking ahead.
type Containment struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, how far it looks ahead; 0 pauses
	Box     r2.Box  // m; the zero box: only obstacles
}

// WallFollowing keeps the body at a distance from the nearest obstacle, and moves
// along it.
type WallFollowing struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, how far it looks ahead
	Offset  float64 // m, between the surfaces of obstacle and body
	Range   float64 // m, from the predicted point; farther obstacles are ignored
}
