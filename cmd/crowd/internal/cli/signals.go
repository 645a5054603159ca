package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// signaled is the cause of a context that a signal ended.
type signaled struct{ os.Signal }

func (s signaled) Error() string { return s.String() }

// code is the exit code of a command that the signal ended, as a shell has it.
func (s signaled) code() int {
	if number, ok := s.Signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 1
}

// Context returns a context that ends with the first Ctrl-C, SIGTERM or SIGHUP.
// The next one ends the process at once, and nothing is left of files that are not complete.
// A signal that was ignored at the start, as nohup has it with SIGHUP, stays so.
func Context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range ending {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		cancel(signaled{<-signals})
		next := signaled{<-signals}
		output.Abandon()
		os.Exit(next.code())
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// ExitCode returns the exit code of a command that a signal ended, 128 and the number of the
// signal, or 0 if none did.
func ExitCode(ctx context.Context) int {
	if s := (signaled{}); errors.As(context.Cause(ctx), &s) {
		return s.code()
	}
	return 0
}

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

// BrokenPipe reports whether standard output was a pipe whose reader has seen enough, as
// head has: no message is of use then.
func BrokenPipe(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
