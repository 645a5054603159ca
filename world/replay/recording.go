// Package replay records the inputs of a crowd and replays them.
//
// A recording contains the inputs with their steps, the hash of the crowd after every step, the initial
// state, and, on request, a state every few steps. Steps give the same bits on every machine, for any number
// of workers. So if a hash of a replay differs, the program has changed, or the recording lacks data that
// reached the crowd. [Compare] finds the agent and the component that differ.
//
// A recording consists of blocks with checksums. If it is truncated because the program was killed, it is
// valid up to the last complete block.
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

// Recording is a recording opened for reading.
type Recording struct {
	Header

	// CutOff says where the recording is truncated; nil means that it is complete. The part before that place
	// is valid.
	CutOff error

	mu     *sync.Mutex // guards in
	in     io.ReadSeeker
	hashes []uint64        // by step; the first is the hash before step 1
	inputs map[int][]Input // by the step that they precede
	states []savedState    // ordered by step
}

type savedState struct {
	step int
	from int64 // offset of its block in bytes
}

// Open reads a recording and checks all of it: version, checksums, sizes and the order of steps. If it is
// truncated after the first state, Open sets CutOff; any other fault is an error. Saved states stay in the
// file: State reads them, and world.World.Restore checks them.
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
		return nil, fmt.Errorf("crowd replay: not a recording: begins with %q, want %q and a version", head[:n], magic)
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
			if r.CutOff = fmt.Errorf("recording is cut off after byte %d", from); len(r.hashes) == 0 {
				return nil, fmt.Errorf("crowd replay: %w, before the first state", r.CutOff)
			}
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("crowd replay: %w", err)
		case ended:
			err = errors.New("block comes after the end, want none")
		default:
			ended = name == blockEnd
			err = r.add(name, data, from)
		}
		if err != nil {
			return nil, fmt.Errorf("crowd replay: block %s at byte %d: %w", name, from, err)
		}
	}
}

