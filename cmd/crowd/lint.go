package main

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/world/scene"
)

// lintCmd looks for what is allowed, but known to go wrong.
type lintCmd struct {
	Files     []string `arg:"" name:"file" help:"Scene files, or names of built-in scenes."`
	Obstacles string   `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool     `help:"Skip unknown elements of a file with a warning."`
}

func (lintCmd) Help() string {
	return `Prints one line for each finding, and ends with exit code 1 if there are any, with 2
if a file cannot be read.

Examples:

    crowd lint my.toml
    crowd lint scenes/*.toml`
}

func (c *lintCmd) Run(e *env) error {
	found := 0
	for _, file := range c.Files {
		s, err := scene.Open(file, scene.OpenOptions{Obstacles: c.Obstacles, Lenient: c.Lenient})
		if err != nil {
			return badInput{err}
		}
		lines := s.Warnings
		if slices.Contains(scene.Names(), file) { // nothing was read, and so nothing looked at
			for _, line := range s.Lint() {
				lines = append(lines, file+": "+line)
			}
		}
		for _, line := range lines {
			terminal.Fprintf(e.out, "%s\n", line)
		}
		found += len(lines)
	}
	if found > 0 {
		return fmt.Errorf("%d found", found)
	}
	return nil
}
