package sweep

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/interrupt"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/status"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
)

// Status says how far a sweep is.
type Status struct {
	Place
	JSON bool `name:"json" help:"Print the status as JSON, and nothing else."`
	Page bool `help:"Serve a page that follows the sweep, to this machine alone, until Ctrl-C."`
	Port int  `placeholder:"N" help:"Port of the page (default: any that is free)."`
}

// Run prints the status, or serves it as a page.
func (c *Status) Run(ctx context.Context, e *console.Console) error {
	if err := e.Given.Refuse(
		usage.IdleFlag{Name: "port", Idle: !c.Page, Why: "goes with --page"},
		usage.IdleFlag{Name: "json", Idle: c.Page, Why: "prints the status once, and --page follows it"},
	); err != nil {
		return usage.Bad(err)
	}
	where, err := c.where()
	if err != nil {
		return usage.Bad(err)
	}
	watch, err := engine.NewWatch(ctx, where)
	if err != nil {
		return usage.Bad(interrupt.While(ctx, err, "connecting"))
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
	return status.Text(e.Out, now)
}

// serve serves the page.
func (c *Status) serve(ctx context.Context, e *console.Console, watch *engine.Watch) error {
	at, err := site.Listen(fmt.Sprintf("127.0.0.1:%d", c.Port), site.NewToken())
	if err != nil {
		return usage.Bad(err)
	}
	if _, err := terminal.Fprintf(e.Out, "the sweep is at %s (Ctrl-C ends it)\n", at.URL()); err != nil {
		return err
	}
	return status.Page(ctx, at, watch.Status)
}
