package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// variant is one configuration for running the same crowd.
type variant struct {
	workers, batchRows int
	order              uint64 // seed of the order of rows; 0 means by ID
	alone              bool   // each system runs in its own frame
}

func (v variant) String() string {
	return fmt.Sprintf("workers=%d/rows=%d/order=%d/alone=%v", v.workers, v.batchRows, v.order, v.alone)
}

// These tags spread a crowd over archetypes.
type (
	tagA    struct{}
	tagB    struct{}
	tagC    struct{}
	ballast struct{ _ [3]float64 }
)

// crowdOf spawns n agents with IDs from first on, over about a hundred archetypes, and returns them by
// ID. Some of them follow, flee, pursue or evade pointer. order determines only the order of rows.
func crowdOf(w *ecs.World, first, n uint64, pointer ecs.Entity, order uint64) map[uint64]ecs.Entity {
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = first + uint64(i)
	}
	if order > 0 {
		r := rand.New(rand.NewPCG(order, first))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	entities := map[uint64]ecs.Entity{}
	for _, id := range ids {
		entities[id] = spawnOne(w, id, pointer)
	}
	quarry := ecs.ComponentID[c.Quarry](w)
	for i := range n { // some pursue each other, and some of their quarries die
		if e, other := entities[first+i], entities[first+(i+7)%n]; w.Has(e, quarry) && i%3 > 0 {
			(*c.Quarry)(w.Get(e, quarry)).Entity = other
		}
	}
	if order > 0 { // removing and adding a component moves rows
		ballastID := ecs.ComponentID[ballast](w)
		for i, id := range ids {
			if i%3 == 0 {
				w.Add(entities[id], ballastID)
			}
			if i%6 == 0 {
				w.Remove(entities[id], ballastID)
			}
		}
	}
	return entities
}

func spawnOne(w *ecs.World, id uint64, pointer ecs.Entity) ecs.Entity {
	draw := func(use uint64) float64 { return frame.HashFloat(7, id, 0, use) }
	chance := func(use uint64, p float64) bool { return draw(100+use) < p }
	point := func(use uint64) r2.Vec { return r2.Vec{X: 100 * draw(use), Y: 100 * draw(use+1)} }
	angle := 2 * math.Pi * draw(4)
	var comps []any
	add(&comps, c.Agent{ID: id}, c.Position{Vec: point(0)}, c.Target{Vec: point(2)}, c.Steering{},
		c.Velocity{Vec: r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}},
		c.Limits{MaxSpeed: 1 + 2*draw(5), MaxForce: 5})
	if chance(0, 0.5) {
		add(&comps, c.Mass{Kilograms: 0.5 + draw(6)})
	}
	if chance(1, 0.5) {
		add(&comps, c.Radius{Meters: 0.5 * draw(7)})
	}
	if chance(2, 0.3) {
		add(&comps, c.Seek{Gain: 1})
	}
	if chance(3, 0.6) {
		add(&comps, c.Arrival{Gain: 2, SlowingRadius: 3})
	}
	if chance(4, 0.3) {
		add(&comps, c.Flee{From: point(8), Gain: 1, Radius: 20})
		if chance(5, 0.5) {
			add(&comps, c.FleeFrom{Entity: pointer})
		}
	}
	if chance(6, 0.2) {
		add(&comps, c.Follow{Entity: pointer})
	}
	if chance(7, 0.6) {
		add(&comps, c.ThreatScan{LookAhead: 2 + 6*draw(10)}, c.Threat{}, c.Avoidance{MaxForce: 4})
	}
	if chance(8, 0.4) {
		add(&comps, c.Heading{Vec: r2.Vec{X: 1}}, c.Facing{Rate: 2})
		if chance(9, 0.3) {
			add(&comps, c.TurnTowards{Rate: 1}, c.Drive{Speed: 1, TopSpeed: 1}, c.SmoothArrival{Gain: 1, Min: 1, Max: 9})
		}
	}
	if chance(10, 0.2) {
		add(&comps, c.Path{Index: 0, Reached: 3, Loop: true})
	}
	if chance(11, 0.1) {
		add(&comps, c.OpposingArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1})
	}
	if chance(12, 0.1) {
		add(&comps, c.DampedArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1})
	}
	if chance(13, 0.2) {
		add(&comps, c.Quarry{Entity: pointer}, c.Pursuit{Gain: 1, Horizon: 2})
		if chance(14, 0.3) {
			add(&comps, c.OffsetPursuit{Gain: 0.5, Horizon: 1, Distance: 3})
		}
	}
	if chance(15, 0.2) {
		add(&comps, c.Pursuer{Entity: pointer}, c.Evasion{Gain: 1, Horizon: 2, Radius: 20})
	}
	if chance(16, 0.2) {
		add(&comps, c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1})
	}
	if chance(17, 0.3) {
		add(&comps, c.Containment{Gain: 3, Horizon: 1.5, Box: r2.Box{Min: r2.Vec{X: 5, Y: 5}, Max: r2.Vec{X: 95, Y: 95}}})
	}
	if chance(18, 0.1) {
		add(&comps, c.WallFollowing{Gain: 2, Horizon: 1, Offset: 1, Range: 6})
	}
	add(&comps, c.Goal{Radius: 1})
	for k, tag := range []any{tagA{}, tagB{}, tagC{}} {
		if chance(uint64(20+k), 0.5) {
			add(&comps, tag)
		}
	}
	e := w.NewEntity()
	Add(w, e, comps...)
	return e
}

