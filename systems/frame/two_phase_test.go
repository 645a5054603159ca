package frame_test

import (
	"slices"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
)

// gathering is a two-phase system that records its calls.
type gathering struct {
	rows
	collect rows
	pending bool
}

type rows struct {
	pos   frame.In[c.Position]
	name  string
	calls *[]string
}

func (s *rows) Needs(n *frame.Needs) { n.Read(&s.pos) }
func (s *rows) Run(*frame.Batch)     { *s.calls = append(*s.calls, s.name) }

func (s *gathering) Collect() frame.System { return &s.collect }
func (s *gathering) Pending() bool         { return s.pending }
func (s *gathering) Resolve() {
	*s.calls = append(*s.calls, "resolve")
	time.Sleep(time.Millisecond)
}

// TestTwoPhase verifies the order of calls in a step, and that the time of Resolve counts for the system.
func TestTwoPhase(t *testing.T) {
	var calls []string
	s := &gathering{rows{name: "run", calls: &calls}, rows{name: "collect", calls: &calls}, true}
	stage := testkit.NewStage(t, 0.1, s)
	stage.Frame.Profile = true
	stage.Put(c.Position{})
	stage.Put(c.Position{}, c.Velocity{}) // in a different archetype
	for range 3 {
		stage.Step()
	}
	if want := slices.Repeat([]string{"collect", "collect", "resolve", "run", "run"}, 3); !slices.Equal(calls, want) {
		t.Errorf("calls: got=%q, want=%q", calls, want)
	}
	stats := stage.Frame.Stats()
	i := slices.IndexFunc(stats.Systems, func(s frame.SystemStats) bool { return s.Alone > 0 })
	if i < 0 || stats.Systems[i].Alone < 3*time.Millisecond {
		t.Errorf("time of Resolve: got=%+v, want Alone of 3 ms or more for one system", stats.Systems)
	}
	s.pending, calls = false, nil
	if stage.Step(); slices.Contains(calls, "resolve") {
		t.Errorf("not pending: got=%q, want no resolve", calls)
	}
}
