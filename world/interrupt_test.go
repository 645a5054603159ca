package world

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// breaker is a host's system that interrupts the world during a step: after some rows have moved, or
// after all of them have.
type breaker struct {
	world *World
	step  uint64
	late  bool
	pos   frame.In[c.Position]
}

func (s *breaker) Needs(n *frame.Needs) { n.Read(&s.pos) }

func (s *breaker) Run(b *frame.Batch) {
	if !s.late && b.Tick == s.step && s.pos.Of(b)[0].X > 50 {
		s.world.Interrupt()
	}
}

func (s *breaker) Observe(*ecs.World) {
	if s.late && s.world.Clock.Tick == s.step {
		s.world.Interrupt()
	}
}

// breakable returns a crowd of n agents that a breaker interrupts in the step with the given tick.
func breakable(t *testing.T, n int, tick uint64, late bool, bind ...frame.Binding) *World {
	t.Helper()
	b := &breaker{step: tick, late: late}
	config := Config{
		Dt: 0.1, Workers: 2, BatchRows: 16, Measure: true, Safety: true, Steer: []any{b},
		Bounds: systems.BoundsWrap, Box: r2.Box{Max: r2.Vec{X: 100, Y: 100}}, Bind: bind,
	}
	w := made(t, config)
	b.world = w
	components := []any{c.Target{}, c.Limits{MaxSpeed: 2, MaxForce: 5}, c.Seek{Gain: 2}, c.Goal{Radius: 3, Remove: true}, c.Heading{}, c.Facing{Rate: 1}, c.Radius{Meters: 0.3}}
	must(t, w.Spawn(n, components, func(r *Rows) {
		pos, target, heading := Column[c.Position](r), Column[c.Target](r), Column[c.Heading](r)
		for i := range pos {
			pos[i].Vec = r2.Vec{X: float64(100*i) / float64(n), Y: float64(i % 97)}
			target[i].Vec, heading[i].Vec = r2.Vec{X: 50, Y: 50}, r2.Vec{X: 1}
		}
	}))
	return w
}

// TestInterruptedStepIsUndone verifies that an interrupted step does not change the hash, the counts
// or the clock, also with a host's Position, and that the next step is also interrupted. Without a checkpoint,
// the error says that some agents may have moved.
func TestInterruptedStepIsUndone(t *testing.T) {
	const never = 1 << 60
	type place struct{ X, Y float64 }
	for _, test := range []struct {
		late  bool
		whole uint64 // number of steps before the interrupted one
		bind  []frame.Binding
	}{
		{false, 0, nil}, {false, 7, nil}, {true, 0, nil}, {true, 7, nil},
		{false, 7, []frame.Binding{frame.Bound[c.Position, place]()}},
	} {
		w, want := breakable(t, 3000, test.whole, test.late, test.bind...), breakable(t, 3000, never, test.late)
		for range test.whole {
			must(t, errors.Join(w.Step(), want.Step()))
		}
		w.Checkpoint()
		if err := w.Step(); err != ErrInterrupted {
			t.Fatalf("%+v: got=%v, want=%v", test, err, ErrInterrupted)
		}
		if got, want := w.Hash(), want.Hash(); got != want {
			t.Errorf("%+v: hash: got=%016x, want=%016x", test, got, want)
		}
		testkit.Equal(t, *w.Clock, *want.Clock, "%+v: clock", test)
		got, wanted := w.Stats(), want.Stats()
		for _, s := range []*Stats{&got, &wanted} {
			s.Frame, s.StepTime = frame.Stats{}, 0
		}
		if !reflect.DeepEqual(got, wanted) {
			t.Errorf("%+v: stats: got=%+v, want=%+v", test, got, wanted)
		}
		if err := w.Step(); err != ErrInterrupted {
			t.Errorf("%+v: the step after that: got=%v, want=%v", test, err, ErrInterrupted)
		}
	}
	w := breakable(t, 3000, 2, false)
	run(t, w, 2)
	if err := w.Step(); !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "some agents may have moved") {
		t.Errorf("no checkpoint: got=%v, want=%v: some agents may have moved, and others not", err, ErrInterrupted)
	}
}

