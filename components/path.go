package components

import "gonum.org/v1/gonum/spatial/r2"

// Destination is the point, in meters, to which an agent finds its path around obstacles. Route sets the
// agent's Target on the path. For an agent with a Destination, Follow, Path, Itinerary and Formation set it
// instead of the Target.
type Destination struct {
	r2.Vec
	Direct bool // go there straight, through whatever is in between
}

// Route sets the Target from the shortest path around obstacles to the Destination. The Target lies in
// the direction of the next point of the path, at a distance equal to the length of the path.
type Route struct {
	Clearance float64    // m, minimum distance kept between obstacles and the body
	Way       uint32     // number of the path in the resource Routes, from 1; 0 means none yet
	Next      uint32     // index of the next point of the path
	State     RouteState // state of the path
	To        r2.Vec     // m, the Destination that the path leads to
}

// RouteState is the state of an agent's route. Hosts call systems.PathStatusOf instead of reading it.
type RouteState uint8

const (
	RouteUnknown RouteState = iota // not searched for yet; the agent goes straight
	RouteFound                     // the agent is on its route
	RouteLost                      // the agent was pushed off its route, and follows it until another is found
	RouteNone                      // there is no route; the agent goes straight
	RouteGiven                     // a host has set the route, and no other is searched for
)

// FlowField sets the Target from a field of the resource FlowFields. The Target lies in the
// direction of the path to the goal, at a distance equal to the length of the path.
type FlowField struct {
	Index  uint32 // index of the field in the resource
	Looked bool   // whether the agent has read the field
}

// BoundaryFollowing sets the Target from the Destination for an agent that knows only its
// surroundings. The agent goes straight. If an obstacle is in the way, the agent chooses a side,
// remembers it, and follows the boundary until it can leave for a point nearer to the Destination
// than every known point of that boundary.
type BoundaryFollowing struct {
	Clearance float64        // m, minimum distance kept between obstacles and the body
	Range     float64        // m, range of the search ahead and along boundaries
	Memory    BoundaryMemory // what the agent remembers of the obstacle in its way
}

// BoundaryMemory is what an agent with BoundaryFollowing remembers of the obstacle in its way.
type BoundaryMemory struct {
	State   BoundaryState
	Tight   bool             // the agent has found no path with room to spare, and tries gaps that are barely wide enough
	Left    bool             // the agent passes the obstacle on the left, with the obstacle to its right
	Lost    uint8            // number of checks, since the agent last saw Aim, that found no point of the boundary to go back to
	Waited  float64          // s, time since the agent found that there is no path
	To      r2.Vec           // m, the Destination to which this memory applies
	Hit     BoundaryPoint    // where the agent met the obstacle
	Sides   [2]BoundaryPoint // ends of the known part of the boundary: to the right, to the left
	Aim     r2.Vec           // m, where the agent goes: beside the farthest point on its side that it has seen
	Nearest r2.Vec           // m, the known point of the boundary that is nearest to the Destination
	NearAt  float64          // m, distance of Nearest along the boundary
}

// BoundaryPoint is a position at which a body touches an obstacle.
type BoundaryPoint struct {
	At     r2.Vec  // m, center of the body
	Normal r2.Vec  // unit vector, from the obstacle to the center
	Along  float64 // m, distance along the boundary from where the agent met the obstacle
	Known  bool    // enough of this side is known to choose a side
}

// BoundaryState is what an agent with BoundaryFollowing is doing.
type BoundaryState uint8

const (
	BoundaryStraight    BoundaryState = iota // the agent sees nothing in its way
	BoundaryChoosing                         // the agent explores the boundary on both sides, and still goes straight
	BoundaryFollowed                         // the agent follows the boundary on one side
	BoundaryUnreachable                      // the agent knows the whole boundary, but no path, and goes as near as possible
)
