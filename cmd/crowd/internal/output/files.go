package output

import (
	"errors"
	"fmt"
	"os"
)

// Files are the files that a command reads, and those that it writes. The zero value
// has none.
type Files struct {
	read    []place
	written []*File
}

// Reads says which files are to be read, and so not to be written; - is standard
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

// AddRegular is Add for who goes back in what is written: devices and pipes are
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
		return fmt.Errorf("%s is %s, which is to be read%s", file.flag, file.name, as)
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
