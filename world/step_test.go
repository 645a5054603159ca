package world

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// breaker interrupts the world during a step: after some rows have moved or, if late, after all have.
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

func TestInterruptedStepIsUndone(t *testing.T) {
	const never = 1 << 60
	type place struct{ X, Y float64 }
	for _, test := range []struct {
		late  bool
		whole uint64 // steps before the interrupted one
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
		testkit.Equal(t, w.Hash(), want.Hash(), "%+v: hash", test)
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
		t.Errorf("no checkpoint: got=%v, want=%v: some agents may have moved and others not", err, ErrInterrupted)
	}
}

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

func TestMeasuringIsInterrupted(t *testing.T) {
	w := breakable(t, 3000, 1<<60, false)
	w.measures.frame.Interrupt()
	must(t, w.Step())
	testkit.Equal(t, w.Stats().AgentCollisions.Steps, 0, "agent-steps measured")
}

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

// Two agents swap places at 1 m/s, pass through each other, and are removed within a centimeter of
// their targets.
func TestMeasuring(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Dt, c.Safety = 0.5, true })
	comps := []any{c.Target{}, c.Limits{MaxSpeed: 1, MaxForce: 9}, c.KinematicSeek{Gain: 1}, c.Radius{Meters: 0.3}, c.Goal{Radius: 0.01, Remove: true}}
	must(t, w.Spawn(2, comps, func(r *Rows) {
		pos, target := Column[c.Position](r), Column[c.Target](r)
		pos[0].X, target[0].X = 0, 4
		pos[1].X, target[1].X = 4, 0
	}))
	run(t, w, 10)
	st := w.Stats()
	if len(idsOf(w.ECS)) != 0 || st.Arrived != 2 || st.MeanArrivalTime != 4 || st.Times != (struct{ Median, P95, Max float64 }{4, 4, 4}) {
		t.Errorf("got=%d agents left, %d arrived in %v s, %+v, want=0 left, 2 arrived in 4 s, and all times 4", len(idsOf(w.ECS)), st.Arrived, st.MeanArrivalTime, st.Times)
	}
	j := st.Trips
	if j.Agents != 2 || j.Arrived != 2 || j.Unharmed != 0 || j.Trips != 2 || j.Steps != 16 || j.Length != 8 || j.PathRatio != 1 || j.TimeRatio != 1 ||
		math.Abs(j.Energy-4*(2.23+1.26)) > 1e-8 || j.Wiggle != 1 || j.Turning != 0 || j.Order != 1 {
		t.Errorf("trips: got=%+v, want=2 of 4 m in 16 agent-steps, straight, with a collision", j)
	}
	e := st.AgentCollisions
	if e.Collisions != 1 || e.Steps != 16 || math.Abs(e.MaxPenetration-0.6) > 1e-12 || math.Abs(e.TimeInCollision-0.599) > 1e-8 || e.Exceeded {
		t.Errorf("agent collisions: got=%+v, want=1 of 0.6 m and 0.599 s in 16 agent-steps", e)
	}
	testkit.Equal(t, st.Nearest.Known, true, "nearest is known")
}

func TestMeasuringFromTheStart(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Dt, c.Measure = 1, true })
	Value(w.AddObstacle(r2.Vec{X: 5}, c.Obstacle{Radius: 1}))
	for i := range 3 {
		must(t, w.Spawn(1, []any{c.Velocity{Vec: r2.Vec{X: 10}}}, nil))
		must(t, w.Step())
		testkit.Equal(t, w.Stats().ObstacleCollisions.Collisions, i+1, "step %d: collisions", i)
	}
	testkit.Equal(t, w.Stats().Trips.Length, 60, "length")
	testkit.Equal(t, w.Stats().AgentCollisions, measure.AgentCollisionCount{}, "agent collisions without Safety")
}

func TestMeasuringChangesNothing(t *testing.T) {
	hash := func(workers int, measure, safety bool) uint64 {
		w := newWorld(t, func(c *Config) { c.Workers, c.Measure, c.Safety = workers, measure, safety })
		comps := append([]any{c.Radius{Meters: 0.2}, c.Goal{Radius: 1, Remove: true}}, walkers...)
		must(t, w.Spawn(5000, comps, func(r *Rows) {
			pos, target := Column[c.Position](r), Column[c.Target](r)
			for i := range pos {
				pos[i].Vec = r2.Vec{X: float64(i % 97), Y: float64(i % 89)}
				target[i].Vec = r2.Vec{X: float64(i % 83), Y: float64(i % 79)}
			}
		}))
		run(t, w, 12)
		return w.Hash()
	}
	want := hash(1, false, false)
	testkit.Equal(t, hash(1, true, false), want, "measured, hash")
	testkit.Equal(t, hash(2, true, true), want, "measured with Safety, by two workers, hash")
}

