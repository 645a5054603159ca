package run

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/klauspost/compress/zstd"
)

// SavedRun is a saved run without its world.
type SavedRun struct {
	Version string // of crowd
	ID      uint64 // random; identifies the partial trajectories
	Flags   []byte // JSON of the flags that determine the result
	Sources []SavedSource
	State   State
	Ended   bool   // all steps are done, or all agents have left
	Every   string // value of --save-every
	Report  []byte // JSON of report.Begun
	Hash    uint64 // of the world
	Part    trajectories.Mark
}

// format is the version of the encoding of SavedRun. In a file, the output of world.World.Save follows.
const format = 2

func (r *SavedRun) keep(a *archive.Archive) { a.Block("run", func() { a.Keep(r) }) }

func (r *SavedRun) write(to io.Writer, w *world.World) error {
	zipped, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	a := archive.Write(zipped, format)
	r.keep(a)
	return cmp.Or(a.Close(), w.Save(zipped), zipped.Close())
}

// SavedFile is an open file with a saved run.
type SavedFile struct {
	SavedRun
	name   string
	file   *os.File
	zipped *zstd.Decoder
	in     io.Reader // decompressed content
}

// OpenSaved opens a saved run and reads everything before the world. It returns an error if another version
// of crowd saved the run. The caller must close the file.
func OpenSaved(name string) (*SavedFile, error) {
	f, err := openSaved(name)
	if err != nil {
		return nil, err
	}
	if now := cli.Version(); f.Version != now {
		f.Close()
		return nil, fmt.Errorf("%s was saved by crowd %s, and this is crowd %s: only the version that saved a run can resume it", name, f.Version, now)
	}
	return f, nil
}

// Unended reports whether a file contains an unfinished run, saved in this format by any version of crowd,
// and returns the number of its completed steps.
func Unended(name string) (steps int, yes bool) {
	f, err := openSaved(name)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	return f.State.Steps, !f.Ended
}

