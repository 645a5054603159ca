package systems

import (
	"fmt"
	"math"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

type recorder struct {
	name string
	log  *[]string
}

func (r *recorder) Update(*ecs.World) { *r.log = append(*r.log, "update "+r.name) }

// phases has no Update, which would make it Exclusive.
type phases struct {
	name string
	log  *[]string
	pos  frame.In[c.Position]
}

func (p *phases) Needs(n *frame.Needs) { n.Read(&p.pos) }
func (p *phases) Run(*frame.Batch)     { *p.log = append(*p.log, "run "+p.name) }
func (p *phases) Sense(*ecs.World)     { *p.log = append(*p.log, "sense "+p.name) }
func (p *phases) Observe(w *ecs.World) {
	*p.log = append(*p.log, fmt.Sprintf("observe %s locked=%v", p.name, w.IsLocked()))
}

func TestFrameOrder(t *testing.T) {
	world := ecs.NewWorld()
	world.NewEntity(ecs.ComponentID[c.Position](&world))
	var log []string
	phase := func(name string) *phases { return &phases{name: name, log: &log} }
	f := frame.New(phase("a"), phase("b"), &recorder{"serial", &log}, phase("c"))
	f.Initialize(&world)
	f.Update(&world)
	f.Finalize(&world)
	want := "sense a|sense b|sense c|run a|run b|update serial|run c|observe a locked=false|observe b locked=false|observe c locked=false"
	testkit.Equal(t, strings.Join(log, "|"), want, "order of a step")
}

func TestDetachPortals(t *testing.T) {
	w := ecs.NewWorld()
	s := &Portals{}
	f := frame.New(&sense.Obstacles{}, s)
	f.Initialize(&w)
	f.Finalize(&w)
	if s.seen != nil {
		t.Errorf("got=%d obstacles, want=no reference", s.seen.Len())
	}
}

type lookout struct{ query sense.Query[c.Radius, int] }

func (s *lookout) Needs(n *frame.Needs) {
	s.query.Ask(n, func(c.Radius) sense.Look { return sense.Look{NeighborDist: 1} }, func(*sense.Neighborhood, c.Radius) int { return 1 })
}
func (s *lookout) Run(*frame.Batch) {}

// forgetful declares only some of its columns.
type forgetful struct {
	declares []string
	pos      frame.In[c.Position]
	vel      frame.Out[c.Velocity]
	size     frame.In[c.Radius]
	aims
	counts frame.Scratch[int]
}

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

// chasing does not declare the columns of Seek.
type chasing struct {
	Seek
	radius frame.In[c.Radius]
}

func (s *chasing) Needs(n *frame.Needs) { n.Read(&s.radius) }

func panics(t *testing.T, want string) {
	t.Helper()
	if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "crowd: ") || !strings.Contains(got, want) {
		t.Errorf("panic: got=%q, want a text that begins with crowd: and contains %q", got, want)
	}
}

