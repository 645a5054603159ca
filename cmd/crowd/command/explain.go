package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/explain"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
)

// explainCmd says what one step does to one agent, and why.
type explainCmd struct {
	sceneFlags

	Agent uint64 `default:"1" placeholder:"ID" help:"Which agent, from 1 (default: 1)."`
	Step  int    `default:"1" placeholder:"N" help:"Which step, from 1 (default: 1)."`
	JSON  bool   `name:"json" help:"Print JSON, and nothing else."`
}

func (explainCmd) Help() string {
	return `Runs the steps before that one, and then prints the force of each behavior, what is
left of it when the sum is truncated, the threat that the agent sees, and where all this
takes it. The numbers are exactly those of "crowd run" with the same flags.

Examples:

    crowd explain plaza --agent 17 --step 120
    crowd explain tank-path --step 300
    crowd explain plaza --agent 17 --step 120 --set look-ahead=10 --json`
}

func (c *explainCmd) Run(ctx context.Context, e *cli.Console) error {
	if c.Step < 1 || c.Step > run.MaxSteps {
		return cli.BadUsage(fmt.Errorf("--step is %d, want 1 to %d", c.Step, run.MaxSteps))
	}
	s, err := c.open(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	if err := c.Admit(s, scene.Options{}, 0); err != nil {
		return cli.BadUsage(err)
	}
	w, err := run.Build(ctx, s, scene.Options{Workers: c.Workers})
	if err != nil {
		return cli.BadUsage(err)
	}
	defer w.Close()
	agent, ok := w.Entity(c.Agent)
	if !ok {
		return cli.BadUsage(fmt.Errorf("--agent is %d, but %s has the agents 1 to %d", c.Agent, s.Name, s.Agents()))
	}
	if err := c.advance(ctx, e, s, w, agent); err != nil {
		return err
	}
	x, err := w.Explain(agent)
	if err != nil {
		return err
	}
	if c.JSON {
		return output.WriteJSON(e.Machine, x)
	}
	return explain.Write(e.Out, fmt.Sprintf("%s, seed %d, step %s", s.Name, s.Seed, cli.Thousands(c.Step)), x)
}

// advance does the steps before the one that is asked for.
func (c *explainCmd) advance(ctx context.Context, e *cli.Console, s *scene.Scene, w *world.World, agent ecs.Entity) error {
	defer context.AfterFunc(ctx, w.Interrupt)()
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, cli.Thousands(s.Agents())), c.Step-1, "step", c.JSON)
	defer bar.Done()
	for step := 1; step < c.Step; step++ {
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted before step %d", step)
		}
		if err := w.Step(); errors.Is(err, world.ErrInterrupted) {
			return fmt.Errorf("interrupted before step %d", step)
		} else if err != nil {
			return err
		}
		if !w.ECS.Alive(agent) {
			return cli.BadUsage(fmt.Errorf("agent %d is gone: it arrived in step %d and left, so --step can be 1 to %d", c.Agent, step, step))
		}
		bar.Set(step)
	}
	return nil
}
