package cli

import (
	"fmt"
	"reflect"

	"github.com/alecthomas/kong"
)

// CheckNames returns an error for a file, or anything else that has a name, whose name on the command line is
// empty, as from a variable of the shell that is not set.
func CheckNames(line []*kong.Path) error {
	for _, p := range line {
		if f := p.Flag; f != nil && empty(f.Target) {
			return BadUsage(fmt.Errorf("--%s is empty, want %s", f.Name, f.FormatPlaceHolder()))
		}
		if a := p.Positional; a != nil && empty(a.Target) {
			return BadUsage(fmt.Errorf("%s is empty, want a name", a.Name))
		}
	}
	return nil
}

func empty(v reflect.Value) bool { return v.Kind() == reflect.String && v.String() == "" }
