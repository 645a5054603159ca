package command

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

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

// combined is a scene of one agent that has four behaviors at once. The line % is for the combination.
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
	with := func(head string) string { return strings.Replace(combined, "%", head, 1) }
	t.Chdir(testkit.Files(t, map[string]string{
		"leaves.toml":    leaves,
		"priority.toml":  with(`combination = "priority"`),
		"order.toml":     with("combination = \"priority\"\npriority = [\"wander\", \"seek\"]"),
		"dithering.toml": with("combination = \"dithering\"\nchances = [1]"),
	}))
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
		{"leaves.toml --at 3", []string{"in this step, and leaves"}, "NaN"},
		// With ORCA, forces only set the preferred velocity, so no force is left over.
		{"bottleneck --agent 5 --at 20", []string{"N as its preferred velocity", "Integration, at the velocity that ORCA chose"}, "left x"},
		{"priority.toml", []string{"combination  by priority: Flee granted, Seek granted, Wander dropped", "truncation   none: 3 N of at most 3 N"}, "NaN"},
		{"order.toml", []string{"by priority: Wander granted, Seek granted, Flee truncated to 50%"}, "NaN"},
		{"dithering.toml", []string{"by dithering: Flee drawn, with 1 times its force, Seek dropped"}, "NaN"},
	} {
		out, _ := succeed(t, "explain "+test.args)
		contains(t, test.args, out, test.want...)
		if strings.Contains(out, test.not) || strings.Contains(out, " \n") {
			t.Errorf("%s: got %s or trailing blanks, want neither:\n%s", test.args, test.not, out)
		}
	}
}

func TestExplainJSON(t *testing.T) {
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
