package cli

import (
	"github.com/alecthomas/kong"
)

// Help prints the help of a command. The one of a command with parts has the flags of the part
// that is carried out if none is named.
func Help(options kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil || node.DefaultCmd == nil || !node.DefaultCmd.Hidden {
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
