package spec

import "github.com/8f878440/crowd/internal/hash"

// primes are the bases of the axes.
var primes = [maxAxes]uint64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131}

// radicalInverse returns coordinate k, in [0, 1), of point i of Halton's sequence. Each digit is
// scrambled by the seed: d becomes a·d + c modulo the base, with a and c of their own for each
// place. Otherwise the first points would lie on lines where bases are large. The samplers of
// gonum's samplemv fill a matrix with all points at once; here a point comes from its index.
//
// Source: Halton 1960; Matoušek 1998, "On the L2-discrepancy for anchored boxes".
func radicalInverse(seed uint64, k int, i uint64) float64 {
	base := primes[k]
	place, whole := uint64(1), uint64(0)
	for n := uint64(0); place <= (1<<53)/base; n++ {
		draw := hash.Mix(hash.Mix(seed+uint64(k)<<32) + n)
		digit := ((1+draw>>32%(base-1))*(i%base) + draw&(1<<32-1)%base) % base
		i /= base
		place *= base
		whole = whole*base + digit
	}
	return min(float64(whole)/float64(place), 1-1./(1<<53))
}
