package interrupt

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

// failure is the exit code of what a signal without a number ended.
const failure = 1

// endAtNext ends the process at the next of the signals. Nothing is left of files that
// are not complete.
func endAtNext(signals ...os.Signal) {
	next := make(chan os.Signal, 1)
	signal.Notify(next, signals...)
	s := <-next
	output.Abandon()
	code := failure
	if number, ok := s.(syscall.Signal); ok {
		code = 128 + int(number) // as a shell has it
	}
	os.Exit(code)
}
