package cli

import (
	"os"
	"syscall"
)

// ending are the signals that end a command. A browser has no terminal to hang up.
var ending = []os.Signal{os.Interrupt, syscall.SIGTERM}