func add(to *[]any, comps ...any) { *to = append(*to, comps...) }

// run steps a crowd with moving obstacles, births and deaths. It returns the hash after every tenth step.
func (v variant) run(t testing.TB, agents uint64, steps int) []uint64 {
	world := ecs.NewWorld(16)
	w := &world
	ecs.AddResource(w, &frame.Clock{})
	ecs.AddResource(w, &Paths{{{X: 10, Y: 10}, {X: 90, Y: 20}, {X: 50, Y: 80}}})
	ecs.AddResource(w, &sense.Polygons{{{X: -3, Y: -3}, {X: 3, Y: -2}, {X: 0, Y: 4}}})
	position := ecs.ComponentID[c.Position](w)
	pointer := w.NewEntity(position, ecs.ComponentID[c.Velocity](w))
	put := func(at r2.Vec, o c.Obstacle) ecs.Entity {
		e := w.NewEntity()
		Add(w, e, c.Position{Vec: at}, o)
		return e
	}
	var obstacles []ecs.Entity
	for i := range uint64(60) {
		o := c.Obstacle{Radius: 1 + 2*frame.HashFloat(3, i, 0, 2)}
		switch {
		case i%3 == 1:
			o = c.Obstacle{Span: r2.Vec{X: 5, Y: 3}, Radius: 0.1}
		case i%10 == 2:
			o = c.Obstacle{Polygon: 1}
		}
		obstacles = append(obstacles, put(r2.Vec{X: 100 * frame.HashFloat(3, i, 0, 0), Y: 100 * frame.HashFloat(3, i, 0, 1)}, o))
	}
	entities := crowdOf(w, 1, agents, pointer, v.order)

	index := &sense.Obstacles{}
	list := []any{
		&Follow{}, &Track{}, index, &PathFollowing{}, &Seek{}, &Flee{}, &Arrival{}, &OpposingArrival{}, &DampedArrival{},
		&SmoothArrival{}, &Pursuit{}, &Evasion{}, &OffsetPursuit{}, &Wander{Seed: 5},
		&ThreatScan{Obstacles: index}, &Avoidance{}, &WallFollowing{Obstacles: index}, &Containment{Obstacles: index}, &TurnTowards{}, &Integration{}, &Drive{},
		&Facing{}, &Bounds{Mode: BoundsBounce, Box: r2.Box{Max: r2.Vec{X: 100, Y: 100}}}, &Arrivals{},
	}
	var frames []*frame.Frame
	if v.alone {
		for _, s := range list {
			frames = append(frames, frame.New(s))
		}
	} else {
		frames = append(frames, frame.New(list...))
	}
	hash := &measure.Hash{}
	frames = append(frames, frame.New(hash))
	for _, f := range frames {
		f.Workers, f.BatchRows, f.ShareRows = v.workers, v.batchRows, 1
		f.Initialize(w)
		defer f.Finalize(w)
	}
	clock := ecs.GetResource[frame.Clock](w)
	var hashes []uint64
	next := agents + 1
	for step := range steps {
		clock.Dt = 1. / 60
		if step%7 == 0 {
			clock.Dt = 1. / 30
		}
		(*c.Position)(w.Get(pointer, position)).Vec = r2.Vec{X: float64(step % 100), Y: 40}
		(*c.Velocity)(w.Get(pointer, ecs.ComponentID[c.Velocity](w))).Vec = r2.Vec{X: float64(step % 3), Y: 1}
		for i, o := range obstacles {
			if i%4 == step%4 {
				p := (*c.Position)(w.Get(o, position))
				p.X += 0.05 * float64(i%5-2)
			}
		}
		if step%20 == 5 { // an obstacle disappears, another appears
			w.RemoveEntity(obstacles[0])
			obstacles = append(obstacles[1:], put(r2.Vec{X: float64(step % 90), Y: 33}, c.Obstacle{Radius: 2}))
		}
		if step%10 == 3 { // agents die and are born
			for id := next - agents; id < next-agents+20; id++ {
				w.RemoveEntity(entities[id])
			}
			for id, e := range crowdOf(w, next, 20, pointer, v.order) {
				entities[id] = e
			}
			next += 20
		}
		for _, f := range frames {
			f.Update(w)
		}
		clock.Advance()
		if step%10 == 9 {
			hashes = append(hashes, hash.Sum())
		}
	}
	return hashes
}

