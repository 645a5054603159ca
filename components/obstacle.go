package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Obstacle is something to avoid at the Position of the entity: a circle, a wall
// segment, or a polygon.
//
// A circle has only a Radius. A wall runs from Position to Position+Span and is
// Radius thick to each side, with round ends; a circle is a wall of length 0.
// A polygon takes its corners, relative to Position, from the Polygons
// resource; its edges are walls, and its inside is solid.
type Obstacle struct {
	Span    r2.Vec  // m, from one end of a wall to the other; zero: a circle
	Radius  float64 // m, zero or more
	Polygon uint32  // 0: none; n: the n-th polygon of the resource, counted from 1
}

// Door makes an obstacle a door: while it is open, no agent sees it or is held by it. It opens and
// closes by hand, by setting Open between two steps, and at its times, unless these are the same.
type Door struct {
	Open   bool    // now
	Opens  float64 // s, when it opens, 0 or more
	Closes float64 // s, when it closes, 0 or more
	Period float64 // s, after which both times come again; 0: once
}

// ThreatScan looks for the obstacle that the agent would hit first on its way
// straight ahead, and writes it to Threat.
type ThreatScan struct {
	LookAhead float64 // m; 0 looks at the place where the agent is
}

// Threat is the obstacle that an agent would hit first, as ThreatScan saw it
// from where the agent was at the start of the step.
type Threat struct {
	Contact  r2.Vec     // m, the point of the obstacle that is touched first
	Normal   r2.Vec     // unit vector out of the obstacle at the contact
	Distance float64    // m, how far the agent moves until then; 0: it touches now
	Obstacle ecs.Entity // the zero entity: no threat
}

// Avoidance steers sideways, away from the Threat.
type Avoidance struct {
	MaxForce float64 // N, how hard it pushes; 0 pauses
}

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