func TestArrivalTimes(t *testing.T) {
	m := newWorld(t, func(c *Config) { c.Measure = true }).measures
	for i := range 200 {
		m.arrived(systems.Arrived{Took: float64((i*77)%200 + 1)})
	}
	var st Stats
	m.count(&st)
	if want := (struct{ Median, P95, Max float64 }{100, 190, 200}); st.Times != want {
		t.Errorf("got=%+v, want=%+v", st.Times, want)
	}
}

func TestMeasuringWrap(t *testing.T) {
	w := newWorld(t, func(c *Config) {
		c.Dt, c.Measure, c.Bounds, c.Box = 1, true, systems.BoundsWrap, r2.Box{Max: r2.Vec{X: 10, Y: 10}}
	})
	Value(w.AddObstacle(r2.Vec{X: 5, Y: 5}, c.Obstacle{Radius: 1}))
	must(t, w.Spawn(1, []any{c.Position{Vec: r2.Vec{X: 9.5, Y: 5}}, c.Velocity{Vec: r2.Vec{X: 1}}}, nil))
	must(t, w.Step())
	if st := w.Stats(); st.ObstacleCollisions.Collisions != 0 || st.Trips.Length != 1 {
		t.Errorf("got=%d collisions on %v m, want=no collisions on 1 m", st.ObstacleCollisions.Collisions, st.Trips.Length)
	}
}

// A new agent takes the entity ID and the place of an agent that touched another when it was removed in
// the same step.
func TestSuccessorsCollide(t *testing.T) {
	const runs = 5
	var born []ecs.Entity
	spawn := func(w *World) { // an agent that touches the agent at (0, 0), arrives immediately and is removed
		touching := []any{c.Radius{Meters: 0.3}, c.Limits{MaxSpeed: 1, MaxForce: 50}, c.Target{Vec: r2.Vec{X: 0.4, Y: 0.1}}, c.Seek{Gain: 5},
			c.Goal{Radius: 0.05, Remove: true}, c.Position{Vec: r2.Vec{X: 0.4}}}
		must(t, w.Spawn(1, touching, func(r *Rows) { born = append(born, r.Entity(0)) }))
	}
	config := Default()
	config.Safety = true
	config.OnArrived = func(w *World, _ systems.Arrived) {
		if w.Stats().Arrived < runs {
			spawn(w)
		}
	}
	w := made(t, config)
	must(t, w.Spawn(1, []any{c.Radius{Meters: 0.3}}, nil)) // stays at (0, 0)
	spawn(w)
	run(t, w, 60)
	again := 0
	for i := 1; i < len(born); i++ {
		if born[i].ID() == born[i-1].ID() || i > 1 && born[i].ID() == born[i-2].ID() {
			again++
		}
	}
	if got := w.Stats().AgentCollisions.Collisions; got != runs || again < runs-2 || w.Departed() != runs {
		t.Errorf("got=%d collisions, %d entity IDs reused, %d left, want=%d, %d or more, %d", got, again, w.Departed(), runs, runs-2, runs)
	}
}

func TestSmallRoom(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns, which takes more memory")
	}
	takes := func(workers int) int {
		before := heap()
		config := Default()
		config.Workers = workers
		w := made(t, config)
		Value(w.AddObstacle(r2.Vec{X: -2, Y: -2}, c.Obstacle{Span: r2.Vec{X: 14}, Radius: 0.1}))
		agent := []any{c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 8}, c.Target{}, c.Seek{Gain: 2}, c.Goal{Radius: 0.5},
			c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 0.5, NeighborDist: 5, MaxNeighbors: 10}}
		must(t, w.Spawn(100, agent, func(r *Rows) {
			for i, p := 0, Column[c.Position](r); i < len(p); i++ {
				p[i].Vec = r2.Vec{X: float64(i % 10), Y: float64(i / 10)}
			}
		}))
		run(t, w, 5)
		return heap() - before
	}
	takes(1) // allocates memory that all worlds share
	one, many := takes(1), takes(64)
	t.Logf("%d B with one worker, %d B with 64", one, many)
	const most, worker = 600_000, 1000 // B
	if one > most {
		t.Errorf("one worker: got=%d B, want=%d or less", one, most)
	}
	if many > one+63*worker {
		t.Errorf("64 workers: got=%d B, want=%d or less, %d for each idle worker", many, one+63*worker, worker)
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
