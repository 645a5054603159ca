package scene

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// handmade returns a scene whose groups have many behaviors and parameters.
func handmade() *Scene {
	s := &Scene{
		Name: "everything", Seed: 1, Dt: 1. / 60, Steps: 60, Box: box(0, 0, 100, 100),
		Paths:   [][]r2.Vec{{{X: 10, Y: 10}, {X: 90, Y: 90}}},
		Pointer: &Pointer{Way: []r2.Vec{{X: 20, Y: 20}, {X: 80, Y: 20}, {X: 50, Y: 80}}, Speed: 5},
		Obstacles: Obstacles{Circles: []Circle{{At: r2.Vec{X: 50, Y: 50}, Radius: 5}},
			Walls: []Wall{{A: r2.Vec{X: 20, Y: 60}, B: r2.Vec{X: 40, Y: 70}}}},
		Groups: []Group{{
			Count: 20, At: Place{Box: box(8, 8, 14, 14)}, Speed: 1, Radius: Same(0.3), Mass: Same(2), MaxSpeed: Same(3), MaxForce: Same(8),
			Target: &Place{}, Goal: &Goal{Radius: Same(1), Then: Wander},
			Behaviors: []any{
				c.Seek{Gain: 1}, c.KinematicSeek{Gain: 0.1}, c.Flee{Gain: 0.5, Radius: 20},
				c.Arrival{Gain: 1, SlowingRadius: 4}, c.OpposingArrival{Gain: 0.1, SlowingRadius: 4, TimeConstant: 1},
				c.DampedArrival{Gain: 0.1, SlowingRadius: 3, TimeConstant: 1}, c.SmoothArrival{Gain: 1, Min: 0.5, Max: 5},
				c.Facing{Rate: 2}, c.TurnTowards{Rate: 1}, c.TurnAway{Rate: 1},
				c.Drive{Speed: 1, TopSpeed: 2}, c.Path{Reached: 2},
				c.ThreatScan{LookAhead: 10}, c.Avoidance{MaxForce: 5},
			}, References: map[string]string{"flee.from": pointerName},
		}},
	}
	walkers := Group{
		Name: "walkers", Count: 30, At: Place{Box: box(9, 48, 13, 52)}, Speed: 1, MaxSpeed: Value{Spread: &Spread{Min: 1, Max: 2}}, MaxForce: Same(math.Inf(1)),
		Target: &Place{}, Goal: &Goal{Radius: Value{Each: []float64{1, 2}}}, Behaviors: []any{
			c.Seek{Gain: 2},
			c.ThreatScan{LookAhead: 10}, c.Avoidance{MaxForce: 5},
			c.ORCA{Gain: 2, TimeHorizon: 2, NeighborDist: 5, MaxNeighbors: 10, Priority: 2},
		},
		Itineraries: [][]systems.Stop{{{At: r2.Vec{X: 10, Y: 50}}, {At: r2.Vec{X: 90, Y: 50}}}},
	}
	roamers := Group{
		Name: "roamers", Count: 20, At: Place{Box: box(15, 40, 30, 60)}, Speed: 1, Radius: Same(0.3), MaxSpeed: Same(3), MaxForce: Same(20),
		References: map[string]string{"quarry": "walkers", "pursuer": pointerName}, Behaviors: []any{
			c.Quarry{}, c.Pursuer{},
			c.Pursuit{Gain: 1, Horizon: 5}, c.Evasion{Gain: 1, Horizon: 3, Radius: 30},
			c.OffsetPursuit{Gain: 1, Horizon: 4, Distance: 3}, c.Wander{Gain: 1, Distance: 2, Radius: 1, Rate: 1},
			c.Containment{Gain: 4, Horizon: 1.5, Box: box(14, 39, 31, 61)}, c.WallFollowing{Gain: 1, Horizon: 1, Offset: 2, Range: 9},
			c.Separation{Gain: 1, NeighborDist: 3, FieldOfView: vec.Radians(200), MaxNeighbors: 9}, c.Alignment{Gain: 1, NeighborDist: 5, FieldOfView: vec.Radians(150)},
			c.Cohesion{Gain: 1, NeighborDist: 6, MaxNeighbors: 7},
			c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 2, NeighborDist: 8, FieldOfView: vec.Radians(100), Clearance: 0.2},
			c.ORCA{Gain: 1, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 10, Priority: 1},
		}, Layers: &c.Layers{On: 3, Sees: 5},
	}
	jam := Group{
		Name: "jam", Count: 20, At: Place{Box: box(20, 20, 23, 23)}, Speed: 1, Radius: Same(0.4), MaxSpeed: Same(3), MaxForce: Same(20),
		Target: &Place{Points: []r2.Vec{{X: 21, Y: 21}}}, Behaviors: []any{c.Seek{Gain: 2}, c.Solid{Push: 0.25}},
	}
	s.Groups = append(s.Groups, walkers, roamers, jam)
	return s
}

