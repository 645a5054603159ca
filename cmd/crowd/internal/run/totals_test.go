package run

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// TestTotals verifies that the sum over files weighs means by what they are of, and
// counts those who did not arrive.
func TestTotals(t *testing.T) {
	of := func(agents, steps, arrived, late, inside int, seconds, ns float64) *ScoreRow {
		return &ScoreRow{Report: &report.Report{
			Agents: agents, Steps: steps, Arrived: arrived, ArrivedAgents: arrived, TimedOut: late,
			ObstacleCollisions: 1, CentersInside: inside, MeanArrivalTime: &seconds, NsPerAgentStep: ns,
		}}
	}
	var sum totals
	sum.add(of(4, 100, 3, 1, 5, 10, 40))         // 400 agent-steps
	sum.add(of(2, 800, 1, 1, 7, 30, 15))         // 1,600
	sum.add(&ScoreRow{Error: "no agents"})       // nothing but an error
	sum.add(&ScoreRow{Report: &report.Report{}}) // nobody
	collisions := 3
	sum.add(&ScoreRow{Report: &report.Report{Collisions: &collisions}})
	// 66.7 % of six arrived, in (3·10 s + 30 s)/4; (400·40 + 1600·15)/2000 ns.
	want := strings.Join([]string{"6", "900", "66.7", "2", "3", "15.0", "12", "20.0"}, "\t")
	if got := sum.cells(); got != want || sum.files != 5 || sum.errors != 1 {
		t.Errorf("got= %q of %d files, %d with errors\nwant=%q of 5, 1", got, sum.files, sum.errors, want)
	}
}
