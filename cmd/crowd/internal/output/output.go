// Package output writes the files that a command makes. A file appears under its name when it
// is complete. It also locks files, and reads and writes lines with checksums.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
)

// A File is one that is being written.
type File struct {
	place
	flag    string // that asks for it
	regular bool   // a device or a pipe will not do
	growing bool   // it has its name from the beginning
	file    *os.File
	size    int64
	err     error // the first
	done    bool
}

// Name returns where the content is until the file is committed, for a program that
// writes it in our place.
func (f *File) Name() string { return f.file.Name() }

// Size returns how many bytes the file has that was committed.
func (f *File) Size() int64 { return f.size }

// Write writes as os.File does. Commit returns its error too, for writers that lose
// it.
func (f *File) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.file.Write(b)
	return n, f.Fail(err)
}

// Seek seeks as os.File does.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	n, err := f.file.Seek(offset, whence)
	return n, f.Fail(err)
}

// Fail keeps an error, if it is one, as that of the file: it will not be committed.
// It returns the first error of the file, with its name.
func (f *File) Fail(err error) error {
	if err == nil || f.err != nil {
		return f.err
	}
	f.err = fmt.Errorf("%s: %w", f.name, cause(err))
	return f.err
}

// Fill commits what write writes, unless it fails.
func (f *File) Fill(write func(io.Writer) error) error {
	if f == nil {
		return nil
	}
	_ = f.Fail(write(f))
	return f.Commit()
}

// Commit completes the file and gives it its name. The error is the first since it
// was opened; then nothing is left of it, and an older file stays. Only the first call
// does anything.
func (f *File) Commit() error {
	if f == nil || f.done || f.file == nil {
		return nil
	}
	f.done = true
	if f.err == nil {
		f.finish()
	}
	f.Fail(f.file.Close())
	if f.direct {
		return f.err
	}
	if f.err == nil {
		f.Fail(os.Rename(f.Name(), f.path))
	}
	if f.err != nil {
		_ = os.Remove(f.Name())
	}
	ended(f.Name())
	return f.err
}

// PutOff lets nothing of the file be there until Begin: it is for a file of which Open has
// found that it can be written, and that is written much later, or again and again.
func (f *File) PutOff() {
	if f == nil || f.done {
		return
	}
	f.done = true
	_ = f.file.Close()
	if !f.direct {
		_ = os.Remove(f.Name())
		ended(f.Name())
	}
}

// Begin begins a file that was put off, or committed: it takes the place of the one before.
func (f *File) Begin() error {
	if !f.done {
		return f.err
	}
	f.done, f.err = false, nil
	if err := f.open(); err != nil {
		f.done = true
		return err
	}
	return nil
}

// finish brings the content to the disk, so that the name never stands for less.
func (f *File) finish() {
	info, err := f.file.Stat()
	if f.Fail(err) == nil {
		f.size = info.Size()
	}
	if !f.direct {
		f.Fail(f.file.Sync())
	}
}

// open creates the file beside its place, with the mode of the older one.
func (f *File) open() (err error) {
	if f.direct || f.growing {
		how := os.O_WRONLY | os.O_TRUNC
		if f.growing {
			f.direct, how = true, how|os.O_CREATE
		}
		if f.file, err = os.OpenFile(f.path, how, 0o666); err != nil {
			return f.refused(err)
		}
		return nil
	}
	mode := fs.FileMode(0o666)
	if f.info != nil {
		mode = f.info.Mode().Perm()
	}
	if f.file, err = createBeside(f.path, mode); err != nil {
		return f.refused(err)
	}
	begun(f.Name())
	if f.info == nil {
		return nil // what the umask leaves is right
	}
	info, err := f.file.Stat()
	if err == nil && info.Mode().Perm() != mode {
		err = f.file.Chmod(mode)
	}
	if err != nil {
		return f.refused(err)
	}
	return nil
}

// createBeside creates a hidden file in the folder of another, and named after it.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	folder, prefix := hidden(path)
	for tries := 0; ; tries++ {
		file, err := os.OpenFile(folder+prefix+owner(os.Getpid())+strconv.FormatUint(rand.Uint64(), 36), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || tries == 100 {
			return file, err
		}
	}
}

// refused returns the error of a file that can't be written.
func (f *File) refused(err error) error {
	return fmt.Errorf("%s is %s: %w", f.flag, f.name, cause(err))
}

// cause returns what went wrong, without the name of the file that was asked.
func cause(err error) error {
	switch err := err.(type) {
	case *fs.PathError:
		return err.Err
	case *os.LinkError:
		return err.Err
	}
	return err
}

// pending are the names of all files that are neither committed nor discarded.
var pending struct {
	sync.Mutex
	names map[string]bool
}

func begun(name string) {
	pending.Lock()
	defer pending.Unlock()
	if pending.names == nil {
		pending.names = map[string]bool{}
	}
	pending.names[name] = true
}

func ended(name string) {
	pending.Lock()
	defer pending.Unlock()
	delete(pending.names, name)
}

// Abandon removes all files of the process that are not committed, for a process that
// ends without more ado.
func Abandon() {
	pending.Lock()
	defer pending.Unlock()
	for name := range pending.names {
		_ = os.Remove(name)
	}
}

// WriteJSON writes a result for programs.
func WriteJSON(w io.Writer, result any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(result)
}
