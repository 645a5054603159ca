package cli

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
)

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

// Help prints the help for a command and its hidden default subcommand, if any.
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
	node.Group = nil
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

// Completion prints a completion script for a shell.
type Completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help explains how to install the script.
func (Completion) Help() string {
	return `Prints a completion script. To load it at startup, add one of these lines:

    ~/.bashrc:    source <(crowd completion bash)
    ~/.zshrc:     source <(crowd completion zsh)
    config.fish:  crowd completion fish | source`
}

// Run prints the script.
func (c *Completion) Run(e *Console) error {
	_, err := io.WriteString(e.Machine, scripts[c.Shell])
	return err
}

var scripts = map[string]string{
	"bash": `_crowd() {
	local IFS=$'\n'
	COMPREPLY=($(crowd complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o bashdefault -o default -F _crowd crowd
`,
	"zsh": `#compdef crowd
_crowd() {
	local -a all
	all=(${(f)"$(crowd complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	(( $#all )) && compadd -a all
	_files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _crowd crowd
`,
	"fish": `complete -c crowd -a '(crowd complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

// CompletionWords prints the completions of the last word, for completion scripts.
type CompletionWords struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints the completions.
func (c *CompletionWords) Run(k *kong.Kong, e *Console) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range candidates(k.Model.Node, words) {
		if _, err := Fprintf(e.Machine, "%s\n", word); err != nil {
			return err
		}
	}
	return nil
}

// candidates returns the completions of the last word. Values are scenes, models, and those in the enum or
// words tag of a flag or argument. The shell itself completes file names.
func candidates(node *kong.Node, words []string) (all []string) {
	last := ""
	if n := len(words); n > 0 {
		last, words = words[n-1], words[:n-1]
	}
	root := node
	for _, word := range words {
		if i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word }); i >= 0 {
			node = node.Children[i]
		}
	}
	parent := node
	if child := node.DefaultCmd; child != nil {
		node = child
	}
	if parent == root && len(words) > 0 { // a scene name implies the default command
		parent = node
	}
	add := func(word string) {
		if word != "" && strings.HasPrefix(word, last) {
			all = append(all, word)
		}
	}
	flags := slices.Concat(node.AllFlags(false)...)
	if len(words) > 0 {
		before := words[len(words)-1]
		i := slices.IndexFunc(flags, func(f *kong.Flag) bool { return before == "--"+f.Name || f.Short != 0 && before == "-"+string(f.Short) })
		if i >= 0 && !flags[i].IsBool() {
			if flags[i].Name == "model" {
				for _, name := range scene.ModelNames() {
					add(name)
				}
			}
			for word := range strings.SplitSeq(cmp.Or(flags[i].Enum, flags[i].Tag.Get("words")), ",") {
				add(word)
			}
			return all
		}
	}
	if strings.HasPrefix(last, "-") {
		for _, f := range flags {
			if !f.Hidden {
				add("--" + f.Name)
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	for _, child := range parent.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			add(child.Name)
		}
	}
	for _, p := range node.Positional {
		if p.Name == "scene" || p.Name == "name" {
			for _, name := range scene.Names() {
				add(name)
			}
		}
		for word := range strings.SplitSeq(cmp.Or(p.Enum, p.Tag.Get("words")), ",") {
			add(word)
		}
	}
	return all
}
