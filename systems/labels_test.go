package systems

import (
	"bytes"
	"context"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// arrivalCrowd returns a world with agents that walk to targets, in at most three archetypes with the given
// number of rows each. Each agent also has the components more. All agents stay in motion, so no step is
// cheaper than another.
func arrivalCrowd(archetypes, rows int, more ...any) *ecs.World {
	w := ecs.NewWorld(64)
	for k, tag := range []any{tagA{}, tagB{}, tagC{}}[:archetypes] {
		for i := range rows {
			id := uint64(k*rows + i)
			d := func(use uint64) float64 { return frame.HashFloat(1, id, 0, use) }
			Add(&w, w.NewEntity(), append(more[:len(more):len(more)], tag, c.Agent{ID: id},
				c.Position{Vec: xy(1000*d(0), 1000*d(1))}, c.Velocity{Vec: xy(10*d(4), 10*d(5))}, c.Target{Vec: xy(1e6*(d(2)-0.5), 1e6*(d(3)-0.5))},
				c.Limits{MaxSpeed: 10, MaxForce: 5}, c.Mass{Kilograms: 1}, c.Arrival{Gain: 2, SlowingRadius: 50})...)
		}
	}
	return &w
}

// avoidingCrowd returns a world with 2000 agents that walk to targets among obstacles, and the systems that
// move them.
func avoidingCrowd() (*ecs.World, []any) {
	w := arrivalCrowd(1, 2000, c.ThreatScan{LookAhead: 20}, c.Avoidance{MaxForce: 5})
	for i := range uint64(20) {
		d := func(use uint64) float64 { return frame.HashFloat(2, i, 0, use) }
		Add(w, w.NewEntity(), c.Position{Vec: xy(1000*d(0), 1000*d(1))}, c.Obstacle{Radius: 3 + 4*d(2)})
	}
	return w, []any{&sense.Obstacles{}, &Arrival{}, &ThreatScan{}, &Avoidance{}, &Integration{}}
}

// looker records the profiler labels of all goroutines in each phase of a step.
type looker struct {
	pos  frame.In[c.Position]
	mu   sync.Mutex
	seen map[string]bool // keys have the form "phase label=value"
}

func (l *looker) Needs(n *frame.Needs) { n.Read(&l.pos) }
func (l *looker) Sense(*ecs.World)     { l.look("sense") }
func (l *looker) Run(*frame.Batch)     { l.look("run") }
func (l *looker) Observe(*ecs.World)   { l.look("observe") }

func (l *looker) look(phase string) {
	for _, s := range goroutineLabels() {
		l.mu.Lock()
		l.seen[phase+" "+s] = true
		l.mu.Unlock()
	}
}

// goroutineLabels returns the labels of all goroutines, such as {"crowd_system":"Seek"}.
func goroutineLabels() (all []string) {
	var b bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&b, 1)
	for line := range strings.Lines(b.String()) {
		if _, s, ok := strings.Cut(line, "# labels: "); ok {
			all = append(all, strings.TrimSpace(s))
		}
	}
	return all
}

// barrier is an exclusive system that records the labels.
type barrier struct{ look *looker }

func (b *barrier) Update(*ecs.World) { b.look.look("update") }

func TestLabels(t *testing.T) {
	w := arrivalCrowd(3, 300)
	l := &looker{seen: map[string]bool{}}
	f := frame.New(l, &barrier{l}, &Integration{})
	f.Workers, f.ShareRows = 2, 1
	f.Initialize(w)
	defer f.Finalize(w)

	f.Update(w)
	if len(l.seen) > 0 {
		t.Errorf("labels without a request: got=%v, want=none", l.seen)
	}

	f.SetLabels(pprof.WithLabels(context.Background(), pprof.Labels("game", "plaza")))
	defer pprof.SetGoroutineLabels(context.Background())
	f.Update(w)
	for _, want := range []string{
		`sense {"crowd_system":"looker", "game":"plaza"}`, `run {"crowd_system":"looker", "game":"plaza"}`,
		`observe {"crowd_system":"looker", "game":"plaza"}`, `update {"crowd_system":"barrier", "game":"plaza"}`,
	} {
		if !l.seen[want] {
			t.Errorf("labels: got=%v, want=%v among them", l.seen, want)
		}
	}
	for _, got := range goroutineLabels() {
		testkit.Equal(t, got, `{"game":"plaza"}`, "labels after a step")
	}

	f.RemoveLabels()
	pprof.SetGoroutineLabels(context.Background())
	clear(l.seen)
	f.Update(w)
	for got := range l.seen {
		if strings.Contains(got, "crowd_system") {
			t.Errorf("labels after the request ended: got=%v, want no crowd_system", got)
		}
	}
}

// TestTraceRegions verifies that an execution trace contains the names of the systems.
func TestTraceRegions(t *testing.T) {
	if trace.IsEnabled() {
		t.Skip("skipped: the test itself is traced")
	}
	w := arrivalCrowd(1, 300)
	f := frame.New(&sense.Obstacles{}, &Arrival{}, &Integration{}, &Arrivals{})
	f.SetLabels(context.Background())
	f.Initialize(w)
	defer f.Finalize(w)
	defer pprof.SetGoroutineLabels(context.Background())
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip(err)
	}
	f.Update(w)
	trace.Stop()
	for _, want := range []string{"Obstacles", "Arrival", "Integration", "Arrivals"} {
		if !bytes.Contains(b.Bytes(), []byte(want)) {
			t.Errorf("trace: got no region %s, want one", want)
		}
	}
}

func TestProfileAllocates(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	w, list := avoidingCrowd()
	f := frame.New(list...)
	f.Workers, f.ShareRows, f.Profile = 2, 1, true
	f.SetLabels(context.Background())
	defer pprof.SetGoroutineLabels(context.Background())
	f.Initialize(w)
	defer f.Finalize(w)
	for range 100 {
		f.Update(w)
	}
	testkit.Equal(t, testing.AllocsPerRun(100, func() { f.Update(w) }), 0, "allocations in a step")
}

// TestProfile verifies the counts and times of a profile.
func TestProfile(t *testing.T) {
	w, list := avoidingCrowd()
	f := frame.New(list...)
	f.Workers, f.ShareRows, f.Profile = 2, 1, true
	f.Initialize(w)
	defer f.Finalize(w)
	const steps = 2 * 16 // each batch is sampled twice
	for range steps {
		f.Update(w)
	}
	s := f.Stats()
	if s.Steps != steps || s.Rows != 2000 {
		t.Errorf("got=%v steps of %v rows, want=%v of 2000", s.Steps, s.Rows, steps)
	}
	if parts := s.Sensing + s.Running + s.Observing; s.Took < parts || s.Sensing <= 0 || s.Running <= 0 || s.Observing <= 0 {
		t.Errorf("times: got=%v for %v + %v + %v, want=all above 0, and the sum or more", s.Took, s.Sensing, s.Running, s.Observing)
	}
	rows, batches := 0, 0
	for _, one := range s.Workers {
		rows, batches = rows+one.Rows, batches+one.Batches
	}
	if rows != 2000*steps || batches != 16*steps {
		t.Errorf("by all workers: got=%v rows in %v batches, want=%v in %v", rows, batches, 2000*steps, 16*steps)
	}
	for _, one := range s.Systems {
		if want := 2000 * steps; one.Name != "Obstacles" && (one.Rows != want || one.Samples != 2*2000 || one.Took <= 0) {
			t.Errorf("%s: got=%v rows, %v of them in %v, want=%v rows, %v of them in more than 0 s", one.Name, one.Rows, one.Samples, one.Took, want, 2*2000)
		}
	}
}
