package kernel

import "gonum.org/v1/gonum/spatial/r2"

// Way is the way of a disc.
type Way struct {
	From   r2.Vec  // m, where its center starts
	Dir    r2.Vec  // unit vector; zero: it stays
	Length float64 // m, how far its center moves
	Body   float64 // m, radius of the disc
}

// Entry is a piece in a list, with the circle around it as of when the list was made.
type Entry struct {
	X, Y, Radius float32 // m, from the origin; of a moving piece all that it may be in
	Piece        uint32
}

const (
	SiftWays  = 64  // ways at a time
	SiftQueue = 512 // pieces at a time
	SiftFew   = 4   // entries that are read, and pieces that are written, at once
)

// Sifter is what Sift works on.
type Sifter struct {
	// The index, and the grid of it to look into, as space.Index has them. Lists are
	// followed by SiftFew entries that may hold anything.
	Origin               r2.Vec
	Spare, Reach, Extent float64
	Scale                float64
	Salt, Shift          uint64
	Start                []uint32
	Lists                []Entry

	Span [SiftWays]uint64 // of each way, where its list begins and, in the upper half, ends
	// Each way as the rough test sees it: its middle, its direction, and how far what
	// is touched is from the middle, without its radius, to the side and along the way.
	X, Y, DirX, DirY, Near, Far [SiftWays]float32

	Busy  [SiftWays + 2*SiftFew]uint8 // the ways that have a list
	Piece [SiftQueue + SiftFew]uint32 // that may be touched
	Way   [SiftQueue + SiftFew]uint8  // on which way
}
