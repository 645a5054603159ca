package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
)

// TestMeasured verifies how figures follow from what a world measured.
func TestMeasured(t *testing.T) {
	st := &world.Stats{
		Goals: 8, Arrived: 9, ArrivedOnce: 6, MeanArrivalTime: 12, Times: world.ArrivalTimes{Median: 10, P95: 20, Max: 30},
		ObstacleCollisions: measure.ObstacleCollisionCount{Collisions: 2, LeastClearance: -0.1, Close: 5, Steps: 100},
		Trips:              measure.TripCount{Agents: 8, Unharmed: 2, Ways: 9, Energy: 50, FirstTime: 14, Effort: 3, Frames20: true, Steps: 90},
		AgentCollisions:    measure.AgentCollisionCount{Collisions: 5, LeastClearance: math.Inf(1), Close: 25, Steps: 100},
	}
	var r Report
	r.measured(st)
	for _, f := range []struct {
		name string
		got  *float64
		want float64
	}{
		{"arrived share", r.ArrivedShare, 0.75}, {"timed out share", r.TimedOutShare, 0.25}, {"success share", r.SuccessShare, 0.25},
		{"median", r.MedianArrivalTime, 10}, {"p95", r.P95ArrivalTime, 20}, {"max", r.MaxArrivalTime, 30}, {"flow", r.Flow, 0.5},
		{"agent close share", r.AgentCloseShare, 0.25}, {"obstacle close share", r.ObstacleCloseShare, 0.05},
		{"score", r.SteerbenchScore, 50*12./8 + 14 + 3}, {"energy", r.Energy, 50},
	} {
		if f.got == nil || *f.got != f.want {
			t.Errorf("%s: got=%v, want=%v", f.name, cli.OrDash("%v", f.got), f.want)
		}
	}
	if *r.Collisions != 5 || *r.CollisionsSteerbench != 10 {
		t.Errorf("collisions: got=%d, %d, want=5, 10", *r.Collisions, *r.CollisionsSteerbench)
	}
	if r.AgentLeastClearance != nil || r.NearestP50 != nil || r.PathRatio != nil || r.Wiggle != nil || r.Reversals != nil || r.Acceleration != nil || r.Turning != nil || r.Order != nil {
		t.Errorf("got=%+v, want no answer where there was nothing to measure", r.Figures)
	}

	st.AgentCollisions.Exceeded = true
	r = Report{}
	r.measured(st)
	if r.Collisions != nil || r.SuccessShare != nil || r.SteerbenchScore != nil || len(r.Notes) != 1 {
		t.Errorf("a heap: got=%+v, notes %v, want none, and a note", r.Figures, r.Notes)
	}
	var out bytes.Buffer
	if err := r.WriteTable(&out); err != nil || !strings.Contains(out.String(), "75 % of the agents arrived") {
		t.Errorf("table: %v:\n%s", err, out.String())
	}
}
