package systems

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// arrivalCrowd returns a world with agents in at most three archetypes of the given number of rows. All
// stay in motion, so no step is cheaper than another.
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

func avoidingCrowd() (*ecs.World, []any) {
	w := arrivalCrowd(1, 2000, c.ThreatScan{LookAhead: 20}, c.Avoidance{MaxForce: 5})
	for i := range uint64(20) {
		d := func(use uint64) float64 { return frame.HashFloat(2, i, 0, use) }
		Add(w, w.NewEntity(), c.Position{Vec: xy(1000*d(0), 1000*d(1))}, c.Obstacle{Radius: 3 + 4*d(2)})
	}
	return w, []any{&sense.Obstacles{}, &Arrival{}, &ThreatScan{}, &Avoidance{}, &Integration{}}
}

// looker records the profiler labels of all goroutines.
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
	for _, in := range [][2]string{{"sense", "looker"}, {"run", "looker"}, {"observe", "looker"}, {"update", "barrier"}} {
		want := fmt.Sprintf(`%s {"crowd_system":"%s", "game":"plaza"}`, in[0], in[1])
		testkit.Equal(t, l.seen[want], true, "%v has label %s", l.seen, want)
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

func TestProfile(t *testing.T) {
	w, list := avoidingCrowd()
	f := frame.New(list...)
	f.Workers, f.ShareRows, f.Profile = 2, 1, true
	f.SetLabels(context.Background())
	defer pprof.SetGoroutineLabels(context.Background())
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
	for range 100 {
		f.Update(w)
	}
	testkit.NoAllocs(t, 100, func() { f.Update(w) })
}

type stopper struct {
	pos      frame.In[c.Position]
	frame    *frame.Frame
	at       int // number of the batch, from 1; 0 means none
	batches  int
	observed bool
}

func (s *stopper) Needs(n *frame.Needs) { n.Read(&s.pos) }

func (s *stopper) Run(*frame.Batch) {
	if s.batches++; s.batches == s.at {
		s.frame.Interrupt()
	}
}

func (s *stopper) Observe(*ecs.World) { s.observed = true }

type serialCount struct{ n int }

func (s *serialCount) Update(*ecs.World) { s.n++ }

func TestFrameInterrupt(t *testing.T) {
	w := arrivalCrowd(1, 1000)
	s, after := &stopper{at: 5}, &serialCount{}
	s.frame = frame.New(s, after)
	s.frame.Workers, s.frame.BatchRows = 1, 10
	s.frame.Initialize(w)
	for range 2 {
		s.frame.Update(w)
		if s.batches != 5 || after.n != 0 || s.observed || !s.frame.Interrupted() {
			t.Errorf("got=%d batches, %d updates, observed=%v, want=5, 0, false, and interrupted", s.batches, after.n, s.observed)
		}
	}
	s.frame.Finalize(w)
	s.at = 0
	s.frame.Initialize(w)
	s.frame.Update(w)
	if s.batches != 105 || after.n != 1 || !s.observed {
		t.Errorf("after Initialize: got=%d batches, %d updates, observed=%v, want=105, 1, true", s.batches, after.n, s.observed)
	}
	s.frame.Finalize(w)
}

type stoppingQuery struct {
	query sense.Query[c.Seek, int]
	frame *frame.Frame
	looks int
}

func (s *stoppingQuery) Needs(n *frame.Needs) {
	s.query.AskBlocks(n, func(c.Seek) sense.Look { return sense.Look{NeighborDist: 1} }, func(*sense.Block) {
		if s.looks++; s.looks == 3 {
			s.frame.Interrupt()
		}
	})
}

func (s *stoppingQuery) Run(*frame.Batch) {}

func TestLooksInterrupt(t *testing.T) {
	w := arrivalCrowd(1, 10_000, c.Seek{Gain: 1})
	s := &stoppingQuery{}
	s.frame = frame.New(&sense.Neighbors{}, s)
	s.frame.Workers = 1
	s.frame.Initialize(w)
	defer s.frame.Finalize(w)
	s.frame.Update(w)
	testkit.Equal(t, s.looks, 3, "blocks searched")
}

func TestIdentityOfEntity(t *testing.T) {
	arrivals, neighbors, own := &Arrivals{}, &sense.Neighbors{Always: true}, &idReader{}
	s := newStage(t, 1, neighbors, own, arrivals)
	for range 3 {
		s.RemoveEntity(s.Put(c.Position{}))
	}
	e := s.Put(c.Position{}, c.Velocity{}, c.Target{}, c.Goal{Radius: 1})
	s.Step()
	want := uint64(e.Generation())<<32 | uint64(e.ID())
	if e.Generation() == 0 || c.IDOf(nil, e) != want {
		t.Fatalf("entity %v: ID: got=%d, want=%d, with a generation above 0", e, c.IDOf(nil, e), want)
	}
	if list := arrivals.List(); len(list) != 1 || list[0].ID != want {
		t.Errorf("arrivals: got=%v, want=%d", list, want)
	}
	neighbors.Within(r2.Vec{}, 1, ecs.Entity{}, func(n sense.Neighbor) bool {
		testkit.Equal(t, n.ID, want, "neighbors")
		return true
	})
	testkit.Equal(t, fmt.Sprint(own.ids), fmt.Sprintf("[%d]", want), "batch")
}

type idReader struct {
	agent frame.In[c.Agent]
	pos   frame.In[c.Position]
	ids   []uint64
}

func (s *idReader) Needs(n *frame.Needs) { n.Read(&s.pos); n.Optional(&s.agent) }

func (s *idReader) Run(b *frame.Batch) {
	for i := range s.pos.Of(b) {
		s.ids = append(s.ids, b.ID(s.agent.Of(b), i))
	}
}

func TestEntityIsAnID(t *testing.T) {
	var forces, hashes []any
	for _, more := range [][]any{nil, {c.Agent{ID: 1<<32 | 1}}} {
		hash := &measure.Hash{}
		list := append([]any{&Wander{Seed: 5}}, CombineForces(CombineDithering, 3, PriorityEntry{System: &Seek{}, Chance: 0.5})...)
		s := newStage(t, 1, append(list, hash)...)
		s.RemoveEntity(s.Put(c.Position{}))
		e := s.Put(append(more, c.Position{}, c.Velocity{Vec: xy(1, 0)}, c.Limits{MaxSpeed: 1, MaxForce: 9}, c.Target{Vec: xy(5, 5)},
			c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}, c.Seek{Gain: 1}, c.Steering{}, c.ForceCombination{})...)
		testkit.Equal(t, c.IDOf(nil, e), 1<<32|1, "ID of the entity")
		s.Step()
		forces, hashes = append(forces, testkit.ComponentOf[c.Steering](s, e).Vec), append(hashes, hash.Sum())
	}
	testkit.Equal(t, forces[1], forces[0], "force by the ID in Agent")
	testkit.Equal(t, hashes[1], hashes[0], "hash by the ID in Agent")
}