// TestSameBits verifies that a crowd is the same, bit for bit, for any number of workers, any size
// of batches and any order of rows, and if each system runs in its own frame.
func TestSameBits(t *testing.T) {
	const agents, steps = 400, 60
	want := variant{workers: 1}.run(t, agents, steps)
	if want[0] == want[1] {
		t.Fatalf("hash after steps 10 and 20: got=%x for both, want a crowd that moves", want[0])
	}
	for _, v := range []variant{
		{workers: 2}, {workers: 7}, {workers: 16},
		{workers: 1, batchRows: 1}, {workers: 3, batchRows: 7}, {workers: 2, batchRows: 100000},
		{workers: 1, order: 1}, {workers: 3, order: 2, batchRows: 33},
		{workers: 1, alone: true}, {workers: 7, order: 3, alone: true},
	} {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			got := v.run(t, agents, steps)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("hash after step %d: got=%016x, want=%016x", 10*i+10, got[i], want[i])
				}
			}
		})
	}
}

func TestNoAllocations(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	for _, workers := range []int{1, 4} {
		world := ecs.NewWorld(16)
		w := &world
		pointer := w.NewEntity(ecs.ComponentID[c.Position](w))
		crowdOf(w, 1, 500, pointer, 0)
		index := &sense.Obstacles{}
		f := frame.New(&Follow{}, &Track{}, index, &Arrival{}, &Pursuit{}, &Evasion{}, &OffsetPursuit{}, &Wander{},
			&ThreatScan{Obstacles: index}, &Avoidance{}, &WallFollowing{}, &Containment{}, &Integration{}, &Arrivals{})
		f.Workers, f.ShareRows = workers, 1
		f.Initialize(w)
		for range 200 {
			f.Update(w)
		}
		testkit.Equal(t, testing.AllocsPerRun(100, func() { f.Update(w) }), 0, "%d workers: allocations in a step", workers)
		f.Finalize(w)
	}
}

type recorder struct {
	name string
	log  *[]string
}

func (r *recorder) Update(*ecs.World) { *r.log = append(*r.log, "update "+r.name) }

type phases struct {
	recorder
	pos frame.In[c.Position]
}

func (p *phases) Needs(n *frame.Needs) { n.Read(&p.pos) }
func (p *phases) Run(*frame.Batch)     { *p.log = append(*p.log, "run "+p.name) }
func (p *phases) Sense(*ecs.World)     { *p.log = append(*p.log, "sense "+p.name) }
func (p *phases) Observe(w *ecs.World) {
	*p.log = append(*p.log, fmt.Sprintf("observe %s locked=%v", p.name, w.IsLocked()))
}

