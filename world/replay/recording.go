// Package replay records what comes to a crowd from outside, and runs it again.
//
// A recording has inputs, each with the step before which it happened, the hash of the crowd after every
// step, and a saved state every so often. As a step has the same bits on every machine and
// for any number of workers, a replay either gives the same hashes, or the first step that gives another one is
// where something differs: the program, or what reached the crowd in another way than as an input.
// [Compare] then finds the agent and the component.
//
// A recording is written block by block, each with a checksum. One that is cut off anywhere, because the
// program was killed, is good up to its last whole block.
package replay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/world"
)

// Recording is a recording that has been read.
type Recording struct {
	Header

	// CutOff says where the recording ends before its end; nil: it is whole. What is before is good.
	CutOff error

	mu     *sync.Mutex // of in
	in     io.ReadSeeker
	hashes []uint64        // by steps, that before the first one too
	inputs map[int][]Input // by the step that they come before
	states []savedState    // in their order
}

// savedState is where a state is.
type savedState struct {
	step int
	from int64 // its block, after the first byte of the recording
}

// Open reads a recording, and checks all of it: versions, checksums, sizes, and the order of steps. Where it is cut off it ends, and CutOff
// says so; anything else that is wrong is an error that says where. Saved states are not kept in memory,
// but read again from in when they are needed, and refused there if they fit no world.
func Open(in io.ReadSeeker) (*Recording, error) {
	r := &Recording{mu: &sync.Mutex{}, in: in, inputs: map[int][]Input{}}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	buffered := bufio.NewReaderSize(in, 1<<16)
	head := make([]byte, len(magic)+4)
	switch n, err := io.ReadFull(buffered, head); {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("crowd replay: %w", err)
	case err != nil || string(head[:len(magic)]) != magic:
		return nil, fmt.Errorf("crowd replay: it is no recording: it begins with %q, want %q and a version", head[:n], magic)
	}
	if got := binary.LittleEndian.Uint32(head[len(magic):]); got != version {
		return nil, fmt.Errorf("crowd replay: byte %d: version is %d, want %d", len(magic), got, version)
	}
	blocks := archive.ReadBlocks(buffered, int64(len(head)))
	for ended := false; ; {
		from := blocks.At()
		name, data, err := blocks.Next()
		switch {
		case errors.Is(err, io.EOF) && ended:
			return r, nil
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			if r.CutOff = fmt.Errorf("it is cut off after byte %d", from); len(r.hashes) == 0 {
				return nil, fmt.Errorf("crowd replay: %w, before anything of it can be used", r.CutOff)
			}
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("crowd replay: %w", err)
		case ended:
			err = errors.New("something comes after the end")
		default:
			ended = name == blockEnd
			err = r.add(name, data, from)
		}
		if err != nil {
			return nil, fmt.Errorf("crowd replay: block %s at byte %d: %w", name, from, err)
		}
	}
}

// add takes in the next block.
func (r *Recording) add(name string, data []byte, from int64) error {
	switch {
	case (len(r.hashes) == 0) != (name == blockAbout || name == blockState) && name != blockState,
		name == blockState && r.Machine == "", name == blockAbout && r.Machine != "":
		return errors.New("it does not belong here: want about, then state, and steps")
	case name == blockAbout:
		if err := json.Unmarshal(data, &r.Header); err != nil || r.Machine == "" || r.SaveEvery < 0 {
			return errors.New("want a header with the machine that recorded")
		}
		return nil
	case name == blockInput:
		var in Input
		if err := json.Unmarshal(data, &in); err != nil || in.Data == nil {
			return errors.New("want an input with name and data")
		}
		r.inputs[len(r.hashes)] = append(r.inputs[len(r.hashes)], in)
		return nil
	}
	step, rest := 0, data
	if len(rest) >= 8 {
		step, rest = int(min(binary.LittleEndian.Uint64(rest), 1<<31-1)), rest[8:]
	}
	switch {
	case len(data) < 8, len(data) < 16 && (name == blockState || name == blockStep), len(data) > 16 && name == blockStep, len(data) > 8 && (name == blockBack || name == blockEnd):
		return fmt.Errorf("it has %d bytes", len(data))
	case name == blockState && len(r.hashes) == 0 && step == 0:
		r.hashes = []uint64{binary.LittleEndian.Uint64(rest)}
		r.states = []savedState{{0, from}}
	case name == blockState && step == r.Steps() && binary.LittleEndian.Uint64(rest) == r.hashes[step] && r.states[len(r.states)-1].step < step:
		r.states = append(r.states, savedState{step, from})
	case name == blockBack && step <= r.Steps():
		r.back(step)
	case name == blockStep && step == r.Steps()+1:
		r.hashes = append(r.hashes, binary.LittleEndian.Uint64(rest))
	case name == blockEnd && step == r.Steps():
	case name == blockState || name == blockStep || name == blockBack || name == blockEnd:
		return fmt.Errorf("step %d, or the hash with it, does not go on from %d", step, r.Steps())
	default:
		return errors.New("it is unknown")
	}
	return nil
}

// back forgets what came after a step.
func (r *Recording) back(step int) {
	for later := step + 1; later <= len(r.hashes); later++ {
		delete(r.inputs, later)
	}
	r.hashes = r.hashes[:step+1]
	for r.states[len(r.states)-1].step > step {
		r.states = r.states[:len(r.states)-1]
	}
}

// Steps returns how many steps were recorded.
func (r *Recording) Steps() int { return len(r.hashes) - 1 }

// Hash returns the hash of the world after a step, from 0 to Steps; 0 is before the first one. It
// panics for others.
func (r *Recording) Hash(step int) uint64 {
	if step < 0 || step > r.Steps() {
		panic(fmt.Sprintf("crowd replay: Hash of step %d, want 0 to %d", step, r.Steps()))
	}
	return r.hashes[step]
}

// Inputs returns what came before a step, from 1 on. After a program was killed there may be some for the step after the last.
func (r *Recording) Inputs(step int) []Input { return r.inputs[step] }

// Saved returns after which steps the recording has states, in their order.
func (r *Recording) Saved() (steps []int) {
	for _, s := range r.states {
		steps = append(steps, s.step)
	}
	return steps
}

// State returns the last state that was saved after a step or before it, as [world.World.Restore]
// reads it, and after which step that was. Several goroutines may call it.
func (r *Recording) State(step int) (saved int, state io.Reader, err error) {
	i, found := slices.BinarySearchFunc(r.states, step, func(s savedState, step int) int { return s.step - step })
	if !found {
		i--
	}
	if i < 0 || step > r.Steps() {
		return 0, nil, fmt.Errorf("step %d, want 0 to %d", step, r.Steps())
	}
	at := r.states[i]
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.in.Seek(at.from, io.SeekStart); err != nil {
		return 0, nil, err
	}
	_, data, err := archive.ReadBlocks(r.in, at.from).Next()
	if err == nil && len(data) < 16 {
		err = errors.New("it is no state")
	}
	if err != nil {
		return 0, nil, fmt.Errorf("crowd replay: byte %d has changed since it was opened: %w", at.from, err)
	}
	return at.step, bytes.NewReader(data[16:]), nil
}

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