// everything returns the handmade scene with all other behaviors added.
func everything() *Scene {
	s := handmade()
	s.addOthers(&s.Groups[2])
	s.Groups[2].Goal = &Goal{Radius: Same(1)} // crowded-goal needs it
	jam := &s.Groups[3]
	jam.Goal = &Goal{Radius: Same(0.1)}
	jam.Set(c.CrowdedGoal{Share: 0.3, Patience: 0.1})
	return s
}

// addOthers adds to a group all behaviors that no group has, except special ones, with 20 m for lengths
// and 1 for other numbers.
func (s *Scene) addOthers(to *Group) {
	for _, e := range systems.Catalog() {
		has := slices.ContainsFunc(s.Groups, func(g Group) bool {
			return slices.ContainsFunc(g.Behaviors, func(b any) bool { return reflect.TypeOf(b) == reflect.TypeOf(e.Component) })
		})
		if has || e.Special {
			continue
		}
		comp := e.New()
		for _, p := range e.Params(comp) {
			switch at := p.At.(type) {
			case *float64:
				if *at = 1; p.Unit == "m" {
					*at = 20
				}
			case *ecs.Entity:
				to.References[referencePath(&e, &p)] = []string{pointerName, "walkers"}[len(to.References)%2]
			}
		}
		to.Behaviors = append(to.Behaviors, pointedAt(comp))
	}
}

// tunable returns small versions of all scenes that the tests tune. The first scenes together have
// every parameter.
func tunable(t *testing.T) []*Scene {
	every := everything()
	roamers := &every.Groups[2]
	roamers.Behaviors = slices.DeleteFunc(roamers.Behaviors, func(b any) bool { // they override the effects of other behaviors
		return isOneOf([]any{c.SocialForce1995{}, c.SocialForce2000{}, c.CollisionFreeSpeed{}, c.AnticipationVelocity{}}, b)
	})
	all := []*Scene{every}
	for _, m := range models {
		if m.Model != ModelSteer {
			all = append(all, meeting(t, m.Model))
		}
	}
	for _, name := range Names() {
		s := loaded(t, name)
		shrink(s, 80)
		if len(s.Groups) > 4 && name != "formation" {
			s.Groups, s.Featured = s.Groups[:4], nil // the groups of rooms and exits are alike
		}
		all = append(all, s)
	}
	return all
}

// meeting returns a scene in which two groups of pedestrians, moved by model m, meet between walls.
func meeting(t *testing.T, m Model) *Scene {
	s := &Scene{Name: "meeting by " + string(m), Dt: 0.01, Steps: 600, Seed: 1, Box: box(0, 0, 20, 2), Groups: []Group{
		People("right", 8, Place{Rows: box(8, 0.5, 9, 1.4), Jitter: 0.1}, through(box(19, 0, 20, 2))), People("left", 8, Place{Rows: box(9.5, 0.3, 13, 1.7), Jitter: 0.1}, through(box(0, 0, 1, 2))),
	}}
	s.Obstacles.Walls = []Wall{{A: xy(0, 0), B: xy(20, 0)}, {A: xy(0, 2), B: xy(20, 2)}}
	noError(t, s.SetModel(m))
	return s
}

func tuned(t *testing.T, s *Scene, name string, x float64) *world.World {
	t.Helper()
	w := built(t, s)
	noError(t, s.Tune(w, name, x))
	return w
}

// steps runs n steps, and returns the hash of w.
func steps(t *testing.T, w *world.World, n int) uint64 {
	t.Helper()
	for range n {
		noError(t, w.Step())
	}
	return w.Hash()
}

