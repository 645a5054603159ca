package output

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Files are the files that a command reads, and those that it writes. The zero value
// has none.
type Files struct {
	read    []place
	written []*File
}

// Reads says which files the command reads, and so must not write; - is standard
// input. Names of nothing are passed over: the reader says so.
func (f *Files) Reads(names ...string) {
	for _, name := range names {
		info, err := os.Stat(name)
		if name == "-" {
			info, err = os.Stdin.Stat()
		}
		if err == nil && info.Mode().IsRegular() {
			f.read = append(f.read, place{name: name, info: info})
		}
	}
}

// Add adds a file that Open makes. Errors say that the flag asks for it. There is
// none for an empty name: the nil File can be committed, and does nothing.
func (f *Files) Add(flag, name string) *File {
	if name == "" {
		return nil
	}
	file := &File{flag: flag, place: place{name: name}}
	f.written = append(f.written, file)
	return file
}

// AddRegular is like Add but for writers that seek: devices and pipes are
// refused.
func (f *Files) AddRegular(flag, name string) *File {
	file := f.Add(flag, name)
	if file != nil {
		file.regular = true
	}
	return file
}

// AddGrowing is AddRegular for what is of use as far as it goes: the file has its name from the
// beginning, in place of an older one, and stays whatever stops the command.
func (f *Files) AddGrowing(flag, name string) *File {
	file := f.AddRegular(flag, name)
	if file != nil {
		file.growing = true
	}
	return file
}

// Open begins all files that were added. If one of them can't be written, would
// replace what is read, or is another one under the same or a different name, the
// error says so, and nothing is left of any. What commands that were killed left of the same
// files is removed.
func (f *Files) Open() error {
	for i, file := range f.written {
		if err := f.locate(i); err != nil {
			return err
		}
		if file.info != nil && !file.direct {
			if err := writable(file.path); err != nil {
				return file.refused(err)
			}
		}
	}
	for _, file := range f.written {
		if !file.direct {
			removeStale(file.path)
		}
		if err := file.open(); err != nil {
			f.Discard()
			return err
		}
	}
	return nil
}

// locate finds the place of a file, which must not be that of anything else.
func (f *Files) locate(i int) error {
	file := f.written[i]
	at, err := locate(file.name)
	if err != nil {
		return file.refused(err)
	}
	file.place = at
	switch {
	case file.regular && file.direct:
		return fmt.Errorf("%s is %s, which is no file", file.flag, file.name)
	case file.null():
		return nil
	}
	for _, in := range f.read {
		if !file.same(&in) {
			continue
		}
		as := ""
		if in.name != file.name {
			as = " as " + in.name
		}
		return fmt.Errorf("%s is %s, which is also read%s", file.flag, file.name, as)
	}
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if info, err := stream.Stat(); err == nil && info.Mode().IsRegular() && file.same(&place{info: info}) {
			return fmt.Errorf("%s is %s, to which the output of the command goes already", file.flag, file.name)
		}
	}
	for _, other := range f.written[:i] {
		if file.same(&other.place) {
			return fmt.Errorf("%s would be written twice: give %s and %s a file each", file.name, other.flag, file.flag)
		}
	}
	return nil
}

// Discard removes what was not committed.
func (f *Files) Discard() {
	for _, file := range f.written {
		file.Fail(errDiscarded)
		_ = file.Commit()
	}
}

var errDiscarded = errors.New("was given up")

// place is where a file is, or will be.
type place struct {
	name   string      // as it was given
	path   string      // without symbolic links
	folder fs.FileInfo // that it is in; nil where that does not matter
	info   fs.FileInfo // nil if there is no file yet
	direct bool        // it is not replaced, but written as it is
}

// locate returns the place that a name stands for.
func locate(name string) (place, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil // or a link to nothing
	case err != nil:
		return place{}, err
	case info.IsDir():
		return place{}, errors.New("is a folder")
	case !info.Mode().IsRegular():
		return place{name: name, path: name, info: info, direct: true}, nil
	}
	path, folder, err := follow(name)
	if err != nil {
		return place{}, err
	}
	if info != nil {
		found, err := os.Stat(path)
		if err != nil || !os.SameFile(info, found) {
			if link, err := os.Lstat(name); err == nil && link.Mode()&fs.ModeSymlink != 0 {
				// It is open as a descriptor, and has no name any more.
				return place{name: name, path: name, info: info, direct: true}, nil
			}
			info = found // another command has just replaced it
		}
	}
	return place{name: name, path: path, folder: folder, info: info}, nil
}

// follow returns where symbolic links lead, to a file or to where there is none yet,
// and the folder there.
func follow(name string) (path string, folder fs.FileInfo, err error) {
	const most = 40 // links, as Linux has it
	for range most {
		dir, base := filepath.Split(name) // Dir would take link/.. for the folder of the link
		dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.New("there is no such folder")
		} else if err != nil {
			return "", nil, err
		}
		path = filepath.Join(dir, base)
		target, err := os.Readlink(path)
		if err != nil { // it is no link
			folder, err = os.Stat(dir)
			return path, folder, err
		}
		if name = target; !filepath.IsAbs(target) {
			name = dir + string(filepath.Separator) + target
		}
	}
	return "", nil, errors.New("too many symbolic links")
}

// same reports whether two places are one.
func (p *place) same(q *place) bool {
	if p.info != nil && q.info != nil {
		return os.SameFile(p.info, q.info)
	}
	if p.info != nil || q.info != nil || !os.SameFile(p.folder, q.folder) {
		return false
	}
	a, b := filepath.Base(p.path), filepath.Base(q.path)
	return a == b || (runtime.GOOS == "windows" || runtime.GOOS == "darwin") && strings.EqualFold(a, b)
}

// null reports whether all that is written is lost, so that any number may.
func (p *place) null() bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && p.info != nil && os.SameFile(p.info, null)
}

// writable returns an error if a file that is there may not be changed.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
