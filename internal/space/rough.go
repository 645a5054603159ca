package space

import (
	"math"

	"github.com/8f878440/crowd/internal/kernel"
)

// The rough test decides which pieces are tested exactly. It is made for speed: an entry
// of a list holds the circle around its piece in 32 bits, so that nothing else is read for
// it, and it takes no branches. All that rounding may lose is added to the radius: it never
// loses a piece that is touched, and keeps few others.
//
// Coordinates count in cells of the grid, and wrap around after 32 of them. What a way with
// one look-up can touch is less than 9 cells from its middle, so that the difference of two
// coordinates, wrapped, is the distance; a piece that is farther away may be taken for a
// near one, and is then tested for nothing.

const (
	// A way has coordinates in units of 2^-27 cells, of which 32 bits are kept.
	unitsPerCell = 1 << 27
	// An entry keeps 12 bits of each coordinate, in units of this many. What stands
	// below them adds less than one of these.
	step = 1 << 20
	// It keeps 8 bits of the radius, in units of this many. Pieces that are in a grid have
	// no larger ones: see cellSize.
	radiusStep = 1 << 22
	// The two coordinates lose less than a step each, and all that is rounded less than this.
	lost = 1.5*step + 1<<12
	// A number of cells between -2^30 and 2^30, added to this one, has 21 bits after the
	// point, and the number of its cell before that.
	fixed = 1.5 * (1 << 31)
)

// entry is a piece in a list.
type entry = kernel.Entry

// entryOf returns a piece as the lists of its grid have it.
func (x *Index) entryOf(piece uint32) entry {
	b, lv := &x.bounds[piece], &x.levels[x.pieces[piece].level]
	count := func(v float64) uint32 {
		return uint32(int64(math.Floor(float64(max(-edge, min(edge, float64(v*lv.scale)))*(unitsPerCell/step)))) & 0xfff)
	}
	// Within the slack a piece moves without its entry.
	radius := math.Ceil(float64((b.radius + float64(1.5*x.slack)) * lv.scale * (unitsPerCell / radiusStep)))
	return entry{Spot: count(b.x)<<20 | count(b.y)<<8 | uint32(min(radius, 255)), Piece: piece}
}

// spot returns the cell of a coordinate, which is not beyond the extent, and the coordinate.
func (lv *level) spot(v float64) (cell int64, at uint32) {
	b := math.Float64bits(float64(v*lv.scale) + fixed)
	return int64(b >> 21 & (1<<31 - 1)), uint32(b) << 6
}

// look looks up the ways from first on, for the rough test, and adds those with a list to the
// lists there are. It reports whether one look-up is enough for all of them, and how many lists
// there are then.
func (x *Index) look(f *kernel.Sifter, lv *level, ways []Way, first, lists int) (single bool, _ int) {
	single = true
	units, start := f.Units, x.start
	for i := first; i < len(ways); i++ {
		w, k := &ways[i], i&mask
		middle, half := middle(w), half(w)
		single = single && x.single(w, middle)
		column, atX := lv.spot(middle.X)
		row, atY := lv.spot(middle.Y)
		slot := x.slot(lv, column, row)
		from, to := start[slot], start[slot+1]
		near, ahead := float64(w.Body*units)+lost, float64(half*units)
		f.X[k], f.Y[k], f.DirX[k], f.DirY[k] = atX, atY, float32(w.Dir.X), float32(w.Dir.Y)
		f.Near[k], f.Far[k] = float32(near), float32(near+ahead)
		f.Span[k], f.Busy[lists&mask] = uint64(to)<<32|uint64(from), uint8(i)
		lists += int(uint32(from-to) >> 31)
	}
	return single, lists
}

// rough keeps those entries that a disc may touch on its way, which is that of the same place
// in which: those whose circle, enlarged by the body, is neither beside a rectangle around the
// way nor beyond its ends. It puts their pieces behind the found ones, and returns how many
// there are. Nothing foretells which they are, so that takes no branches: the sign of a
// difference tells which number is larger.
func rough(f *kernel.Sifter, entries []entry, which []uint8, found int) int {
	which = which[:len(entries)]
	for k := range entries {
		e, i := &entries[k], which[k]
		f.Piece[found], f.Way[found] = e.Piece, i
		i &= mask
		dirX, dirY := f.DirX[i], f.DirY[i]
		toX, toY := float32(int32(e.Spot-f.X[i])), float32(int32(e.Spot<<12-f.Y[i]))
		radius := float32(float32(int32(e.Spot&0xff)) * radiusStep)
		aside, ahead := float32(toX*dirY)-float32(toY*dirX), float32(toX*dirX)+float32(toY*dirY)
		apart := math.Float32bits(radius+f.Near[i]-abs(aside)) | math.Float32bits(radius+f.Far[i]-abs(ahead))
		found += 1 - int(apart>>31)
	}
	return found
}

// abs returns |v|.
func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
