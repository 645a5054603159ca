// Package hash draws numbers that are the same in every run: each is a hash of what
// it is drawn for.
package hash

// Mix spreads every bit of x over the whole word; it is the finalizer of SplitMix64.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Float returns a number in [0, 1) of the bits of a hash.
func Float(h uint64) float64 { return float64(h>>11) * 0x1p-53 }