func (r *Recording) add(name string, data []byte, from int64) error {
	switch {
	case (len(r.hashes) == 0) != (name == blockAbout || name == blockState) && name != blockState,
		name == blockState && r.Machine == "", name == blockAbout && r.Machine != "":
		return errors.New("block is out of place, want about, then state, then steps")
	case name == blockAbout:
		if err := json.Unmarshal(data, &r.Header); err != nil || r.Machine == "" || r.SaveEvery < 0 {
			return errors.New("invalid header, want JSON with a machine, and a saveEvery of 0 or more")
		}
		return nil
	case name == blockInput:
		var in Input
		if err := json.Unmarshal(data, &in); err != nil || in.Data == nil {
			return errors.New("invalid input, want JSON with a name and data")
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
		return fmt.Errorf("block has %d bytes, want 8 for back or end, 16 for step, 16 or more for state", len(data))
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
		return fmt.Errorf("step %d or its hash does not follow step %d", step, r.Steps())
	default:
		return errors.New("unknown kind of block, want input, step, state, back or end")
	}
	return nil
}

func (r *Recording) back(step int) {
	for later := step + 1; later <= len(r.hashes); later++ {
		delete(r.inputs, later)
	}
	r.hashes = r.hashes[:step+1]
	for r.states[len(r.states)-1].step > step {
		r.states = r.states[:len(r.states)-1]
	}
}

// Steps returns the number of recorded steps.
func (r *Recording) Steps() int { return len(r.hashes) - 1 }

// Hash returns the hash of the world after the given step, from 0, the start, to Steps. It panics for other
// steps.
func (r *Recording) Hash(step int) uint64 {
	if step < 0 || step > r.Steps() {
		panic(fmt.Sprintf("crowd replay: Hash of step %d, want 0 to %d", step, r.Steps()))
	}
	return r.hashes[step]
}

// Inputs returns the inputs before a step, counted from 1, in order. The inputs before step Steps()+1 came
// after the last step.
func (r *Recording) Inputs(step int) []Input { return r.inputs[step] }

// Saved returns the steps after which states were saved, in order.
func (r *Recording) Saved() (steps []int) {
	for _, s := range r.states {
		steps = append(steps, s.step)
	}
	return steps
}

// State returns the last state saved after the given step or an earlier one, for [world.World.Restore], and
// the step of that state. It returns an error if the given step is not in the range from 0 to Steps, or if
// the state cannot be read again. State is safe for concurrent use.
func (r *Recording) State(step int) (saved int, state io.Reader, err error) {
	i, found := slices.BinarySearchFunc(r.states, step, func(s savedState, step int) int { return s.step - step })
	if !found {
		i--
	}
	if i < 0 || step > r.Steps() {
		return 0, nil, fmt.Errorf("crowd replay: step is %d, want 0 to %d", step, r.Steps())
	}
	at := r.states[i]
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.in.Seek(at.from, io.SeekStart); err != nil {
		return 0, nil, fmt.Errorf("crowd replay: %w", err)
	}
	_, data, err := archive.ReadBlocks(r.in, at.from).Next()
	if err == nil && len(data) < 16 {
		err = fmt.Errorf("block has %d bytes, want a state", len(data))
	}
	if err != nil {
		return 0, nil, fmt.Errorf("crowd replay: cannot read the state at byte %d again: %w", at.from, err)
	}
	return at.step, bytes.NewReader(data[16:]), nil
}

// Options configures a recording.
type Options struct {
	// About says how to create the world again, for instance from the name and version of a level. It is
	// written as JSON.
	About any

	// SaveEvery is the number of steps between saved states; 0 means only the initial state. More states make
	// a recording larger and Compare faster.
	SaveEvery int
}

// Header is the first block of a recording.
type Header struct {
	About     json.RawMessage `json:"about"`     // Options.About
	SaveEvery int             `json:"saveEvery"` // Options.SaveEvery
	Machine   string          `json:"machine"`   // Go version, platform and kernels, which should not affect results
}

// Blocks of a recording. The first is an about block, the second a state block, and the last an end block.
const (
	magic   = "crowd replay\n"
	version = 1

	blockAbout = "about" // Header, as JSON
	blockState = "state" // step, hash, output of world.World.Save
	blockInput = "input" // Input, as JSON
	blockStep  = "step"  // step, hash
	blockBack  = "back"  // step; preceding blocks of later steps are void
	blockEnd   = "end"   // step
)

// Input is an input from outside the crowd.
type Input struct {
	Name string          `json:"name"`
	Data json.RawMessage `json:"data"`
}

// Recorder records a world. Its methods must be called from the goroutine that steps the world.
type Recorder struct {
	out   io.Writer
	world *world.World
	every int
	step  int
	state bytes.Buffer
	err   error
	ended bool
}

var errClosed = errors.New("crowd replay: the recorder is closed")

// NewRecorder returns a Recorder that starts with the current state of a world. The recorder writes each
// input, step and state immediately, so a killed program loses only what it was writing. NewRecorder returns
// an error if SaveEvery is negative, and errors from writing, JSON encoding and world.World.Save.
func NewRecorder(out io.Writer, w *world.World, o Options) (*Recorder, error) {
	if o.SaveEvery < 0 {
		return nil, fmt.Errorf("crowd replay: Options.SaveEvery is %d steps, want 0 or more", o.SaveEvery)
	}
	about, err := json.Marshal(o.About)
	if err != nil {
		return nil, fmt.Errorf("crowd replay: Options.About: %w", err)
	}
	machine := fmt.Sprintf("%s %s/%s, kernels %v", runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Used())
	r := &Recorder{out: out, world: w, every: o.SaveEvery}
	_, r.err = out.Write(binary.LittleEndian.AppendUint32([]byte(magic), version))
	r.json(blockAbout, Header{about, o.SaveEvery, machine})
	r.save(w.Hash())
	return r, r.err
}

// Input records an input that precedes the next step. The parameter value is written as JSON. The host must
// apply the input itself, both now and in a replay. Input returns errors from JSON encoding and from writing.
func (r *Recorder) Input(name string, value any) error {
	if r.ended {
		return errClosed
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("crowd replay: input %s: %w", name, err)
	}
	r.json(blockInput, Input{name, data})
	return r.err
}

// Step runs a step of the world and, unless the step is interrupted, records it: see [Recorder.Stepped]. It
// returns the errors of world.World.Step and Stepped.
func (r *Recorder) Step() error {
	if r.ended {
		return errClosed
	}
	if err := r.world.Step(); err != nil {
		if errors.Is(err, world.ErrInterrupted) {
			return err // the step was not completed
		}
		return errors.Join(err, r.Stepped())
	}
	return r.Stepped()
}

// Stepped records a step that the host has just run and, after every SaveEvery steps, the state. Computing
// the hash takes 10 to 20 ns per agent, divided by the number of workers; writing it takes microseconds.
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

// Back records that the world continues from an earlier step as w, and voids everything recorded after that
// step. The world w must have the state after that step, before later inputs; step 0 is the start of the
// recording. From then on, Step runs w, and Stepped hashes it.
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

// Close ends the recording, and returns the first error, if any. It does not close the world or the writer.
// Later calls to Close return the same error; later calls to other methods return errors.
func (r *Recorder) Close() error {
	if r.ended {
		return r.err
	}
	r.ended = true
	r.block(blockEnd, binary.LittleEndian.AppendUint64(nil, uint64(r.step)))
	return r.err
}

func (r *Recorder) now(hash uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(r.step)), hash)
}

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

func (r *Recorder) block(name string, data []byte) {
	if r.err == nil {
		r.err = archive.WriteBlock(r.out, name, data)
	}
}