// Libraries that save need a value in each resource.
func TestResourcesHaveValues(t *testing.T) {
	w := ecs.NewWorld()
	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &PathFollowing{}, &Itinerary{}, &Wander{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	ids := ecs.ResourceIDs(&w)
	testkit.Equal(t, len(ids), 6, "number of resources")
	for _, id := range ids {
		if typ, _ := ecs.ResourceType(&w, id); !w.Resources().Has(id) {
			t.Errorf("%v: got no value, want one", typ)
		}
	}
}

func wholeSystems(mode Combination, moves *mover) []any {
	rank := func(s any, rows func(*frame.Needs)) PriorityEntry {
		return PriorityEntry{System: s, Rows: rows, Chance: 0.6}
	}
	forces := CombineForces(mode, 3,
		rank(&Avoidance{}, frame.With[c.Avoidance]), rank(&Containment{}, frame.With[c.Containment]),
		rank(&UnalignedCollisionAvoidance{}, frame.With[c.UnalignedCollisionAvoidance]), rank(&Separation{}, frame.With[c.Separation]),
		rank(&Evasion{}, frame.With[c.Evasion]), rank(&Pursuit{}, frame.With[c.Pursuit]), rank(&Arrival{}, frame.With[c.Arrival]), rank(&Seek{}, frame.With[c.Seek]),
		rank(&Alignment{}, frame.With[c.Alignment]), rank(&Cohesion{}, frame.With[c.Cohesion]), rank(&Wander{Seed: 4}, frame.With[c.Wander]),
	)
	list := []any{moves, &Follow{}, &Track{}, &sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &ThreatScan{}}
	return append(append(list, forces...), &ORCA{Seed: 5}, &Integration{}, &ResolveOverlaps{},
		&Bounds{Mode: BoundsBounce, Box: r2.Box{Min: xy(-30, -30), Max: xy(30, 30)}}, &Slide{})
}

// mover moves an obstacle and removes agents during a run.
type mover struct {
	disc   ecs.Entity
	doomed []ecs.Entity
	step   int
}

func (m *mover) Sense(w *ecs.World) {
	(*c.Position)(w.Get(m.disc, ecs.ComponentID[c.Position](w))).X += 0.05
	m.step++
	if m.step%3 == 0 && len(m.doomed) > 0 {
		w.RemoveEntity(m.doomed[0])
		m.doomed = m.doomed[1:]
	}
}

// putWholeCrowd draws the order of rows from the seed order.
func putWholeCrowd(w *stage, agents int, order uint64, moves *mover) {
	ecs.AddResource(w.World, &sense.Polygons{{xy(0, 0), xy(3, 0), xy(1, 2)}})
	moves.disc = w.Put(c.Position{Vec: xy(-20, 3)}, c.Obstacle{Radius: 2})
	w.Put(c.Position{Vec: xy(5, -20)}, c.Obstacle{Span: xy(0, 40), Radius: 0.1})
	w.Put(c.Position{Vec: xy(-8, -8)}, c.Obstacle{Polygon: 1})
	quarry := w.Put(c.Position{Vec: xy(1, 1)}, c.Velocity{Vec: xy(1, 0)})
	entities := make([]ecs.Entity, agents)
	for _, id := range rand.New(rand.NewPCG(order, 3)).Perm(agents) {
		entities[id] = w.Put(wholeAgent(id, quarry)...)
	}
	moves.doomed = []ecs.Entity{entities[7], quarry, entities[100], entities[1000]}
}

func TestWholeCrowdHash(t *testing.T) {
	for _, mode := range []Combination{CombineSum, CombinePriority, CombineDithering} {
		var want uint64
		for i, v := range []variant{{workers: 1}, {workers: 2, batchRows: 7, order: 1}, {workers: 8, batchRows: 1000, order: 2}} {
			moves := &mover{}
			got := v.hashOf(0.05, 12, wholeSystems(mode, moves), func(s *stage) { putWholeCrowd(s, 1500, v.order, moves) })
			if i == 0 {
				want = got
			}
			testkit.Equal(t, got, want, "%v, %v: hash", mode, v)
		}
	}
}

func TestWholeCrowdAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		moves := &mover{}
		s := newStage(t, 0.05, wholeSystems(CombineSum, moves)...)
		s.Frame.Finalize(s.World)
		s.Frame.Workers, s.Frame.ShareRows = workers, 64
		putWholeCrowd(s, 1500, 0, moves)
		s.Frame.Initialize(s.World)
		s.Steps(100)
		testkit.NoAllocs(t, 20, s.Step)
	}
}

