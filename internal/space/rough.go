package space

import (
	"math"

	"github.com/8f878440/crowd/internal/kernel"
	"gonum.org/v1/gonum/spatial/r2"
)

// The rough test decides which pieces are tested exactly. It is made for speed: in
// single precision, so that an entry of a list takes 16 bytes and stands in the list
// itself, without branches, and with all that rounding may lose added to the radius.
// It never loses a piece that is touched, and keeps few others.

const (
	// What single precision can make of a length that is the sum and product of a few
	// others, as a part of it, is less than this.
	coarsely = 0x1p-20
	// What it can make of a coordinate is less than this part of it.
	placed = 0x1p-22
	// Numbers below this one, and what is computed from them, are finite in single
	// precision.
	coarse = 0x1p60
)

// entry is a piece in a list.
type entry = kernel.Entry

// roughWay is a way as the rough test sees it.
type roughWay struct {
	x, y       float32 // m, its middle, from the origin of the index
	dirX, dirY float32
	near, far  float32 // m, how far what is touched is from the middle, without its radius: to the side, and along the way
}

// count makes an entry of each piece, with the origin in the middle of a box.
func (x *Index) count(box r2.Box) {
	x.origin = r2.Vec{X: float64(box.Min.X/2) + float64(box.Max.X/2), Y: float64(box.Min.Y/2) + float64(box.Max.Y/2)}
	x.spare = float64(0x1p-50*(math.Abs(x.origin.X)+math.Abs(x.origin.Y))) + underflow
	for i := range x.bounds {
		x.whole = append(x.whole, x.entryOf(uint32(i)))
	}
}

// entryOf returns a piece as lists have it.
func (x *Index) entryOf(piece uint32) entry {
	b := &x.bounds[piece]
	toX, toY := b.x-x.origin.X, b.y-x.origin.Y
	// Within the slack a piece moves without its entry.
	radius := float64((b.radius+float64(1.5*x.slack))*(1+coarsely)) + float64(placed*(math.Abs(toX)+math.Abs(toY))) + x.spare
	if !(math.Abs(toX)+math.Abs(toY)+radius < coarse/4) {
		return entry{Radius: coarse * coarse, Piece: piece} // no test is passed by
	}
	return entry{X: float32(toX), Y: float32(toY), Radius: float32(radius), Piece: piece}
}

// rough sets a way for the rough test. It says false if that is not for such ways.
func (x *Index) rough(r *roughWay, w *Way) (ok bool) {
	half := half(w)
	toX, toY := float64(w.From.X+float64(half*w.Dir.X))-x.origin.X, float64(w.From.Y+float64(half*w.Dir.Y))-x.origin.Y
	off, reach := math.Abs(toX)+math.Abs(toY), half+w.Body
	near := w.Body + float64(coarsely*reach) + float64(placed*off) + x.spare
	r.x, r.y, r.dirX, r.dirY = float32(toX), float32(toY), float32(w.Dir.X), float32(w.Dir.Y)
	r.near, r.far = float32(near), float32(near+half)
	return off+reach < coarse
}

// A disc on a way cannot touch what an entry stands for if the entry's circle,
// enlarged by the body, is beside a rectangle around the way: to the side of it, or
// beyond its ends. Nothing foretells which are, so that is found without branches: the
// sign of a difference tells which number is larger.
//
// Beside has its highest bit set if the circle is to the side of the way.
func beside(e *entry, w *roughWay) uint32 {
	return math.Float32bits(e.Radius + w.near - abs(float32((e.X-w.x)*w.dirY)-float32((e.Y-w.y)*w.dirX)))
}

// Beyond has its highest bit set if the circle is beyond an end of the way; together
// with beside it tells whether the two are apart.
func beyond(e *entry, w *roughWay) uint32 {
	return math.Float32bits(e.Radius + w.far - abs(float32((e.X-w.x)*w.dirX)+float32((e.Y-w.y)*w.dirY)))
}

// abs returns |v|.
func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
