package report

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Stuck notes who can't arrive of those that have not.
func (r *Report) Stuck(a Reachability) {
	n, asked := len(a.Stuck), 0
	for _, k := range a.Asked {
		asked += k
	}
	r.CannotArrive, r.CannotArriveAsked, r.Reasons = &n, &asked, StuckReasons(a.Stuck)
}

// writeStuck says how many can't arrive of those that have not, and why.
func (r *Report) writeStuck(t *cli.Table) {
	if r.CannotArrive == nil || *r.CannotArrive == 0 {
		return
	}
	of := "the " + cli.Thousands(r.TimedOut) + " that have not arrived"
	if *r.CannotArriveAsked < r.TimedOut {
		of = cli.Thousands(*r.CannotArriveAsked) + " that have not arrived and were looked at"
	}
	t.RowIn(cli.Warning, "", "%s of %s never can, such as", cli.Thousands(*r.CannotArrive), of)
	for _, reason := range r.Reasons {
		t.RowIn(cli.Warning, "", "%s", reason)
	}
}
