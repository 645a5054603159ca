package replay

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/world"
)

// Options says what a recording has beside inputs and hashes.
type Options struct {
	// About is the host's own: what it needs to make the world again, such as the name and
	// version of a level. It is written as JSON.
	About any

	// SaveEvery is how many steps lie between saved states; 0: only the one at the beginning.
	// With more of them a recording is larger, and a difference is found sooner.
	SaveEvery int
}

// Header is what a recording begins with.
type Header struct {
	About     json.RawMessage `json:"about"`     // of Options
	SaveEvery int             `json:"saveEvery"` // steps between saved states; 0: only the first
	Machine   string          `json:"machine"`   // the version of Go, the platform, and which kernels ran: nothing that may matter
}

// Blocks of a recording. The first is about, then there is a state, and end is the last.
const (
	magic   = "crowd replay\n"
	version = 1

	blockAbout = "about" // Header, as JSON
	blockState = "state" // step, hash, and what World.Save writes
	blockInput = "input" // Input, as JSON
	blockStep  = "step"  // step, hash
	blockBack  = "back"  // step: what came after it is void
	blockEnd   = "end"   // step
)

// Input is something that came from outside.
type Input struct {
	Name string          `json:"name"`
	Data json.RawMessage `json:"data"`
}

// Recorder records a world. Its methods are for the goroutine that steps.
type Recorder struct {
	out   io.Writer
	world *world.World
	every int
	step  int
	state bytes.Buffer
	err   error
	ended bool
}

// errClosed is of a recorder that is used after Close.
var errClosed = errors.New("crowd replay: the recorder is closed")

// NewRecorder begins to record a world as it is now. Each step is written at once, by one
// call of Write, so that nothing of it is lost when the program is killed. The error is of out, of what cannot be
// JSON, or of World.Save.
func NewRecorder(out io.Writer, w *world.World, o Options) (*Recorder, error) {
	if o.SaveEvery < 0 {
		return nil, fmt.Errorf("saved states every %d steps, want 0 (only the first) or more", o.SaveEvery)
	}
	about, err := json.Marshal(o.About)
	if err != nil {
		return nil, fmt.Errorf("what a recording is about: %w", err)
	}
	machine := fmt.Sprintf("%s %s/%s, kernels %v", runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Used())
	r := &Recorder{out: out, world: w, every: o.SaveEvery}
	_, r.err = out.Write(binary.LittleEndian.AppendUint32([]byte(magic), version))
	r.json(blockAbout, Header{about, o.SaveEvery, machine})
	r.save(w.Hash())
	return r, r.err
}

// Input notes something that comes from outside before the next step, under a name and with a value
// that can be JSON. The host applies it, here and in a replay.
func (r *Recorder) Input(name string, value any) error {
	if r.ended {
		return errClosed
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("input %s: %w", name, err)
	}
	r.json(blockInput, Input{name, data})
	return r.err
}

// Step does a step of the world, and records it: see [Recorder.Stepped].
func (r *Recorder) Step() error {
	if r.ended {
		return errClosed
	}
	if err := r.world.Step(); err != nil {
		if errors.Is(err, world.ErrInterrupted) {
			return err // and nothing has happened
		}
		return errors.Join(err, r.Stepped())
	}
	return r.Stepped()
}

// Stepped records a step that the host has just done. The hash takes 10 to 20 ns an agent,
// shared by all workers, and writing takes microseconds.
func (r *Recorder) Stepped() error {
	if r.ended {
		return errClosed
	}
	r.step++
	hash := r.world.Hash()
	r.block(blockStep, r.now(hash))
	if r.every > 0 && r.step%r.every == 0 {
		r.save(hash)
	}
	return r.err
}

// Back notes that the world goes on from an earlier step, as w, which is as it was after that step and
// before the inputs that came then: all that was recorded since is void. Steps count from 0, the beginning of the recording. The host
// steps w from now on.
func (r *Recorder) Back(w *world.World, step int) error {
	switch {
	case r.ended:
		return errClosed
	case step < 0 || step > r.step:
		return fmt.Errorf("crowd replay: back to step %d, want 0 to %d", step, r.step)
	}
	r.world, r.step = w, step
	r.block(blockBack, binary.LittleEndian.AppendUint64(nil, uint64(step)))
	return r.err
}

// Close ends the recording. It closes neither the world nor what is written to. A second time it does nothing.
func (r *Recorder) Close() error {
	if r.ended {
		return r.err
	}
	r.ended = true
	r.block(blockEnd, binary.LittleEndian.AppendUint64(nil, uint64(r.step)))
	return r.err
}

// now returns how many steps there were, and the hash.
func (r *Recorder) now(hash uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(r.step)), hash)
}

// save writes the state of the world.
func (r *Recorder) save(hash uint64) {
	if r.err != nil {
		return
	}
	r.state.Reset()
	r.state.Write(r.now(hash))
	if r.err = r.world.Save(&r.state); r.err == nil {
		r.block(blockState, r.state.Bytes())
	}
}

func (r *Recorder) json(name string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		r.err = errors.Join(r.err, err)
		return
	}
	r.block(name, data)
}

// block writes a block, unless writing has failed before.
func (r *Recorder) block(name string, data []byte) {
	if r.err == nil {
		r.err = archive.WriteBlock(r.out, name, data)
	}
}
