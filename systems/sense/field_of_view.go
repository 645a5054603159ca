package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// fieldOfView picks the neighbors that are in view. Most agents of a Block have the
// same one.
type fieldOfView struct {
	width  float64 // rad
	square float64 // of the cosine of half of it
	wide   bool    // more than a half-plane
}

// rim is what counts as in view beyond the edge, as a cosine, for rounding.
const rim = 0x1p-50

// open gives it another width; see sees.
func (v *fieldOfView) open(width float64) {
	if width == v.width {
		return
	}
	_, cosine := vec.SinCos(width / 2)
	cosine -= rim
	*v = fieldOfView{width, float64(cosine * cosine), cosine < 0}
}

// limited reports whether a field of view in radians is not all round.
func limited(width float64) bool { return width > 0 && width < 2*math.Pi }

// few reports whether the nearest few are all that there is to know.
func (l *Look) few() bool {
	return l.MaxNeighbors > 0 && l.MaxNeighbors <= mostNearby && !limited(l.FieldOfView)
}

// sees reports whether what is offset meters away is in view of one who faces along
// a unit vector. Who faces nowhere sees all round, and everyone sees what is in
// the same place. It takes no division and no root.
func (v *fieldOfView) sees(facing, offset r2.Vec) bool {
	along := vec.Dot(facing, offset)
	square, limit := float64(along*along), float64(v.square*vec.Norm2(offset))
	if v.wide {
		return along >= 0 || square <= limit
	}
	return along >= 0 && square >= limit || facing == (r2.Vec{})
}

// Others returns the indexes of those of Near that the k-th agent looks for: those in
// its field of view, and of these the nearest. They are in the order of Near, or if
// MaxNeighbors or more are there, the nearest first. The list is good until the next
// call. NeighborDist of the look does not count: it is that of the query.
func (b *Block) Others(k int, look Look) []uint32 {
	most := int(look.MaxNeighbors)
	if b.near == nil && look.few() && b.dists[k] > b.neighbors.crowd.Cell() {
		if found := b.NearestSquared(k, most); len(found) == most {
			return b.keep(found)
		}
	}
	near := b.Near(k)
	if b.view.open(look.FieldOfView); limited(look.FieldOfView) && len(near) > 0 {
		near = b.inView(k, near)
	}
	if most == 0 || len(near) < most {
		return near
	}
	b.found = column.Resize(b.found, most)
	return b.keep(b.found[:b.neighbors.crowd.Order(b.Index(k), near, b.found)])
}

// keep returns the indexes of those found.
func (b *Block) keep(found []NeighborHit) []uint32 {
	b.kept = b.kept[:0]
	for _, f := range found {
		b.kept = append(b.kept, f.Index)
	}
	return b.kept
}

// inView returns those near the k-th agent that it sees.
func (b *Block) inView(k int, near []uint32) []uint32 {
	agents := b.Agents()
	p, facing := agents.Position(b.Index(k)), vec.Unit(agents.Velocity(b.Index(k)))
	b.kept = b.kept[:0]
	for _, i := range near {
		if b.view.sees(facing, vec.Sub(agents.Position(i), p)) {
			b.kept = append(b.kept, i)
		}
	}
	return b.kept
}
