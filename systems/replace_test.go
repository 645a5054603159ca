package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

func TestReplace(t *testing.T) {
	type mine struct{ N float64 }
	s := newStage(t, 0.1, &Seek{}, &Flee{}, &Integration{})
	e := s.Put(c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 1}, c.Target{Vec: xy(1, 2)}, c.Seek{Gain: 1}, c.Steering{Vec: xy(3, 4)}, mine{5})
	has := func(name string, seek, flee, target bool) {
		t.Helper()
		got := [3]bool{testkit.ComponentOf[c.Seek](s, e) != nil, testkit.ComponentOf[c.Flee](s, e) != nil, testkit.ComponentOf[c.Target](s, e) != nil}
		testkit.Equal(t, got, [3]bool{seek, flee, target}, "replaced by %s: has Seek, Flee and Target", name)
	}
	states := []any{c.Target{}, c.Seek{}, c.Flee{}, c.Wander{}}
	for range 2 { // from a different state, and from the same state
		Replace(s.Frame, s.World, e, states, c.Flee{Gain: 2, From: xy(7, 7)}, c.Limits{MaxSpeed: 9})
		has("Flee", false, true, false)
		testkit.Equal(t, *testkit.ComponentOf[c.Flee](s, e), c.Flee{Gain: 2, From: xy(7, 7)}, "new component")
		testkit.Equal(t, testkit.ComponentOf[c.Limits](s, e).MaxSpeed, 9, "a component that it had")
		testkit.Equal(t, testkit.ComponentOf[c.Steering](s, e).Vec, xy(3, 4), "Steering")
		testkit.Equal(t, testkit.ComponentOf[mine](s, e).N, 5, "host's component")
		testkit.ComponentOf[c.Flee](s, e).Gain = 0
	}
	Replace(s.Frame, s.World, e, append(states, mine{}, c.Steering{}), c.Seek{Gain: 1}, c.Target{})
	has("Seek", true, false, true)
	testkit.Equal(t, testkit.ComponentOf[mine](s, e) != nil, false, "host's component remains")
	testkit.Equal(t, testkit.ComponentOf[c.Steering](s, e) != nil, true, "has Steering, which Seek requires")
	Replace(s.Frame, s.World, e, states)
	has("nothing", false, false, false)
}

func TestReplaceBound(t *testing.T) {
	type aim struct{ X, Y float64 }
	w := ecs.NewWorld()
	f := frame.New(&Seek{})
	testkit.Must(t, frame.Bind[c.Target, aim](f))
	f.Initialize(&w)
	defer f.Finalize(&w)
	e := w.NewEntity()
	Replace(f, &w, e, nil, c.Seek{Gain: 1}, c.Target{Vec: xy(1, 2)})
	id := ecs.ComponentID[aim](&w)
	if !w.Has(e, id) || *(*aim)(w.Get(e, id)) != (aim{1, 2}) {
		t.Error("the host's type is missing or has another value, want {1 2}")
	}
	if Replace(f, &w, e, []any{c.Target{}}); w.Has(e, id) {
		t.Error("replaced by nothing: the host's type is present, want it removed")
	}
}

type spy struct{ On c.TrackedEntity }

type spying struct {
	Tracking[spy]
	spy frame.In[spy]
	pos frame.Out[c.Position]
}

func (s *spying) Needs(n *frame.Needs) {
	n.Read(&s.spy)
	n.Write(&s.pos)
}

func (s *spying) Run(b *frame.Batch) {
	pos := s.pos.Of(b)
	for i, x := range s.spy.Of(b) {
		pos[i].Vec = x.On.At
	}
}

func TestTrackingEmbedded(t *testing.T) {
	s := newStage(t, 0.1, &spying{Tracking: Tracking[spy]{Of: func(x *spy) *c.TrackedEntity { return &x.On }}})
	other := s.Put(c.Position{Vec: xy(3, 4)}, c.Velocity{Vec: xy(1, 0)})
	e := s.Put(c.Position{}, spy{On: c.TrackedEntity{Entity: other}})
	s.Step()
	testkit.Equal(t, testkit.ComponentOf[spy](s, e).On, c.TrackedEntity{Entity: other, At: xy(3, 4), Velocity: xy(1, 0), Seen: true}, "tracked entity")
	testkit.Equal(t, placeOf(s, e), xy(3, 4), "Position")
	testkit.NoAllocs(t, 5, s.Step)
}

func TestReplaceMisuse(t *testing.T) {
	w := ecs.NewWorld()
	for want, do := range map[string]func(){
		"crowd: Default of components.Position, which is not a behavior": func() { Default[c.Position]() },
		"crowd: old component 0 has type *components.Seek": func() {
			Replace(frame.New(&Seek{}), &w, w.NewEntity(), []any{&c.Seek{}}, c.Flee{})
		},
		"crowd: Tracking.Of is nil": func() { frame.New(&Tracking[c.Quarry]{}).Initialize(&w) },
	} {
		func() {
			defer panics(t, want)
			do()
		}()
	}
}