// TestTunedIsAsFromTheStart verifies that a scene tuned before the first step runs like a scene read
// with the value, and that parameters of each section and label change some run. Without -full, it tries
// the ends of a slider only until a run changes.
func TestTunedIsAsFromTheStart(t *testing.T) {
	t.Parallel()
	const few, many = 8, 25
	same := func(s *Scene, w *world.World, before [2]uint64, what ...any) (differs bool) {
		t.Helper()
		defer w.Close()
		plain, err := reread(t, s).Build(Options{Workers: 1})
		noError(t, err)
		defer plain.Close()
		for i, n := range []int{few, many - few} {
			got, want := steps(t, w, n), steps(t, plain, n)
			if got != want {
				t.Errorf("%s, %v: hash: got=%016x, want=%016x", s.Name, what, got, want)
			}
			if got != before[i] {
				return true
			}
		}
		return false
	}
	differs := map[string]bool{} // by section and label: a run has differed from that of the original scene
	for _, s := range tunable(t) {
		w := built(t, s)
		before := [2]uint64{steps(t, w, few), steps(t, w, many-few)}
		w.Close()
		all := s.Parameters()
		for _, p := range all {
			kind := p.Section + "." + p.Label
			if differs[kind] {
				continue
			}
			values := []float64{third(&p), p.Min, p.Max}
			if p.Label == "max-force" && p.Section == "" {
				values = append(values, math.Inf(1))
			}
			for _, x := range values {
				if differs[kind] && x >= p.Min && x <= p.Max && !*full {
					continue
				}
				s := s.Clone()
				differs[kind] = same(s, tuned(t, s, p.Name, x), before, p.Name, x) || differs[kind]
			}
		}
		w = tuned(t, s, all[0].Name, third(&all[0]))
		for _, p := range all[1:] {
			if err := s.Tune(w, p.Name, third(&p)); err != nil {
				t.Logf("%s, %s: %v", s.Name, p.Name, err)
			}
		}
		same(s, w, before, "all parameters")
	}
	for kind, differs := range differs {
		if !differs {
			t.Errorf("%s: got=the same run with all values in all scenes, want=a different run", kind)
		}
	}
}

// third returns a value for a parameter that is neither an end of its slider nor round.
func third(p *Parameter) float64 { return p.Min + (p.Max-p.Min)/3 }

// TestTuneThereAndBack verifies that changing a number and changing it back before the first step does not
// change the run.
func TestTuneThereAndBack(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	for _, s := range tunable(t) {
		want := hashAfter(t, s, 5)
		for _, p := range s.Parameters() {
			if strings.HasPrefix(p.Name, "groups[1]") && (p.Label == "max-speed" || p.Section == "goal") {
				continue // these differ between agents, and Tune makes them equal
			}
			if kind := p.Section + "." + p.Label; tried[kind] {
				continue
			} else {
				tried[kind] = true
			}
			s := s.Clone()
			w := tuned(t, s, p.Name, p.Min)
			noError(t, s.Tune(w, p.Name, p.Value))
			if got := steps(t, w, 5); got != want {
				t.Errorf("%s, %s: hash: got=%016x, want=%016x", s.Name, p.Name, got, want)
			}
			w.Close()
		}
	}
}

// TestTuneOneGroup verifies that Tune immediately changes all agents of the group, with or without the
// component, and no agents of another group or of a host.
func TestTuneOneGroup(t *testing.T) {
	s := plaza()
	s.Resize(100)
	other := s.Groups[0]
	other.Name, s.Groups[0].Count, other.Count = "other", 60, 40
	s.Groups = append(s.Groups, other)
	for _, measure := range []bool{false, true} {
		s := s.Clone()
		w := builtWith(t, s, Options{Workers: 1, Measure: measure})
		noError(t, w.Spawn(7, []any{c.Limits{MaxSpeed: 1}, c.Mass{Kilograms: 1}, c.Target{}, c.Goal{Radius: 1000}}, nil))
		steps(t, w, 3) // the host's agents arrive
		for name, x := range map[string]float64{
			"groups[0].mass": 3, "groups[1].radius": 0.5, "groups[0].max-speed": 2, "groups[1].goal.radius": 4, "groups[0].arrival.slowing-radius": 7,
		} {
			noError(t, s.Tune(w, name, x))
		}
		q := w.ECS.Query(ecs.All(ecs.ComponentID[c.Agent](w.ECS)))
		for q.Next() {
			id := (*c.Agent)(q.Get(ecs.ComponentID[c.Agent](w.ECS))).ID
			check := func(what string, comp ecs.ID, number func() float64, want float64) {
				t.Helper()
				if got := q.Has(comp); got != (want >= 0) {
					t.Errorf("agent %d has %s: got=%v, want=%v", id, what, got, want >= 0)
				} else if got && number() != want {
					t.Errorf("agent %d, %s: got=%v, want=%v", id, what, number(), want)
				}
			}
			want := [5]float64{3, 0.25, 2, 0.5, 7} // -1 means without the component
			if id > 60 {
				want = [5]float64{-1, 0.5, 1.4, 4, 3}
			}
			if id > 100 {
				want = [5]float64{1, -1, 1, 1000, -1}
			}
			mass, radius, limits := ecs.ComponentID[c.Mass](w.ECS), ecs.ComponentID[c.Radius](w.ECS), ecs.ComponentID[c.Limits](w.ECS)
			goal, arrival := ecs.ComponentID[c.Goal](w.ECS), ecs.ComponentID[c.Arrival](w.ECS)
			check("mass", mass, func() float64 { return (*c.Mass)(q.Get(mass)).Kilograms }, want[0])
			check("radius", radius, func() float64 { return (*c.Radius)(q.Get(radius)).Meters }, want[1])
			check("max speed", limits, func() float64 { return (*c.Limits)(q.Get(limits)).MaxSpeed }, want[2])
			check("goal radius", goal, func() float64 { return (*c.Goal)(q.Get(goal)).Radius }, want[3])
			check("slowing radius", arrival, func() float64 { return (*c.Arrival)(q.Get(arrival)).SlowingRadius }, want[4])
		}
		if got := s.Groups[0].Mass; !reflect.DeepEqual(got, Same(3)) {
			t.Errorf("mass in the scene: got=%v, want=3", got)
		}
		steps(t, w, 3)
		if got := w.Stats().Skipped; got != 0 {
			t.Errorf("skipped: got=%d, want=0", got)
		}
	}
}

