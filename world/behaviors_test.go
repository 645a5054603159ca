package world_test

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/crowdtest"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Orbit steers at a right angle to the direction of the Target.
type Orbit struct {
	Gain float64 // kg/s
	Left bool
}

type orbiting struct {
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	target frame.In[c.Target]
	limits frame.In[c.Limits]
	orbit  frame.In[Orbit]
	steer  frame.Out[c.Steering]
}

func (s *orbiting) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.target, &s.limits, &s.orbit)
	n.Write(&s.steer)
}

func (s *orbiting) Run(b *frame.Batch) {
	pos, vel, target, limits := s.pos.Of(b), s.vel.Of(b), s.target.Of(b), s.limits.Of(b)
	orbit, steer := s.orbit.Of(b), s.steer.Of(b)
	for i := range pos {
		way := vec.Right(vec.Sub(target[i].Vec, pos[i].Vec))
		if orbit[i].Left {
			way = vec.Scale(-1, way)
		}
		e := vec.Sub(vec.WithNorm(way, limits[i].MaxSpeed), vel[i].Vec)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, orbit[i].Gain, e)
	}
}

func orbit() catalog.Entry {
	return catalog.Of(catalog.Entry{
		Name: "orbit", Text: "go around the target",
		Needs: []any{c.Target{}, c.Limits{}}, Adds: []any{c.Steering{}},
		System: func(catalog.Options) any { return &orbiting{} }, Phase: catalog.Steer,
		Does: catalog.Steers, Priority: 115,
	}, func(b *Orbit) []catalog.Param {
		return []catalog.Param{catalog.GainOf(&b.Gain), catalog.Switch("left", &b.Left, "in the opposite direction")}
	})
}

func TestHostBehavior(t *testing.T) {
	config := world.Default()
	config.Dt, config.Workers, config.Behaviors = 0.1, 1, []catalog.Entry{orbit()}
	for _, mode := range []systems.Combination{systems.CombineSum, systems.CombinePriority, systems.CombineDithering} {
		config.Combination = mode
		if mode != systems.CombineSum {
			config.Priority, config.Chances = []string{"orbit", "seek"}, []float64{1}
		}
		w := made(t, config)
		body := []any{c.Target{Vec: r2.Vec{X: 9}}, c.Limits{MaxSpeed: 2, MaxForce: 100}}
		for _, bad := range []struct {
			comps []any
			want  string
		}{
			{append(body, Orbit{Gain: 11}), "agent 1: orbit gain is 11 kg/s, want 0 to mass/dt = 10"},
			{[]any{c.Target{}, Orbit{}}, "world_test.Orbit needs components.Limits"},
		} {
			world.WantError(t, w.Spawn(1, bad.comps, nil), bad.want)
		}
		must(t, w.Spawn(1, append(body, Orbit{Gain: 5}, c.Seek{Gain: 1}), nil))
		e, _ := w.Entity(1)
		x := world.Value(w.Inspect().Explain(e))
		orbits := -1
		for i, s := range x.Shares {
			if s.Behavior == "orbiting" {
				orbits = i
			}
		}
		if orbits < 0 || x.Shares[orbits].Force == nil || x.Shares[orbits].Force.Newtons != (r2.Vec{Y: -10}) {
			t.Fatalf("%v: got=%+v, want=a force of 10 N to the right of the direction to the target", mode, x.Shares)
		}
		if mode != systems.CombineSum && (orbits != 0 || x.Shares[orbits].Force.Granted == nil) {
			t.Errorf("%v: got=%+v, want=orbit first, and combined", mode, x.Shares)
		}
		must(t, w.Step())
		if p := at[c.Position](w, e).Vec; p != x.After.Position || !(p.Y < 0) {
			t.Errorf("%v: got=at %v, want=at %v, with y below 0", mode, p, x.After.Position)
		}
	}
}

func TestHostBehaviorErrors(t *testing.T) {
	with := func(change func(*catalog.Entry)) catalog.Entry {
		e := orbit()
		change(&e)
		return e
	}
	for _, tc := range []struct {
		entries []catalog.Entry
		want    string
	}{
		{[]catalog.Entry{with(func(e *catalog.Entry) { e.Name = "" })}, "behavior has no name"},
		{[]catalog.Entry{with(func(e *catalog.Entry) { e.Name = "seek" })}, "behavior seek has the name or the component world_test.Orbit of another behavior"},
		{[]catalog.Entry{orbit(), with(func(e *catalog.Entry) { e.Name = "round" })}, "behavior round has the name or the component world_test.Orbit of another behavior"},
		{[]catalog.Entry{with(func(e *catalog.Entry) { e.System = nil })}, "behavior orbit has no system"},
		{[]catalog.Entry{{Name: "orbit", Component: Orbit{}}}, "behavior orbit has no component"},
		{[]catalog.Entry{catalog.Of(orbit(), func(b *Orbit) []catalog.Param { return nil })}, "behavior orbit steers, but none of its parameters is its gain"},
		{[]catalog.Entry{catalog.Of(orbit(), func(b *Orbit) []catalog.Param { return []catalog.Param{catalog.GainOf(&b.Gain).Or(1)} })},
			"behavior orbit: parameter gain has type float64, but its default 1 has type int"},
	} {
		config := world.Default()
		config.Behaviors = tc.entries
		world.WantError(t, world.Failure(world.New(config)), tc.want)
	}
}

func TestDiagnose(t *testing.T) {
	w := made(t, world.Default())
	acting := everyone(t, w, 1)
	for id := uint64(1); id <= acting; id++ {
		agent, _ := w.Entity(id)
		if got := w.Inspect().Diagnose(agent); len(got) > 0 {
			t.Errorf("agent %d: got=%v, want=no problems", id, got)
		}
	}
	byHand := w.ECS.NewEntity(ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Seek](w.ECS))
	if got := w.Inspect().Diagnose(byHand); len(got) != 3 { // missing for Seek, missing for Integration, a gain of 0
		t.Errorf("by hand: got=%v, want=3 problems", got)
	}
}

func TestLaws(t *testing.T) {
	for _, e := range systems.Catalog() {
		t.Run(e.Name, func(t *testing.T) { crowdtest.Behavior(t, e) })
	}
}

// pushing is an orbiting system that moves an entity at the start of a step.
type pushing struct {
	orbiting
	entity *ecs.Entity
}

func (s *pushing) Sense(w *ecs.World) {
	(*c.Position)(w.Get(*s.entity, ecs.ComponentID[c.Position](w))).X++
}

func TestExplainRestoresWhatBehaviorsMove(t *testing.T) {
	var pushed ecs.Entity
	entry := orbit()
	entry.System = func(catalog.Options) any { return &pushing{entity: &pushed} }
	config := world.Default()
	config.Behaviors = []catalog.Entry{entry}
	w := made(t, config)
	pushed = w.ECS.NewEntity(ecs.ComponentID[c.Position](w.ECS))
	must(t, w.Spawn(1, []any{c.Target{Vec: r2.Vec{X: 9}}, c.Limits{MaxSpeed: 2}, Orbit{Gain: 1}}, nil))
	e, _ := w.Entity(1)
	world.Value(w.Inspect().Explain(e))
	if x := at[c.Position](w, pushed).X; x != 0 {
		t.Errorf("after Explain: got X=%v, want=0", x)
	}
	must(t, w.Step())
	if x := at[c.Position](w, pushed).X; x != 1 {
		t.Errorf("after Step: got X=%v, want=1", x)
	}
}
