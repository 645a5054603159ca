package view

import (
	"fmt"
	"testing"
)

// TestBusySimulation verifies that a viewer is heard while a step takes long: what it
// asks again and again waits once, and too much is refused, which is its own loss.
func TestBusySimulation(t *testing.T) {
	s := simulationOf(t, "seek", 0) // does not run
	v, other := onlooker(s), onlooker(s)
	hear := func(v *viewer, format string, args ...any) {
		t.Helper()
		must(t, v.hear(fmt.Appendf(nil, format, args...)))
	}
	hear(v, `{"do":"pause","on":true}`)
	for i := range 200 {
		hear(v, `{"do":"pointer","at":[%d,5]}`, i)
	}
	if n := len(s.queue.all); n != 2 {
		t.Errorf("where the pointer was: %d things wait, want 2", n)
	}
	for range mostAsks + 3 {
		hear(v, `{"do":"step","n":1}`)
	}
	if n := len(s.queue.all); n != mostAsks {
		t.Errorf("waiting: got=%d, want=%d", n, mostAsks)
	}
	if n := len(v.errors); n != 5 || v.errors[0] != errBusy.Error() {
		t.Errorf("got %d errors, %q, want 5", n, v.errors)
	}
	hear(other, `{"do":"pace","x":2}`)
	if n := len(s.queue.all); n != mostAsks+1 || len(other.errors) != 0 {
		t.Errorf("the other's does not wait: got=%d %q", n, other.errors)
	}
	for s.queue.waits() {
		s.doAll()
	}
	if s.point.X != 199 || s.owed != mostAsks-2 || s.pace != 2 {
		t.Errorf("done: got pointer %v, %d steps, pace %v, want 199, %d and 2", s.point, s.owed, s.pace, mostAsks-2)
	}
}
