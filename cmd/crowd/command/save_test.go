package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

var savedRuns = []struct{ trajectories, args string }{
	{"x.csv", "run evacuation --agents 6 --steps 400"},
	{"x.parquet", "run plaza --agents 60 --steps 130 --every 7 --safety"},
	{"x.sql", "run bottleneck --agents 30 --steps 130 --line 0,0,5,5 --area 0,0,5,5 --set max-speed=1.25 --seed 7"},
	{"x.csv.gz", "run siege --agents 40 --steps 130 --every 10"},
	{"x.txt", "run office --agents 40 --steps 130 --every 3"},
}

// timeless returns a report without the fields that depend on the process, which must exist.
func timeless(t *testing.T, text []byte) string {
	t.Helper()
	r := decode[map[string]any](t, string(text))
	for _, field := range strings.Fields(`setup_seconds beside_seconds ns_per_agent_step steps_per_second real_time_factor step_p50_ns step_p99_ns
		allocs_per_step bytes_per_agent systems workers resumed_after command`) {
		if _, ok := r[field]; !ok {
			t.Errorf("%q is missing from the report", field)
		}
		delete(r, field)
	}
	out, err := json.MarshalIndent(r, "", " ")
	testkit.Must(t, err)
	return string(out)
}

type result struct {
	report       string
	trajectories []byte
}

func wholeRun(t *testing.T, args, trajectories string) result {
	t.Helper()
	t.Chdir(t.TempDir())
	out, _ := succeed(t, args+" --json --trajectories "+trajectories)
	return result{timeless(t, []byte(out)), readFile(t, trajectories)}
}

func (want result) check(t *testing.T, folder, trajectories string, out []byte) {
	t.Helper()
	testkit.Equal(t, timeless(t, out), want.report, "report")
	if got := readFile(t, filepath.Join(folder, trajectories)); !bytes.Equal(got, want.trajectories) {
		t.Errorf("%s: got=%d bytes, want %d bytes of other content", trajectories, len(got), len(want.trajectories))
	}
	testkit.Equal(t, slices.Contains(leftovers(t, folder, nil), trajectories+".part"), false, "partial trajectories")
}

// Saving must not change the result of a run, in any format, even if the run is resumed after its end.
func TestSavedIsSame(t *testing.T) {
	for _, run := range savedRuns {
		want := wholeRun(t, run.args, run.trajectories)
		t.Chdir(t.TempDir())
		for _, line := range []string{run.args + " --json --save x.save --save-every 60 --trajectories " + run.trajectories, "run --resume x.save --json"} {
			out, errs := succeed(t, line)
			testkit.Equal(t, errs, "", "%s: errors", line)
			want.check(t, ".", run.trajectories, []byte(out))
		}
	}
}

func TestResumeInterrupted(t *testing.T) {
	for _, run := range savedRuns[:3] {
		want := wholeRun(t, run.args, run.trajectories)
		t.Chdir(t.TempDir())
		args := append(strings.Fields(run.args), "--json", "--save", "x.save", "--save-every", "5s", "--trajectories", run.trajectories)
		for tries := 0; ; tries++ {
			code, out, errs := sameFolder(t, endsAfter(int64(60+20*tries)), append(args, "--workers", []string{"1", "3", "2"}[tries%3])...)
			switch {
			case code != exitOK && strings.Contains(errs, "interrupted while"):
				continue // the run was interrupted before it began
			case code != exitOK || tries == 50:
				t.Fatalf("%s: got=exit code %d after %d tries, want=0 after fewer than 50: %s", run.args, code, tries, errs)
			case !strings.Contains(out, `"interrupted": true`):
				want.check(t, ".", run.trajectories, []byte(out))
			case !strings.Contains(errs, "crowd run --resume x.save continues the run"):
				t.Fatalf("%s: got=%s, want the command that continues the run", run.args, errs)
			default:
				args = []string{"run", "--resume", "x.save", "--json"}
				continue
			}
			break
		}
	}
}

