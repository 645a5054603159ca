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

// SavedRun is what a file has of a run beside the state of its world.
type SavedRun struct {
	Version string // of crowd
	ID      uint64 // random, for what belongs to the run
	Flags   []byte // JSON of those that decide about the result
	Sources []SavedSource
	State   State
	Ended   bool   // there is nothing more to do
	Every   string // when it is saved, as on the command line
	Report  []byte // JSON of what the report has from the start
	Hash    uint64 // of the world
	Part    trajectories.Mark
}

// format is the version of how Run is written, before what World.Save writes.
const format = 2

func (r *SavedRun) keep(a *archive.Archive) { a.Block("run", func() { a.Keep(r) }) }

// write writes a run and the state of its world.
func (r *SavedRun) write(to io.Writer, w *world.World) error {
	zipped, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return err
	}
	a := archive.Write(zipped, format)
	r.keep(a)
	return cmp.Or(a.Close(), w.Save(zipped), zipped.Close())
}

// SavedFile is a saved run that is read.
type SavedFile struct {
	SavedRun
	name   string
	file   *os.File
	zipped *zstd.Decoder
	in     io.Reader // what is unpacked
}

// OpenSaved reads all of a saved run but its world.
func OpenSaved(name string) (*SavedFile, error) {
	f, err := look(name)
	if err != nil {
		return nil, err
	}
	if now := cli.Version(); f.Version != now {
		f.Close()
		return nil, fmt.Errorf("%s was saved by crowd %s, and this is crowd %s: only the same version goes on with the same bits", name, f.Version, now)
	}
	return f, nil
}

// Unended reports whether a file has a run, of any version of crowd, that can go on, and after how many steps.
func Unended(name string) (steps int, yes bool) {
	f, err := look(name)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	return f.State.Steps, !f.Ended
}

// look is Open for files of any version.
func look(name string) (*SavedFile, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	if !info.Mode().IsRegular() { // a pipe would wait for a writer
		return nil, fmt.Errorf("%s is no file, want one that crowd run --save has written", name)
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
		return fmt.Errorf("%s is no saved run, want a file that crowd run --save has written", f.name)
	}
	const window = 32 << 20 // bytes; what is written has less
	if f.zipped, err = zstd.NewReader(f.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window)); err != nil {
		return err
	}
	f.in = &bounded{f.zipped, some + most*size}
	a, err := archive.Read(f.in, format)
	if err != nil {
		return f.damaged(err)
	}
	if f.keep(a); a.Close() != nil {
		return f.damaged(a.Err())
	}
	return nil
}

const zstdMagic = "\x28\xb5\x2f\xfd"

// Fault returns an error of the file, with its name.
func (f *SavedFile) Fault(err error) error { return fmt.Errorf("%s: %w", f.name, err) }

// damaged returns the error of a file that is not whole.
func (f *SavedFile) damaged(err error) error {
	return fmt.Errorf("%s is cut off or damaged, want a whole file that crowd run --save has written: %w", f.name, err)
}

// World returns the state of the world, as World.Save has written it.
func (f *SavedFile) World() io.Reader { return f.in }

// Check returns an error if the file does not end behind the world, or the world is another
// one than that which was saved.
func (f *SavedFile) Check(w *world.World) error {
	switch n, err := f.in.Read(make([]byte, 1)); {
	case n > 0:
		return f.Fault(errors.New("something follows the end of the saved run"))
	case err != io.EOF:
		return f.damaged(err)
	}
	if got := w.Hash(); got != f.Hash {
		return f.Fault(fmt.Errorf("hash of the world is %016x, and was %016x when it was saved", got, f.Hash))
	}
	return nil
}

// Close closes the file. It may be nil, and closed again.
func (f *SavedFile) Close() {
	if f == nil {
		return
	}
	if f.zipped != nil {
		f.zipped.Close()
	}
	_ = f.file.Close()
}

// The bytes to which a file may unpack: some, and so many for each of its own. Crowds are far
// from that; a file that was made to fill the memory is not.
const (
	some = 1 << 20
	most = 1000
)

