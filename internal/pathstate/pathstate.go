// Package pathstate has what Route and BoundaryFollowing note in their components: how far a search is,
// and what an agent remembers. Hosts ask systems.PathStatusOf.
package pathstate

import "gonum.org/v1/gonum/spatial/r2"

// Route is what is known of the route of an agent.
type Route uint8

const (
	Unknown Route = iota // not searched yet: it goes straight
	Found                // it is on its route
	Lost                 // it was pushed off its route, and goes on until there is another
	None                 // there is none: it goes straight
	Given                // a host has given the route, and no other is searched
)

// Memory is what an agent with BoundaryFollowing remembers of the obstacle in its way.
type Memory struct {
	State   Boundary
	Tight   bool    // it has found no way with room to spare, and tries gaps that are barely wide enough
	Left    bool    // it goes round on the left side, with the obstacle to its right
	Lost    uint8   // how often in a row it looked for the point that it goes to, and did not see it
	Waited  float64 // s, since it has known that there is no way
	To      r2.Vec  // m, the Destination for which all of this holds
	Hit     Point
	Sides   [2]Point // how far it knows the boundary: to the right, to the left
	Aim     r2.Vec   // m, where it goes: beside the farthest place on its side that it has seen
	Nearest r2.Vec   // m, the known place on the boundary that is nearest to the Destination
	NearAt  float64  // m, how far that is along the boundary
}

// Point is a place at which a body touches an obstacle.
type Point struct {
	At     r2.Vec  // m, of the center of the body
	Normal r2.Vec  // unit vector, from the obstacle to the center
	Along  float64 // m, along the boundary from where the agent met the obstacle
	Known  bool    // as much is known of this side as is needed to choose one
}

// Boundary is what an agent with BoundaryFollowing does.
type Boundary uint8

const (
	Straight    Boundary = iota // it sees nothing in its way
	Choosing                    // it looks along the boundary on both sides, and still goes straight
	Following                   // it follows the boundary on one side
	Unreachable                 // it knows all of the boundary, and no way: it goes as near as it gets
)
