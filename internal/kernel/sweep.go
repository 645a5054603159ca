package kernel

import "gonum.org/v1/gonum/spatial/r2"

// Way is the way of a disc.
type Way struct {
	From   r2.Vec  // m, where its center starts
	Dir    r2.Vec  // unit vector; zero: it stays
	Length float64 // m, how far its center moves
	Body   float64 // m, radius of the disc
}

// Entry is a piece in a list.
type Entry struct {
	Spot  uint32 // where it is, roughly: 12 bits of x, 12 of y, and 8 of the radius
	Piece uint32
}

const (
	SiftWays  = 64  // ways at a time
	SiftQueue = 512 // pieces at a time
	SiftPad   = 4   // entries that are read, and pieces that are written, at once
)

// Sifter is what Sift works on. What the numbers mean is said in space, at the rough test.
type Sifter struct {
	// The index, and the grid of it to look into, as space.Index has them. Lists are
	// followed by SiftPad entries that may hold anything.
	Reach, Extent, Scale, Units float64
	Salt, Shift                 uint64
	Start                       []uint32
	Lists                       []Entry

	Span [SiftWays]uint64 // of each way, where its list begins and, in the upper half, ends
	// Each way as the rough test sees it: its middle, its direction, and how far what
	// is touched is from the middle, without its radius, to the side and along the way.
	X, Y                  [SiftWays]uint32
	DirX, DirY, Near, Far [SiftWays]float32

	Busy  [SiftWays + 2*SiftPad]uint8 // the ways that have a list
	Piece [SiftQueue + SiftPad]uint32 // that may be touched
	Way   [SiftQueue + SiftPad]uint8  // on which way
}
