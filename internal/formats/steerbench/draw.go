package steerbench

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// What is drawn: each has its own draws, so that none depends on how often
// another was repeated.
const (
	theObstacle uint64 = iota
	thePosition
	theDirection
	theGoal // and up, by the goal's place in the sequence
)

// draw is a random number that depends on the words alone.
//
// Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number
// generators", SplitMix64.
func draw(words ...uint64) uint64 {
	var h uint64
	for _, w := range words {
		h = (h ^ w) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// unit maps a draw to [0, 1).
func unit(d uint64) float64 { return float64(d>>11) * 0x1p-53 }

// between maps a draw to the numbers from a to b.
func between(a, b float64, d uint64) float64 {
	return a + float64(unit(d)*(b-a))
}

// direction draws a unit vector: a point in the unit disc, drawn out to its rim.
func (p *placer) direction(what uint64, index int) r2.Vec {
	for attempt := uint64(0); ; attempt++ {
		x := between(-1, 1, draw(p.seed, what, uint64(index), 2*attempt))
		y := between(-1, 1, draw(p.seed, what, uint64(index), 2*attempt+1))
		if n2 := float64(x*x) + float64(y*y); n2 > 1e-6 && n2 <= 1 {
			n := math.Sqrt(n2)
			return r2.Vec{X: x / n, Y: y / n}
		}
	}
}
