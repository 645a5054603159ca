package main

import (
	"os"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/world/scene"
)

// safetyAgents is the number of agents up to which a run measures by itself how they meet.
const safetyAgents = 10_000

// next returns what to try after a run of a scene: to watch it, to draw it in motion, and
// to see all that was measured. With the name of a built-in scene a line has 80 columns.
func (c *runCmd) next(s *scene.Scene) []report.Command {
	name := c.Scene
	if strings.ContainsAny(name, " \t\"'$&|;<>()*?[]{}~#\\`") {
		name = "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
	if c.Obstacles != "" {
		name += " --obstacles " + c.Obstacles
	}
	self := commandName()
	return []report.Command{
		{Line: self + " view " + name, For: "watch it"},
		{Line: self + " render " + name + " -o " + strings.TrimSuffix(render.PictureName(s), ".png") + ".gif", For: "as a GIF"},
		{Line: self + " run " + name + " -v", For: "all figures"},
	}
}

// commandName is how the command was begun.
func commandName() string {
	if path, err := os.Executable(); err == nil && strings.Contains(path, "go-build") {
		return "go run ./cmd/crowd"
	}
	return "crowd"
}
