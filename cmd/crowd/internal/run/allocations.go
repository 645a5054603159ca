package run

import (
	"runtime"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// allocations counts objects that steps allocate, after some steps in which buffers
// grow to their size. Steps in which the Go runtime starts a thread of its own are left
// out: it allocates for that, and may do so where it reads how many objects there are.
type allocations struct {
	warm, most int
	counted    int
	objects    uint64
	before     uint64
	threads    int
}

func allocationsOf(steps int) *allocations {
	warm := min(20, steps/4)
	return &allocations{warm: warm, most: min(50, steps-warm)}
}

func (a *allocations) counts(step int) bool { return step >= a.warm && a.counted < a.most }

func (a *allocations) begin(step int) {
	if !a.counts(step) {
		return
	}
	a.threads, a.before = threads(), cli.Mallocs()
}

func (a *allocations) end(step int) {
	if !a.counts(step) {
		return
	}
	if objects := cli.Mallocs() - a.before; threads() == a.threads {
		a.objects += objects
		a.counted++
	}
}

func (a *allocations) perStep() float64 { return float64(a.objects) / float64(max(a.counted, 1)) }

// threads returns how many threads the Go runtime has started.
func threads() int {
	n, _ := runtime.ThreadCreateProfile(nil)
	return n
}
