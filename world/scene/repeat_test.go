package scene

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Who repeats an itinerary goes to its first stop from where it is, and arrives
// at the end of each round.
func TestRepeat(t *testing.T) {
	s := mustRead(t, `
dt = 0.1
[[groups]]
at = [5, 0]
max-speed = 1
goal = {radius = 0.5, then = "repeat"}
itineraries = [[{at = [0, 0]}, {kind = "box", box = [[10, -1], [12, 1]]}]]
kinematic-seek = {}
`)
	w, err := s.Build(Options{Workers: 1})
	noError(t, err)
	defer w.Close()
	const turn = 0.2 // s, about two steps
	const first, round = 4.5 + 9.5 + 2*turn, 2*9.5 + 2*turn
	var ends []float64
	least, most := 5., 5.
	for range 600 {
		noError(t, w.Step())
		if len(ends) < w.Stats().Arrived {
			ends = append(ends, w.Clock.Time)
		}
		agents(w, func(_ uint64, p, _, _ r2.Vec) { least, most = min(least, p.X), max(most, p.X) })
	}
	if len(ends) != 3 {
		t.Fatalf("ends of rounds: got=%v s, want=3", ends)
	}
	for i, got := range ends {
		if want := first + float64(i)*round; got < want-turn || got > want+turn {
			t.Errorf("round %d: got=%v s, want=%v", i, got, want)
		}
	}
	if least < 0.3 || least > 0.5 || most < 9.9 || most > 10.2 {
		t.Errorf("x: got=%v to %v, want=0.5 to 10", least, most)
	}
}
