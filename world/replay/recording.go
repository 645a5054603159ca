package replay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/8f878440/crowd/internal/archive"
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
		return errors.New("nobody knows it")
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
