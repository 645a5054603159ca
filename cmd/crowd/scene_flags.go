package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/interrupt"
	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// ownBehaviors is the flag --model with a scene that has behaviors of its own.
func ownBehaviors(s *scene.Scene) usage.IdleFlag {
	return usage.IdleFlag{Name: "model", Idle: s.Model == "", Why: fmt.Sprintf("is for SteerBench and UMANS files, and %s has behaviors of its own", s.Name)}
}

// sceneFlags are what every command that runs a scene takes.
type sceneFlags struct {
	Scene string `arg:"" optional:"" default:"${scene}" help:"Name of a built-in scene (crowd scenes lists them), or a file: a scene, one of SteerBench, UMANS or Menge, a geometry in WKT, or a map of movingai.com."`

	Agents    *int               `placeholder:"N" help:"Number of agents, in the same area (default: the scene's)."`
	Workers   int                `placeholder:"N" help:"Goroutines that share a step (default: one for each processor)."`
	Seed      *uint64            `placeholder:"N" help:"Seed of all random draws (default: the scene's)."`
	Dt        *float64           `placeholder:"SECONDS" help:"Length of a step (default: the scene's)."`
	Set       map[string]float64 `placeholder:"KEY=VALUE" help:"Change a number of the scene, such as look-ahead=5. May be repeated."`
	Obstacles string             `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool               `help:"Skip unknown elements of a file with a warning."`
	Model     scene.Model        `placeholder:"NAME" default:"${model}" help:"How agents of SteerBench and UMANS files steer: ${models}. Other scenes have behaviors of their own."`

	memory.Flag
}

// open returns the scene, with the changes that the command line asks for.
func (f *sceneFlags) open(ctx context.Context, e *console.Console) (*scene.Scene, error) {
	return f.openNamed(ctx, f.Scene, e)
}

// openNamed returns another scene with the same changes.
func (f *sceneFlags) openNamed(ctx context.Context, name string, e *console.Console) (*scene.Scene, error) {
	open := scene.OpenOptions{Obstacles: f.Obstacles, Lenient: f.Lenient, Model: f.Model, Context: ctx}
	if f.Seed != nil {
		open.Seed = *f.Seed
	}
	s, err := scene.Open(name, open)
	if err != nil {
		return nil, interrupt.While(ctx, err, "reading "+name)
	}
	for _, warning := range s.Warnings {
		e.Log.Warn(warning)
	}
	if err := e.Given.Refuse(ownBehaviors(s)); err != nil {
		return nil, err
	}
	if e.Given["workers"] && f.Workers < 1 {
		return nil, fmt.Errorf("--workers is %d, want 1 or more", f.Workers)
	}
	if f.Agents != nil {
		if *f.Agents < 1 || *f.Agents > world.MaxAgents {
			return nil, fmt.Errorf("--agents is %d, want 1 to %d", *f.Agents, world.MaxAgents)
		}
		s.Resize(*f.Agents)
	}
	if f.Seed != nil {
		s.Seed = *f.Seed
	}
	if f.Dt != nil {
		s.Dt = *f.Dt
	}
	for _, key := range slices.Sorted(maps.Keys(f.Set)) {
		if key == "dt" {
			return nil, fmt.Errorf("--set dt=%v, want --dt %[1]v", f.Set[key])
		}
		if err := s.Set(key, f.Set[key]); err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
	}
	return s, nil
}
