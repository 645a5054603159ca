package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/resize"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// eyes pick whom an agent minds of those near it: those in its field of view, and
// of these the nearest. Most agents of a Meeting have the same eyes.
type eyes struct {
	view   float64 // rad
	square float64 // of the cosine of half of it
	wide   bool    // more than a half-plane
}

// rim is what counts as in view beyond the edge, as a cosine, for rounding.
const rim = 0x1p-50

// open gives the eyes a field of view; see sees.
func (e *eyes) open(view float64) {
	if view == e.view {
		return
	}
	_, cosine := vec.SinCos(view / 2)
	cosine -= rim
	*e = eyes{view, float64(cosine * cosine), cosine < 0}
}

// blinkered tells whether there is a field of view at all.
func (e *eyes) blinkered() bool { return limited(e.view) }

// limited tells whether a field of view in radians is not all round.
func limited(view float64) bool { return view > 0 && view < 2*math.Pi }

// LooksForFew tells whether who minds so many has to know but the nearest.
func LooksForFew(view float64, most uint32) bool {
	return most > 0 && most <= mostNearby && !limited(view)
}

// sees tells whether what is offset meters away is in view of one who faces along
// a unit vector. Who faces nowhere sees all round, and everyone sees what is in
// the same place. Without a division or a root, it is InView to rounding.
func (e *eyes) sees(facing, offset r2.Vec) bool {
	along := vec.Dot(facing, offset)
	square, limit := float64(along*along), float64(e.square*vec.Norm2(offset))
	if e.wide {
		return along >= 0 || square <= limit
	}
	return along >= 0 && square >= limit || facing == (r2.Vec{})
}

// Mind returns the places of those of Near that the k-th agent minds: with a field
// of view of that width in radians about its velocity, of which 0 is all round, and
// at most so many, of which 0 is all. They are in the order of Near, or if as many
// or more are near, the nearest first. The list is good until the next call.
func (m *Meeting) Mind(k int, view float64, most uint32) []uint32 {
	return m.minded(k, &m.eyes, view, most)
}

// minded returns the places of those that the k-th agent minds: with a field of
// view in radians, of which 0 is all round, and at most so many, of which 0 is
// all. They are in the order of Near, or if as many or more are near, the nearest
// first.
func (m *Meeting) minded(k int, e *eyes, view float64, most uint32) []uint32 {
	if m.near == nil && LooksForFew(view, most) && m.looks[k] > m.of.crowd.Cell() {
		if found := m.InOrder(k, int(most)); len(found) == int(most) {
			return m.keep(found)
		}
	}
	near := m.Near(k)
	if e.open(view); e.blinkered() && len(near) > 0 {
		near = m.inView(k, e, near)
	}
	if most == 0 || len(near) < int(most) {
		return near
	}
	m.found = resize.To(m.found, int(most))
	return m.keep(m.found[:m.of.crowd.Order(m.Place(k), near, m.found)])
}

// keep returns the places of those found.
func (m *Meeting) keep(found []NeighborHit) []uint32 {
	m.kept = m.kept[:0]
	for _, f := range found {
		m.kept = append(m.kept, f.Place)
	}
	return m.kept
}

// inView returns those of the places near the k-th agent that its eyes see.
func (m *Meeting) inView(k int, e *eyes, near []uint32) []uint32 {
	agents, self := m.Agents(), m.of.At(m.Place(k))
	facing := vec.Unit(self.Velocity)
	m.kept = m.kept[:0]
	for _, i := range near {
		if e.sees(facing, vec.Sub(agents[i].Position, self.Position)) {
			m.kept = append(m.kept, i)
		}
	}
	return m.kept
}
