package components

import (
	"github.com/8f878440/crowd/internal/pathstate"
	"gonum.org/v1/gonum/spatial/r2"
)

// Destination is where an agent goes that finds its way round obstacles, in meters. Route
// makes its Target from it. Follow, Path and Itinerary set it in place of the Target.
type Destination struct {
	r2.Vec
	Direct bool // go there straight, whatever is between
}

// Route makes the Target from the shortest way round obstacles to the Destination: it lies in
// the direction of the next point of the way, and as far away as the way is long.
type Route struct {
	Clearance float64         // m, that is kept from obstacles beside the body, at least
	Way       uint32          // of the resource Routes, counted from 1; 0: none yet
	Next      uint32          // which point of the way is the next
	State     pathstate.Route // what is known of the way
	To        r2.Vec          // m, the Destination that the way leads to
}

// FlowField makes the Target from a field of the resource FlowFields: it lies in the
// direction of the way there, and as far away as the way is long.
type FlowField struct {
	Index  uint32 // which field of the resource
	Looked bool   // whether the agent has looked into it
}

// BoundaryFollowing makes the Target from the Destination for an agent that knows no more than
// what is around it: it goes straight, and where an obstacle is in the way it chooses a side,
// remembers it, and goes along the boundary until it can go on nearer to the Destination than it
// ever was on that boundary.
type BoundaryFollowing struct {
	Clearance float64          // m, that is kept from obstacles beside the body, at least
	Range     float64          // m, how far it looks ahead and along boundaries
	Memory    pathstate.Memory // what it remembers of the obstacle in its way
}