// TestInterruptBetweenSteps verifies that Interrupt between two steps prevents steps and spawns, but undoes
// no step.
func TestInterruptBetweenSteps(t *testing.T) {
	w := breakable(t, 100, 1<<60, false)
	w.Checkpoint()
	must(t, w.Step())
	before := w.Hash()
	w.Interrupt()
	if err := w.Step(); err != ErrInterrupted || w.Hash() != before || w.Stats().Steps != 1 {
		t.Errorf("got=%v, hash %016x, %d steps, want=%v, %016x, 1", err, w.Hash(), w.Stats().Steps, ErrInterrupted, before)
	}
	if err := w.Run(t.Context(), 3); err == nil || err.Error() != ErrInterrupted.Error() {
		t.Errorf("three steps: got=%v, want=%v once", err, ErrInterrupted)
	}
	if err := w.Spawn(1, nil, nil); err != ErrInterrupted {
		t.Errorf("spawn: got=%v, want=%v", err, ErrInterrupted)
	}
}

// TestCheckpointOfManyRows verifies that copyAll copies every row if several goroutines share the work.
func TestCheckpointOfManyRows(t *testing.T) {
	const n = 3*copiedAtOnce + 17
	from, to := make([]int, n), make([]int, n)
	for i := range from {
		from[i] = i + 1
	}
	copyAll(to, from)
	if !slices.Equal(to, from) {
		t.Error("copy: got=different rows, want=equal rows")
	}
}

// TestMeasuringIsInterrupted verifies that an interrupted frame of measurements counts no agent-steps.
func TestMeasuringIsInterrupted(t *testing.T) {
	w := breakable(t, 3000, 1<<60, false)
	w.measures.frame.Interrupt()
	must(t, w.Step())
	if got := w.Stats().AgentCollisions.Steps; got != 0 {
		t.Errorf("got=%d agent-steps measured, want=0", got)
	}
}

// TestInterruptedAmongArrivals verifies that a step is undone if the second of three arrivals interrupts
// it, and that no agent has been removed by then.
func TestInterruptedAmongArrivals(t *testing.T) {
	config := Default()
	arrivals := 0
	config.OnArrived = func(w *World, _ systems.Arrived) {
		if arrivals++; arrivals == 2 {
			w.Interrupt()
		}
	}
	w := made(t, config)
	must(t, w.Spawn(3, []any{c.Velocity{Vec: r2.Vec{X: 1}}, c.Target{}, c.Goal{Radius: 1, Remove: true}}, nil))
	before, clock := w.Hash(), *w.Clock
	w.Checkpoint()
	if err := w.Step(); err != ErrInterrupted {
		t.Errorf("got=%v, want=%v", err, ErrInterrupted)
	}
	if st := w.Stats(); w.Hash() != before || st.Arrived != 0 || w.Departed() != 0 || len(idsOf(w.ECS)) != 3 {
		t.Errorf("got=%d arrived, %d departed, %d agents, hash %016x, want=0, 0, 3, %016x", st.Arrived, w.Departed(), len(idsOf(w.ECS)), w.Hash(), before)
	}
	if *w.Clock != clock || arrivals != 2 {
		t.Errorf("got=%+v and %d arrivals, want=%+v and 2", *w.Clock, arrivals, clock)
	}
}

// TestSetLabels verifies that the goroutine has the given labels after a step, a hash and a measurement,
// so the systems of all frames were labeled, and that it has none after remove is called.
func TestSetLabels(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	given := func() bool {
		var b bytes.Buffer
		pprof.Lookup("goroutine").WriteTo(&b, 1)
		return strings.Contains(b.String(), `# labels: {"game":"chess"}`)
	}
	w := newWorld(t, func(c *Config) { c.Safety = true })
	remove := w.SetLabels(pprof.WithLabels(context.Background(), pprof.Labels("game", "chess")))
	for what, do := range map[string]func(){
		"step":    func() { w.Frame.Update(w.ECS) },
		"hash":    func() { w.Hash() },
		"measure": func() { w.measures.update(w) },
	} {
		pprof.SetGoroutineLabels(context.Background())
		if do(); !given() {
			t.Errorf("labels after a %s: got=none, want=the labels that were set", what)
		}
	}
	remove()
	pprof.SetGoroutineLabels(context.Background())
	if w.Step(); given() || w.Hash() == 0 && given() {
		t.Error("labels after they were removed: got=some, want=none")
	}
}
