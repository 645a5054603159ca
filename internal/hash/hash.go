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

// Trace folds the hashes of a crowd at several times into one, in their order. So
// it tells apart crowds that end alike, such as those that all have left. The
// zero value is ready.
type Trace struct{ sum uint64 }

// Add folds in the next hash.
func (t *Trace) Add(sum uint64) { t.sum = Mix(t.sum ^ sum) }

// Sum returns the hash of all that was added, 0 if nothing was.
func (t *Trace) Sum() uint64 { return t.sum }

// TraceEvery is how many steps lie between the hashes that a trace_hash folds: it
// begins with that before the first step.
const TraceEvery = 10

// Draw returns the hash of the i-th draw for a use.
func Draw(seed, use, i uint64) uint64 { return Mix(Mix(Mix(seed)+use) + i) }

// NormalDraws is how many uniform numbers Normal takes.
const NormalDraws = 12

// Normal returns a normal number with mean 0 and deviation 1, not beyond ±6, by the sum of uniform numbers.
func Normal(uniform func(k uint64) float64) float64 {
	sum := 0.
	for k := range uint64(NormalDraws) {
		sum += uniform(k)
	}
	return sum - NormalDraws/2
}

// Within returns the first of several tries to draw a number that is within limits; if none is, the last one, moved to the
// nearer limit.
func Within(low, high float64, draw func(try uint64) float64) (x float64) {
	for try := range uint64(16) {
		if x = draw(try); x >= low && x <= high {
			return x
		}
	}
	return min(max(x, low), high)
}
