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

// The numbers of signals that package syscall does not define for js.
const (
	sigHup  = syscall.Signal(1)
	sigPipe = syscall.Signal(13)
)

// CatchBrokenPipe makes a write to standard output fail if its reader is gone, instead of ending the
// process, so that other output files are completed or removed.
func CatchBrokenPipe() { signal.Notify(make(chan os.Signal, 1), sigPipe) }

// signaled is the cause of a context ended by a signal.
type signaled struct{ os.Signal }

func (s signaled) Error() string { return s.String() }

// code returns the exit code that a shell reports for a process ended by the signal.
func (s signaled) code() int {
	if number, ok := s.Signal.(syscall.Signal); ok {
		return 128 + int(number)
	}
	return 1
}

// Context returns a context that ends with the first Ctrl-C, SIGTERM or SIGHUP, or with stop. At the next signal,
// the process removes incomplete files and exits. Signals ignored at the start, such as SIGHUP under nohup, stay
// ignored.
func Context() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, sigHup} {
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

// ExitCode returns 128 plus the number of the signal that ended the context, or 0 if no signal did.
func ExitCode(ctx context.Context) int {
	if s := (signaled{}); errors.As(context.Cause(ctx), &s) {
		return s.code()
	}
	return 0
}

// Interruption is the error of work that was stopped by the end of a context, before it had a result.
type Interruption struct {
	While string // such as "reading plaza.toml"
	cause error
}

func (e Interruption) Error() string { return "interrupted while " + e.While }

func (e Interruption) Unwrap() error { return e.cause }

// While returns err or, if the end of ctx caused it, an Interruption with the text while.
func While(ctx context.Context, err error, while string) error {
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return Interruption{while, err}
	}
	return err
}

// BrokenPipe reports whether err means that the reader of standard output, such as head, has closed
// the pipe. Such an error needs no message.
func BrokenPipe(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