func TestLonger(t *testing.T) {
	want := reportOf(t, "run plaza --agents 100 --steps 90")
	t.Chdir(t.TempDir())
	reportOf(t, "run plaza --agents 100 --steps 47 --save x.save")
	out, _ := succeed(t, "run --resume x.save --steps 90 --json")
	contains(t, "resumed", out, `"resumed_after": 47`, want.Hash, want.TraceHash)
	out, _ = succeed(t, "run --resume x.save --steps 96")
	contains(t, "resumed", out, "for 1.6 s, resumed after 90 steps")
}

func TestResumeEnded(t *testing.T) {
	t.Chdir(t.TempDir())
	reportOf(t, "run plaza --agents 20 --steps 60 --save x.save")
	for flag, want := range map[string]string{
		"--quiet": "20 agents in plaza, for 1.0 s, already ended when resumed\n",
		"-v":      "60, already ended when resumed, set up in ",
	} {
		out, _ := succeed(t, "run --resume x.save --picture none "+flag)
		contains(t, flag, out, want, "\ncollisions ")
		lacks(t, flag, out, "\nspeed ", "cost ", "rate ", "step ", "parts ", " × real time")
	}
}

func TestResumeRefused(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{"room.toml": roomTOML}))
	succeed(t, "run room.toml --save x.save --trajectories x.csv --picture none")
	whole := readFile(t, "x.save")
	for name, text := range map[string][]byte{
		"cut.save": whole[:len(whole)-1], "more.save": append(slices.Clone(whole), 'x'), "twice.save": append(slices.Clone(whole), whole...),
		"foreign.save": []byte("no saved run"), "empty.save": nil,
	} {
		testkit.Must(t, os.WriteFile(name, text, 0o666))
	}
	refuses(t, "run", []refusal{
		{"--resume none.save", "none.save: no such file"},
		{"--resume .", "is not a regular file"},
		{"--resume foreign.save", "foreign.save is not a saved run, want a file written by crowd run --save"},
		{"--resume empty.save", "empty.save is not a saved run"},
		{"--resume cut.save", "cut.save is truncated or damaged, want a complete file"},
		{"--resume more.save", "more.save is truncated or damaged, want a complete file"},
		{"--resume twice.save", "twice.save: unexpected data"},
		{"plaza --resume x.save", "scene plaza can't be combined with --resume, which takes the scene from x.save"},
		{"--resume x.save --seed 3", "--seed can't be combined with --resume: it affects the result, which x.save determines"},
		{"--resume x.save --set max-speed=3", "--set can't be combined with --resume"},
		{"--resume x.save --trajectories y.csv", "--trajectories can't be combined with --resume"},
		{"--resume x.save --safety", "--safety can't be combined with --resume"},
		{"--resume x.save --steps 59", "--steps is 59, want 60 or more, the number of steps already in x.save"},
		{"--resume x.save --steps 61", "the trajectories in x.csv are complete and can't be extended: want a new run of 61 steps"},
		{"--resume x.save --save-every 0", `--save-every is 0, want at least one step`},
		{"plaza --save-every 5s", "--save-every needs --save, which is missing"},
		{"room.toml --save room.toml", "--save is room.toml, which is also read"},
		{"room.toml --save y.csv --trajectories y.csv", "y.csv would be written twice"},
		{"room.toml --save y.csv.part --trajectories y.csv", "y.csv.part would be written twice"},
		{"room.toml --save no/such/folder", "--save is no/such/folder: no such folder"},
	})
	testkit.Must(t, os.WriteFile("room.toml", []byte(roomTOML+"\n"), 0o666))
	refuses(t, "run", []refusal{{"--resume x.save", "room.toml has changed since x.save was saved: SHA-256 is "}})
	testkit.Must(t, os.Remove("room.toml"))
	refuses(t, "run", []refusal{{"--resume x.save", "x.save was saved from a scene whose files cannot be read: open room.toml: no such file"}})
}

