package main

// motionOptions say what to keep of trajectories.
type motionOptions struct {
	ways int       // of how many agents
	to   []float64 // a place that distances are measured to; nil: where each agent began
	read func(int) // is told now and then how many lines were read; may be nil
}

// motion is how agents moved. Its memory does not grow with the length of the file:
// times are thinned out when there are many, and ways are of a sample of the agents.
type motion struct {
	times    thinned[moment]
	ways     []way
	agents   int // different ones, but for those beyond mostPlaced
	rows     int
	skipped  int // rows with a number that is not finite
	unplaced int // rows of agents beyond mostPlaced, whose beginnings are not known
}

// moment is what the agents did at a time.
type moment struct {
	time            float64
	agents          int
	speed, distance [3]float64 // quartiles; NaN: of nobody
}

// way is where one agent was.
type way struct {
	id     uint64
	rank   uint64 // the lowest are kept
	places []place
}

type place struct {
	moment            int // from 0
	time, x, y, speed float64
}

const (
	mostMoments = 4096    // finer than a picture shows
	mostPlaced  = 1 << 20 // agents whose beginning is known
	mostSampled = 1 << 20 // agents that the quartiles are of
	noWay       = -1
)

// thinned keeps at most a number of values: when there are more, every second,
// every fourth and so on.
type thinned[T any] struct {
	kept        []T
	every, seen int
}

// takes tells whether the next value will be kept.
func (t *thinned[T]) takes() bool { return t.every == 0 || t.seen%t.every == 0 }

// add counts a value, and keeps it if it takes it. It tells whether it dropped
// every second one.
func (t *thinned[T]) add(value T, most int) (halved bool) {
	t.every = max(t.every, 1)
	if t.seen%t.every == 0 {
		if len(t.kept) == most {
			for i := range (most + 1) / 2 {
				t.kept[i] = t.kept[2*i]
			}
			t.kept, t.every, halved = t.kept[:(most+1)/2], 2*t.every, true
		}
		if t.seen%t.every == 0 {
			t.kept = append(t.kept, value)
		}
	}
	t.seen++
	return halved
}

func (t *thinned[T]) reset() { t.kept, t.every, t.seen = t.kept[:0], 0, 0 }
