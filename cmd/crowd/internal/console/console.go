// Package console holds what a command writes to, and shows how far it is.
package console

import (
	"io"
	"log/slog"
	"os"

	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
)

// Console is what a command writes to, and its command line.
type Console struct {
	Out     io.Writer // results for people
	Machine io.Writer // results for programs
	Err     *os.File  // progress; logs go there too
	Log     *slog.Logger
	Args    []string    // the command line, without the name of the command
	Given   usage.Given // flags on the command line
}
