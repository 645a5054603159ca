package crowdtest

import "fmt"

// ways are those to run the same crowd, beside one worker, batches of the usual size and the
// order of the ids.
var ways = []variant{
	{workers: 1, batchRows: 5},
	{workers: 2, batchRows: 1},
	{workers: 3, batchRows: 4},
	{workers: 2, batchRows: 1, shuffled: true},
}

// sameBits compares crowds that differ in nothing but how they run.
func (k *kit) sameBits() string {
	for seed := range uint64(2) {
		one := k.crowd(plain(seed))
		var others []*crowd
		for _, v := range ways {
			v.seed, v.scale, v.motion = seed, 1, identity
			others = append(others, k.crowd(v))
		}
		for step := range steps {
			one.step()
			want := one.snapshot()
			for i, other := range others {
				other.step()
				if fault := other.snapshot().difference(want, nil); fault != "" {
					return fmt.Sprintf("seed %d, after step %d, with %s: %s", seed, step+1, ways[i], fault)
				}
			}
		}
	}
	return ""
}

// String says how a crowd runs.
func (v variant) String() string {
	text := fmt.Sprintf("%d workers", v.workers)
	if v.workers == 1 {
		text = "1 worker"
	}
	if v.batchRows > 0 {
		text += fmt.Sprintf(" and batches of %d rows", v.batchRows)
	}
	if v.shuffled {
		text += ", rows in another order"
	}
	return text
}
