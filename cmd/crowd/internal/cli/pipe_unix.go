//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// CatchBrokenPipe makes a write to a closed standard output fail instead of ending the process, so
// that other output files are completed or removed.
func CatchBrokenPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