func TestMisuse(t *testing.T) {
	world := ecs.NewWorld()
	w := &world
	seek, look, arrival, integration := &Seek{}, &lookout{}, &Arrival{}, &Integration{}
	initialize := func(list ...any) func() { return func() { frame.New(list...).Initialize(w) } }
	for _, test := range []struct {
		want string
		do   func()
	}{
		{"crowd: system 0, a int, is not a System", func() { frame.New(3) }},
		{"crowd: Update called before Initialize", func() { frame.New(seek).Update(w) }},
		{"crowd: Seek is in two frames at once", func() {
			frame.New(seek).Initialize(w)
			frame.New(seek).Initialize(w)
		}},
		{"crowd: Initialize called on an initialized frame", func() {
			f := frame.New(&Flee{})
			f.Initialize(w)
			f.Initialize(w)
		}},
		{"crowd: Slide without PreviousPosition: put PreviousPosition before Integration in the same frame", initialize(&sense.Obstacles{}, &Integration{}, &Slide{})},
		{"crowd: Slide without PreviousPosition: put PreviousPosition before Drive in the same frame", initialize(&sense.Obstacles{}, &sense.Neighbors{}, &Drive{}, &PreviousPosition{}, &Integration{}, &ResolveOverlaps{}, &Slide{})},
		{"crowd: lookout is in two frames at once", func() {
			frame.New(&sense.Neighbors{}, look).Initialize(w)
			frame.New(&sense.Neighbors{}, look).Initialize(w)
		}},
		{"crowd: Arrival appears twice in one frame", initialize(arrival, &recorder{}, arrival)},
		{"crowd: lookout appears twice in one frame", initialize(&sense.Neighbors{}, look, look)},
		{"crowd: Integration appears twice in one frame", initialize(integration, &Seek{}, integration)},
		{"crowd: Integration appears twice in one frame, and would process every agent twice", initialize(&Integration{}, &Integration{})},
		{"crowd: ThreatScan without Obstacles", initialize(&ThreatScan{})},
		{"crowd: ThreatScan has Obstacles that no frame updates", initialize(&ThreatScan{Obstacles: &sense.Obstacles{}})},
		{"crowd: Separation without Neighbors", initialize(&Separation{})},
		{"crowd: Alignment without Neighbors", initialize(&Alignment{})},
		{"crowd: Cohesion without Neighbors", initialize(&Cohesion{})},
		{"crowd: UnalignedCollisionAvoidance without Neighbors", initialize(&UnalignedCollisionAvoidance{})},
		{"crowd: ORCA without Neighbors: put Neighbors into the same frame", initialize(&sense.Obstacles{}, &ORCA{}, &Integration{})},
		{"crowd: ResolveOverlaps without Neighbors", initialize(&ResolveOverlaps{})},
		{"crowd: lookout without Neighbors", initialize(&lookout{})},
		{"crowd: Avoidance comes before ThreatScan in the frame, and would push away from the threat of the previous step: put ThreatScan first", initialize(&sense.Obstacles{}, &Avoidance{}, &ThreatScan{}, &Integration{})},
		{"crowd: Integration comes before ORCA in the frame, and would move agents before they have chosen their velocity: put ORCA first", initialize(&sense.Obstacles{}, &sense.Neighbors{}, &Integration{}, &ORCA{})},
		{"crowd: Slide comes before ResolveOverlaps in the frame", initialize(&sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Integration{}, &Slide{}, &ResolveOverlaps{})},
		{"crowd: Slide comes before Integration in the frame, and would hold bodies before they move", initialize(&sense.Obstacles{}, &PreviousPosition{}, &Slide{}, &Integration{})},
		{"crowd: Integration comes before Seek in the frame, and would leave its force to the next step: put Seek first", initialize(&Integration{}, &Seek{})},
		{"crowd: ORCA comes before Arrival in the frame", initialize(&sense.Obstacles{}, &sense.Neighbors{}, &ORCA{}, &Arrival{}, &Integration{})},
		{"crowd: Drive comes before TurnTowards in the frame", initialize(&Drive{}, &TurnTowards{})},
		{"crowd: Arrivals comes before Integration in the frame, and would list arrivals a step late", initialize(&Arrivals{}, &Integration{})},
		{"crowd: forgetful has the field vel, a frame.Out[", initialize(&forgetful{})},
		{"crowd: forgetful has the field size, a frame.In[", initialize(&forgetful{declares: []string{"vel"}})},
		{"crowd: forgetful has the field target, a frame.In[", initialize(&forgetful{declares: []string{"vel", "size"}})},
		{"crowd: forgetful has the field counts, a frame.Scratch[", initialize(&forgetful{declares: []string{"vel", "size", "target"}})},
		{"crowd: chasing has the field pos, a frame.In[", initialize(&chasing{})},
		{"crowd: forgetful has the field vel, a frame.Out[", func() { frame.BatchOf(frame.Clock{}, &forgetful{}, frame.Over([]c.Position{{}})) }},
		{"crowd: Slide found an entity with components.Solid but without components.PreviousPosition: add both, as systems.Add does", func() {
			w := ecs.NewWorld()
			f := frame.New(&sense.Obstacles{}, &PreviousPosition{}, &Integration{}, &Slide{})
			f.Initialize(&w)
			defer f.Finalize(&w)
			w.NewEntity(ecs.ComponentID[c.Position](&w), ecs.ComponentID[c.Solid](&w))
			f.Update(&w)
		}},
		{"crowd: Diagnose of a frame before Initialize", func() { Diagnose(frame.New(&Integration{}), w, ecs.Entity{}) }},
		{"crowd: PathStatusOf of a frame before Initialize", func() { PathStatusOf(frame.New(&Integration{}), w, ecs.Entity{}) }},
		{"crowd: Bounds.Box is", initialize(&Bounds{Mode: BoundsWrap})},
		{"crowd: Clock.Dt is NaN", func() {
			f := frame.New(&Integration{})
			f.Initialize(w)
			w.Resources().Add(ecs.ResourceID[frame.Clock](w), &frame.Clock{Dt: math.NaN()})
			f.Update(w)
		}},
		{"crowd: Update called with a different world than Initialize", func() {
			f, other := frame.New(&Integration{}), ecs.NewWorld()
			f.Initialize(w)
			defer f.Finalize(w)
			f.Step(&other, 1)
		}},
		{"crowd: Finalize called with a different world than Initialize", func() {
			f, other := frame.New(&Integration{}), ecs.NewWorld()
			f.Initialize(w)
			defer f.Finalize(w)
			f.Finalize(&other)
		}},
		{"crowd: Seek has no column components.", func() { frame.BatchOf(frame.Clock{}, &Seek{}) }},
		{"has 2 rows", func() {
			frame.BatchOf(frame.Clock{}, &Integration{}, frame.Over(make([]c.Position, 1)), frame.Over(make([]c.Velocity, 2)))
		}},
	} {
		t.Run(test.want, func(t *testing.T) {
			defer panics(t, test.want)
			test.do()
		})
	}
}

