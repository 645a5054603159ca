package components

import "gonum.org/v1/gonum/spatial/r2"

// Solid makes the body of an agent, its Radius, solid: walls and obstacles hold it,
// and bodies that overlap are pushed apart.
type Solid struct {
	// Push is the share, 0 to 1, of its half of an overlap with another solid body by
	// which the agent gives way in a step. 0: only obstacles are solid to it, and it
	// pushes no body away.
	Push float64
}

// PreviousPosition is where an agent was at the start of the step, in meters. Solid needs
// it to know the way to where it is now.
type PreviousPosition struct{ r2.Vec }
