package kernel

import "gonum.org/v1/gonum/spatial/r2"

// Way is the path of a disc.
type Way struct {
	From   r2.Vec  // m, where its center starts
	Dir    r2.Vec  // unit vector; zero if the disc stays
	Length float64 // m
	Body   float64 // m, radius of the disc
}

// Entry is a piece in a list.
type Entry struct {
	Spot  uint32 // approximate position and radius: 12 bits of x, 12 of y, and 8 of the radius
	Piece uint32
}

const (
	SiftWays  = 64  // maximum number of ways per call
	SiftQueue = 512 // maximum number of pieces per call
	SiftPad   = 4   // entries read, and pieces written, at once
)

// Sifter is the state of Sift. The rough test in package space explains the numbers.
type Sifter struct {
	// The index and the grid to search, as in space.Index. Lists are followed by SiftPad arbitrary
	// entries.
	Reach, Extent, Scale, Units float64
	Salt, Shift                 uint64
	Start                       []uint32
	Lists                       []Entry

	Span [SiftWays]uint64 // per way, start of its list in the lower half, and end in the upper half
	// Each way as the rough test needs it: its middle, its direction, and half its extent to the side
	// and along the way, without the radius of a piece.
	X, Y                  [SiftWays]uint32
	DirX, DirY, Near, Far [SiftWays]float32

	Busy  [SiftWays + 2*SiftPad]uint8 // ways that have a list
	Piece [SiftQueue + SiftPad]uint32 // pieces that may be touched
	Way   [SiftQueue + SiftPad]uint8  // way of each piece
}
