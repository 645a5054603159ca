package frame

import "slices"

// Find returns the first system of type T in the list of a frame, such as the
// snapshot *Obstacles, or if there is none in that of its Snapshots; and whether there
// is one.
func Find[T any](f *Frame) (system T, ok bool) {
	if f == nil {
		return system, false
	}
	for _, s := range f.systems {
		if system, ok = s.(T); ok {
			return system, true
		}
	}
	return Find[T](f.Snapshots)
}

// Systems returns the list of the frame.
func (f *Frame) Systems() []any { return slices.Clone(f.systems) }

// NumWorkers returns how many workers share a step, 0 if the frame is not
// initialized.
func (f *Frame) NumWorkers() int { return len(f.workers) }

// Initialized reports whether the frame is between Initialize and Finalize.
func (f *Frame) Initialized() bool { return f.workers != nil }

// Share calls task once for each of the workers from 0 up to, but not including, n,
// at the same time, and returns when all are done; n is at most NumWorkers. Worker 0
// is the caller's goroutine. It is for Sense, Update, Observe and Resolve; a task asks
// Interrupted from time to time.
func (f *Frame) Share(n int, task func(worker int)) { f.pool.Run(min(n, len(f.workers)), task) }

// Bindings returns which types of a host stand in for ours.
func (f *Frame) Bindings() Bindings { return f.bound }