const roomTOML = "steps = 60\nbox = [[0, 0], [9, 9]]\n[[groups]]\ncount = 9\nmax-speed = 1\nstart-speed = 1\n"

// interruptedRun leaves the files of an interrupted run, x.save and x.csv.part, in a new folder.
func interruptedRun(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	_, out, _ := sameFolder(t, endsAfter(100), strings.Fields("run plaza --agents 100 --steps 1000000 --save x.save --trajectories x.csv --json")...)
	contains(t, "report", out, `"interrupted": true`)
}

func TestPartRefused(t *testing.T) {
	interruptedRun(t)
	whole := readFile(t, "x.csv.part")
	refuses(t, "run plaza --agents 20 --steps 5 --save", []refusal{
		{"x.save", "--save is x.save, which holds an unfinished run, saved after "},
		{"x.save", " steps: continue the run with --resume x.save, or delete the file"},
		{"y.save --trajectories x.csv", "crowd: x.csv.part contains the trajectories of another run, which has not ended: continue that run with crowd run --resume, or delete the file\n"},
	})
	testkit.Must(t, os.WriteFile("z.save", readFile(t, "x.save"), 0o666))
	refuses(t, "run", []refusal{
		{"--resume x.save --save z.save --picture x.jpg", "--save is z.save, which holds an unfinished run, saved after "},
		{"--resume x.save --save ./x.save --picture x.jpg", "want a name that ends in .png"},
	})
	changed := slices.Clone(whole)
	changed[len(changed)/2] ^= 1
	for want, part := range map[string][]byte{"x.csv.part has ": whole[:len(whole)-1], "x.csv.part has changed since the run was saved": changed} {
		testkit.Must(t, os.WriteFile("x.csv.part", part, 0o666))
		refuses(t, "run", []refusal{{"--resume x.save --json", want}})
	}
	testkit.Must(t, os.Remove("x.csv.part"))
	succeed(t, "run plaza --agents 20 --steps 5 --save y.save --trajectories x.csv")
}

func TestEndedStaysComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "run plaza --agents 20 --steps 40 --save a.save --trajectories t.csv --picture none")
	want := readFile(t, "t.csv")
	for _, part := range []string{"", "of another run"} {
		if part != "" {
			testkit.Must(t, os.WriteFile("t.csv.part", []byte(part), 0o666))
		}
		succeed(t, "run --resume a.save --picture none")
		got := contents(t, ".")
		testkit.Equal(t, got["t.csv"], string(want), "trajectories")
		testkit.Equal(t, got["t.csv.part"], part, "part")
	}
}

// recordings records runs in a new folder. a.replay and same.replay have the same steps. In other.replay,
// agents have another maximum speed.
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
	end(t, "replay", []ending{
		{"a.replay", exitOK, "30 steps of evacuation: the same\n", ""},
		{"a.replay --workers 3 --to 7", exitOK, "7 steps of evacuation: the same\n", ""},
		{"a.replay --json", exitOK, `"same": true`, ""},
		{"diff a.replay same.replay --json", exitOK, `"same": true`, ""},
		{"cut.replay", exitOK, "28 steps of evacuation: the same\n", "using the steps before it"},
		{"diff a.replay same.replay", exitOK, "the same in 30 steps\n", ""},
		{"diff a.replay other.replay", exitFailure, "agent 1 is the first that already differed before step ", "the runs differ"},
	})
	refuses(t, "replay", []refusal{
		{"short.replay", "before the first state"},
		{"changed.replay", "checksum"},
		{"forged.replay", "version is 2, want 1"},
		{".", "crowd: . is a folder"},
		{"a.replay --to 31", "--to is 31, want at most 30 steps"},
		{"a.replay --agent 99", "no agent has this ID before step 30"},
		{"a.replay --agent 9 --json", "--states and --agent print JSON anyway"},
		{"a.replay --agent 9 --to 0", "want 1 or more with --agent"},
		{"diff a.replay", "the number of recordings is 1, want two, or one and --with"},
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
