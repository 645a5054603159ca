package data

// Thinned keeps at most a number of values: when there are more, every second,
// every fourth and so on.
type Thinned[T any] struct {
	Kept        []T
	every, seen int
}

// takes tells whether the next value will be kept.
func (t *Thinned[T]) takes() bool { return t.every == 0 || t.seen%t.every == 0 }

// add counts a value, and keeps it if it takes it. It tells whether it dropped
// every second one.
func (t *Thinned[T]) add(value T, most int) (halved bool) {
	t.every = max(t.every, 1)
	if t.seen%t.every == 0 {
		if len(t.Kept) == most {
			for i := range (most + 1) / 2 {
				t.Kept[i] = t.Kept[2*i]
			}
			t.Kept, t.every, halved = t.Kept[:(most+1)/2], 2*t.every, true
		}
		if t.seen%t.every == 0 {
			t.Kept = append(t.Kept, value)
		}
	}
	t.seen++
	return halved
}

func (t *Thinned[T]) reset() { t.Kept, t.every, t.seen = t.Kept[:0], 0, 0 }
