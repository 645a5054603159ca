package measure

import "github.com/8f878440/crowd/internal/hash"

// pairSet remembers a depth for each of some pairs: a table with open
// addressing, kept at most half full. The zero value is empty and ready. It
// keeps its memory when it is emptied.
type pairSet struct {
	entries []pairEntry // a power of two
	n       int
}

// pairEntry is a pair and its depth; key 0 is a free place.
type pairEntry struct {
	key   uint64
	depth float64
}

// pairKey returns the key of two numbers above 0, in any order.
func pairKey(a, b uint32) uint64 {
	return uint64(min(a, b))<<32 | uint64(max(a, b))
}

// get returns the depth of a pair and whether it is there.
func (s *pairSet) get(key uint64) (float64, bool) {
	if s.n == 0 {
		return 0, false
	}
	e := &s.entries[s.find(key)]
	return e.depth, e.key == key
}

// put sets the depth of a pair.
func (s *pairSet) put(key uint64, depth float64) {
	if 2*(s.n+1) > len(s.entries) {
		s.grow()
	}
	e := &s.entries[s.find(key)]
	if e.key == 0 {
		s.n++
	}
	*e = pairEntry{key, depth}
}

// find returns where a pair is, or the free place where it would be.
func (s *pairSet) find(key uint64) int {
	mask := len(s.entries) - 1
	i := int(hash.Mix(key)) & mask
	for s.entries[i].key != 0 && s.entries[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

func (s *pairSet) grow() {
	old := s.entries
	s.entries = make([]pairEntry, max(64, 2*len(old)))
	for _, e := range old {
		if e.key != 0 {
			s.entries[s.find(e.key)] = e
		}
	}
}

// reset empties the set.
func (s *pairSet) reset() {
	if s.n > 0 {
		clear(s.entries)
	}
	s.n = 0
}
