package column

import "testing"

// TestReuse verifies that values get the memory of others only where they fit and both are plain.
func TestReuse(t *testing.T) {
	type line [8]uint64
	from := make([]line, 5)
	var numbers [][3]float64
	if got := Reuse(from, &numbers); len(got) != 5 || (numbers == nil) == Copies {
		t.Errorf("smaller numbers: got=%d, with memory of their own: %v, want=5, %v", len(got), numbers != nil, Copies)
	}
	var large [][9]uint64
	if got := Reuse(from, &large); len(got) != 5 || len(large) != 5 {
		t.Errorf("larger numbers: got=%d in memory of their own of %d, want=5, 5", len(got), len(large))
	}
	var pointers []struct{ to *int }
	if got := Reuse(from, &pointers); len(got) != 5 || len(pointers) != 5 {
		t.Errorf("pointers: got=%d in memory of their own of %d, want=5, 5", len(got), len(pointers))
	}
	var words []string
	if got := Reuse(from[:0], &words); len(got) != 0 {
		t.Errorf("of none: got=%d, want=0", len(got))
	}
}
