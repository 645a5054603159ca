//go:build !safe

package column

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
)

const copies = false // Load copies the rows

// A walk that is repeated, with the columns loaded, takes no memory.
func TestWalkAllocates(t *testing.T) {
	w, walker := sized(100, 3, 1, 20, 7), Walker{}
	pos, rel := SourceOf[point](w), SourceOf[relation](w)
	filter := w.Cache().Register(ecs.All(pos.ID))
	runs := []Run(nil)
	var sum float64
	walk := func() {
		q := w.Query(&filter)
		defer q.Close()
		runs = walker.Walk(w, &q, runs)
		for i := range runs {
			r := &runs[i]
			for _, p := range Rows[point](pos.Load(r), 0, r.Rows) {
				sum += p.X
			}
			sum += float64(len(Rows[relation](rel.Load(r), 0, r.Rows)))
			sum += float64(r.Entity(r.Rows - 1).ID())
		}
	}
	if got := testing.AllocsPerRun(20, walk); got != 0 {
		t.Errorf("allocations: got=%v, want=0", got)
	}
	// Nor does one whose guess is wrong.
	wrong := func() {
		for i := range runs {
			runs[i].Rows += 5 - 2*i
		}
		walk()
	}
	if got := testing.AllocsPerRun(20, wrong); got != 0 {
		t.Errorf("allocations after a wrong guess: got=%v, want=0", got)
	}
}
