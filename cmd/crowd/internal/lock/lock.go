// Package lock keeps other processes from a file.
package lock

import (
	"errors"
	"io"
	"os"
)

// ErrTaken says that another process has the lock.
var ErrTaken = errors.New("another process works with it")

// Take opens a file for reading and writing, makes it if there is none, and locks it until it is closed or
// the process ends. If another process has the lock, the error is ErrTaken. Others
// may still read the file. On systems without such locks it only opens the file.
func Take(name string, mode os.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, mode)
	if err != nil {
		return nil, err
	}
	if err := try(f); err != nil {
		_ = f.Close()
		if errors.Is(err, taken) {
			err = ErrTaken
		}
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return f, nil
}

// CutOff lets a file end after so many bytes, and what is written next stand there.
func CutOff(f *os.File, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	_, err := f.Seek(size, io.SeekStart)
	return err
}
