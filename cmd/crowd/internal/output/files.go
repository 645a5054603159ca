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

// Files are the input and output files of a command.
type Files struct {
	read    []place
	written []*File
}

// Reads adds input files, which the command must not overwrite. The name - means standard input. Only regular
// files count.
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

// Add adds and returns an output file for Open to create, or returns nil if name is empty. Errors mention the
// flag.
func (f *Files) Add(flag, name string) *File {
	if name == "" {
		return nil
	}
	file := &File{flag: flag, place: place{name: name}}
	f.written = append(f.written, file)
	return file
}

// AddRegular is like Add, but Open rejects devices and pipes.
func (f *Files) AddRegular(flag, name string) *File {
	file := f.Add(flag, name)
	if file != nil {
		file.regular = true
	}
	return file
}

// AddGrowing is like AddRegular, for files that are useful even if incomplete: Open truncates an older file,
// and the new one stays after an error.
func (f *Files) AddGrowing(flag, name string) *File {
	file := f.AddRegular(flag, name)
	if file != nil {
		file.growing = true
	}
	return file
}

// Open opens the added files. If one cannot be written, or is also an input, a standard stream or another
// output, Open returns an error and leaves no temporary files. On Linux, it also removes temporary files that
// killed commands left behind.
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

// locate sets the place of output file i, and returns an error if the file has another use.
func (f *Files) locate(i int) error {
	file := f.written[i]
	at, err := locate(file.name)
	if err != nil {
		return file.refused(err)
	}
	file.place = at
	switch {
	case file.regular && file.direct:
		return fmt.Errorf("%s is %s, want a regular file", file.flag, file.name)
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
			return fmt.Errorf("%s is %s, to which the command's output already goes", file.flag, file.name)
		}
	}
	for _, other := range f.written[:i] {
		if file.same(&other.place) {
			return fmt.Errorf("%s would be written twice: want different files for %s and %s", file.name, other.flag, file.flag)
		}
	}
	return nil
}

// Discard closes uncommitted files and removes their temporary files.
func (f *Files) Discard() {
	for _, file := range f.written {
		file.Fail(errDiscarded)
		_ = file.Commit()
	}
}

var errDiscarded = errors.New("discarded")

type place struct {
	name   string      // as given
	path   string      // with symbolic links resolved
	folder fs.FileInfo // parent; nil for direct files
	info   fs.FileInfo // nil if the file does not exist
	direct bool        // written in place, not replaced
}

func locate(name string) (place, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil // missing, or a dangling link
	case err != nil:
		return place{}, err
	case info.IsDir():
		return place{}, errors.New("a folder, want a file")
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
				// A link such as /dev/fd/3 to a deleted file that is still open.
				return place{name: name, path: name, info: info, direct: true}, nil
			}
			info = found // another process has just replaced the file
		}
	}
	return place{name: name, path: path, folder: folder, info: info}, nil
}

// follow returns the path of a file, with symbolic links resolved, and its folder, which must exist.
func follow(name string) (path string, folder fs.FileInfo, err error) {
	const most = 40 // links, as in Linux
	for range most {
		dir, base := filepath.Split(name) // filepath.Dir would clean link/..
		dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil, errors.New("no such folder")
		} else if err != nil {
			return "", nil, err
		}
		path = filepath.Join(dir, base)
		target, err := os.Readlink(path)
		if err != nil { // not a link
			folder, err = os.Stat(dir)
			return path, folder, err
		}
		if name = target; !filepath.IsAbs(target) {
			name = dir + string(filepath.Separator) + target
		}
	}
	return "", nil, errors.New("too many symbolic links")
}

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

func (p *place) null() bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && p.info != nil && os.SameFile(p.info, null)
}

func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
