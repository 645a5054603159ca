package main

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// endAtNext ends the process at the next of the signals. Nothing is left of files that
// are not complete.
func endAtNext(signals ...os.Signal) {
	next := make(chan os.Signal, 1)
	signal.Notify(next, signals...)
	s := <-next
	output.Abandon()
	code := exitFailure
	if number, ok := s.(syscall.Signal); ok {
		code = 128 + int(number) // as a shell has it
	}
	os.Exit(code)
}

// brokenPipe tells whether standard output was a pipe whose reader has seen enough, as
// head has: there is nobody to tell.
func brokenPipe(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
