package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
)

// misspelt returns an error if a command line begins with what is neither a
// command nor a scene or file to run, but nearly is. The parser takes it for a
// scene of the default command, whatever follows.
func misspelt(app *kong.Application, args []string) error {
	if len(args) > 0 && (args[0] == "-q" || args[0] == "--quiet") {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], `./\`) {
		return nil
	}
	name, known := args[0], scene.Names()
	for _, command := range app.Children {
		if command.Name == name {
			return nil
		}
		if !command.Hidden {
			known = append(known, command.Name)
		}
	}
	if _, err := os.Stat(name); err == nil || slices.Contains(known, name) {
		return nil
	}
	if hint := suggest.DidYouMean(name, known); hint != "" {
		return fmt.Errorf("no command, scene or file is named %q, %s (crowd --help lists the commands, crowd scenes the scenes)", name, hint)
	}
	return nil
}
