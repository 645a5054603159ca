package output

import (
	"errors"
	"io"
	"os"
)

// ErrLocked says that another process has the lock.
var ErrLocked = errors.New("another process works with it")

// Lock opens a file for reading and writing, makes it if there is none, and locks it until it is closed or
// the process ends. If another process has the lock, the error is ErrTaken. Others
// may still read the file. On systems without such locks it only opens the file.
func Lock(name string, mode os.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	if err := try(f); err != nil {
		_ = f.Close()
		if errors.Is(err, taken) {
			err = ErrLocked
		}
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return f, nil
}

// Truncate lets a file end after so many bytes, and what is written next stand there.
func Truncate(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}