func TestStepThatPanics(t *testing.T) {
	w, other, f := ecs.NewWorld(), ecs.NewWorld(), frame.New(&Integration{})
	step := func(f *frame.Frame, w *ecs.World, dt float64) {
		defer panics(t, "crowd: ")
		f.Step(w, dt)
	}
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Step(&w, 0.5)
	for _, dt := range []float64{-1, math.NaN(), math.Inf(1)} {
		step(f, &w, dt)
	}
	step(frame.New(&Integration{}), &w, 2)
	testkit.Equal(t, *frame.ClockOf(&w), frame.Clock{Dt: 0.5, Time: 0.5, Tick: 1}, "clock")
	step(f, &other, 2)
	testkit.Equal(t, *frame.ClockOf(&other), frame.Clock{Dt: 1. / 60}, "clock of another world")
}

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
		{"its Obstacles field is nil", []frame.System{&ThreatScan{}, &WallFollowing{}, &Containment{}, &BoundaryFollowing{}, &Hiding{}, &Slide{}}},
	} {
		for _, s := range test.systems {
			t.Run(frame.NameOf(s), func(t *testing.T) {
				defer panics(t, test.want)
				s.Run(frame.BatchOf(frame.Clock{Dt: 1}, s, one...))
			})
		}
	}
}

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

type (
	ownPlace struct{ X, Y float64 }
	ownSeek  struct{ Strength float64 }
	ownForce struct{ X, Y float64 }
	swapped  struct{ Y, X float64 }
	singles  struct{ X, Y float32 }
)

func TestBind(t *testing.T) {
	f := frame.New(&Integration{})
	for _, test := range []struct {
		err  error
		want string
	}{
		{frame.Bind[c.Position, swapped](f), "crowd: cannot bind: field Y of systems.swapped is where components.Position has Vec.X: the axes are swapped"},
		{frame.Bind[c.Velocity, singles](f), "crowd: cannot bind: systems.singles has float32 at 0"},
		{f.Bind(frame.Bound[c.Position, ownPlace](), frame.Bound[c.Velocity, ownPlace]()), "crowd: cannot bind: systems.ownPlace already stands in for components.Position"},
		{f.Bind(frame.Binding{}), "crowd: cannot bind: the zero Binding"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("got=%v, want=an error that contains %q", test.err, test.want)
		}
	}
	testkit.Equal(t, len(f.Bindings()), 1, "number of bindings")
	w := ecs.NewWorld()
	f.Initialize(&w)
	defer f.Finalize(&w)
	defer func() {
		if got := fmt.Sprint(recover()); got != "crowd: Bind called after Initialize" {
			t.Errorf("Bind after Initialize: got=%q, want=a panic: crowd: Bind called after Initialize", got)
		}
	}()
	_ = frame.Bind[c.Mass, ownSeek](f)
}

func TestFrameAdd(t *testing.T) {
	f := frame.New(&Seek{}, &Integration{})
	testkit.Must(t, f.Bind(frame.Bound[c.Position, ownPlace](), frame.Bound[c.Seek, ownSeek](), frame.Bound[c.Steering, ownForce]()))
	w := ecs.NewWorld()
	e := w.NewEntity()
	AddBound(f, &w, e, ownPlace{X: 1}, c.Velocity{}, c.Target{Vec: xy(9, 0)}, c.Limits{MaxSpeed: 1, MaxForce: 5}, ownSeek{2})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	if w.Has(e, ecs.ComponentID[c.Steering](&w)) || !w.Has(e, ecs.ComponentID[ownForce](&w)) {
		t.Error("got=Steering, or no ownForce, want=ownForce alone")
	}
	if got := (*ownPlace)(w.Get(e, ecs.ComponentID[ownPlace](&w))); !(got.X > 1) {
		t.Errorf("place after a step: got=%v, want=a place nearer to the target", *got)
	}
}
