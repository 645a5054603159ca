package components

import "gonum.org/v1/gonum/spatial/r2"

// Destination is the point, in meters, to which an agent finds a path around obstacles. Route sets the Target
// along that path. Follow, Path, Itinerary and Formation set Destination, if present, instead of Target.
type Destination struct {
	r2.Vec
	Direct bool // go straight, even through obstacles
}

// Route sets the Target from the shortest path around obstacles to the Destination: in the direction of the
// next point of the path, and as far away as the path is long.
type Route struct {
	Clearance float64 // m, minimum gap between obstacles and the body
	Way       uint32  // number in the resource systems.Routes, from 1; 0 means none yet
	Next      uint32  // index of the next point
	State     RouteState
	To        r2.Vec // m, end of the path
}

// RouteState is the state of a route. Hosts call systems.PathStatusOf instead of reading it.
type RouteState uint8

const (
	RouteUnknown RouteState = iota // no search yet; the agent goes straight
	RouteFound                     // the agent is on its route
	RouteLost                      // the agent was pushed off its route, and keeps it until another is found
	RouteNone                      // there is no route; the agent goes straight
	RouteGiven                     // a host has set the route; no other is searched for
)

// FlowField sets the Target from a field of the resource sense.FlowFields: in the direction of the path to
// the goal, and as far away as the path is long.
type FlowField struct {
	Index  uint32 // index in the resource
	Looked bool   // the agent has read the field
}

// BoundaryFollowing sets the Target from the Destination for an agent that knows only its surroundings. The
// agent goes straight until an obstacle is in the way. Then it chooses a side and follows the boundary,
// until it can leave for a point nearer to the Destination than every known point of that boundary.
type BoundaryFollowing struct {
	Clearance float64        // m, minimum gap between obstacles and the body
	Range     float64        // m, range of sight ahead and along boundaries; 0 pauses
	Memory    BoundaryMemory // of the obstacle in the agent's way
}

// BoundaryMemory is what an agent with BoundaryFollowing remembers of the obstacle in its way.
type BoundaryMemory struct {
	State   BoundaryState
	Tight   bool             // the agent found no path with room to spare, and tries gaps that are barely wide enough
	Left    bool             // the agent passes on the left, with the obstacle to its right
	Lost    uint8            // number of checks, since the agent last saw Aim, that found no point of the boundary to go back to
	Waited  float64          // s, time since the agent found that there is no path
	To      r2.Vec           // m, Destination to which this memory applies
	Hit     BoundaryPoint    // where the agent met the obstacle
	Sides   [2]BoundaryPoint // ends of the known part of the boundary: to the right, to the left
	Aim     r2.Vec           // m, where the agent goes: beside the farthest point that it has seen on its side
	Nearest r2.Vec           // m, known point of the boundary nearest to the Destination
	NearAt  float64          // m, distance of Nearest along the boundary
}

// BoundaryPoint is where a body touches an obstacle.
type BoundaryPoint struct {
	At     r2.Vec  // m, center of the body
	Normal r2.Vec  // unit vector, from the obstacle to the center
	Along  float64 // m, distance along the boundary from where the agent met the obstacle
	Known  bool    // enough of this side is known to choose a side
}

// BoundaryState is what an agent with BoundaryFollowing is doing.
type BoundaryState uint8

const (
	BoundaryStraight    BoundaryState = iota // goes straight, with nothing in the way
	BoundaryChoosing                         // explores the boundary on both sides, and still goes straight
	BoundaryFollowed                         // follows the boundary on one side
	BoundaryUnreachable                      // knows the whole boundary, but no path, and goes as near as possible
)
