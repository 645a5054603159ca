//go:build !js

package cli

import (
	"os"
	"syscall"
)

// ending are the signals that end a command.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
