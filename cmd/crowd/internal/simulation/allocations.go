package simulation

import (
	"runtime"
	"sync"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
)

// allocations counts objects that steps allocate, after some steps in which buffers
// grow to their size. What the Go runtime allocates for itself is left out: for a
// collection, for workers that wait, and for a thread that it starts, which may happen
// where it reads how many objects there are.
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
	if step == a.warm {
		runtime.GC() // one that began before would allocate during the steps
		stockWaiters()
	}
	a.threads, a.before = threads(), memory.Mallocs()
}

func (a *allocations) end(step int) {
	if !a.counts(step) {
		return
	}
	if objects := memory.Mallocs() - a.before; threads() == a.threads {
		a.objects += objects
		a.counted++
	}
}

func (a *allocations) perStep() float64 { return float64(a.objects) / float64(max(a.counted, 1)) }

// stockWaiters lets many goroutines wait at once: each leaves what it takes to wait in
// the pool of the runtime, which a collection has emptied.
func stockWaiters() {
	var all sync.WaitGroup
	gate := make(chan bool)
	for range min(256*runtime.GOMAXPROCS(0), 4096) { // it holds up to 128 for each processor
		all.Go(func() { <-gate })
	}
	time.Sleep(time.Millisecond) // until they wait
	close(gate)
	all.Wait()
}

// threads returns how many threads the Go runtime has started.
func threads() int {
	n, _ := runtime.ThreadCreateProfile(nil)
	return n
}
