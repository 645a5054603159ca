package space

import "slices"

// Holds tells whether the valid ones of some shapes are just those that the index finds, in
// any order.
func (x *Index) Holds(shapes []Shape) bool {
	n := 0
	for i := range shapes {
		s := &shapes[i]
		if !s.Valid() {
			continue
		}
		n++
		rank, _ := slices.BinarySearch(x.order, uint64(s.ID)<<32)
		if rank == len(x.order) || !x.shape(uint32(rank)).same(s) {
			return false
		}
	}
	return n == len(x.order)
}

// same tells whether a shape is another one, corner by corner.
func (s *Shape) same(o *Shape) bool {
	if s.ID != o.ID || s.Radius != o.Radius || (s.Ring == nil) != (o.Ring == nil) {
		return false
	}
	return s.Ring == nil && s.A == o.A && s.B == o.B || s.Ring != nil && slices.Equal(s.Ring, o.Ring)
}

// Found returns the shapes that the index finds, in the order given to Build. Their rings must
// not be written to.
func (x *Index) Found() (all []Shape) {
	for i := range x.shapes {
		if s := &x.shapes[i]; s.Valid() {
			all = append(all, *s)
		}
	}
	return all
}
