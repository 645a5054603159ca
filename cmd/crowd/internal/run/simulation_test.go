package run

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// canceler cancels a context in the middle of a step, and waits until the world
// knows.
type canceler struct {
	vel    frame.In[c.Velocity] // which obstacles have not
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

// TestInterruptedRunIsShort verifies that the report of a run that was interrupted in the
// middle of a step is that of a run of the steps before.
func TestInterruptedRunIsShort(t *testing.T) {
	was := Patience
	Patience = 0
	defer func() { Patience = was }()
	const whole = 17
	do := func(steps int, tick uint64) *report.Report {
		s, err := scene.Named("plaza")
		must(t, err)
		s.Resize(2000)
		s.Steps = steps
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in := &canceler{cancel: cancel, tick: tick}
		w, r, err := Prepare(ctx, s, scene.Options{Workers: 2, Measure: true, Safety: true, Steer: []any{in}}, nil)
		must(t, err)
		defer w.Close()
		in.world = w
		last := 0
		must(t, Run(ctx, s, w, r, true, func(step int) error { last = step; return nil }))
		if last != r.Steps {
			t.Errorf("got=%d steps recorded, want=%d", last, r.Steps)
		}
		return r
	}
	got, want := do(100, whole), do(whole, 1<<60)
	if !got.Interrupted || got.InterruptedStep == nil || *got.InterruptedStep != whole+1 || want.Interrupted || want.InterruptedStep != nil {
		t.Errorf("got=%v, %v, want=true, %d", got.Interrupted, got.InterruptedStep, whole+1)
	}
	for _, r := range []*report.Report{got, want} { // all but what it took, and how it ended
		r.Interrupted, r.InterruptedStep, r.Systems, r.TimeCap = false, nil, nil, 0
		r.BesideSeconds = 0
		r.SetupSeconds, r.NsPerAgentStep, r.StepsPerSecond, r.RealTimeFactor, r.StepP50Ns, r.StepP99Ns, r.AllocsPerStep = 0, 0, 0, 0, 0, 0, 0
	}
	a, _ := json.Marshal(got)
	if b, _ := json.Marshal(want); string(a) != string(b) || want.Steps != whole {
		t.Errorf("got=%s\nwant=%s", a, b)
	}
}
