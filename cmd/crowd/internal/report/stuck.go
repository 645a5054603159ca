package report

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/arrival"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// Stuck notes who can't arrive of those that have not.
func (r *Report) Stuck(a arrival.Answer) {
	n, asked := len(a.Stuck), 0
	for _, k := range a.Asked {
		asked += k
	}
	r.CannotArrive, r.CannotArriveAsked, r.Reasons = &n, &asked, arrival.Reasons(a.Stuck)
}

// writeStuck says how many can't arrive of those that have not, and why.
func (r *Report) writeStuck(t *terminal.Table) {
	if r.CannotArrive == nil || *r.CannotArrive == 0 {
		return
	}
	of := "the " + numbers.Thousands(r.TimedOut) + " that have not arrived"
	if *r.CannotArriveAsked < r.TimedOut {
		of = numbers.Thousands(*r.CannotArriveAsked) + " that have not arrived and were looked at"
	}
	t.RowIn(terminal.Warning, "", "%s of %s never can, such as", numbers.Thousands(*r.CannotArrive), of)
	for _, reason := range r.Reasons {
		t.RowIn(terminal.Warning, "", "%s", reason)
	}
}
