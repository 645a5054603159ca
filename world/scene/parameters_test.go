package scene

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
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
	groups := len(everything(t).Groups)
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
		s, want, n := everything(t), everything(t), 0
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
	s := everything(t)
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
