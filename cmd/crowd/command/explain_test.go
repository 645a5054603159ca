package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		args string
		want []string
	}{
		{"plaza --agents 1000 --agent 5 --at 30", []string{
			"plaza, seed 1, step 30, agent 5: from 0.483333 s to 0.5 s", "Arrival", "Avoidance", "m/s  2 kg/s", "sum",
			"threat      circle of radius 1.5 m at (320.3848, 235.4393) m, entity 502", "contact at", "truncation  none: 3.373 N of at most 6 N",
			"moved by    Integration, mass 1 kg", "position    (322.5114, 234.1116) → (322.5109, 234.1165) m", "components  Agent       ID 5",
		}},
		{"plaza --agents 2000 --agent 4 --at 20 --set max-force=3", []string{"3.294 N exceed the limit of 3 N: 91.08 % of each force remains"}},
		{"tank-path --at 57", []string{"PathFollowing  target (150, 450) m", "moved by       Drive", "because there is no force"}},
		{"seek-kinematic --at 57", []string{"Follow         target", "KinematicSeek  velocity by (0.0024", "Facing         turns by -0.2217 °"}},
		{"avoidance-cocos", []string{"0.8 N", ", no limit"}},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"explain"}, strings.Fields(test.args)...)...)
		if code != exitOK || errs != "" {
			t.Errorf("%s: exit code %d, %s", test.args, code, errs)
		}
		for _, want := range test.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: table lacks %q:\n%s", test.args, want, out)
			}
		}
		if strings.Contains(out, "NaN") || strings.Contains(out, " \n") {
			t.Errorf("%s: table with NaN or blanks at the end of a line:\n%s", test.args, out)
		}
	}
}

// TestExplainIsTheRun verifies that the account of one step begins where that of the
// step before ends, and that the JSON has what the page says.
func TestExplainIsTheRun(t *testing.T) {
	page, err := os.ReadFile("../../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	type account struct {
		Before, After struct{ Position, Velocity, Heading r2.Vec }
		MaxForce      string
	}
	explain := func(step string) (a account, all map[string]any) {
		code, out, errs := command(t, context.Background(), "explain", "avoidance-cocos", "--json", "--at", step)
		if code != exitOK || errs != "" {
			t.Fatalf("exit code %d, %s", code, errs)
		}
		if err := json.Unmarshal([]byte(out), &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), &all); err != nil {
			t.Fatal(err)
		}
		return a, all
	}
	first, all := explain("40")
	second, _ := explain("41")
	if first.After != second.Before || first.Before == first.After {
		t.Errorf("step 40 ends with %+v, step 41 begins with %+v", first.After, second.Before)
	}
	if got, want := first.MaxForce, "Infinity"; got != want {
		t.Errorf("maxForce: got=%v, want=%v", got, want)
	}
	for field := range all {
		if !strings.Contains(string(page), "`"+field+"`") {
			t.Errorf("docs/report.md does not describe %q", field)
		}
	}
}

func TestExplainErrors(t *testing.T) {
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
	file := filepath.Join(t.TempDir(), "leaves.toml")
	if err := os.WriteFile(file, []byte(leaves), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"plaza --agents 20 --agent 21", "--agent is 21, but plaza has the agents 1 to 20"},
		{"plaza --agents 20 --agent 0", "--agent is 0, but plaza has the agents 1 to 20"},
		{"plaza --at 0", "--at is 0, want a step from 1, or its time"},
		{"plaza --at 100000001", `"100000001": want a number of steps such as 120, or a time such as 2.5s or 5m`},
		{"nowhere", `no scene or file is named "nowhere"`},
		{"plaza --agents 20 --set nothing=1", "--set"},
		{file + " --at 4", "agent 1 is gone: it arrived in step 3 and left, so --at can be 1 to 3"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"explain"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || out != "" || !strings.HasPrefix(errs, "crowd: ") || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: got=%d, %q, %q, want=%q", test.args, code, out, errs, test.want)
		}
	}
	code, out, errs := command(t, context.Background(), "explain", file, "--at", "3")
	if code != exitOK || !strings.Contains(out, "in this step, and leaves") {
		t.Errorf("the last step: exit code %d, %s\n%s", code, errs, out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code, _, errs := command(t, ctx, "explain", "seek", "--at", "3"); code != exitFailure || errs != "crowd: interrupted before step 1\n" {
		t.Errorf("interrupted: got=%d, %q", code, errs)
	}
}
