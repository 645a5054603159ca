package cli

import "github.com/alecthomas/kong"

const epilog = `
Values:
  SPAN             Steps, such as 120, or simulated time, such as 2.5s or 5m.

Exit codes:
  0                Success.
  1                Failure, or the command found what it checks for.
  2                Bad command line or input file, or not enough memory.
  129, 130, 143    Ended by SIGHUP, Ctrl-C or SIGTERM.
  141              Standard output was closed by its reader.
`

// Help prints the help of a command, or of crowd. If the default subcommand of a command is hidden,
// the help of the command includes the arguments and flags of the subcommand.
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
	node.Group = nil // otherwise the group heads the list of subcommands
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
