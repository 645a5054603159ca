package hash

import "testing"

func TestTrace(t *testing.T) {
	seen := map[uint64][]uint64{}
	for _, hashes := range [][]uint64{{}, {0}, {0, 0}, {1}, {2}, {1, 0}, {0, 1}, {1, 2}, {2, 1}, {1, 2, 0}} {
		var trace Trace
		for _, h := range hashes {
			trace.Add(h)
		}
		if other, ok := seen[trace.Sum()]; ok {
			t.Errorf("%v and %v: got the same sum, %016x, want different sums", hashes, other, trace.Sum())
		}
		seen[trace.Sum()] = hashes
	}
}
