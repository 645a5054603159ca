package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/8f878440/crowd/world/scene"
)

// scenesCmd lists the built-in scenes.
type scenesCmd struct{}

func (scenesCmd) Help() string {
	return "Example:\n\n    crowd scenes\n    crowd run tank-path"
}

func (scenesCmd) Run(e *env) error {
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	for _, name := range scene.Names() {
		s, err := scene.Named(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Text)
	}
	return w.Flush()
}