func wholeAgent(id int, quarry ecs.Entity) []any {
	draw := func(use int) float64 { return frame.HashFloat(9, uint64(id), 0, uint64(use)) }
	at := xy(60*draw(0)-30, 60*draw(1)-30)
	all := []any{
		c.Agent{ID: uint64(id) + 1}, c.Position{Vec: at}, c.Velocity{Vec: vec.Scale(2, xy(draw(2)-0.5, draw(3)-0.5))}, c.ForceCombination{},
		c.Limits{MaxSpeed: 1 + draw(4), MaxForce: 6}, c.Target{Vec: xy(50*draw(5)-25, 50*draw(6)-25)}, c.Radius{Meters: 0.1 + float64(0.2*draw(7))},
	}
	if id%2 == 0 {
		all = append(all, c.Solid{Push: draw(8)})
	}
	if id%3 != 0 {
		all = append(all, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 3, MaxNeighbors: 8, Priority: draw(9)}, c.Arrival{Gain: 2, SlowingRadius: 1})
		all = append(all, lawsOf(id)...)
	} else {
		all = append(all, c.Separation{Gain: 3, NeighborDist: 1.5, FieldOfView: 5 * math.Pi / 3}, c.Alignment{Gain: 1, NeighborDist: 3, FieldOfView: 4 * math.Pi / 3, MaxNeighbors: 7}, c.Cohesion{Gain: 1, NeighborDist: 3},
			c.UnalignedCollisionAvoidance{Gain: 3, Horizon: 1, NeighborDist: 5}, c.Wander{Gain: 1, Distance: 2, Radius: 1, Rate: 1},
			c.ThreatScan{LookAhead: 3}, c.Avoidance{MaxForce: 4})
	}
	if id%5 == 0 {
		all = append(all, c.Layers{On: 1 << (id % 3), Sees: 5})
	}
	if id%7 == 0 {
		all = append(all, c.Quarry{Entity: quarry}, c.Pursuit{Gain: 2, Horizon: 2})
	}
	if id%11 == 0 {
		all = append(all, c.Containment{Gain: 8, Horizon: 0.5, Box: r2.Box{Min: xy(-25, -25), Max: xy(25, 25)}})
	}
	return all
}

