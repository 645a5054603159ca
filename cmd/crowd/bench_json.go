package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/alecthomas/kong"
)

// jsonSwitch is --json of bench: a switch as in other commands. It once took a
// file, and still does.
type jsonSwitch struct {
	on   bool
	file string
}

// IsBool says that the flag needs no value.
func (jsonSwitch) IsBool() bool { return true }

// Decode reads the flag, and the name of a file if one follows.
func (s *jsonSwitch) Decode(ctx *kong.DecodeContext) error {
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

// isResultsFile tells whether what follows --json is where results go, and not what
// is to be measured: nothing that is there, but for older results, and no misspelled
// scene or workload.
func isResultsFile(name string) bool {
	if name == "-" || strings.EqualFold(filepath.Ext(name), ".json") {
		return true
	}
	_, err := os.Stat(name)
	return err != nil && !slices.Contains(caseNames(), name) && suggest.Nearest(name, caseNames()) == ""
}

// jsonFile makes of --json with a file what stands in its place now, and returns
// a note of it; empty if there is none.
func (c *benchCmd) jsonFile() (note string, err error) {
	switch file := c.JSON.file; {
	case file == "":
		return "", nil
	case file == "-":
		c.JSON.on = true
		return "--json writes to standard output, and needs no -", nil
	case c.Out != "":
		return "", fmt.Errorf("--json %s and --out %s, want --out alone", file, c.Out)
	default:
		c.Out = file
		return "--json writes to standard output: --out " + file + " is what writes a file", nil
	}
}

// outFlag returns the flag that says where results are written.
func (c *benchCmd) outFlag() string {
	if c.Out != "" && c.Out == c.JSON.file {
		return "--json"
	}
	return "--out"
}
