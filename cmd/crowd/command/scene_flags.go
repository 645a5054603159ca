package command

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// sceneHelp says what a scene may be.
const sceneHelp = "Name of a built-in scene (crowd scene lists them), or a file: a scene, one of SteerBench, UMANS, Vadere or Menge, a WKT geometry, a map of movingai.com, or a recording of people."

// sceneArg is the scene of a command that takes one.
type sceneArg struct {
	Scene string `arg:"" optional:"" default:"${scene}" help:"${scenehelp}"`
}

// sceneFlags are what every command that runs a scene takes.
type sceneFlags struct {
	Agents    *int               `placeholder:"N" help:"Number of agents, in the same area (default: the scene's)."`
	Workers   int                `json:"-" placeholder:"N" help:"Goroutines that share a step (default: one for each processor)."`
	Seed      *uint64            `placeholder:"N" help:"Seed of all random draws (default: the scene's)."`
	Set       map[string]float64 `placeholder:"KEY=VALUE" help:"Change a number of the scene, such as look-ahead=5, or dt=0.02, the length of a step in seconds. May be repeated."`
	Obstacles string             `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool               `help:"Skip unknown elements of a file with a warning."`
	Recording render.Reading     `group:"Recordings:" placeholder:"KEY=VALUE" help:"What the file of a recording does not say: frame-rate, in frames a second; unit of lengths, m or cm; columns, such as id,frame,x,y, with time in s in place of frame, and - for others. Beside a scene: at=X,Y moves its origin there, turn=DEGREES turns it about its origin, and from=SECONDS is its time when the simulation begins. May be repeated."`
	Model     scene.Model        `json:",omitempty" placeholder:"NAME" help:"How people walk to their goals: ${models} (default: as the scene says, and ${model} for files of other programs)."`

	cli.MemoryFlag `json:"-"`
}

// open returns a scene, with the changes that the command line asks for.
func (f *sceneFlags) open(ctx context.Context, name string, e *cli.Console) (*scene.Scene, error) {
	open := scene.OpenOptions{Obstacles: f.Obstacles, Lenient: f.Lenient, Model: f.Model, Context: ctx}
	f.Recording.To(&open)
	if f.Seed != nil {
		open.Seed = *f.Seed
	}
	if err := checkScene(name); err != nil {
		return nil, err
	}
	s, err := scene.Open(name, open)
	if err != nil {
		return nil, cli.While(ctx, err, "reading "+name)
	}
	for _, warning := range s.Warnings {
		e.Log.Warn(warning)
	}
	if err := e.Given.Refuse(f.Recording.Idle(s, e.Given["beside"])...); err != nil {
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
	if dt, given := f.Set["dt"]; given {
		if info, err := s.Model.Info(); err == nil && info.MaxDt > 0 && dt > info.MaxDt {
			return nil, fmt.Errorf("--set dt is %v s, want %.3g at most for the model %s", dt, info.MaxDt, s.Model)
		}
		s.Dt = dt
	}
	for _, key := range slices.Sorted(maps.Keys(f.Set)) {
		if key == "dt" {
			continue
		}
		if err := s.Set(key, f.Set[key]); err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
	}
	return s, nil
}

// checkScene returns an error for a file that a run has left and that is no scene.
func checkScene(name string) error {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe can be read only once
		return nil
	}
	if replay.IsReplay(name) {
		return fmt.Errorf("%s is a recording of a run: crowd replay runs it again, and crowd view shows it", name)
	}
	if run, err := run.OpenSaved(name); err == nil {
		run.Close()
		return fmt.Errorf("%s is a saved run: crowd run --resume goes on with it", name)
	}
	return nil
}