// senseRunObserve is phases without the method that makes it Exclusive.
type senseRunObserve struct {
	Needer
}

// Needer hides all methods of phases except those for the three phases of a step.
type Needer interface {
	frame.System
	frame.Sensor
	frame.Observer
}

func TestFrameOrder(t *testing.T) {
	world := ecs.NewWorld()
	world.NewEntity(ecs.ComponentID[c.Position](&world))
	var log []string
	phase := func(name string) *senseRunObserve {
		return &senseRunObserve{&phases{recorder: recorder{name, &log}}}
	}
	f := frame.New(phase("a"), phase("b"), &recorder{"serial", &log}, phase("c"))
	f.Initialize(&world)
	f.Update(&world)
	f.Finalize(&world)
	want := "sense a|sense b|sense c|run a|run b|update serial|run c|observe a locked=false|observe b locked=false|observe c locked=false"
	if got := strings.Join(log, "|"); got != want {
		t.Errorf("order of a step:\ngot =%s\nwant=%s", got, want)
	}
}

type lookout struct{ query sense.Query[c.Radius, int] }

func (s *lookout) Needs(n *frame.Needs) {
	s.query.Ask(n, func(c.Radius) sense.Look { return sense.Look{NeighborDist: 1} }, func(*sense.Neighborhood, c.Radius) int { return 1 })
}
func (s *lookout) Run(*frame.Batch) {}

// forgetful is a system that declares only some of its columns.
type forgetful struct {
	declares []string
	pos      frame.In[c.Position]
	vel      frame.Out[c.Velocity]
	size     frame.In[c.Radius]
	aims
	counts frame.Scratch[int]
}

// aims holds columns that are fields of another struct.
type aims struct{ target frame.In[c.Target] }

func (s *forgetful) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	for _, name := range s.declares {
		switch name {
		case "vel":
			n.Write(&s.vel)
		case "size":
			n.Optional(&s.size)
		case "target":
			n.Optional(&s.target)
		}
	}
}

func (s *forgetful) Run(b *frame.Batch) { *s.counts.Of(b)++ }

// chasing embeds Seek and does not declare its columns.
type chasing struct {
	Seek
	radius frame.In[c.Radius]
}

func (s *chasing) Needs(n *frame.Needs) { n.Read(&s.radius) }

// panics, when deferred, verifies that the test panics with a text that begins with "crowd: " and
// contains want.
func panics(t *testing.T, want string) {
	t.Helper()
	if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "crowd: ") || !strings.Contains(got, want) {
		t.Errorf("panic: got=%q, want a text that begins with crowd: and contains %q", got, want)
	}
}

