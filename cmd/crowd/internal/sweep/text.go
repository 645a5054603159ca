package sweep

import (
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

// StatusText writes a status in lines for people.
func StatusText(w io.Writer, s engine.Status) error {
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
	cli.Fprintf(t, "done\t%d of %d (%.1f %%)\n", s.Done, s.Points, percent)
	cli.Fprintf(t, "failed\t%d\n", s.Failed)
	cli.Fprintf(t, "given up\t%d\n", s.Dead)
	if s.Running {
		cli.Fprintf(t, "rate\t%.3g runs/s\n", s.Rate)
		cli.Fprintf(t, "left\t%s\n", left(s.Left))
		cli.Fprintf(t, "workers\t%d\n", len(s.Who))
	}
	if s.Running && s.Waiting != "" {
		cli.Fprintf(t, "waits for\t%s\n", s.Waiting)
	}
	if len(s.Who) > 0 {
		cli.Fprintf(t, "\nworker\tthreads\tdone\tfailed\truns/s\tat work\n")
	}
	for _, one := range s.Who {
		cli.Fprintf(t, "%s\t%d\t%d\t%d\t%.3g\t%d\n", one.Machine, one.Threads, one.Done, one.Failed, one.Rate, len(one.Points))
	}
	return t.Flush()
}

// left writes seconds for people.
func left(seconds float64) string {
	if seconds <= 0 || seconds > math.MaxInt64/1e9 {
		return "unknown"
	}
	return time.Duration(seconds * 1e9).Round(time.Second).String()
}
