package output

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

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