// TestMisuse verifies that misuse panics, and that the message names the mistake.
func TestMisuse(t *testing.T) {
	world := ecs.NewWorld()
	w := &world
	seek := &Seek{}
	for _, test := range []struct {
		name, want string
		do         func()
	}{
		{"no system", "crowd: system 0, a int, is not a System", func() { frame.New(3) }},
		{"update first", "crowd: Update of a frame before Initialize", func() { frame.New(seek).Update(w) }},
		{"two frames", "crowd: Seek is in two frames at once", func() {
			frame.New(seek).Initialize(w)
			frame.New(seek).Initialize(w)
		}},
		{"initialized twice", "crowd: Initialize of a frame that was initialized before", func() {
			f := frame.New(&Flee{})
			f.Initialize(w)
			f.Initialize(w)
		}},
		{"no departure", "crowd: Slide without PreviousPosition: put PreviousPosition before Integration in the same frame", func() { frame.New(&sense.Obstacles{}, &Integration{}, &Slide{}).Initialize(w) }},
		{"late departure", "crowd: Slide without PreviousPosition: put PreviousPosition before Drive in the same frame", func() {
			frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &Drive{}, &PreviousPosition{}, &Integration{}, &ResolveOverlaps{}, &Slide{}).Initialize(w)
		}},
		{"looker in two frames", "crowd: lookout is in two frames at once", func() {
			s := &lookout{}
			frame.New(&sense.Neighbors{}, s).Initialize(w)
			frame.New(&sense.Neighbors{}, s).Initialize(w)
		}},
		{"twice beside a barrier", "crowd: Arrival appears twice in one frame", func() {
			s := &Arrival{}
			frame.New(s, &recorder{}, s).Initialize(w)
		}},
		{"looker twice", "crowd: lookout appears twice in one frame", func() {
			s := &lookout{}
			frame.New(&sense.Neighbors{}, s, s).Initialize(w)
		}},
		{"twice in one pass", "crowd: Integration appears twice in one frame", func() {
			s := &Integration{}
			frame.New(s, &Seek{}, s)
		}},
		{"two that move", "crowd: Integration appears twice in one frame, and would process every agent twice", func() { frame.New(&Integration{}, &Integration{}).Initialize(w) }},
		{"no obstacles", "crowd: ThreatScan without Obstacles", func() { frame.New(&ThreatScan{}).Initialize(w) }},
		{"obstacles of no frame", "crowd: ThreatScan has Obstacles of no frame", func() { frame.New(&ThreatScan{Obstacles: &sense.Obstacles{}}).Initialize(w) }},
		{"no neighbors: Separation", "crowd: Separation without Neighbors", func() { frame.New(&Separation{}).Initialize(w) }},
		{"no neighbors: Alignment", "crowd: Alignment without Neighbors", func() { frame.New(&Alignment{}).Initialize(w) }},
		{"no neighbors: Cohesion", "crowd: Cohesion without Neighbors", func() { frame.New(&Cohesion{}).Initialize(w) }},
		{"no neighbors: Unaligned", "crowd: UnalignedCollisionAvoidance without Neighbors", func() { frame.New(&UnalignedCollisionAvoidance{}).Initialize(w) }},
		{"no neighbors: ORCA", "crowd: ORCA without Neighbors: put Neighbors into the same frame", func() { frame.New(&sense.Obstacles{}, &ORCA{}, &Integration{}).Initialize(w) }},
		{"no neighbors: ResolveOverlaps", "crowd: ResolveOverlaps without Neighbors", func() { frame.New(&ResolveOverlaps{}).Initialize(w) }},
		{"no neighbors: a host's", "crowd: lookout without Neighbors", func() { frame.New(&lookout{}).Initialize(w) }},
		{"Avoidance first", "crowd: Avoidance comes before ThreatScan in the frame, and would push away from the threat of the previous step: put ThreatScan first", func() {
			frame.New(&sense.Obstacles{}, &Avoidance{}, &ThreatScan{}, &Integration{}).Initialize(w)
		}},
		{"ORCA late", "crowd: Integration comes before ORCA in the frame, and would move agents before they have chosen their velocity: put ORCA first", func() { frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &Integration{}, &ORCA{}).Initialize(w) }},
		{"ResolveOverlaps late", "crowd: Slide comes before ResolveOverlaps in the frame", func() {
			frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Integration{}, &Slide{}, &ResolveOverlaps{}).Initialize(w)
		}},
		{"Integration after Slide", "crowd: Slide comes before Integration in the frame, and would hold bodies before they move", func() { frame.New(&sense.Obstacles{}, &PreviousPosition{}, &Slide{}, &Integration{}).Initialize(w) }},
		{"steering late", "crowd: Integration comes before Seek in the frame, and would leave its force to the next step: put Seek first", func() { frame.New(&Integration{}, &Seek{}).Initialize(w) }},
		{"steering behind ORCA", "crowd: ORCA comes before Arrival in the frame", func() {
			frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &ORCA{}, &Arrival{}, &Integration{}).Initialize(w)
		}},
		{"turning late", "crowd: Drive comes before TurnTowards in the frame", func() { frame.New(&Drive{}, &TurnTowards{}).Initialize(w) }},
		{"arrivals early", "crowd: Arrivals comes before Integration in the frame, and would list arrivals a step late", func() { frame.New(&Arrivals{}, &Integration{}).Initialize(w) }},
		{"an Out that is not declared", "crowd: forgetful has the field vel, a frame.Out[", func() { frame.New(&forgetful{}).Initialize(w) }},
		{"an In that is not declared", "crowd: forgetful has the field size, a frame.In[", func() { frame.New(&forgetful{declares: []string{"vel"}}).Initialize(w) }},
		{"an embedded one that is not declared", "crowd: forgetful has the field target, a frame.In[", func() { frame.New(&forgetful{declares: []string{"vel", "size"}}).Initialize(w) }},
		{"scratch that is not declared", "crowd: forgetful has the field counts, a frame.Scratch[", func() { frame.New(&forgetful{declares: []string{"vel", "size", "target"}}).Initialize(w) }},
		{"an embedded system that is not declared", "crowd: chasing has the field pos, a frame.In[", func() { frame.New(&chasing{}).Initialize(w) }},
		{"not declared, over slices", "crowd: forgetful has the field vel, a frame.Out[", func() { frame.BatchOf(frame.Clock{}, &forgetful{}, frame.Over([]c.Position{{}})) }},
		{"Solid without PreviousPosition", "crowd: Slide meets an entity with components.Solid that lacks components.PreviousPosition: add it too, or use Add, which adds it", func() {
			w := ecs.NewWorld()
			f := frame.New(&sense.Obstacles{}, &PreviousPosition{}, &Integration{}, &Slide{})
			f.Initialize(&w)
			defer f.Finalize(&w)
			w.NewEntity(ecs.ComponentID[c.Position](&w), ecs.ComponentID[c.Solid](&w))
			f.Update(&w)
		}},
		{"diagnosis first", "crowd: Diagnose of a frame before Initialize", func() { Diagnose(frame.New(&Integration{}), w, ecs.Entity{}) }},
		{"status first", "crowd: PathStatusOf of a frame before Initialize", func() { PathStatusOf(frame.New(&Integration{}), w, ecs.Entity{}) }},
		{"empty box", "crowd: Bounds.Box is", func() { frame.New(&Bounds{Mode: BoundsWrap}).Initialize(w) }},
		{"bad dt", "crowd: Clock.Dt is NaN", func() {
			f := frame.New(&Integration{})
			f.Initialize(w)
			w.Resources().Add(ecs.ResourceID[frame.Clock](w), &frame.Clock{Dt: math.NaN()})
			f.Update(w)
		}},
		{"another world", "crowd: Update with a different world than Initialize", func() {
			f, other := frame.New(&Integration{}), ecs.NewWorld()
			f.Initialize(w)
			defer f.Finalize(w)
			f.Step(&other, 1)
		}},
		{"another world at the end", "crowd: Finalize with a different world than Initialize", func() {
			f, other := frame.New(&Integration{}), ecs.NewWorld()
			f.Initialize(w)
			defer f.Finalize(w)
			f.Finalize(&other)
		}},
		{"missing slice", "crowd: Seek needs components.", func() { frame.BatchOf(frame.Clock{}, &Seek{}) }},
		{"lengths", "has 2 rows", func() {
			frame.BatchOf(frame.Clock{}, &Integration{}, frame.Over(make([]c.Position, 1)), frame.Over(make([]c.Velocity, 2)))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer panics(t, test.want)
			test.do()
		})
	}
}

