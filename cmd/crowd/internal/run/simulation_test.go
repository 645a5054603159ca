package run

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// canceler cancels a context within a step, and waits until the world has noticed.
type canceler struct {
	vel    frame.In[c.Velocity] // excludes obstacles
	world  *world.World
	cancel func()
	tick   uint64
}

func (s *canceler) Needs(n *frame.Needs) { n.Read(&s.vel) }

func (s *canceler) Run(b *frame.Batch) {
	if b.Tick == s.tick {
		s.cancel()
		for !s.world.Frame.Interrupted() {
		}
	}
}

// An interrupted run must report, except for costs, what a run that ends before the step reports.
func TestInterruptedRunIsShort(t *testing.T) {
	was := Patience
	Patience = 0
	defer func() { Patience = was }()
	const whole = 17
	do := func(steps int, tick uint64) *report.Report {
		s, err := scene.Named("plaza")
		testkit.Must(t, err)
		s.Resize(2000)
		s.Steps = steps
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in := &canceler{cancel: cancel, tick: tick}
		w, r, err := Prepare(ctx, s, scene.Options{Workers: 2, Measure: true, Safety: true, Steer: []any{in}}, nil, nil)
		testkit.Must(t, err)
		defer w.Close()
		in.world = w
		last := 0
		testkit.Must(t, Run(ctx, s, w, r, true, func(step int) error { last = step; return nil }))
		testkit.Equal(t, last, r.Steps, "recorded steps")
		return r
	}
	got, want := do(100, whole), do(whole, 1<<60)
	if !got.Interrupted || got.InterruptedStep == nil || *got.InterruptedStep != whole+1 || want.Interrupted || want.InterruptedStep != nil {
		t.Errorf("interrupted: got=%v after %d steps, want=true in step %d", got.Interrupted, got.Steps, whole+1)
	}
	for _, r := range []*report.Report{got, want} { // ignore the costs and the interruption itself
		r.Interrupted, r.InterruptedStep, r.Systems, r.TimeCap = false, nil, nil, 0
		r.BesideSeconds = 0
		r.SetupSeconds, r.NsPerAgentStep, r.StepsPerSecond, r.RealTimeFactor, r.StepP50Ns, r.StepP99Ns, r.AllocsPerStep = 0, 0, 0, 0, 0, 0, 0
	}
	a, _ := json.Marshal(got)
	if b, _ := json.Marshal(want); string(a) != string(b) || want.Steps != whole {
		t.Errorf("got=%s\nwant=%s", a, b)
	}
}

