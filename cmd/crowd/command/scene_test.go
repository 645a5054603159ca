package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func shown(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := sameFolder(t, t.Context(), append([]string{"scene", "show", "-q"}, args...)...)
	if code != exitOK {
		t.Fatalf("%v: exit code: got=%d, want=0: %s", args, code, errs)
	}
	return filepath.Join(testkit.Files(t, map[string]string{"shown.toml": out}), "shown.toml")
}

func TestSceneJSON(t *testing.T) {
	t.Parallel()
	out, _ := succeed(t, "scene --json")
	var names []string
	for _, s := range decode[[]listedScene](t, out) {
		names = append(names, s.Name)
		if s.Agents < 1 || s.Steps < 1 || s.Dt <= 0 || s.Text == "" {
			t.Errorf("got=%+v, want a text, agents, steps and dt above 0", s)
		}
	}
	testkit.Equal(t, strings.Join(names, " "), strings.Join(scene.Names(), " "), "names")
}

// checkedFiles changes to a new folder with a scene without a finding, one with a finding, one with an error,
// and one in which an agent cannot arrive.
func checkedFiles(t *testing.T) {
	const group = "[[groups]]\nat = [0, 0]\nmax-speed = 1\n"
	t.Chdir(testkit.Files(t, map[string]string{"good.toml": group + "start-speed = 1\n", "poor.toml": group, "bad.toml": "sed = 1\n" + group, "shut.toml": shutTOML}))
}

func TestSceneCheck(t *testing.T) {
	checkedFiles(t)
	end(t, "scene check", []ending{
		{"good.toml plaza", exitOK, "", ""},
		{"good.toml poor.toml", exitFailure, "poor.toml: groups[0]: nothing moves the agents", "crowd: 1 finding"},
		{"arrival", exitFailure, "arrival: groups[0]: arrival overshoots its target", "crowd: 1 finding"},
		{"shut.toml", exitFailure, "shut.toml: groups[0]: agent 1 can't arrive: a body of radius 0.3 m has no path from (0, 0) to its goal at (5, 0); clear the way", "crowd: 2 findings"},
		{"bad.toml", exitBadInput, "", "bad.toml:1:1: sed is not a key: did you mean \"seed\"?"},
	})
	code, out, errs := sameFolder(t, t.Context(), "scene", "check", "--json", "good.toml", "poor.toml")
	got := decode[[]linted](t, out)
	if code != exitFailure || errs != "crowd: 1 finding\n" || len(got) != 2 || got[0].File != "good.toml" || got[0].Findings == nil || len(got[0].Findings) != 0 || len(got[1].Findings) != 1 {
		t.Errorf("--json: exit code %d, %s, got=%+v, want 1, no finding in good.toml, one in poor.toml", code, errs, got)
	}
}

// A run warns of each finding once, except in built-in scenes.
func TestRunFindings(t *testing.T) {
	checkedFiles(t)
	for args, want := range map[string][2]string{ // in the output, and in the warnings
		"poor.toml --steps 5": {"", "nothing moves the agents"},
		"shut.toml":           {"1 of the 1 that have not arrived can't arrive, for example:", ""},
		"shut.toml -v":        {"1 of the 1 that have not arrived can't arrive, for example:", ""},
	} {
		out, errs := succeed(t, "run --picture none "+args)
		if want[0] != "" && (strings.Count(out, want[0]) != 1 || !strings.Contains(out, "agent 1: a body of radius 0.3 m")) || want[1] != "" && strings.Count(errs, want[1]) != 1 {
			t.Errorf("%s: want %q once in the output and %q once in the warnings, got:\n%s%s", args, want[0], want[1], out, errs)
		}
	}
	_, errs := succeed(t, "run arrival --steps 5 --picture none")
	lacks(t, "built-in scene", errs, "overshoots its target")
	for file, want := range map[string]int{"shut.toml": 1, "good.toml": 0} {
		out, _ := succeed(t, "run --json -q --steps 50 "+file)
		if r := decode[report.Report](t, out); r.CannotArrive == nil || *r.CannotArrive != want || *r.CannotArriveAsked != want || len(r.Reasons) != want {
			t.Errorf("%s: got=%d reasons: %q, want=%d, and as many agents that cannot arrive and were checked", file, len(r.Reasons), r.Reasons, want)
		}
	}
}

// enters is a scene in which agent 2 enters after 10 s.
const enters = `
box = [[-5, -5], [5, 5]]
dt = 1
steps = 20
[[groups]]
count = 2
at = [0, 0]
target = [3, 0]
max-speed = 1
kinematic-seek = {}
source = {every = 10}
`

