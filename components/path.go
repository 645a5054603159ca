package components

import "gonum.org/v1/gonum/spatial/r2"

// Destination is where an agent goes that finds its way round obstacles, in meters. Route
// makes its Target from it. Follow, Path and Itinerary set it in place of the Target.
type Destination struct {
	r2.Vec
	Direct bool // go there straight, whatever is between
}

// Route makes the Target from the shortest way round obstacles to the Destination: it lies in
// the direction of the next point of the way, and as far away as the way is long.
type Route struct {
	Clearance float64    // m, that is kept from obstacles beside the body, at least
	Way       uint32     // of the resource Routes, counted from 1; 0: none yet
	Next      uint32     // which point of the way is the next
	State     RouteState // what is known of the way
	To        r2.Vec     // m, the Destination that the way leads to
}

// RouteState is what is known of the route of an agent. Hosts ask systems.PathStatusOf.
type RouteState uint8

const (
	RouteUnknown RouteState = iota // not searched yet: it goes straight
	RouteFound                     // it is on its route
	RouteLost                      // it was pushed off its route, and goes on until there is another
	RouteNone                      // there is none: it goes straight
	RouteGiven                     // a host has given the route, and no other is searched
)

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
	Clearance float64        // m, that is kept from obstacles beside the body, at least
	Range     float64        // m, how far it looks ahead and along boundaries
	Memory    BoundaryMemory // what it remembers of the obstacle in its way
}

// BoundaryMemory is what an agent with BoundaryFollowing remembers of the obstacle in its way.
type BoundaryMemory struct {
	State   BoundaryState
	Tight   bool    // it has found no way with room to spare, and tries gaps that are barely wide enough
	Left    bool    // it goes round on the left side, with the obstacle to its right
	Lost    uint8   // how often in a row it looked for the point that it goes to, and did not see it
	Waited  float64 // s, since it has known that there is no way
	To      r2.Vec  // m, the Destination for which all of this holds
	Hit     BoundaryPoint
	Sides   [2]BoundaryPoint // how far it knows the boundary: to the right, to the left
	Aim     r2.Vec           // m, where it goes: beside the farthest place on its side that it has seen
	Nearest r2.Vec           // m, the known place on the boundary that is nearest to the Destination
	NearAt  float64          // m, how far that is along the boundary
}

// BoundaryPoint is a place at which a body touches an obstacle.
type BoundaryPoint struct {
	At     r2.Vec  // m, of the center of the body
	Normal r2.Vec  // unit vector, from the obstacle to the center
	Along  float64 // m, along the boundary from where the agent met the obstacle
	Known  bool    // as much is known of this side as is needed to choose one
}

// BoundaryState is what an agent with BoundaryFollowing does.
type BoundaryState uint8

const (
	BoundaryStraight    BoundaryState = iota // it sees nothing in its way
	BoundaryChoosing                         // it looks along the boundary on both sides, and still goes straight
	BoundaryFollowed                         // it follows the boundary on one side
	BoundaryUnreachable                      // it knows all of the boundary, and no way: it goes as near as it gets
)
