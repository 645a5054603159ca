package sweep

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

// Status says how far a sweep is.
type Status struct {
	Place
	JSON bool `name:"json" help:"Print the status as JSON, and nothing else."`
	Page bool `help:"Serve a page that follows the sweep, to this machine alone, until Ctrl-C."`
	Port int  `placeholder:"N" help:"Port of the page (default: any that is free)."`
}

// Run prints the status, or serves it as a page.
func (c *Status) Run(ctx context.Context, e *cli.Console) error {
	if err := e.Given.Refuse(
		cli.IdleFlag{Name: "port", Idle: !c.Page, Why: "goes with --page"},
		cli.IdleFlag{Name: "json", Idle: c.Page, Why: "prints the status once, and --page follows it"},
	); err != nil {
		return cli.BadUsage(err)
	}
	where, err := c.where()
	if err != nil {
		return cli.BadUsage(err)
	}
	watch, err := engine.NewWatch(ctx, where)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "connecting"))
	}
	defer watch.Close()
	if c.Page {
		return c.serve(ctx, e, watch)
	}
	now, err := watch.Status(ctx)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return output.WriteJSON(e.Machine, now)
	}
	return StatusText(e.Out, now)
}

// serve serves the page.
func (c *Status) serve(ctx context.Context, e *cli.Console, watch *engine.Watch) error {
	at, err := site.Listen(fmt.Sprintf("127.0.0.1:%d", c.Port), site.NewToken())
	if err != nil {
		return cli.BadUsage(err)
	}
	if _, err := cli.Fprintf(e.Out, "the sweep is at %s (Ctrl-C ends it)\n", at.URL()); err != nil {
		return err
	}
	return StatusPage(ctx, at, watch.Status)
}
