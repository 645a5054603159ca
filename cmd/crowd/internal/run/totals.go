package run

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// totals is the sum over files. Means weigh as many as they are of.
type totals struct {
	files, errors            int
	agents, steps            int
	arrived, goals, arrivals int
	obstacles, inside        int
	collisions               *int // nil if no file counts them
	arrivalTime, ns, work    float64
}

func (t *totals) add(r *ScoreRow) {
	t.files++
	if r.Error != "" {
		t.errors++
	}
	if r.Report == nil {
		return
	}
	t.agents += r.Agents
	t.steps += r.Steps
	t.arrived += r.ArrivedAgents
	t.goals += r.ArrivedAgents + r.TimedOut
	t.obstacles += r.ObstacleCollisions
	t.inside += r.CentersInside
	if r.Collisions != nil {
		sum := *r.Collisions
		if t.collisions != nil {
			sum += *t.collisions
		}
		t.collisions = &sum
	}
	if r.MeanArrivalTime != nil {
		t.arrivals += r.Arrived
		t.arrivalTime += float64(r.Arrived) * *r.MeanArrivalTime
	}
	work := float64(r.Agents) * float64(r.Steps)
	t.work += work
	t.ns += work * r.NsPerAgentStep
}

// cells are the columns of the table, between name and note.
func (t *totals) cells() string {
	collisions := "–"
	if t.collisions != nil {
		collisions = cli.Thousands(*t.collisions)
	}
	return strings.Join([]string{
		cli.Thousands(t.agents), cli.Thousands(t.steps), ratio("%.1f", 100*float64(t.arrived), float64(t.goals)),
		cli.Thousands(t.obstacles), collisions, ratio("%.1f", t.arrivalTime, float64(t.arrivals)),
		cli.Thousands(t.inside), ratio("%.1f", t.ns, t.work),
	}, "\t")
}

// ratio writes a/b, or a dash if b is 0.
func ratio(format string, a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf(format, a/b)
}
