package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
)

// jsonSwitch is --json of bench: a switch as in other commands. It once took a
// file, which it still does if the name ends with .json, is "-", or follows a "=".
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
	case attached || next.IsValue() && (name == "-" || strings.EqualFold(filepath.Ext(name), ".json")):
		s.file = name
	default:
		s.on = true
		return nil
	}
	ctx.Scan.Pop()
	return nil
}

// jsonFile makes of --json with a file what stands in its place now, and returns
// a note of it; empty if there is none.
func (c *benchCmd) jsonFile() (note string, err error) {
	file := c.JSON.file
	switch {
	case file == "":
		return "", nil
	case file == "-":
		c.JSON.on = true
		note = "--json writes to standard output, and needs no -"
	case c.Out != "":
		return "", fmt.Errorf("--json %s and --out %s, want --out alone", file, c.Out)
	default:
		c.Out = file
		note = "--json writes to standard output: --out " + file + " is what writes a file"
	}
	c.JSON.file = ""
	return note, nil
}
