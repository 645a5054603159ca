package systems

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// Velocity looks like the type of this module.
type Velocity struct{ X, Y float64 }

func pedestrian(but ...any) []any {
	all := []any{
		c.Position{}, c.Velocity{}, c.Target{Vec: xy(9, 0)}, c.Limits{MaxSpeed: 1, MaxForce: 1}, c.Seek{Gain: 2},
		c.Steering{},
	}
	for _, b := range but {
		all = slices.DeleteFunc(all, func(x any) bool { return reflect.TypeOf(x) == reflect.TypeOf(b) })
	}
	return all
}

func with(all []any, value any) []any {
	for i, x := range all {
		if reflect.TypeOf(x) == reflect.TypeOf(value) {
			all[i] = value
		}
	}
	return all
}

func TestDiagnose(t *testing.T) {
	walk := func() []any { return []any{&Seek{}, &Integration{}} }
	for _, tc := range []struct {
		name    string
		systems []any
		has     []any
		want    []string // beginnings of the texts, in any order; empty means no problems
	}{
		{"walks", walk(), pedestrian(), nil},
		{"a forgotten component", walk(), pedestrian(c.Target{}), []string{"Seek ignores the entity, which lacks components.Target"}},
		{"two forgotten components", walk(), pedestrian(c.Steering{}, c.Limits{}), []string{"Seek ignores the entity, which lacks components.Limits, components.Steering"}},
		{"no position", walk(), pedestrian(c.Position{}), []string{"Integration does not move the entity, which lacks components.Position", "Seek ignores the entity, which lacks components.Position"}},
		{"no velocity", []any{&Integration{}}, []any{c.Position{}}, []string{"Integration does not move the entity, which lacks components.Velocity"}},
		{"no force", walk(), with(pedestrian(), c.Limits{MaxSpeed: 1}), []string{"Limits.MaxForce is 0 N"}},
		{"no speed", walk(), with(pedestrian(), c.Limits{MaxForce: 1}), []string{"Limits.MaxSpeed is 0 m/s"}},
		{"paused", walk(), with(pedestrian(), c.Seek{}), []string{"Seek.Gain is 0: Seek is paused"}},
		{"weightless", walk(), append(pedestrian(), c.Mass{}), []string{"Mass.Kilograms is 0, want a number above 0"}},
		{"nowhere", walk(), with(pedestrian(), c.Position{Vec: xy(math.NaN(), 0)}), []string{"Position is (NaN, 0), want finite numbers"}},
		{"no number", walk(), with(pedestrian(), c.Limits{MaxSpeed: math.NaN(), MaxForce: 1}), []string{"Limits.MaxSpeed is NaN"}},
		{"at the target", walk(), with(pedestrian(), c.Target{}), []string{"the entity is at its Target"}},
		{"no system", []any{&Integration{}}, pedestrian(), []string{"the entity has components.Seek, but systems.Seek is not in the frame"}},
		{"no behavior", walk(), pedestrian(c.Seek{}), []string{"nothing in the frame steers the entity to its Target: add a behavior, such as Arrival"}},
		{"no Integration", []any{&Seek{}}, pedestrian(), []string{"nothing in the frame moves the entity"}},
		{"forces for none", []any{&sense.Neighbors{}, &Seek{}, &ResolveOverlaps{}}, append(pedestrian(), c.Solid{Push: 1}), []string{"Seek adds to Steering, but nothing in the frame applies the force to the entity: put systems.Integration after Seek"}},
		{"driven", []any{&Seek{}, &Integration{}, &Drive{}}, append(pedestrian(), c.Drive{Speed: 1}, c.Heading{Vec: xy(1, 0)}),
			[]string{"Seek adds to Steering, but Drive moves the entity along its Heading"}},
		{"parked", []any{&Integration{}, &Drive{}}, []any{c.Position{}, c.Drive{}, c.Heading{}}, []string{"Drive.Speed is 0: Drive is paused"}},
		{"drives without a heading", []any{&Drive{}}, []any{c.Position{}, c.Drive{Speed: 1}}, []string{"Drive ignores the entity, which lacks components.Heading"}},
		{"blind", []any{&sense.Obstacles{}, &ThreatScan{}, &Integration{}}, []any{c.Position{}, c.Velocity{}, c.ThreatScan{}, c.Threat{}}, []string{"ThreatScan.LookAhead is 0"}},
		{"no path", []any{&PathFollowing{}, &Seek{}, &Integration{}}, append(pedestrian(), c.Path{Index: 3}), []string{"path index is 3, but the number of paths is 0"}},
		{"follows none", []any{&Follow{}, &Seek{}, &Integration{}}, append(pedestrian(), c.Follow{}), []string{"Follow.Entity is entity 0, which is not alive"}},
		{"follows without a target", []any{&Follow{}, &Integration{}}, []any{c.Position{}, c.Velocity{}, c.Follow{Entity: someEntity()}}, []string{"Follow ignores the entity, which lacks components.Target"}},
		{"no field", []any{&sense.Obstacles{}, &FlowFieldFollowing{}, &Seek{}, &Integration{}}, append(pedestrian(), c.FlowField{Index: 9}), []string{"flow-field index is 9, but the number of fields is 0"}},
		{"negative radius", walk(), append(pedestrian(), c.Radius{Meters: -1}), []string{"Radius.Meters is -1 m, want a finite number, 0 or more"}},
		{"wild gain", walk(), with(pedestrian(), c.Seek{Gain: 500}), []string{"seek gain is 500 kg/s, want 0 to mass/dt = 10"}},
		{"degrees", []any{&sense.Neighbors{}, &Separation{}, &Integration{}}, append(pedestrian(c.Seek{}, c.Target{}), c.Separation{Gain: 1, NeighborDist: 1, FieldOfView: 120}), []string{"separation field-of-view is 120 rad, want 0 to 12.566370614359172"}},
		{"not bound", walk(), append(pedestrian(c.Velocity{}), Velocity{}),
			[]string{"Integration does not move the entity", "Seek ignores the entity", "the entity has systems.Velocity, which is not bound: call frame.Bind[components.Velocity, systems.Velocity](frame)"}},
		{"turns away", []any{&Flee{}, &TurnAway{}, &Integration{}, &Drive{}},
			[]any{c.Position{}, c.Flee{Gain: 1}, c.TurnAway{Rate: 1}, c.Drive{Speed: 1}, c.Heading{Vec: xy(1, 0)}}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStage(t, 0.1, tc.systems...)
			e := s.NewEntity()
			for _, comp := range tc.has {
				put(s, e, comp)
			}
			got := Diagnose(s.Frame, s.World, e)
			for _, want := range tc.want {
				if !slices.ContainsFunc(got, func(p Problem) bool { return strings.HasPrefix(p.Text, want) }) {
					t.Errorf("problems: got=%v, want=one that begins with %q", got, want)
				}
			}
			if len(got) != len(tc.want) {
				t.Errorf("problems: got=%d, %v, want=%d", len(got), got, len(tc.want))
			}
		})
	}
}

