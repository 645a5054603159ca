package report

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// write writes it for people to read, in place of what else is said of systems
// and threats.
func (p *Perf) write(row cli.Row) {
	for i, s := range p.Systems {
		name := cli.NameIf(i == 0, "systems")
		switch {
		case s.Ns == 0:
			row(name, "%s, %s agents a step, none of them timed in so few steps", s.Name, cli.Thousands(int(s.Rows)))
		case s.Share < 0.0005:
		case s.Rows == 0:
			row(name, "%4.1f %%  %s, %s a step", 100*s.Share, s.Name, cli.Duration(int64(s.AloneNs)))
		case s.AloneNs < s.Ns/100:
			row(name, "%4.1f %%  %s, %.2f ns an agent, %s agents a step", 100*s.Share, s.Name, s.NsRow, cli.Thousands(int(s.Rows)))
		default:
			row(name, "%4.1f %%  %s, %.2f ns an agent, %s agents a step, and %s by itself", 100*s.Share, s.Name,
				s.NsRow, cli.Thousands(int(s.Rows)), cli.Duration(int64(s.AloneNs)))
		}
	}
	row("parts", "sensing %s, running %s, observing %s a step; what this report measures beside the steps is in none of it", cli.Duration(int64(p.SensingNs)), cli.Duration(int64(p.RunningNs)), cli.Duration(int64(p.ObservingNs)))
	for i, one := range p.Workers {
		row(cli.NameIf(i == 0, "workers"), "%d: %.1f %% of the rows in %.4g batches a step, busy %.0f %% of running", i, 100*one.Rows, one.Batches, 100*one.Busy)
	}
	if s := p.Scan; s != nil {
		row("under threat", "%.1f %% of the agents, %s of %s that look a step", 100*s.Threats/s.Looked, cli.Thousands(int(s.Threats)), cli.Thousands(int(s.Looked)))
	}
	if o := p.Obstacles; o != nil {
		row("index", "%s obstacles in %s and %s, %s slots, %s of them taken with %.3g entries on average and %d at most",
			cli.Thousands(o.Obstacles), cli.Plural(o.Pieces, "piece"), cli.Plural(o.Grids, "grid"), cli.Thousands(o.Slots), cli.Thousands(o.Taken), o.Mean, o.Longest)
	}
}
