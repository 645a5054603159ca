package cli

import (
	"github.com/alecthomas/kong"
)

const epilog = `
Values:
  SPAN             Steps, as 120, or simulated time, as 2.5s or 5m.

Exit codes:
  0                It did what it was asked.
  1                It failed, or found a difference that the command looks for.
  2                Bad input: the command line, a file, too little memory.
  129, 130, 143    SIGHUP, Ctrl-C or SIGTERM ended it.
  141              The reader of its standard output went away.
`

// Help prints the help of a command. The one of a command with parts has the flags of the part
// that is carried out if none is named.
func Help(options kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil {
		err := kong.DefaultHelpPrinter(options, ctx)
		if err == nil {
			_, err = Fprintf(ctx.Stdout, epilog)
		}
		return err
	}
	defer func(group *kong.Group) { node.Group = group }(node.Group)
	node.Group = nil // which would be the head of the list of parts
	if node.DefaultCmd == nil || !node.DefaultCmd.Hidden {
		return kong.DefaultHelpPrinter(options, ctx)
	}
	all, part := *node, node.DefaultCmd
	all.Detail, all.Positional, all.Flags, all.Children = part.Detail, part.Positional, part.Flags, nil
	if _, err := Fprintf(ctx.Stdout, "Usage: %s %s\n", ctx.Model.Name, all.Summary()); err != nil {
		return err
	}
	options.NoAppSummary = true
	all.Children = node.Children
	ctx.Path = append(ctx.Path, &kong.Path{Parent: node.Parent, Command: &all})
	return kong.DefaultHelpPrinter(options, ctx)
}