// leaves is a scene of one agent that arrives in step 3.
const leaves = `
box = [[-5, -5], [5, 5]]
dt = 1
steps = 9
[[groups]]
count = 1
at = [0, 0]
target = [3, 0]
max-speed = 1
kinematic-seek = {}
goal = {radius = 0.5, then = "leave"}
`

// combined is a scene of one agent with four behaviors. The line % is for the combination.
const combined = `
dt = 0.1
%
[[groups]]
at = [0, 0]
target = [9, 0]
max-speed = 1
max-force = 3
seek = {gain = 1}
flee = {from = [-1, 0], gain = 2}
containment = {gain = 4, horizon = 0.5, box = [[-9, -9], [9, 9]]}
wander = {gain = 1, distance = 1, radius = 1, rate = 0}
`

func TestExplain(t *testing.T) {
	t.Parallel()
	with := func(head string) string { return strings.Replace(combined, "%", head, 1) }
	dir := testkit.Files(t, map[string]string{
		"leaves.toml":    leaves,
		"enters.toml":    enters,
		"priority.toml":  with(`combination = "priority"`),
		"order.toml":     with("combination = \"priority\"\npriority = [\"wander\", \"seek\"]"),
		"dithering.toml": with("combination = \"dithering\"\nchances = [1]"),
	})
	for _, test := range []struct {
		args string
		want []string
		not  string
	}{
		{"plaza --agents 1000 --agent 5 --at 30", []string{
			"plaza, seed 1, step 30, agent 5: from 0.483333 s to 0.5 s", "Arrival", "Avoidance", "m/s  2 kg/s", "sum",
			"threat      circle of radius 1.5 m at (320.3848, 235.4393) m, entity 502", "contact at", "truncation  none: 3.373 N of at most 6 N",
			"moved by    Integration, mass 1 kg", "position    (322.5114, 234.1116) → (322.5109, 234.1165) m", "components  Agent       ID 5",
		}, "combination"},
		{"plaza --agents 2000 --agent 4 --at 20 --set max-force=3", []string{"3.294 N exceeds the limit of 3 N: 91.08% of each force remains"}, "NaN"},
		{"tank-path --at 57", []string{"PathFollowing  target (150, 450) m", "moved by       Drive", "because there is no force"}, "NaN"},
		{"seek-kinematic --at 57", []string{"Follow         target", "KinematicSeek  velocity by (0.0024", "Facing         turns by -0.2217°"}, "NaN"},
		{"avoidance-cocos", []string{"0.8 N", ", no limit"}, "NaN"},
		{dir + "/enters.toml --agent 2 --at 12", []string{"ID 2"}, "NaN"},
		{dir + "/leaves.toml --at 3", []string{"in this step, and leaves"}, "NaN"},
		// With ORCA, forces only set the preferred velocity, so no force is left over.
		{"bottleneck --agent 5 --at 20", []string{"none: ORCA derives the preferred velocity from ", "Integration, at the velocity that ORCA chose"}, "kept x"},
		{dir + "/priority.toml", []string{"combination  by priority: Flee granted, Seek granted, Wander dropped", "truncation   none: 3 N of at most 3 N"}, "NaN"},
		{dir + "/order.toml", []string{"by priority: Wander granted, Seek granted, Flee truncated to 50%"}, "NaN"},
		{dir + "/dithering.toml", []string{"by dithering: Flee drawn, with 1 times its force, Seek dropped"}, "NaN"},
	} {
		out, _ := succeed(t, "explain "+test.args)
		contains(t, test.args, out, test.want...)
		lacks(t, test.args, out, test.not, " \n")
	}
}

func TestExplainJSON(t *testing.T) {
	t.Parallel()
	type explanation struct {
		Before, After struct{ Position, Velocity, Heading r2.Vec }
		MaxForce      string
	}
	text, _ := succeed(t, "explain avoidance-cocos --json --at 40")
	next, _ := succeed(t, "explain avoidance-cocos --json --at 41")
	first, second := decode[explanation](t, text), decode[explanation](t, next)
	if first.After != second.Before || first.Before == first.After || first.MaxForce != "Infinity" {
		t.Errorf("step 40: got=%+v to %+v, step 41 from %+v, want a change, and step 41 from the end of step 40; maximum force: got=%s, want=Infinity", first.Before, first.After, second.Before, first.MaxForce)
	}
	for field := range decode[map[string]any](t, text) {
		contains(t, "docs/report.md", page(t, "report.md"), "`"+field+"`")
	}
}