// TestTuneRefuses verifies that Tune rejects unknown names, and values that a file must not contain or that
// conflict with other numbers, with an error that names the parameter, and then changes nothing.
func TestTuneRefuses(t *testing.T) {
	for _, tc := range []struct {
		scene, name string
		x           float64
		want        string
	}{
		{"plaza", "groups[0].arrival.slowing-radius", -1, "groups[0].arrival.slowing-radius is -1, want a finite number, 0 or more"},
		{"plaza", "groups[0].max-speed", math.NaN(), "groups[0].max-speed is NaN, want a finite number, 0 or more"},
		{"plaza", "groups[0].max-speed", math.Inf(1), "groups[0].max-speed is +Inf, want a finite number, 0 or more"},
		{"plaza", "groups[0].max-force", -1, "groups[0].max-force is -1, want a number, 0 or more"},
		{"plaza", "groups[0].mass", 0, "groups[0].mass is 0, want a finite number above 0"},
		{"plaza", "groups[0].arrival.gain", 90, "groups[0].arrival.gain is 90 kg/s, want 0 to mass/dt = 60"},
		{"plaza", "groups[0].mass", 0.01, "groups[0].mass cannot be 0.01: groups[0].arrival.gain is 2 kg/s, want 0 to mass/dt = 0.6"},
		{"plaza", "dt", 1, "dt cannot be 1: groups[0].arrival.gain is 2 kg/s, want 0 to mass/dt = 1"},
		{"plaza", "dt", 0, "dt is 0, want a finite number above 0"},
		{"tank-path", "groups[0].smooth-arrival.min", 21.5, ""},
		{"tank-path", "groups[0].smooth-arrival.min", 22, "groups[0].smooth-arrival.min cannot be 22: groups[0].path.reached is 22 m, want above 22, the distance at which smooth arrival stops"},
		{"tank-path", "groups[0].smooth-arrival.max", 17, "groups[0].smooth-arrival.max is 17 m, want above min = 17"},
		{"tank-path", "groups[0].path.reached", 17, "groups[0].path.reached is 17 m, want above 17, the distance at which smooth arrival stops"},
		{"avoidance", "groups[0].radius", 1, "groups[0].radius is 1 m, but the configured scan supports only agents without a radius"},
		{"avoidance", "groups[0].radius", 0, ""},
		{"seek", "pointer.speed", 0, "pointer.speed is 0, want a finite number above 0"},
		{"plaza", "pointer.speed", 1, "pointer.speed is not a parameter; the parameters are dt, radius, mass, max-speed, max-force, goal.radius, arrival.gain, arrival.slowing-radius, threat-scan.look-ahead, avoidance.max-force"},
		{"seek", "speed", 1, "speed is not a parameter; the parameters are dt, pointer.speed, radius, mass, max-speed, max-force, seek.gain, facing.rate"},
		{"plaza", "groups[1].radius", 1, "groups[1].radius is not a parameter: the number of groups is 1, and the first is groups[0]"},
		{"plaza", "groups[x", 1, "groups[x is not a parameter: the number of groups is 1, and the first is groups[0]"},
		{"plaza", "groups[0].arrival.gane", 1, `groups[0].arrival.gane is not a parameter: did you mean "groups[0].arrival.gain"?`},
		{"seek", "groups[0]", 1, "groups[0] is not a parameter; the parameters of groups[0] are radius, mass, max-speed, max-force, seek.gain, facing.rate"},
		{"plaza", "groups[0].seek.gain", 1, "groups[0].seek.gain is not a parameter; the parameters of groups[0] are radius, mass, max-speed, max-force, goal.radius, arrival.gain, arrival.slowing-radius, threat-scan.look-ahead, avoidance.max-force"},
		{"plaza", "groups[0].start-speed", 1, "groups[0].start-speed cannot be changed while the scene runs: it counts only at the start"},
	} {
		s, w := build(t, tc.scene)
		before := s.Clone()
		err := s.Tune(w, tc.name, tc.x)
		got := ""
		if err != nil {
			got = err.Error()
			if !reflect.DeepEqual(s, before) {
				t.Errorf("%s: got=a different scene, want=the same", got)
			}
			if got, want := steps(t, w, 10), hashAfter(t, before, 10); got != want {
				t.Errorf("%s = %v was rejected: hash: got=%016x, want=%016x", tc.name, tc.x, got, want)
			}
		}
		if got != tc.want {
			t.Errorf("%s: %s = %v\n got=%v\nwant=%v", tc.scene, tc.name, tc.x, got, tc.want)
		}
	}
}