// largeCrowd is so large that four workers build its index together.
const largeCrowd = 33_000

// The cell width, and with it the order of neighbors, must depend on all agents, not only on those of one
// worker.
func TestLargeCrowdHash(t *testing.T) {
	const widest = 8 // m, maximum width of cells
	var want uint64
	for _, workers := range []int{1, 4} {
		neighbors := &sense.Neighbors{}
		systems := []any{&sense.Obstacles{}, neighbors, &PreviousPosition{}, &Separation{}, &Alignment{}, &Cohesion{}, &Arrival{},
			&ORCA{Seed: 5}, &Integration{}, &ResolveOverlaps{}, &Slide{}}
		got := variant{workers: workers}.hashOf(0.05, 2, systems, func(s *stage) {
			side := math.Sqrt(largeCrowd / 0.6)
			for i := range 40 {
				at := xy(side*frame.HashFloat(1, uint64(i), 0, 0), side*frame.HashFloat(1, uint64(i), 0, 1))
				s.Put(c.Position{Vec: at}, c.Obstacle{Span: xy(5, -3), Radius: 0.1 * float64(i%3)})
			}
			for id := range largeCrowd {
				s.Put(unequal(id, side)...)
			}
		})
		if workers == 1 {
			want = got
		}
		testkit.Equal(t, got, want, "%d workers: hash", workers)
		if !(neighbors.CellSize() < widest) {
			t.Errorf("%d workers: width of cells: got=%v m, want=less than %v m, or nothing is tested", workers, neighbors.CellSize(), widest)
		}
	}
}

// unequal returns an agent in a square of the given side, in m: one third flock, the rest avoid each other.
func unequal(id int, side float64) []any {
	draw := func(use int) float64 { return frame.HashFloat(9, uint64(id), 0, uint64(use)) }
	radius := 0.1 + float64(0.25*draw(0))
	if id%1000 == 0 {
		radius = 3 // much wider than a cell
	}
	all := []any{
		c.Agent{ID: uint64(id) + 1}, c.Position{Vec: xy(side*draw(1), side*draw(2))}, c.Velocity{Vec: vec.Scale(2, xy(draw(3)-0.5, draw(4)-0.5))},
		c.Limits{MaxSpeed: 1 + draw(5), MaxForce: 6}, c.Radius{Meters: radius}, c.Solid{Push: draw(6)},
	}
	if id%3 == 0 {
		reach := 1 + float64(3*draw(7))
		return append(all, c.Separation{Gain: 3, NeighborDist: reach / 2, FieldOfView: 5 * math.Pi / 3}, c.Alignment{Gain: 1, NeighborDist: reach}, c.Cohesion{Gain: 1, NeighborDist: reach})
	}
	return append(all, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4 + float64(4*draw(7)), MaxNeighbors: 6, Priority: draw(8)},
		c.Target{Vec: xy(side*draw(9), side*draw(10))}, c.Arrival{Gain: 2, SlowingRadius: 1})
}
