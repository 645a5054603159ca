package scene

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestEveryNumberIsAParameter(t *testing.T) {
	exceptions := []struct{ path, reason string }{
		{`^duration$`, "it only determines the number of steps"},
		{`^obstacles\.`, "obstacles are built at the start; a world can move them one by one"},
		{`^portals\.`, "portals are built at the start; World.SetPortals changes them"},
		{`^zones\.`, "zones exist from the start; World.SetZones changes them"},
		{`^groups\.delay`, "counts only at the start"},
		{`^groups\.source\.`, "the times of sources are computed at the start"},
		{`\.exponential$`, "the mean of a distribution, which the number of the group replaces"},
		{`^groups\.max-speed\.age`, "ages, which the speed replaces"},
		{`^groups\.field-cell$`, "a field has its cells from the start; World.SetFlowField changes them"},
		{`^groups\.start-speed$`, "counts only at the start"},
		{`^groups\.at\.`, "places at the start"},
		{`^groups\.target\.`, "places are drawn at the start, and when an agent wanders"},
		{`^groups\.(radius|mass|max-speed|max-force|goal\.radius)\.(min|max)$`, "limits of a distribution, which its mean replaces"},
		{`^groups\.itineraries\.`, "lists of stops have no number per agent"},
	}
	has := map[string]bool{}
	for _, p := range everything(t).Parameters() {
		has[regexp.MustCompile(`\[\d+\]`).ReplaceAllString(p.Name, "")] = true
	}
	used := make([]bool, len(exceptions))
	n := 0
	pathsOf(new(file).keys(), "", func(path string, k *key) {
		s := k.schema()
		if forms, _ := s["anyOf"].([]schema); s["type"] != "number" && (len(forms) == 0 || forms[0]["type"] != "number") {
			return
		}
		n++
		excepted := false
		for i, e := range exceptions {
			if is := regexp.MustCompile(e.path).MatchString(path); is {
				excepted, used[i] = true, true
			}
		}
		if has[path] == excepted {
			t.Errorf("%s: parameter: got=%v, exception: got=%v, want exactly one true", path, has[path], excepted)
		}
	})
	if n < 50 {
		t.Errorf("numbers: got=%d, want=50 or more", n)
	}
	for i, e := range exceptions {
		if !used[i] {
			t.Errorf("exception %s (%s): got=no such number, want=a number", e.path, e.reason)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	for _, s := range tunable(t) {
		before := s.Clone()
		seen := map[string]bool{}
		for _, p := range s.Parameters() {
			what := s.Name + ": " + p.Name
			if seen[p.Name] {
				t.Errorf("%s: got=twice, want=once", what)
			}
			seen[p.Name] = true
			if !(p.Min < p.Max && p.Step > 0 && p.Step <= (p.Max-p.Min)/10) || math.IsInf(p.Max-p.Min, 0) {
				t.Errorf("%s: got=%v to %v by %v, want=a finite range of 10 steps or more", what, p.Min, p.Max, p.Step)
			}
			if !math.IsInf(p.Value, 1) && !(p.Min <= p.Value && p.Value <= p.Max) {
				t.Errorf("%s: value %v: got=%v to %v, want=a range around it", what, p.Value, p.Min, p.Max)
			}
			for _, x := range []float64{p.Min, p.Max} {
				if steps := x / p.Step; math.Abs(steps-math.Round(steps)) > 1e-6 || x == 0 && math.Signbit(x) {
					t.Errorf("%s: got=%v, want=a multiple of %v", what, x, p.Step)
				}
			}
			if p.Help == "" || !strings.HasSuffix(p.Name, p.Label) || !strings.Contains(p.Name, p.Section) || (p.Group < 0) == strings.HasPrefix(p.Name, "groups[") {
				t.Errorf("%s: got=%+v, want=help, label, section and group that match the name", what, p)
			}
		}
		testkit.Equal(t, asFile(s), asFile(before), "%s: the scene after Parameters", s.Name)
	}
}

func parameter(s *Scene, name string) (p Parameter) {
	all := s.Parameters()
	if i := slices.IndexFunc(all, func(p Parameter) bool { return p.Name == name }); i >= 0 {
		p = all[i]
	}
	return p
}

func TestParametersOfBuiltins(t *testing.T) {
	for _, want := range []struct {
		scene string
		Parameter
	}{
		{"plaza", Parameter{"dt", -1, "", "dt", "s, length of a step; 1 if the units are pixels and frames", 1. / 60, 0.0001, 0.08, 0.0001}},
		{"plaza", Parameter{"groups[0].radius", 0, "", "radius", "m, radius of the body; by default agents are points", 0.25, 0, 1, 0.01}},
		{"plaza", Parameter{"groups[0].mass", 0, "", "mass", "kg; by default 1", 1, 0.04, 4, 0.01}}, // at least 2 kg/s · dt
		{"plaza", Parameter{"groups[0].arrival.slowing-radius", 0, "arrival", "slowing-radius", "m, distance from the target at which slowing begins", 3, 0, 15, 0.1}},
		{"plaza", Parameter{"groups[0].goal.radius", 0, "goal", "radius", "m, distance from the target that counts as arrival", 0.5, 0, 2, 0.01}},
		{"seek", Parameter{"pointer.speed", -1, "pointer", "speed", "m/s", 2, 0.01, 8, 0.01}},
		{"avoidance-cocos", Parameter{"groups[0].max-force", 0, "", "max-force", "N, maximum steering force", math.Inf(1), 0, 1.5, 0.01}},
		{"tank-path", Parameter{"groups[0].smooth-arrival.min", 0, "smooth-arrival", "min", "m, distance at which the speed is zero", 17, 0, 21.9, 0.1}},
		{"tank-path", Parameter{"groups[0].path.reached", 0, "path", "reached", "m, distance at which a waypoint counts as reached", 22, 18, 100, 1}},
		{"tank-flee", Parameter{"groups[0].flee.gain", 0, "flee", "gain", "kg/s, at most mass/dt; 0 pauses", 0, 0, 8, 0.01}},
		{"boids", Parameter{"groups[0].separation.field-of-view", 0, "separation", "field-of-view", "degrees, around the velocity; 0 or at least 360 means all around", 0, 0, 360, 1}},
		{"queue", Parameter{"groups[0].max-speed", 0, "", "max-speed", "m/s, maximum speed", 1.35, 0, 6, 0.01}},
	} {
		testkit.Equal(t, parameter(loaded(t, want.scene), want.Name), want.Parameter, "%s", want.scene)
	}
	testkit.Equal(t, parameter(avoidance(), "groups[0].radius"), Parameter{}, "probes, which support only agents without a radius")
}

func TestNice(t *testing.T) {
	for _, tc := range []struct{ x, want float64 }{
		{1, 1}, {1.1, 1.5}, {1.6, 2}, {2.4, 3}, {5.6, 6}, {8.1, 10}, {0.07, 0.08}, {0.3, 0.3}, {4. / 60, 0.08}, {91, 100}, {1.2e-9, 1.5e-9}, {3e15, 3e15},
	} {
		testkit.Equal(t, nice(tc.x), tc.want, "nice(%v)", tc.x)
	}
}

func TestParametersOfLargeScenes(t *testing.T) {
	s := everything(t)
	flock := s.Groups[slices.IndexFunc(s.Groups, func(g Group) bool { return has[c.UnalignedCollisionAvoidance](&g) })]
	s.Groups = []Group{flock, flock}
	run := func() float64 { return testing.AllocsPerRun(1, func() { s.Parameters() }) }
	allocations := func() float64 { return min(run(), run(), run()) } // the runtime may add some
	few, noisy := allocations(), max(run(), run(), run())
	s.Groups[1].MaxSpeed = Value{Each: make([]float64, 99_999)}
	for i := range s.Groups[1].MaxSpeed.Each {
		s.Groups[1].MaxSpeed.Each[i] = 1 + float64(i%3)
	}
	s.Groups[1].Mass = s.Groups[1].MaxSpeed
	testkit.Near(t, parameter(s, "groups[1].mass").Value, 2, 1e-5, "mass")
	if got := allocations(); got > max(few, noisy)+10 {
		t.Errorf("many numbers: got=%v allocations, want=at most %v, 10 more than for one number", got, max(few, noisy)+10)
	}
	s.Groups[1].MaxSpeed, s.Groups[1].Mass = Value{}, Value{}
	for len(s.Groups) < 40 {
		if s.Groups = append(s.Groups, s.Groups[0]); len(s.Groups) == 20 {
			few = allocations()
		}
	}
	if got := allocations(); got > 2.2*few {
		t.Errorf("40 groups: got=%v allocations, want=at most 2.2 times the %v of 20 groups", got, few)
	}
	if got, want := len(s.Parameters()), 40*18; got < want {
		t.Errorf("parameters: got=%d, want=%d or more", got, want)
	}
}

func TestSet(t *testing.T) {
	all := everything(t)
	groups := len(all.Groups)
	for _, tc := range []struct {
		name, keys string // keys that become 0.5
		n          int    // number of groups that have them, summed over the keys
	}{
		{"max-speed", "max-speed", groups},
		{"max-force", "max-force", groups},
		{"radius", "radius", groups},
		{"slowing-radius", "arrival.slowing-radius opposing-arrival.slowing-radius damped-arrival.slowing-radius interpose.slowing-radius leader-following.slowing-radius hiding.slowing-radius", 10},
		{"look-ahead", "threat-scan.look-ahead", 1},
		{"seek.gain", "seek.gain", 4},
		{"avoidance", "avoidance.max-force", 1},
		{"turn-rate", "turn-towards.rate turn-away.rate formation.turn-rate", 4},
		{"drive-speed", "drive.speed drive.top-speed", 4},
		{"facing", "facing.rate", 1},
		{"flee-radius", "flee.radius", 2},
		{"goal-radius", "goal.radius", 3},
	} {
		s, want, n := all.Clone(), all.Clone(), 0
		noError(t, s.Set(tc.name, 0.5))
		for i := range want.Groups {
			for key := range strings.FieldsSeq(tc.keys) {
				if k, wrong := want.findKey(fmt.Sprintf("groups[%d].%s", i, key)); wrong == "" {
					k.set(0.5)
					n++
				}
			}
		}
		testkit.Equal(t, n, tc.n, "%s: numbers", tc.name)
		testkit.Equal(t, asFile(s), asFile(want), "%s", tc.name)
	}
	s := all.Clone()
	noError(t, errors.Join(s.Set("groups[0].seek.gain", 0.25), s.Set("pointer.speed", 0.75)))
	for i, want := range map[int]float64{0: 0.25, 10: 2} {
		seek, _ := Behavior[c.Seek](&s.Groups[i])
		testkit.Equal(t, seek.Gain, want, "groups[%d].seek.gain", i)
	}
	testkit.Equal(t, s.Pointer.Speed, 0.75, "pointer.speed")
}

func TestSetRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		x    float64
		want string
	}{
		{"mass", 0, "mass is 0 kg, want a finite number above 0"},
		{"max-speed", -1, "max-speed is -1 m/s, want a finite number, 0 or more"},
		{"max-speed", math.Inf(1), "max-speed is +Inf m/s, want a finite number, 0 or more"},
		{"look-ahead", math.NaN(), "look-ahead is NaN m, want a finite number, 0 or more"},
		{"turn-rate", 1, "turn-rate: no agent of scene plaza has this parameter"},
		{"flee.radius", 1, "flee.radius: no agent of scene plaza has this parameter"},
		{"groups[3].mass", 1, "groups[3].mass: no agent of scene plaza has this parameter"},
	} {
		s := loaded(t, "plaza")
		testkit.Equal(t, fmt.Sprint(s.Set(tc.name, tc.x)), tc.want, "%s = %v", tc.name, tc.x)
		testkit.Equal(t, asFile(s), asFile(loaded(t, "plaza")), "%s = %v", tc.name, tc.x)
	}
}

func TestSetStartSpeed(t *testing.T) {
	s := avoidanceCocos()
	noError(t, s.Set("start-speed", 3))
	testkit.Equal(t, fmt.Sprint(s.Groups[0].Speed, s.Groups[0].Velocity), "3 {0 0}", "speed, velocity")
}

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
