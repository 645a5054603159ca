package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func everything(t *testing.T) *Scene {
	s := mustRead(t, behaviors(t))
	for i := range s.Groups {
		s.Groups[i].Count = min(s.Groups[i].Count, 20)
	}
	return s
}

// tunable returns small scenes to tune. The first has every parameter.
func tunable(t *testing.T) []*Scene {
	all := []*Scene{everything(t), mustRead(t, hall("count = 9\nmax-speed = 1\ntarget = [10, 5]\nseek = {}\nsource = {every = 0.1}"))}
	for _, name := range Names() {
		s := loaded(t, name)
		shrink(s, 80)
		if len(s.Groups) > 4 && name != "formation" {
			s.Groups, s.Featured = s.Groups[:4], nil // groups of rooms and exits are alike
		}
		all = append(all, s)
	}
	return all
}

func tuned(t *testing.T, s *Scene, name string, x float64) *world.World {
	t.Helper()
	w := built(t, s)
	noError(t, s.Tune(w, name, x))
	return w
}

func steps(t *testing.T, w *world.World, n int) uint64 {
	t.Helper()
	for range n {
		noError(t, w.Step())
	}
	return w.Hash()
}

// third returns a value that is neither an end of a slider nor round.
func third(p *Parameter) float64 { return p.Min + (p.Max-p.Min)/3 }

func most(p *Parameter) float64 {
	if p.Label == "max-force" && p.Section == "" {
		return math.Inf(1)
	}
	return p.Max
}

func TestTunedIsAsFromTheStart(t *testing.T) {
	t.Parallel()
	values := []func(p *Parameter) []float64{ // one after another
		func(p *Parameter) []float64 { return []float64{third(p)} },
		func(p *Parameter) []float64 { return []float64{p.Min} },
		func(p *Parameter) []float64 { return []float64{most(p)} },
		func(p *Parameter) []float64 { return []float64{p.Min, p.Value} },
	}
	for i, s := range tunable(t) {
		for k, value := range values {
			if i > 0 && k > 0 {
				break // the first scene has all parameters
			}
			s, n, all := s.Clone(), 0, s.Parameters()
			w := built(t, s)
			for _, p := range all {
				tuned := true
				for _, x := range value(&p) {
					tuned = s.Tune(w, p.Name, x) == nil && tuned
				}
				if tuned {
					n++
				}
			}
			if n < len(all)/2 {
				t.Errorf("%s: got=%d of %d parameters that can be tuned, want=half or more", s.Name, n, len(all))
			}
			plain := built(t, reread(t, s))
			got, want := slices.Collect(w.Inspect().States()), slices.Collect(plain.Inspect().States())
			for i := range want {
				if k == 0 && !reflect.DeepEqual(got[i], want[i]) { // a radius of 0 is another component than none
					t.Fatalf("%s: got=%+v, want=%+v", s.Name, got[i], want[i])
				}
			}
			testkit.Equal(t, steps(t, w, 8), steps(t, plain, 8), "%s: hash", s.Name)
		}
	}
}

func TestEveryParameterMatters(t *testing.T) {
	t.Parallel()
	changes := map[string]bool{} // by section and label
	for _, s := range tunable(t) {
		var before []uint64 // after each step
		for _, p := range s.Parameters() {
			for _, x := range []float64{most(&p), p.Min, third(&p)} {
				kind := p.Section + "." + p.Label
				if changes[kind] {
					continue
				}
				if before == nil {
					w := built(t, s)
					for range 25 {
						before = append(before, steps(t, w, 1))
					}
				}
				w := tuned(t, s.Clone(), p.Name, x)
				changes[kind] = slices.ContainsFunc(before, func(hash uint64) bool { return steps(t, w, 1) != hash })
			}
		}
	}
	for kind, changes := range changes {
		testkit.Equal(t, changes, true, "%s: a run changes", kind)
	}
}

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
		agents(w, func(id uint64, _, _, _ r2.Vec) {
			want := [5]float64{3, 0.25, 2, 0.5, 7} // -1 means without the component
			if id > 60 {
				want = [5]float64{-1, 0.5, 1.4, 4, 3}
			}
			if id > 100 {
				want = [5]float64{1, -1, 1, 1000, -1}
			}
			got := [5]float64{-1, -1, part[c.Limits](w, id).MaxSpeed, part[c.Goal](w, id).Radius, -1}
			if mass := part[c.Mass](w, id); mass != nil {
				got[0] = mass.Kilograms
			}
			if radius := part[c.Radius](w, id); radius != nil {
				got[1] = radius.Meters
			}
			if arrival := part[c.Arrival](w, id); arrival != nil {
				got[4] = arrival.SlowingRadius
			}
			testkit.Equal(t, got, want, "agent %d: mass, radius, max-speed, radius of the goal, slowing-radius", id)
		})
		if got := s.Groups[0].Mass; !reflect.DeepEqual(got, Same(3)) {
			t.Errorf("mass in the scene: got=%v, want=3", got)
		}
		steps(t, w, 3)
		testkit.Equal(t, w.Stats().Skipped, 0, "skipped")
	}
}

