package simulation

import "github.com/8f878440/crowd/cmd/crowd/internal/memory"

// allocations counts objects that steps allocate, after some steps in which buffers
// grow to their size.
type allocations struct {
	warm, most int
	counted    int
	objects    uint64
}

func allocationsOf(steps int) *allocations {
	warm := min(20, steps/4)
	return &allocations{warm: warm, most: min(50, steps-warm)}
}

func (a *allocations) counts(step int) bool { return step >= a.warm && a.counted < a.most }

func (a *allocations) begin(step int) {
	if a.counts(step) {
		a.objects -= memory.Mallocs()
	}
}

func (a *allocations) end(step int) {
	if a.counts(step) {
		a.objects += memory.Mallocs()
		a.counted++
	}
}

func (a *allocations) perStep() float64 { return float64(a.objects) / float64(max(a.counted, 1)) }
