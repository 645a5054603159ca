package data

import (
	"errors"
	"io"
)

// lineError is an error at a line, from 1.
type lineError struct {
	line int
	error
}

// truncation says in words that compressed data end too early.
type truncation struct{ io.Reader }

func (t truncation) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("is cut off: the compressed data end too early")
	}
	return n, err
}
