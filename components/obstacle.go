package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Obstacle is a circle, a wall or a polygon at the Position of the entity. A circle has only a Radius. A
// wall runs from Position to Position+Span and extends Radius to each side, with round ends. A polygon
// takes its corners, relative to Position, from the resource sense.Polygons; its edges are walls, and its
// inside is solid.
type Obstacle struct {
	Span    r2.Vec  // m, from one end of a wall to the other; zero means a circle
	Radius  float64 // m, zero or more
	Polygon uint32  // number in the resource, from 1; 0 means none
}

// Door makes an obstacle a door: while it is open, it blocks no agent, and no agent sees it. A host may set
// Open between steps. A door also opens at Opens and closes at Closes, unless these times are equal.
type Door struct {
	Open   bool
	Opens  float64 // s, 0 or more
	Closes float64 // s, 0 or more
	Period float64 // s, interval at which both times recur; 0 means never
}

// ThreatScan finds the obstacle straight ahead that the agent would hit first, and writes it to Threat.
type ThreatScan struct {
	LookAhead float64 // m; 0 tests the position of the agent
}

// Threat is the obstacle that an agent would hit first, given the agent's position at the start of the step.
type Threat struct {
	Contact  r2.Vec     // m, point of the obstacle that the body would touch first
	Normal   r2.Vec     // unit vector, pointing out of the obstacle
	Distance float64    // m, distance to the contact; 0 means that the body touches the obstacle now
	Obstacle ecs.Entity // zero means no threat
}

// Avoidance steers sideways, away from the Threat.
type Avoidance struct {
	MaxForce float64 // N, strength of the push; 0 pauses
}

// Wander steers toward a point that moves on a circle ahead. Radius/Distance determines how sharply the path
// bends, and a hash in which direction.
type Wander struct {
	Gain     float64 // kg/s; 0 pauses
	Distance float64 // m, from the agent to the center of the circle
	Radius   float64 // m, of the circle; 0 means straight ahead
	Rate     float64 // new points per second; 0 keeps the same point
}

// Containment keeps the body inside a box and off obstacles by looking ahead.
type Containment struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, look-ahead; 0 pauses
	Box     r2.Box  // m; zero means only obstacles
}

// WallFollowing steers along the nearest obstacle, at a constant distance from it.
type WallFollowing struct {
	Gain    float64 // kg/s; 0 pauses
	Horizon float64 // s, look-ahead
	Offset  float64 // m, gap between obstacle and body
	Range   float64 // m, distance from the predicted body within which obstacles count
}
