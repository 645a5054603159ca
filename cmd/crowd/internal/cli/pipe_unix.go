//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// CatchBrokenPipe makes writing to a pipe without a reader an error, in place of the end
// of the process: files beside it are completed, or removed.
func CatchBrokenPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
