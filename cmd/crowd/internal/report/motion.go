package report

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/systems/measure"
)

// writeMotion writes how agents moved, beside what recorded people do where lengths are
// meters.
func (r *Report) writeMotion(row cli.Row) {
	length, time := "m", "s"
	if r.pixels {
		length = "px"
		if r.Dt == 1 {
			time = "frame"
		}
	}
	recorded := func(people string) string {
		if r.pixels {
			return ""
		}
		return " (recorded people " + people + ")"
	}
	row("motion", "wiggle %s%s", cli.OrDash("%.3f", r.Wiggle), recorded(measure.RecordedWiggle))
	row("", "reversals %s /%s%s", cli.OrDash("%.3g", r.Reversals), time, recorded(measure.RecordedReversals))
	row("", "acceleration %s %s/%s²%s", cli.OrDash("%.3g", r.Acceleration), length, time, recorded(measure.RecordedAcceleration))
	row("", "turning %s °/%s, order %s", cli.OrDash("%.3g", r.Turning), time, cli.OrDash("%.3f", r.Order))
}
