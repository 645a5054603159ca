package run

import (
	"math"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/world/scene"
)

// TestRates verifies what becomes of the times of steps.
func TestRates(t *testing.T) {
	s, err := scene.Named("arrival")
	must(t, err)
	w, r, err := Prepare(t.Context(), s, scene.Options{Workers: 1, Measure: true, Profile: true}, nil)
	must(t, err)
	defer w.Close()
	times := report.NewStepTimes()
	for i := range 1000 { // 1 to 1000 ms, in no order
		times.Add(time.Duration(i*7%1000+1) * time.Millisecond)
	}
	r.Agents, r.Dt = 5, 0.25
	r.Fill(s, w, 1000, times)
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }
	if p50, p99 := float64(r.StepP50Ns), float64(r.StepP99Ns); !near(p50, 500e6) || !near(p99, 990e6) {
		t.Errorf("p50 %v ns, p99 %v ns, want=500e6, 990e6", p50, p99)
	}
	// 1000 steps in 500.5 s, each of 0.25 s of the crowd's.
	if !near(r.StepsPerSecond, 1000/500.5) || !near(r.RealTimeFactor, 250/500.5) || !near(r.NsPerAgentStep, 500.5e9/1000/5) {
		t.Errorf("got=%v steps a second, %v × real time, %v ns an agent and step", r.StepsPerSecond, r.RealTimeFactor, r.NsPerAgentStep)
	}
}