// bounded reads no more than some bytes.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(to []byte) (int, error) {
	n, err := b.in.Read(to)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("it unpacks to more than %d times its size", most)
	}
	return n, err
}

// Span is a stretch of a run: a number of steps such as 120, or a simulated time such as 2.5s or 5m.
type Span string

// UsualSpan returns the default of --save-every for a scene.
func UsualSpan(s *scene.Scene) Span {
	const longStep = 0.1 // s, of scenes in which a step is the unit of time
	if s.Dt > longStep {
		return "3600"
	}
	return "60s"
}

// UnmarshalText reads a span.
func (s *Span) UnmarshalText(text []byte) error {
	*s = Span(text)
	if _, err := s.parse(1); err != nil {
		return fmt.Errorf("%q: want a number of steps such as 120, or a time such as 2.5s or 5m", text)
	}
	return nil
}

// Steps returns the number of steps of dt seconds, at most MaxSteps; 0 for an empty span.
func (s Span) Steps(dt float64) int {
	n, _ := s.parse(dt)
	return n
}

// IsZero reports whether it is no step however short steps are.
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

// Saving saves a run now and then. The nil one does nothing.
type Saving struct {
	to    *output.File
	part  *trajectories.Part // nil: there are no trajectories
	run   SavedRun
	steps int // between two saves
	last  int // steps that were done at the last one; -1: there was none
}

// NewSaving returns what saves a run of a scene in a file, with the part of its trajectories if there is
// one. Flags are those that decide about the result.
func NewSaving(to *output.File, id uint64, s *scene.Scene, flags any, every Span, part *trajectories.Part) (*Saving, error) {
	text, err := json.Marshal(flags)
	if err != nil {
		return nil, err
	}
	sources, err := sourcesOf(s.Files)
	if err != nil {
		return nil, err
	}
	for _, source := range sources {
		if !utf8.ValidString(source.Name) {
			return nil, fmt.Errorf("a run of %s can't be saved: its name is not UTF-8", source.Name)
		}
	}
	run := SavedRun{Version: cli.Version(), ID: id, Flags: text, Sources: sources, Every: string(every)}
	return &Saving{to: to, part: part, run: run, steps: max(1, every.Steps(s.Dt)), last: -1}, nil
}

// Last returns after how many steps the run was saved last.
func (s *Saving) Last() int { return s.last }

// Step saves a run after a step if it is time.
func (s *Saving) Step(w *world.World, r *report.Report, state *State) error {
	if s == nil || state.Steps%s.steps != 0 {
		return nil
	}
	return s.Save(w, r, state, false)
}

// Save saves a run between two steps. The older file stays until the new one is complete.
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

// GoOn gives a report what the file has of its start.
func (f *SavedFile) GoOn(r *report.Report) error {
	var begun report.Begun
	if err := json.Unmarshal(f.Report, &begun); err != nil {
		return f.Fault(err)
	}
	r.GoOn(begun, f.State.Steps)
	return nil
}

// ReadFlags reads the flags that decide about the result.
func (f *SavedFile) ReadFlags(flags any) error {
	if err := json.Unmarshal(f.Flags, flags); err != nil {
		return f.Fault(err)
	}
	return nil
}

// SavedSource is a file that the scene was read from.
type SavedSource struct {
	Name string
	Sum  [sha256.Size]byte
}

// sourcesOf returns files as they are now.
func sourcesOf(names []string) ([]SavedSource, error) {
	var all []SavedSource
	for _, name := range names {
		sum, err := sumOf(name)
		if err != nil {
			return nil, err
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

// CheckSources returns an error if one of the files that the scene was read from is not there,
// or is another one.
func (f *SavedFile) CheckSources() error {
	for _, s := range f.Sources {
		sum, err := sumOf(s.Name)
		if err != nil {
			return fmt.Errorf("the scene of %s is read from a file: %w", f.name, err)
		}
		if sum != s.Sum {
			return fmt.Errorf("%s is not as it was when %s was saved: SHA-256 is %.8x…, and was %.8x…", s.Name, f.name, sum, s.Sum)
		}
	}
	return nil
}