func TestTuneRefuses(t *testing.T) {
	for _, tc := range []struct {
		scene, name string
		x           float64
		want        string
	}{
		{"plaza", "groups[0].arrival.slowing-radius", -1, "groups[0].arrival.slowing-radius is -1, want a finite number, 0 or more"},
		{"plaza", "groups[0].max-speed", math.Inf(1), "groups[0].max-speed is +Inf, want a finite number, 0 or more"},
		{"plaza", "groups[0].max-force", -1, "groups[0].max-force is -1, want a number, 0 or more"},
		{"plaza", "groups[0].mass", 0, "groups[0].mass is 0, want a finite number above 0"},
		{"plaza", "groups[0].arrival.gain", 90, "groups[0].arrival.gain is 90 kg/s, want 0 to mass/dt = 60"},
		{"plaza", "groups[0].mass", 0.01, "groups[0].mass cannot be 0.01: groups[0].arrival.gain is 2 kg/s, want 0 to mass/dt = 0.6"},
		{"plaza", "dt", 1, "dt cannot be 1: groups[0].arrival.gain is 2 kg/s, want 0 to mass/dt = 1"},
		{"plaza", "dt", 0, "dt is 0, want a finite number above 0"},
		{"tank-path", "groups[0].smooth-arrival.min", 21.5, "<nil>"},
		{"tank-path", "groups[0].smooth-arrival.min", 22, "groups[0].smooth-arrival.min cannot be 22: groups[0].path.reached is 22 m, want above 22 m, the distance at which smooth arrival stops"},
		{"tank-path", "groups[0].smooth-arrival.max", 17, "groups[0].smooth-arrival.max is 17 m, want above min (17 m)"},
		{"tank-path", "groups[0].path.reached", 17, "groups[0].path.reached is 17 m, want above 17 m, the distance at which smooth arrival stops"},
		{"avoidance", "groups[0].radius", 1, "groups[0].radius is 1 m, but the configured scan supports only agents without a radius"},
		{"avoidance", "groups[0].radius", 0, "<nil>"},
		{"seek", "pointer.speed", 0, "pointer.speed is 0, want a finite number above 0"},
		{"plaza", "pointer.speed", 1, "pointer.speed is not a parameter; the parameters are dt, radius, mass, max-speed, max-force, goal.radius, arrival.gain, arrival.slowing-radius, threat-scan.look-ahead, avoidance.max-force"},
		{"plaza", "groups[1].radius", 1, "groups[1].radius is not a parameter: the number of groups is 1, and the first is groups[0]"},
		{"plaza", "groups[0].arrival.gane", 1, `groups[0].arrival.gane is not a parameter: did you mean "groups[0].arrival.gain"?`},
		{"seek", "groups[0]", 1, "groups[0] is not a parameter; the parameters of groups[0] are radius, mass, max-speed, max-force, seek.gain, facing.rate"},
		{"plaza", "groups[0].start-speed", 1, "groups[0].start-speed cannot be changed while the scene runs: it matters only at the start"},
	} {
		s, w := build(t, tc.scene)
		before := s.Clone()
		err := s.Tune(w, tc.name, tc.x)
		testkit.Equal(t, fmt.Sprint(err), tc.want, "%s: %s = %v", tc.scene, tc.name, tc.x)
		if err != nil {
			if !reflect.DeepEqual(s, before) {
				t.Errorf("%v: got=a different scene, want=the same", err)
			}
			testkit.Equal(t, steps(t, w, 10), hashAfter(t, before, 10), "%s = %v was rejected: hash", tc.name, tc.x)
		}
	}
}

func TestTuneAllGroups(t *testing.T) {
	s, w := build(t, "predators")
	want := s.Clone()
	noError(t, want.Set("max-speed", 3))
	noError(t, s.Tune(w, "max-speed", 3))
	noError(t, s.Tune(w, "evasion.radius", 7)) // only one of the groups has it
	noError(t, want.Set("evasion.radius", 7))
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got=%+v, want=%+v", s, want)
	}
	testkit.Equal(t, steps(t, w, 20), hashAfter(t, want, 20), "hash")
	if err := s.Tune(w, "mass", 0.1); err == nil || !reflect.DeepEqual(s, want) {
		t.Errorf("invalid for one of the groups: got=%v, %+v, want=an error, and %+v", err, s, want)
	}
}

func TestTuneWhichWorld(t *testing.T) {
	s, w := build(t, "seek")
	refused(t, s.Clone().Tune(w, "dt", 0.5), "seek itself", "copy of the scene")
	bare, err := world.New(world.Default())
	noError(t, err)
	defer bare.Close()
	refused(t, s.Tune(bare, "dt", 0.5), "not built from a scene", "world without a scene")
	q := w.ECS.Query(ecs.All())
	refused(t, s.Tune(w, "dt", 0.5), "in the middle of a step", "locked world")
	q.Close()
	s.Groups = append(s.Groups, s.Groups[0])
	refused(t, s.Tune(w, "groups[1].mass", 2), "built before", "new group")
}

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
		stepped float64 // m, in the first step after the change
	}{{"pointer.speed", 5, 2}, {"dt", 0.5, 5}, {"pointer.speed", 1, 2.5}, {"dt", 2, 0.5}, {"dt", 1, 2}} {
		noError(t, s.Tune(w, change.name, change.x))
		for range 2 { // PointerOf returns the position at the start of the step
			steps(t, w, 1)
			now, _ := PointerOf(w)
			testkit.Near(t, r2.Norm(r2.Sub(now, at)), change.stepped, 1e-9, "%s = %v: the pointer moved", change.name, change.x)
			at, change.stepped = now, w.Clock.Dt*s.Pointer.Speed
		}
	}
}

var noError = testkit.Must