func TestRates(t *testing.T) {
	s, err := scene.Named("arrival")
	testkit.Must(t, err)
	w, r, err := Prepare(t.Context(), s, scene.Options{Workers: 1, Measure: true, Profile: true}, nil, nil)
	testkit.Must(t, err)
	defer w.Close()
	times := report.NewStepTimes()
	for i := range 1000 { // 1 to 1000 ms, shuffled
		times.Add(time.Duration(i*7%1000+1) * time.Millisecond)
	}
	r.Agents, r.Dt = 5, 0.25
	r.Fill(s, w, 1000, times)
	near := func(got, want float64) bool { return math.Abs(got-want) <= 0.01*want }
	if p50, p99 := float64(r.StepP50Ns), float64(r.StepP99Ns); !near(p50, 500e6) || !near(p99, 990e6) {
		t.Errorf("got=p50 %v ns, p99 %v ns, want=500e6, 990e6", p50, p99)
	}
	// 1000 steps of 0.25 s simulated time each take 500.5 s.
	if !near(r.StepsPerSecond, 1000/500.5) || !near(r.RealTimeFactor, 250/500.5) || !near(r.NsPerAgentStep, 500.5e9/1000/5) {
		t.Errorf("got=%v steps/s, %v × real time, %v ns per agent per step, want=1.998, 0.4995, 1.001e8", r.StepsPerSecond, r.RealTimeFactor, r.NsPerAgentStep)
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	testkit.Must(t, writeTable(&out, []ScoreRow{{File: "folder/one.toml", Error: "no agents"}, {File: "folder/another-one.toml", Error: "no agents"}}))
	lines := strings.Split(out.String(), "\n")
	if len(lines) < 6 || strings.TrimSpace(lines[3]) != "" {
		t.Fatalf("got=%q, want a blank line after the files", lines)
	}
	if agents := strings.Index(lines[0], "agents"); !strings.HasPrefix(lines[4][agents:], "0") {
		t.Errorf("got=%q below %q, want 0 agents below the column agents", lines[4], lines[0])
	}
	if strings.Contains(out.String(), `\t`) {
		t.Errorf("got=%s, want no escaped tabs", out.String())
	}
}

func TestTotals(t *testing.T) {
	of := func(agents, steps, arrived, late, inside int, seconds, ns float64) *ScoreRow {
		return &ScoreRow{Report: &report.Report{
			Agents: agents, Steps: steps, Arrived: arrived, ArrivedAgents: arrived, TimedOut: late,
			ObstacleCollisions: 1, CentersInside: inside, MeanArrivalTime: &seconds, NsPerAgentStep: ns,
		}}
	}
	var sum totals
	sum.add(of(4, 100, 3, 1, 5, 10, 40)) // 400 agent-steps
	sum.add(of(2, 800, 1, 1, 7, 30, 15)) // 1,600
	sum.add(&ScoreRow{Error: "no agents"})
	sum.add(&ScoreRow{Report: &report.Report{}})
	collisions := 3
	sum.add(&ScoreRow{Report: &report.Report{Collisions: &collisions}})
	// 66.7% of six agents arrived, in (3·10 s + 30 s)/4; (400·40 + 1600·15)/2000 ns.
	want := strings.Join([]string{"6", "900", "66.7", "2", "3", "15.0", "12", "20.0"}, "\t")
	if got := sum.cells(); got != want || sum.files != 5 || sum.errors != 1 {
		t.Errorf("got= %q of %d files, %d with errors\nwant=%q of 5, 1", got, sum.files, sum.errors, want)
	}
}

// In these crowds, agents begin to arrive, or are too dense to satisfy all half-planes. The test uses one
// worker, because the Go runtime may allocate when workers wait for each other.
func TestStepsAllocateNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	for _, name := range []string{"evacuation", "plaza"} {
		s, err := scene.Named(name)
		testkit.Must(t, err)
		s.Resize(700)
		s.Steps = 100
		least := math.Inf(1)
		for range tries {
			w, r, err := Prepare(t.Context(), s, scene.Options{Workers: 1, Measure: true, Profile: true}, nil, nil)
			testkit.Must(t, err)
			testkit.Must(t, Run(t.Context(), s, w, r, true, nil))
			w.Close()
			if least = min(least, r.AllocsPerStep); least == 0 {
				break
			}
		}
		testkit.Equal(t, least, 0, "%s: allocations per step", name)
	}
}

// tries is the maximum number of repetitions. The smallest count matters, because the Go runtime may allocate
// at any time.
const tries = 5

var kept any

func TestAllocations(t *testing.T) {
	least := math.Inf(1)
	for range tries {
		least = min(least, objectsOfSteps(t))
	}
	if least < 0.05 || least > 0.2 {
		t.Errorf("got=%v objects per step, want 0.05 to 0.2", least)
	}
}

// objectsOfSteps returns the counted objects per step. One step in ten allocates an object, and another one
// in ten starts a thread.
func objectsOfSteps(t *testing.T) float64 {
	a := allocationsOf(1000)
	var done []chan bool
	for i := range 90 {
		a.begin(i)
		switch {
		case i%10 == 5:
			kept = new([100]int)
		case i%10 == 7: // keep the thread, so the next one is new
			started, end := make(chan bool), make(chan bool)
			done = append(done, end)
			go func() {
				runtime.LockOSThread()
				close(started)
				<-end
			}()
			<-started
		}
		a.end(i)
	}
	for _, end := range done {
		close(end)
	}
	testkit.Equal(t, a.counted, 50, "counted steps")
	return a.perStep()
}
