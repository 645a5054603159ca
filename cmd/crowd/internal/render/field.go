package render

import (
	"fmt"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
)

// fieldFlag says which field is drawn. The number may be left out.
type fieldFlag struct {
	on    bool
	index int
}

// Decode reads the number, if there is one.
func (f *fieldFlag) Decode(c *kong.DecodeContext) error {
	f.on, f.index = true, 0
	next := c.Scan.Peek()
	text, is := next.Value.(string)
	if !is || next.Type == kong.FlagToken || next.IsEOL() {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil && next.Type != kong.FlagValueToken { // the scene follows
		return nil
	}
	c.Scan.Pop()
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no field, want a number from 0 on", text)
	}
	f.index = n
	return nil
}

// IsBool says that the flag needs no value.
func (f fieldFlag) IsBool() bool { return true }

// check returns an error if a scene does not have the field.
func (f fieldFlag) check(s *scene.Scene) error {
	if !f.on {
		return nil
	}
	switch n := s.FlowFields(); {
	case n == 0:
		return fmt.Errorf(`--field: no group of %s follows a field, want way = "field" in one that has a target`, s.Name)
	case f.index >= n:
		return fmt.Errorf("--field is %d, want 0 to %d: %s has %s", f.index, n-1, s.Name, cli.Plural(n, "field"))
	}
	return nil
}
