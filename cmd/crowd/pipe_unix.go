//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// catchBrokenPipe makes writing to a pipe without a reader an error, in place of the end
// of the process: files beside it are completed, or removed.
func catchBrokenPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
