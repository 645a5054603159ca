package cli

import (
	"context"
	"errors"
)

// Interruption is the error of work that a context ended before there was anything to
// show.
type Interruption struct {
	While string // such as "reading plaza.toml"
	cause error
}

func (e Interruption) Error() string { return "interrupted while " + e.While }

func (e Interruption) Unwrap() error { return e.cause }

// While returns an Error in place of an error that the end of the
// context made, and all others as they are.
func While(ctx context.Context, err error, while string) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return Interruption{while, err}
	}
	return err
}
