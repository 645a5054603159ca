package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// An output is a file that appears under its name when it is complete; until
// then it is beside it.
type output struct {
	*os.File
	path  string
	bytes int64
	kept  bool
}

// newOutput creates the file beside path. The error says why path can't be
// written.
func newOutput(path string) (*output, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("--out is %s, which is no file", path)
	}
	if err := writableNow(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path+".part", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("--out %s: %w", path, err)
	}
	return &output{File: f, path: path}, nil
}

// writableNow returns an error if a file that is there may not be changed.
func writableNow(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// commit gives the file its name.
func (o *output) commit() error {
	info, err := os.Stat(o.Name())
	if err != nil {
		return err
	}
	o.bytes = info.Size()
	if err := o.Close(); err != nil {
		return err
	}
	if err := os.Rename(o.Name(), o.path); err != nil {
		return err
	}
	o.kept = true
	return nil
}

// discard removes the file if it was not committed.
func (o *output) discard() {
	if !o.kept {
		o.Close()
		os.Remove(o.Name())
	}
}