// TestTuneAllGroups verifies that a name without a group refers to all groups that have it, and that
// either all of them change or none.
func TestTuneAllGroups(t *testing.T) {
	s, w := build(t, "predators")
	want := s.Clone()
	noError(t, want.Set("max-speed", 3))
	noError(t, s.Tune(w, "max-speed", 3))
	if err := s.Tune(w, "evasion.radius", 7); err != nil { // only one of the groups has it
		t.Fatal(err)
	}
	noError(t, want.Set("evasion.radius", 7))
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got=%+v, want=%+v", s, want)
	}
	if got, want := steps(t, w, 20), hashAfter(t, want, 20); got != want {
		t.Errorf("hash: got=%016x, want=%016x", got, want)
	}
	if err := s.Tune(w, "mass", 0.1); err == nil || !reflect.DeepEqual(s, want) {
		t.Errorf("invalid for one of the groups: got=%v, %+v, want=an error, and %+v", err, s, want)
	}
}

func TestTuneWhichWorld(t *testing.T) {
	s, w := build(t, "seek")
	if err := s.Clone().Tune(w, "dt", 0.5); err == nil || !strings.Contains(err.Error(), "seek itself") {
		t.Errorf("copy of the scene: got=%v, want=an error that contains: seek itself", err)
	}
	bare, err := world.New(world.Default())
	noError(t, err)
	defer bare.Close()
	if err := s.Tune(bare, "dt", 0.5); err == nil || !strings.Contains(err.Error(), "not built from a scene") {
		t.Errorf("world without a scene: got=%v, want=an error that contains: not built from a scene", err)
	}
	q := w.ECS.Query(ecs.All())
	if err := s.Tune(w, "dt", 0.5); err == nil || !strings.Contains(err.Error(), "in the middle of a step") {
		t.Errorf("locked world: got=%v, want=an error that contains: in the middle of a step", err)
	}
	q.Close()
	s.Groups = append(s.Groups, s.Groups[0])
	if err := s.Tune(w, "groups[1].mass", 2); err == nil || !strings.Contains(err.Error(), "built before") {
		t.Errorf("new group: got=%v, want=an error that contains: built before", err)
	}
}

// TestTuneOnTheWay verifies that changing dt or the pointer's speed during a run affects later steps,
// but not the current position of the pointer.
func TestTuneOnTheWay(t *testing.T) {
	s, w := build(t, "seek")
	steps(t, w, 10)
	at, ok := PointerOf(w)
	if want := s.Pointer.at(9); !ok || at != want {
		t.Fatalf("pointer: got=%v, %v, want=%v", at, ok, want)
	}
	for _, change := range []struct {
		name    string
		x       float64
		stepped float64 // m, movement in the first step after the change
	}{{"pointer.speed", 5, 2}, {"dt", 0.5, 5}, {"pointer.speed", 1, 2.5}, {"dt", 2, 0.5}, {"dt", 1, 2}} {
		noError(t, s.Tune(w, change.name, change.x))
		for range 2 { // PointerOf returns the position at the start of the step
			steps(t, w, 1)
			now, _ := PointerOf(w)
			if got := r2.Norm(r2.Sub(now, at)); math.Abs(got-change.stepped) > 1e-9 {
				t.Errorf("%s = %v: the pointer moved: got=%v m, want=%v m", change.name, change.x, got, change.stepped)
			}
			at, change.stepped = now, w.Clock.Dt*s.Pointer.Speed
		}
	}
}

var noError = testkit.Must