func TestDiagnoseDead(t *testing.T) {
	s := newStage(t, 0.1, &Track{}, &Pursuit{}, &FormationKeeping{}, &Integration{})
	e, dead := s.NewEntity(), s.NewEntity()
	Add(s.World, e, append(pedestrian(c.Seek{}), c.Pursuit{Gain: 1, Horizon: 1}, c.Quarry{Entity: dead}, c.Formation{Leader: c.TrackedEntity{Entity: dead}, Spacing: 1})...)
	if got := Diagnose(s.Frame, s.World, e); len(got) != 0 {
		t.Errorf("alive: got=%v, want=no problem", got)
	}
	s.World.RemoveEntity(dead)
	got := Diagnose(s.Frame, s.World, e)
	if len(got) != 2 || got[0].Text != "formation leader is entity 2, which is dead" || got[1].Text != "quarry is entity 2, which is dead" {
		t.Errorf("dead: got=%v, want=formation leader is entity 2, which is dead; quarry is entity 2, which is dead", got)
	}
}

func TestDiagnoseStandingClock(t *testing.T) {
	s := newStage(t, 0.1, &Seek{}, &Integration{})
	e := s.NewEntity()
	Add(s.World, e, pedestrian()...)
	check := func(when, want string) {
		t.Helper()
		got := ""
		for _, p := range Diagnose(s.Frame, s.World, e) {
			got += p.Text
		}
		testkit.Equal(t, got, want, "%s", when)
	}
	for range 200 {
		s.Frame.Step(s.World, 0.001)
	}
	check("after Step", "")
	for range 100 {
		s.Frame.Update(s.World)
	}
	check("after 100 steps", "")
	s.Clock.Dt = 0.002 // steps of varying length
	s.Frame.Update(s.World)
	check("after 101 steps", "Clock.Time has been 0.20000000000000015 s for 100 steps: call Frame.Step, or Clock.Advance after each Update")
	s.Frame.Step(s.World, 0.001)
	s.Frame.Step(s.World, 0.001)
	for range 200 {
		s.Frame.Step(s.World, 0)
	}
	s.Clock.Dt = 0.001
	check("after a pause", "")
}

func TestDiagnoseBound(t *testing.T) {
	w := ecs.NewWorld(16)
	f := frame.New(&Integration{})
	testkit.Must(t, frame.Bind[c.Velocity, Velocity](f))
	f.Initialize(&w)
	defer f.Finalize(&w)
	ours, host := w.NewEntity(), w.NewEntity()
	Add(&w, ours, c.Position{}, c.Velocity{})
	Add(&w, host, c.Position{}, Velocity{X: 1})
	if got := Diagnose(f, &w, ours); len(got) != 2 || !strings.Contains(got[1].Text, "systems.Velocity stands in for components.Velocity") {
		t.Errorf("ours: got=%v, want=two problems, the second that systems.Velocity stands in for components.Velocity", got)
	}
	if got := Diagnose(f, &w, host); len(got) != 0 {
		t.Errorf("host: got=%v, want=no problem", got)
	}
	w.RemoveEntity(host)
	if got := Diagnose(f, &w, host); len(got) != 1 || got[0].Text != "the entity is dead" {
		t.Errorf("dead: got=%v, want=the entity is dead", got)
	}
}

// put gives an entity one component, without those it requires.
func put(s *stage, e ecs.Entity, comp any) {
	s.World.Add(e, ecs.TypeID(s.World, reflect.TypeOf(comp)))
	column.Set(s.World, e, comp)
}
