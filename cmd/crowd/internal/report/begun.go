package report

import "github.com/8f878440/crowd/cmd/crowd/internal/cli"

// Begun is what a report has from the start of a run, for one of the same run that another
// process goes on with.
type Begun struct {
	Conditions Conditions
	Command    string
	OutAfter   *float64
}

// Begun returns what the report has from the start of the run.
func (r *Report) Begun() Begun { return Begun{r.Conditions, r.Command, r.OutAfter} }

// GoOn makes the report that of a run that began elsewhere and goes on after some steps.
func (r *Report) GoOn(b Begun, steps int) {
	c, now := b.Conditions, r.Conditions
	c.TimeCap, c.CPU, c.Cores, c.OS, c.Arch, c.Kernels = now.TimeCap, now.CPU, now.Cores, now.OS, now.Arch, now.Kernels
	r.Conditions, r.Command, r.OutAfter, r.ResumedAfter = c, b.Command, b.OutAfter, &steps
}

// resumed says when the run was resumed, or that there was nothing left to do, after a comma.
func (r *Report) resumed() string {
	switch {
	case r.ResumedAfter == nil:
		return ""
	case r.timed == 0 && !r.Interrupted:
		return ", the run had ended"
	}
	return ", resumed after " + cli.Plural(*r.ResumedAfter, "step")
}
