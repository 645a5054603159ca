package main

import (
	"context"
	"errors"
)

// interruption is the error of work that a context ended before there was
// anything to show.
type interruption struct {
	while string // such as "reading plaza.toml"
	cause error
}

func (i interruption) Error() string { return "interrupted while " + i.while }

func (i interruption) Unwrap() error { return i.cause }

// endedBy returns an interruption in place of an error that the end of the
// context made, and all others as they are.
func endedBy(ctx context.Context, err error, while string) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return interruption{while, err}
	}
	return err
}
