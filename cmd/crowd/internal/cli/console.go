package cli

import (
	"io"
	"log/slog"
	"os"
)

// Console is what a command writes to, and its command line.
type Console struct {
	Out     io.Writer // results for people
	Machine io.Writer // results for programs
	Err     *os.File  // progress; logs go there too
	Log     *slog.Logger
	Args    []string // the command line, without the name of the command
	Given   Given    // flags on the command line
}
