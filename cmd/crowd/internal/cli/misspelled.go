package cli

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
)

// Misspelled returns an error if a command line begins with what is no command, but
// nearly is. The parser takes it for an argument of the default command, whatever
// follows.
func Misspelled(app *kong.Application, args []string) error {
	if len(args) > 0 && (args[0] == "-q" || args[0] == "--quiet") {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil
	}
	name, commands := args[0], commandsOf(app.Node)
	if command, ok := commands[name]; ok {
		return misspelledPart(command, args[1:])
	}
	if _, err := os.Stat(name); err == nil || slices.Contains(scene.Names(), name) || strings.ContainsAny(name, `./\`) {
		return nil // a scene, or a file
	}
	known := slices.Concat(slices.Sorted(maps.Keys(commands)), scene.Names())
	if hint := suggest.DidYouMean(name, known); hint != "" {
		return fmt.Errorf("no command, scene or file is named %q, %s (crowd --help lists the commands, crowd scenes the scenes)", name, hint)
	}
	return nil
}

// misspelledPart is misspelled for the second word of a command that has parts.
func misspelledPart(command *kong.Node, args []string) error {
	parts := commandsOf(command)
	if len(parts) == 0 || len(args) == 0 || strings.HasPrefix(args[0], "-") || parts[args[0]] != nil {
		return nil
	}
	if d := command.DefaultCmd; d != nil && len(d.Positional) > 0 { // which takes the word, unless it nearly is a part
		_, err := os.Stat(args[0])
		if err == nil || strings.ContainsAny(args[0], `./\`) || suggest.Nearest(args[0], slices.Sorted(maps.Keys(parts))) == "" {
			return nil
		}
	}
	return fmt.Errorf("crowd %s %s is no command, %s", command.Name, args[0], suggest.OneOf(args[0], slices.Sorted(maps.Keys(parts))))
}

// commandsOf returns the commands in a command by their names.
func commandsOf(node *kong.Node) map[string]*kong.Node {
	all := map[string]*kong.Node{}
	for _, command := range node.Children {
		all[command.Name] = command
	}
	return all
}
