package output

import (
	"errors"
	"io"
	"os"
)

// ErrLocked is the error of Lock if another process has the lock.
var ErrLocked = errors.New("in use by another process")

// Lock opens a file for reading and writing, creating it with the given mode if necessary, and locks it
// until it is closed or the process ends. The error wraps ErrLocked if another process has the lock. Other
// processes can still read the file. On systems without file locks, Lock only opens the file.
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

// Truncate truncates a file to size bytes and moves the write position to the end.
func Truncate(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}
