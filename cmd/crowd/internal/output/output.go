// Package output writes files that appear under their final names only when complete, except devices and
// growing files. It also locks files, and reads and writes lines with checksums.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// File is an output file. Fill, Commit and PutOff do nothing on a nil File.
type File struct {
	place
	flag    string // for error messages
	regular bool   // rejects devices and pipes
	growing bool   // has its final name at once
	file    *os.File
	size    int64
	err     error // first error
	done    bool  // closed by Commit or PutOff
}

// Name returns the name that the file has before Commit, for external programs.
func (f *File) Name() string { return f.file.Name() }

// Size returns the size of the committed file in bytes.
func (f *File) Size() int64 { return f.size }

// Write is like os.File.Write. If it fails, Commit returns the error too.
func (f *File) Write(b []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.file.Write(b)
	return n, f.Fail(err)
}

// Seek is like os.File.Seek.
func (f *File) Seek(offset int64, whence int) (int64, error) {
	n, err := f.file.Seek(offset, whence)
	return n, f.Fail(err)
}

// Fail records err as the error of the file, unless there is one already. It returns the file's error,
// prefixed with the name. A file with an error is not committed.
func (f *File) Fail(err error) error {
	if err == nil || f.err != nil {
		return f.err
	}
	f.err = fmt.Errorf("%s: %w", f.name, cause(err))
	return f.err
}

// Fill calls write and then Commit, and returns the first error.
func (f *File) Fill(write func(io.Writer) error) error {
	if f == nil {
		return nil
	}
	_ = f.Fail(write(f))
	return f.Commit()
}

// Commit closes the file and gives it its final name. After an error, Commit removes the temporary file,
// keeps any older file, and returns the error. Direct and growing files are only closed. Later calls do
// nothing.
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

// PutOff closes the file and removes its temporary file; Begin creates another. PutOff is for files that are
// written later or repeatedly, once Open has checked them.
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

// Begin reopens a file after PutOff or Commit, and clears its error. The next Commit replaces the file.
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

// finish records the size and, unless the file is direct, syncs the file, so the final name never refers to
// an incomplete file.
func (f *File) finish() {
	info, err := f.file.Stat()
	if f.Fail(err) == nil {
		f.size = info.Size()
	}
	if !f.direct {
		f.Fail(f.file.Sync())
	}
}

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
		return nil // keep the mode that the umask gives
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

func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	folder, prefix := hidden(path)
	for tries := 0; ; tries++ {
		file, err := os.OpenFile(folder+prefix+owner(os.Getpid())+strconv.FormatUint(rand.Uint64(), 36), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || tries == 100 {
			return file, err
		}
	}
}

func (f *File) refused(err error) error {
	return fmt.Errorf("%s is %s: %w", f.flag, f.name, cause(err))
}

func cause(err error) error {
	switch err := err.(type) {
	case *fs.PathError:
		return err.Err
	case *os.LinkError:
		return err.Err
	}
	return err
}

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

// Abandon removes all temporary files. Call it before an abrupt exit.
func Abandon() {
	pending.Lock()
	defer pending.Unlock()
	for name := range pending.names {
		_ = os.Remove(name)
	}
}

// WriteJSON writes result as indented JSON.
func WriteJSON(w io.Writer, result any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(result)
}

func hidden(path string) (folder, prefix string) {
	const longest = 180 // bytes kept; file systems allow 255 for the whole name
	folder, name := filepath.Split(path)
	return folder, "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".crowd-"
}

// owner returns the part of a temporary file's name that identifies the process, or "" if the system cannot
// check whether a process is gone.
func owner(process int) string {
	if system() == "" {
		return ""
	}
	return system() + "-" + strconv.Itoa(process) + "-"
}

// removeStale removes the temporary files that killed processes left behind, except those of other systems,
// whose processes may still be running.
func removeStale(path string) {
	name, prefix := hidden(path)
	if name == "" {
		name = "."
	}
	folder, err := os.Open(name)
	if err != nil || system() == "" {
		return
	}
	defer folder.Close()
	for {
		some, err := folder.ReadDir(1000)
		for _, one := range some {
			if stale(one, prefix) {
				_ = os.Remove(filepath.Join(name, one.Name()))
			}
		}
		if err != nil { // io.EOF at the end
			return
		}
	}
}

// stale reports whether a file is temporary and its process is gone.
func stale(one fs.DirEntry, prefix string) bool {
	rest, ours := strings.CutPrefix(one.Name(), prefix)
	number, _, _ := strings.Cut(strings.TrimPrefix(rest, system()+"-"), "-")
	process, err := strconv.Atoi(number)
	if !ours || err != nil || process < 1 || !one.Type().IsRegular() {
		return false
	}
	random, ours := strings.CutPrefix(rest, owner(process))
	_, err = strconv.ParseUint(random, 36, 64)
	return ours && err == nil && gone(process)
}
