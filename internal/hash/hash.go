// Package hash draws reproducible random numbers: each is a hash of a seed, a purpose and an index.
package hash

// Mix spreads every bit of x over the whole word. It returns the output of SplitMix64 for the state x.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Float returns a number in [0, 1) from the bits of a hash.
func Float(h uint64) float64 { return float64(float64(h>>11) * 0x1p-53) }

// Trace combines the hashes of a crowd at several times, in order, and so distinguishes crowds that end
// alike, such as crowds in which all agents have left. The zero value is ready to use.
type Trace struct{ sum uint64 }

func (t *Trace) Add(sum uint64) { t.sum = Mix(t.sum ^ sum) }

func (t *Trace) Sum() uint64 { return t.sum }

// TraceEvery is the number of steps between hashes. The first hash precedes the first step.
const TraceEvery = 10

// Draw returns the hash of a seed, the number of a purpose, and an index.
func Draw(seed, use, i uint64) uint64 { return Mix(Mix(Mix(seed)+use) + i) }

// NormalDraws is the number of draws per call to Normal.
const NormalDraws = 12

// Normal returns a nearly normally distributed number with mean 0 and standard deviation 1, within ±6: the
// sum of uniform(0) to uniform(NormalDraws-1), minus its mean. The numbers must be independent and uniform in
// [0, 1).
func Normal(uniform func(k uint64) float64) float64 {
	sum := 0.
	for k := range uint64(NormalDraws) {
		sum += uniform(k)
	}
	return sum - NormalDraws/2
}

// Within returns the first of draw(0) to draw(15) that is in [low, high] or, if there is none, draw(15)
// clamped to that range.
func Within(low, high float64, draw func(try uint64) float64) (x float64) {
	for try := range uint64(16) {
		if x = draw(try); x >= low && x <= high {
			return x
		}
	}
	return min(max(x, low), high)
}
