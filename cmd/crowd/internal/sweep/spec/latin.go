package spec

import (
	"math/bits"

	"github.com/8f878440/crowd/internal/hash"
)

// latin returns coordinate k, in [0, 1), of point i of a Latin hypercube of n points: a place drawn
// at random in part π(i) of n, where π is a permutation by seed and k.
//
// Source: McKay, Beckman, Conover 1979.
func latin(seed uint64, k int, i, n uint64) float64 {
	key := hash.Mix(seed + uint64(k)<<32)
	within := hash.Float(hash.Mix(hash.Mix(key) + i))
	return min((float64(permuted(key, i, n))+within)/float64(n), 1-1./(1<<53))
}

// permuted returns where a permutation of 0 to n-1 takes i, without a table: a Feistel network
// permutes the numbers of 2m bits, and is applied again until the result is below n.
//
// Source: Black, Rogaway 2002, "Ciphers with arbitrary finite domains".
func permuted(key, i, n uint64) uint64 {
	const rounds = 6
	half := (bits.Len64(n-1) + 1) / 2
	mask := uint64(1)<<half - 1
	for {
		left, right := i>>half, i&mask
		for r := range uint64(rounds) {
			left, right = right, left^hash.Mix(key+right<<8+r)&mask
		}
		if i = left<<half | right; i < n {
			return i
		}
	}
}
