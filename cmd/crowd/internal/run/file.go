package run

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/world"
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
	if !info.Mode().IsRegular() { // a pipe would wait for somebody who writes
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
