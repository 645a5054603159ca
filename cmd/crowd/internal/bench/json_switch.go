package bench

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/alecthomas/kong"
)

// JSONSwitch is --json of bench: a switch as in other commands. It once took a
// file, and still does.
type JSONSwitch struct {
	on   bool
	file string
}

// IsBool says that the flag needs no value.
func (JSONSwitch) IsBool() bool { return true }

// Decode reads the flag, and the name of a file if one follows.
func (s *JSONSwitch) Decode(ctx *kong.DecodeContext) error {
	next := ctx.Scan.Peek()
	name := next.String()
	switch attached := next.Type == kong.FlagValueToken; {
	case attached && (name == "true" || name == "false"):
		s.on = name == "true"
	case attached || next.IsValue() && isResultsFile(name):
		s.file = name
	default:
		s.on = true
		return nil
	}
	ctx.Scan.Pop()
	return nil
}

// isResultsFile reports whether what follows --json is where results go, and not what
// is to be measured: nothing that is there, but for older results, and no misspelled
// scene or workload.
func isResultsFile(name string) bool {
	if name == "-" || strings.EqualFold(filepath.Ext(name), ".json") {
		return true
	}
	_, err := os.Stat(name)
	return err != nil && !slices.Contains(caseNames(), name) && suggest.Nearest(name, caseNames()) == ""
}
