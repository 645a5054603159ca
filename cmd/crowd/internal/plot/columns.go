package plot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// columns returns the columns of all files, or those that have numbers.
func (p *drawing) columns(numeric bool) []string {
	var all []string
	seen := map[string]bool{}
	for _, f := range p.files {
		names := f.Table.Columns
		if numeric {
			names = f.Table.Numeric()
		}
		for _, name := range names {
			if !seen[name] {
				seen[name], all = true, append(all, name)
			}
		}
	}
	return all
}

// checkColumn returns an error if a figure is in no file.
func (p *drawing) checkColumn(flag, name string) error {
	names := p.columns(true)
	switch {
	case name == "":
		return fmt.Errorf("%s is missing, want one of: %s", flag, list(names))
	case !slices.Contains(names, name):
		return p.noColumn(flag, name, names)
	}
	return nil
}

func (p *drawing) noColumn(flag, name string, names []string) error {
	in := p.files[0].Name
	if len(p.files) > 1 {
		in = "these files"
	}
	if slices.Contains(p.columns(false), name) {
		return fmt.Errorf("%s: %s has no numbers in %s; there are: %s", flag, terminal.Shorten(name, 40), in, list(names))
	}
	return fmt.Errorf("%s: nothing called %s in %s; there are: %s", flag, terminal.Shorten(name, 40), in, list(names))
}

// list writes names in one line.
func list(names []string) string {
	const most = 100
	var all []string
	for _, name := range names[:min(len(names), most)] {
		all = append(all, terminal.Shorten(name, 40))
	}
	if len(names) > most {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}
