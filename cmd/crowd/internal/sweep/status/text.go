// Package status shows how far a sweep is, and who works on it: as lines of text, and as
// a page that follows it.
package status

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

// Text writes a status in lines for people.
func Text(w io.Writer, s engine.Status) error {
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
	fmt.Fprintf(t, "sweep\t%s\n", state)
	fmt.Fprintf(t, "done\t%d of %d (%.1f %%)\n", s.Done, s.Points, percent)
	fmt.Fprintf(t, "failed\t%d\n", s.Failed)
	fmt.Fprintf(t, "given up\t%d\n", s.Dead)
	if s.Running {
		fmt.Fprintf(t, "rate\t%.3g runs/s\n", s.Rate)
		fmt.Fprintf(t, "left\t%s\n", left(s.Left))
		fmt.Fprintf(t, "workers\t%d\n", len(s.Who))
	}
	if s.Running && s.Waiting != "" {
		fmt.Fprintf(t, "waits for\t%s\n", s.Waiting)
	}
	if len(s.Who) > 0 {
		fmt.Fprint(t, "\nworker\tthreads\tdone\tfailed\truns/s\tat work\n")
	}
	for _, one := range s.Who {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3g\t%d\n", one.Machine, one.Threads, one.Done, one.Failed, one.Rate, len(one.Points))
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
