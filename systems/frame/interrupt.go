package frame

// Interrupt ends the step that runs as soon as it can, after the batches and the
// look-ups that the workers are at, and lets no other begin. Update then returns
// early, and leaves the rows between two steps: some have moved, others have not.
// It may be called from any goroutine, at any time after Initialize; Initialize
// forgets it.
func (f *Frame) Interrupt() { f.interrupted.Store(true) }

// Interrupted reports whether Interrupt was called. A host's own system that takes
// long may ask, and return early.
func (f *Frame) Interrupted() bool { return f.interrupted.Load() }
