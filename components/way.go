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
	Clearance float64  // m, that is kept from obstacles beside the body, at least
	Spread    float64  // m, how far outside of a corner agents turn at most, each at a place of its own; 0: all at the corner
	Way       uint32   // of the resource Ways, counted from 1; 0: none yet
	Next      uint32   // which point of the way is the next
	State     WayState // what is known of the way
	To        r2.Vec   // m, the Destination that the way leads to
}

// WayState says what is known of the way of an agent.
type WayState uint8

const (
	WayUnknown WayState = iota // nobody has looked yet: it goes straight
	WayFound                   // it is on its way
	WayLost                    // it was pushed off its way, and goes on until there is another
	WayNone                    // there is none: it goes straight
	WayGiven                   // a host has given the way, and nobody looks for another
)

// FlowField makes the Target from a field of the resource FlowFields: it lies in the
// direction of the way there, and as far away as the way is long.
type FlowField struct {
	Index uint32 // which field of the resource
}