// TestSlicesLackSnapshots verifies that systems that need neighbors, obstacles or tables panic on plain
// slices, with a message that says so.
func TestSlicesLackSnapshots(t *testing.T) {
	one := []frame.Slice{
		frame.Over([]c.Position{{}}), frame.Over([]c.Velocity{{Vec: xy(1, 0)}}), frame.Over([]c.Target{{}}), frame.Over([]c.Limits{{MaxSpeed: 1}}),
		frame.Over([]c.Steering{{}}), frame.Over([]c.Destination{{}}), frame.Over([]c.PreviousPosition{{}}), frame.Over([]c.Solid{{}}), frame.Over([]c.Threat{{}}),
		frame.Over([]c.Separation{{Gain: 1, NeighborDist: 5}}), frame.Over([]c.Alignment{{}}), frame.Over([]c.Cohesion{{}}), frame.Over([]c.ORCA{{}}),
		frame.Over([]c.Queueing{{}}), frame.Over([]c.UnalignedCollisionAvoidance{{}}), frame.Over([]c.SocialForce1995{{}}), frame.Over([]c.SocialForce2000{{}}),
		frame.Over([]c.CollisionFreeSpeed{{}}), frame.Over([]c.AnticipationVelocity{{}}), frame.Over([]c.FlowField{{}}), frame.Over([]c.Route{{}}),
		frame.Over([]c.Path{{}}), frame.Over([]c.Itinerary{{}}), frame.Over([]c.ThreatScan{{LookAhead: 1}}), frame.Over([]c.WallFollowing{{Range: 1}}),
		frame.Over([]c.Containment{{Horizon: 1}}), frame.Over([]c.BoundaryFollowing{{Range: 1}}), frame.Over([]c.Hiding{{From: c.TrackedEntity{Seen: true}, Range: 1}}),
	}
	for _, test := range []struct {
		want    string
		systems []frame.System
	}{
		{"needs sense.Neighbors, which plain slices lack", []frame.System{
			&Separation{}, &Alignment{}, &Cohesion{}, &ORCA{}, &Queueing{}, &UnalignedCollisionAvoidance{}, &ResolveOverlaps{},
			&SocialForce1995{}, &SocialForce2000{}, &CollisionFreeSpeed{}, &AnticipationVelocity{},
		}},
		{"which plain slices lack", []frame.System{&FlowFieldFollowing{}, &Routing{}, &PathFollowing{}, &Itinerary{}, &Portals{}}},
		{"its field Obstacles is nil", []frame.System{&ThreatScan{}, &WallFollowing{}, &Containment{}, &BoundaryFollowing{}, &Hiding{}, &Slide{}}},
	} {
		for _, s := range test.systems {
			t.Run(frame.NameOf(s), func(t *testing.T) {
				defer panics(t, test.want)
				s.Run(frame.BatchOf(frame.Clock{Dt: 1}, s, one...))
			})
		}
	}
}

