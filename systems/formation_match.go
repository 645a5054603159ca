package systems

import (
	"cmp"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// What a matcher tries beyond halving: rounds in which each point may change slots with those
// that come soon after it in the order of halving, and so are near.
const (
	swapRounds = 8
	swapReach  = 64
)

// matcher gives each of some points one of as many slots, so that ways there are short: the
// sum of the squares of their lengths is near the least one. It depends on the differences
// between points only, and so not on how far off the slots are.
//
// It halves slots, and points, along the side on which the slots extend farther, until one is
// left; and then lets pairs that are near one another change slots where that makes the sum less.
type matcher struct {
	points, slots []r2.Vec
	point, slot   []int32 // numbers, in the order in which they are matched
}

// match returns the slot of each point. The result is good until the next call.
func (m *matcher) match(points, slots []r2.Vec) []int32 {
	m.points, m.slots = points, slots
	m.point, m.slot = column.Resize(m.point, len(points)), column.Resize(m.slot, len(points))
	for i := range m.point {
		m.point[i], m.slot[i] = int32(i), int32(i)
	}
	m.halve(m.point, m.slot)
	for round := 0; round < swapRounds && m.swap(); {
		round++
	}
	for i, p := range m.point { // slot by the number of the point
		for m.point[i] != int32(i) {
			m.point[i], m.point[p] = m.point[p], m.point[i]
			m.slot[i], m.slot[p] = m.slot[p], m.slot[i]
			p = m.point[i]
		}
	}
	return m.slot
}

// halve matches the points of a list with the slots of another one that is as long.
func (m *matcher) halve(points, slots []int32) {
	if len(points) < 2 {
		return
	}
	low, high := m.slots[slots[0]], m.slots[slots[0]]
	for _, k := range slots {
		p := m.slots[k]
		low, high = r2.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, r2.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	order := along
	if high.Y-low.Y > high.X-low.X {
		order = across
	}
	slices.SortFunc(points, func(a, b int32) int { return order(m.points, a, b) })
	slices.SortFunc(slots, func(a, b int32) int { return order(m.slots, a, b) })
	half := len(points) / 2
	m.halve(points[:half], slots[:half])
	m.halve(points[half:], slots[half:])
}

// along and across order points, given by their numbers, by one side and then the other.
func along(of []r2.Vec, a, b int32) int {
	return cmp.Or(cmp.Compare(of[a].X, of[b].X), cmp.Compare(of[a].Y, of[b].Y), cmp.Compare(a, b))
}

func across(of []r2.Vec, a, b int32) int {
	return cmp.Or(cmp.Compare(of[a].Y, of[b].Y), cmp.Compare(of[a].X, of[b].X), cmp.Compare(a, b))
}

// swap lets pairs of points whose ways are shorter then change slots, and reports whether some
// did.
func (m *matcher) swap() (better bool) {
	for i := range m.slot {
		p, s := m.points[m.point[i]], m.slots[m.slot[i]]
		for j := i + 1; j < min(i+1+swapReach, len(m.slot)); j++ {
			if t := m.slots[m.slot[j]]; vec.Dot(vec.Sub(p, m.points[m.point[j]]), vec.Sub(s, t)) < 0 {
				m.slot[i], m.slot[j] = m.slot[j], m.slot[i]
				s, better = t, true
			}
		}
	}
	return better
}
