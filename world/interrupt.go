package world

import (
	"errors"
	"fmt"
)

// ErrInterrupted is the error of a Step that Interrupt ended before it was whole,
// or did not let begin.
var ErrInterrupted = errors.New("step interrupted")

// Interrupt ends the step that runs as soon as it can, and lets no other begin:
// Step returns ErrInterrupted from then on, and so does Spawn, whose agents are
// then half made. It may be called from any goroutine.
//
// After Checkpoint what there is to see is then as before the step. Otherwise the
// state is between two steps, and the error says so. A step that was as good as
// done is done, and is the last one.
func (w *World) Interrupt() {
	w.Frame.Interrupt()
	if w.measures != nil {
		w.measures.frame.Interrupt()
	}
}

// Interrupted reports whether Interrupt was called. A function that fills rows, or
// OnArrived, may ask if it takes long, and return early.
func (w *World) Interrupted() bool { return w.Frame.Interrupted() }

// Checkpoint lets Interrupt end the next step without a loss: it takes a copy of
// where agents are and where they are going, of the Clock and of Stats. That takes
// about as long as to write 64 bytes an agent, so it is for steps that are likely
// to take long. The memory is kept for the next one: see DropCheckpoint.
//
// After a step that was ended Position, Velocity, Heading, Target and Flee are as
// before it, and so are Hash, Stats and the Clock; other components are not. It
// cannot be undone that a host's own system spawned or removed entities in the step.
func (w *World) Checkpoint() {
	if w.before == nil {
		w.before = newCheckpoint(w)
	}
	w.before.take(w)
}

// undo takes what there is to see back to the checkpoint, if there is one, and
// returns why the step is not whole.
func (w *World) undo() error {
	if w.before != nil && w.before.fresh && w.before.restore(w) {
		return ErrInterrupted
	}
	return fmt.Errorf("%w: the state is between two steps", ErrInterrupted)
}

// DropCheckpoint gives back the memory of the last checkpoint.
func (w *World) DropCheckpoint() { w.before = nil }
