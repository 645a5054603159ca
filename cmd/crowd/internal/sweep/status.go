package sweep

import (
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"text/tabwriter"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

// Status is the command crowd sweep status.
type Status struct {
	Place
	JSON bool `name:"json" help:"Print only the status, as JSON."`
	Page bool `help:"Serve a page that follows the sweep, on localhost, until Ctrl-C."`
}

// Help returns examples.
func (Status) Help() string {
	return "Examples:\n\n    crowd sweep status SWEEP\n    crowd sweep status SWEEP --page"
}

// Run prints the status, or serves it as a page.
func (c *Status) Run(ctx context.Context, e *cli.Console) error {
	idle := cli.IdleFlag{Name: "json", Idle: c.Page, Why: "prints the status once, and --page follows it"}
	if err := e.Given.Refuse(idle); err != nil {
		return cli.BadUsage(err)
	}
	where, err := c.where()
	if err != nil {
		return cli.BadUsage(err)
	}
	status, end, err := engine.Watch(ctx, where)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "connecting"))
	}
	defer end()
	if c.Page {
		at, err := site.Listen("127.0.0.1:0", site.NewToken())
		if err != nil {
			return cli.BadUsage(err)
		}
		if _, err := cli.Fprintf(e.Out, "the status page is at %s (press Ctrl-C to stop)\n", at.URL()); err != nil {
			return err
		}
		return StatusPage(ctx, at, status)
	}
	now, err := status(ctx)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return output.WriteJSON(e.Machine, now)
	}
	return statusText(e.Out, now)
}

func statusText(w io.Writer, s engine.Status) error {
	percent := 0.0
	if s.Points > 0 {
		percent = 100 * float64(s.Done+s.Dead) / float64(s.Points)
	}
	state := "stopped"
	switch {
	case s.Ended:
		state = "complete"
	case s.Running:
		state = "running"
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	cli.Fprintf(t, "sweep\t%s\n", state)
	cli.Fprintf(t, "done\t%d of %d (%.1f%%)\n", s.Done, s.Points, percent)
	cli.Fprintf(t, "failed\t%d\n", s.Failed)
	cli.Fprintf(t, "given up\t%d\n", s.Dead)
	if s.Running {
		cli.Fprintf(t, "rate\t%.3g runs/s\n", s.Rate)
		cli.Fprintf(t, "time left\t%s\n", left(s.Left))
		cli.Fprintf(t, "workers\t%d\n", len(s.Who))
	}
	if s.Running && s.Waiting != "" {
		cli.Fprintf(t, "waiting for\t%s\n", s.Waiting)
	}
	if len(s.Who) > 0 {
		cli.Fprintf(t, "\nworker\tthreads\tdone\tfailed\truns/s\trunning\n")
	}
	for _, one := range s.Who {
		cli.Fprintf(t, "%s\t%d\t%d\t%d\t%.3g\t%d\n", one.Machine, one.Threads, one.Done, one.Failed, one.Rate, len(one.Points))
	}
	return t.Flush()
}

func left(seconds float64) string {
	if seconds <= 0 || seconds > math.MaxInt64/1e9 {
		return "unknown"
	}
	return time.Duration(seconds * 1e9).Round(time.Second).String()
}

//go:embed page.html
var page []byte

// StatusPage serves a page that follows a sweep, and its status as status.json, until ctx is done.
func StatusPage(ctx context.Context, at *site.Site, now func(context.Context) (engine.Status, error)) error {
	return at.Serve(ctx, pages(now))
}

func pages(now func(context.Context) (engine.Status, error)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'")
		_, _ = w.Write(page)
	})
	mux.HandleFunc("GET /status.json", func(w http.ResponseWriter, r *http.Request) {
		s, err := now(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(s)
	})
	return mux
}