// TestColumnOfNobody verifies that a column outside any system panics rather than reading another
// component.
func TestColumnOfNobody(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got=no panic, want=a panic")
		}
	}()
	var stray frame.Out[c.Velocity]
	t.Errorf("got=%v, want a panic", stray.Of(frame.BatchOf(frame.Clock{}, &bomb{}, frame.Over(make([]c.Position, 1)))))
}

type bomb struct {
	pos frame.In[c.Position]
}

func (b *bomb) Needs(n *frame.Needs) { n.Read(&b.pos) }
func (b *bomb) Run(batch *frame.Batch) {
	for _, p := range b.pos.Of(batch) {
		if p.X == 777 {
			panic("a host's mistake")
		}
	}
}

// TestPanicUnlocks verifies that a panic in a system reaches the caller with the name of the system
// and the worker's stack, and leaves the world unlocked and the frame usable.
func TestPanicUnlocks(t *testing.T) {
	world := ecs.NewWorld(16)
	w := &world
	id := ecs.ComponentID[c.Position](w)
	var last ecs.Entity
	for range 1000 {
		last = w.NewEntity(id)
	}
	(*c.Position)(w.Get(last, id)).X = 777
	f := frame.New(&bomb{})
	f.Workers, f.ShareRows = 4, 1
	f.Initialize(w)
	defer f.Finalize(w)
	func() {
		defer func() {
			value := recover()
			got, _ := value.(*frame.Panic)
			if got == nil || got.System != "bomb" || got.Value != "a host's mistake" || !strings.Contains(got.Error(), "(*bomb).Run(") || !strings.HasPrefix(got.Error(), "bomb: a host's mistake\n") {
				t.Errorf("got=%v, want the host's panic, with its stack", value)
			}
		}()
		f.Update(w)
	}()
	if w.IsLocked() {
		t.Fatal("world after the panic: got=locked, want=unlocked")
	}
	(*c.Position)(w.Get(last, id)).X = 0
	f.Update(w)
}
