package command

import (
	"os"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// recordings records runs of 60 agents that leave a building, in a new folder. a.replay and same.replay
// have the same steps; in other.replay, agents have another maximum speed.
func recordings(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, flags := range []string{"a.replay", "same.replay --workers 1", "other.replay --set max-speed=1.1"} {
		succeed(t, "run evacuation --agents 60 --steps 30 --picture none --record "+flags)
	}
}

func TestReplay(t *testing.T) {
	recordings(t)
	data := readFile(t, "a.replay")
	changed := append([]byte{}, data...)
	changed[len(changed)-60] ^= 1
	for name, data := range map[string][]byte{
		"cut.replay": data[:len(data)-100], "short.replay": data[:5000], "changed.replay": changed, "forged.replay": []byte("crowd replay\n\x02\x00\x00\x00"),
	} {
		testkit.Must(t, os.WriteFile(name, data, 0o666))
	}
	for _, test := range []struct {
		args     string
		code     int
		out, err string
	}{
		{"a.replay", exitOK, "30 steps of evacuation: the same\n", ""},
		{"a.replay --workers 3 --to 7", exitOK, "7 steps of evacuation: the same\n", ""},
		{"a.replay --json", exitOK, `"same": true`, ""},
		{"diff a.replay same.replay --json", exitOK, `"same": true`, ""},
		{"cut.replay", exitOK, "28 steps of evacuation: the same\n", "using the steps before it"},
		{"diff a.replay same.replay", exitOK, "the same in 30 steps\n", ""},
		{"diff a.replay other.replay", exitFailure, "agent 1 is the first that already differed before step ", "they differ"},
	} {
		code, out, errs := sameFolder(t, t.Context(), append([]string{"replay"}, strings.Fields(test.args)...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.err) || test.err == "" && errs != "" {
			t.Errorf("%s: got=exit code %d, %s%s, want=%d, %q, %q", test.args, code, out, errs, test.code, test.out, test.err)
		}
	}
	refuses(t, "replay", []refusal{
		{"short.replay", "before the first state"},
		{"changed.replay", "checksum"},
		{"forged.replay", "version is 2, want 1"},
		{".", "crowd: . is a folder"},
		{"a.replay --to 31", "--to is 31, want at most 30 steps"},
		{"a.replay --agent 99", "no agent has this ID before step 30"},
		{"a.replay --agent 9 --json", "--states and --agent print JSON anyway"},
		{"a.replay --agent 9 --to 0", "want 1 or more with --agent"},
		{"diff a.replay", "want two recordings, or one and --with, got 1"},
		{"diff a.replay forged.replay", "version is 2, want 1"},
		{"diff a.replay --with ./nothing", "no such file"},
	})
	refuses(t, "run", []refusal{{"a.replay", "a.replay is a recording of a run: use crowd replay to run it again"}})

	// --states prints a line for each entity, and --agent prints the same as explain.
	out, _ := succeed(t, "replay a.replay --states --to 3 -q")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if first := decode[struct{ Agent, Entity int }](t, lines[0]); first.Agent != 1 || len(lines) < 60 {
		t.Errorf("--states: got=%d lines, the first of %+v, want 60 or more, from agent 1", len(lines), first)
	}
	got, _ := succeed(t, "replay a.replay --agent 17 --to 3 -q")
	want, _ := succeed(t, "explain evacuation --agents 60 --agent 17 --at 3 --json")
	testkit.Equal(t, got, want, "--agent")
}