func openSaved(name string) (*SavedFile, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() { // opening a pipe would block
		return nil, fmt.Errorf("%s is not a regular file, want one written by crowd run --save", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	f := &SavedFile{name: name, file: file}
	if err := f.begin(info.Size()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *SavedFile) begin(size int64) (err error) {
	var first [len(zstdMagic)]byte
	if _, err := f.file.ReadAt(first[:], 0); err != nil || string(first[:]) != zstdMagic {
		return fmt.Errorf("%s is not a saved run, want a file written by crowd run --save", f.name)
	}
	const window = 32 << 20 // bytes, more than write uses
	if f.zipped, err = zstd.NewReader(f.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window)); err != nil {
		return err
	}
	f.in = &bounded{f.zipped, extraBytes + maxRatio*size}
	a, err := archive.Read(f.in, format)
	if errors.Is(err, archive.ErrVersion) {
		return fmt.Errorf("%s has the format of another version of crowd: %w", f.name, err)
	}
	if err != nil {
		return f.damaged(err)
	}
	if f.keep(a); a.Close() != nil {
		return f.damaged(a.Err())
	}
	return nil
}

const zstdMagic = "\x28\xb5\x2f\xfd"

// Fault returns err, prefixed with the name of the file.
func (f *SavedFile) Fault(err error) error { return fmt.Errorf("%s: %w", f.name, err) }

func (f *SavedFile) damaged(err error) error {
	return fmt.Errorf("%s is truncated or damaged, want a complete file written by crowd run --save: %w", f.name, err)
}

// World returns a reader of the output of world.World.Save.
func (f *SavedFile) World() io.Reader { return f.in }

// Check returns an error unless the file ends after the world, and w, restored from f.World, has the saved
// hash.
func (f *SavedFile) Check(w *world.World) error {
	switch n, err := f.in.Read(make([]byte, 1)); {
	case n > 0:
		return f.Fault(errors.New("unexpected data after the saved run"))
	case err != io.EOF:
		return f.damaged(err)
	}
	if got := w.Hash(); got != f.Hash {
		return f.Fault(fmt.Errorf("the hash of the restored world is %016x, but it was %016x when the run was saved", got, f.Hash))
	}
	return nil
}

// Close closes the file. It may be called repeatedly, and on nil.
func (f *SavedFile) Close() {
	if f == nil {
		return
	}
	if f.zipped != nil {
		f.zipped.Close()
	}
	_ = f.file.Close()
}

// A file of n bytes may decompress to at most extraBytes + maxRatio*n bytes. Runs need far less. The limit
// stops decompression bombs.
const (
	extraBytes = 1 << 20
	maxRatio   = 1000
)

type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(to []byte) (int, error) {
	n, err := b.in.Read(to)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("the file decompresses to more than %d times its size plus %d bytes", maxRatio, extraBytes)
	}
	return n, err
}

// Span is a number of steps, such as 120, or a simulated time, such as 2.5s.
type Span string

// UsualSpan returns the default of --save-every for a scene.
func UsualSpan(s *scene.Scene) Span {
	const longStep = 0.1 // s; scenes with longer steps rarely measure time in real seconds
	if s.Dt > longStep {
		return "3600"
	}
	return "60s"
}

// UnmarshalText parses a span.
func (s *Span) UnmarshalText(text []byte) error {
	*s = Span(text)
	if _, err := s.parse(1); err != nil {
		return fmt.Errorf("%q: want a number of steps such as 120, or a time such as 2.5s or 5m", text)
	}
	return nil
}

// Steps returns how many steps of dt seconds are in the span, at most MaxSteps, or 0 if s is empty.
func (s Span) Steps(dt float64) int {
	n, _ := s.parse(dt)
	return n
}

// IsZero reports whether the span has no steps, however short they are.
func (s Span) IsZero() bool { return s.Steps(1e-9) == 0 }

func (s Span) parse(dt float64) (int, error) {
	if n, err := strconv.Atoi(string(s)); err == nil && 0 <= n && n <= MaxSteps {
		return n, nil
	}
	d, err := time.ParseDuration(string(s))
	if err == nil && d < 0 {
		err = strconv.ErrRange
	}
	return int(math.Round(min(d.Seconds()/dt, MaxSteps))), err
}

// Saving saves a run periodically. Step and Save do nothing on a nil Saving.
type Saving struct {
	to    *output.File
	part  *trajectories.Part // nil means no trajectories
	run   SavedRun
	steps int // between saves
	last  int // step of the last save; -1 means none
}

// NewSaving returns a Saving that saves the run with the given ID once per span. The flags are those that
// determine the result, and part may be nil. NewSaving returns an error if flags cannot be encoded as JSON,
// or if a file of s is unreadable or its name is not valid UTF-8.
func NewSaving(to *output.File, id uint64, s *scene.Scene, flags any, every Span, part *trajectories.Part) (*Saving, error) {
	text, err := json.Marshal(flags)
	if err != nil {
		return nil, err
	}
	sources, err := sourcesOf(s.Files)
	if err != nil {
		return nil, err
	}
	run := SavedRun{Version: cli.Version(), ID: id, Flags: text, Sources: sources, Every: string(every)}
	return &Saving{to: to, part: part, run: run, steps: max(1, every.Steps(s.Dt)), last: -1}, nil
}

// Last returns the step of the last save, or -1 before the first.
func (s *Saving) Last() int { return s.last }

// GoOn records that the file already contains the run after the given number of steps. The Saving may be nil.
func (s *Saving) GoOn(steps int) {
	if s != nil {
		s.last = steps
	}
}

// Step saves the run if a save is due.
func (s *Saving) Step(w *world.World, r *report.Report, state *State) error {
	if s == nil || state.Steps%s.steps != 0 {
		return nil
	}
	return s.Save(w, r, state, false)
}

// Save saves the run between two steps. If ended is false and the file already has this step, it does
// nothing. The old file remains until the new one is complete.
func (s *Saving) Save(w *world.World, r *report.Report, state *State, ended bool) (err error) {
	if s == nil || s.last == state.Steps && !ended {
		return nil
	}
	run := s.run
	run.State, run.Hash, run.Ended = *state, w.Hash(), ended
	if run.Report, err = json.Marshal(r.Begun()); err != nil {
		return err
	}
	if s.part != nil {
		if run.Part, err = s.part.Save(); err != nil {
			return err
		}
	}
	if err := s.to.Begin(); err != nil {
		return err
	}
	if err := s.to.Fill(func(to io.Writer) error { return run.write(to, w) }); err != nil {
		return err
	}
	s.last = state.Steps
	return nil
}

// GoOn makes r continue the report of the run.
func (f *SavedFile) GoOn(r *report.Report) error {
	var begun report.Begun
	if err := json.Unmarshal(f.Report, &begun); err != nil {
		return f.Fault(err)
	}
	r.GoOn(begun, f.State.Steps)
	return nil
}

// ReadFlags decodes the flags that determine the result. The parameter flags must be a pointer.
func (f *SavedFile) ReadFlags(flags any) error {
	if err := json.Unmarshal(f.Flags, flags); err != nil {
		return f.Fault(err)
	}
	return nil
}

// SavedSource is a file of the scene.
type SavedSource struct {
	Name string
	Sum  [sha256.Size]byte
}

func sourcesOf(names []string) ([]SavedSource, error) {
	var all []SavedSource
	for _, name := range names {
		sum, err := sumOf(name)
		if err != nil {
			return nil, err
		}
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("--save can't store the file name %q, which is not valid UTF-8", name)
		}
		all = append(all, SavedSource{name, sum})
	}
	return all, nil
}

func sumOf(name string) (sum [sha256.Size]byte, err error) {
	file, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// CheckSources returns an error if a file of the scene is missing or has changed.
func (f *SavedFile) CheckSources() error {
	for _, s := range f.Sources {
		sum, err := sumOf(s.Name)
		if err != nil {
			return fmt.Errorf("%s was saved from a scene whose files cannot be read: %w", f.name, err)
		}
		if sum != s.Sum {
			return fmt.Errorf("%s has changed since %s was saved: SHA-256 is %.8x…, was %.8x…", s.Name, f.name, sum, s.Sum)
		}
	}
	return nil
}
