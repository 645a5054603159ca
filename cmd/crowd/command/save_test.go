package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// savedRuns are runs that tests save: the names of formats of trajectories, and command lines.
var savedRuns = []struct{ trajectories, args string }{
	{"x.csv", "run evacuation --agents 15"},
	{"x.parquet", "run plaza --agents 60 --steps 200 --every 7 --safety"},
	{"x.sql", "run siege --agents 40 --steps 200 --every 10"},
	{"x.csv.gz", "run bottleneck --agents 30 --steps 200 --line 0,0,5,5 --area 0,0,5,5 --set max-speed=1.25 --seed 7"},
	{"x.txt", "run office --agents 40 --steps 200 --every 3"},
}

// timeless returns a report without what it took, and how it came about.
func timeless(t *testing.T, text []byte) string {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, field := range strings.Fields(`setup_seconds beside_seconds ns_per_agent_step steps_per_second real_time_factor step_p50_ns step_p99_ns
		allocs_per_step bytes_per_agent systems workers resumed_after command`) {
		if _, ok := r[field]; !ok {
			t.Errorf("the report has no %q", field)
		}
		delete(r, field)
	}
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// result is how a run ended.
type result struct {
	report       string
	trajectories []byte
}

// wholeRun returns how a run ends in one go.
func wholeRun(t *testing.T, args, trajectories string) result {
	t.Helper()
	code, out, errs := command(t, context.Background(), append(strings.Fields(args), "--json", "--trajectories", trajectories)...)
	if code != exitOK {
		t.Fatal(errs)
	}
	return result{timeless(t, []byte(out)), readFile(t, trajectories)}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// check compares how a run ended, in a folder, with how it should.
func (want result) check(t *testing.T, folder, trajectories string, out []byte) {
	t.Helper()
	if got := timeless(t, out); got != want.report {
		t.Errorf("report: got=%s\nwant=%s", got, want.report)
	}
	if got := readFile(t, filepath.Join(folder, trajectories)); !bytes.Equal(got, want.trajectories) {
		t.Errorf("%s: got=%d bytes, want=%d others", trajectories, len(got), len(want.trajectories))
	}
	if _, err := os.Stat(filepath.Join(folder, trajectories+".part")); err == nil {
		t.Errorf("%s.part is left", trajectories)
	}
}

// TestSavedIsSame verifies that a run that is saved ends as one that is not, with the same trajectories
// in all formats.
func TestSavedIsSame(t *testing.T) {
	for _, run := range savedRuns {
		want := wholeRun(t, run.args, run.trajectories)
		code, out, errs := command(t, context.Background(), append(strings.Fields(run.args), "--json", "--save", "x.save", "--save-every", "60", "--trajectories", run.trajectories)...)
		if code != exitOK || errs != "" {
			t.Fatalf("%s: exit code %d, %s", run.args, code, errs)
		}
		want.check(t, ".", run.trajectories, []byte(out))
		code, out, errs = sameFolder(t, context.Background(), "run", "--resume", "x.save", "--json")
		if code != exitOK || errs != "" {
			t.Fatalf("resumed when it was complete: exit code %d, %s", code, errs)
		}
		want.check(t, ".", run.trajectories, []byte(out))
	}
}

// TestResumeInterrupted verifies that a run that is interrupted again and again, and goes on with other
// numbers of workers, ends as in one go.
func TestResumeInterrupted(t *testing.T) {
	for _, run := range savedRuns[:3] {
		want := wholeRun(t, run.args, run.trajectories)
		t.Chdir(t.TempDir())
		args := append(strings.Fields(run.args), "--json", "--save", "x.save", "--save-every", "5s", "--trajectories", run.trajectories)
		for tries := 0; ; tries++ {
			code, out, errs := sameFolder(t, endsAfter(int64(60+20*tries)), append(args, "--workers", []string{"1", "3", "2"}[tries%3])...)
			switch {
			case code != exitOK && strings.Contains(errs, "interrupted while"):
				continue // before it began
			case code != exitOK || tries == 50:
				t.Fatalf("%s: exit code %d after %d tries, %s", run.args, code, tries, errs)
			case !strings.Contains(out, `"interrupted": true`):
				want.check(t, ".", run.trajectories, []byte(out))
			case !strings.Contains(errs, "crowd run --resume x.save continues it"):
				t.Fatalf("%s: it does not say how to go on: %s", run.args, errs)
			default:
				args = []string{"run", "--resume", "x.save", "--json"}
				continue
			}
			break
		}
	}
}

// TestLonger verifies that a run that has ended goes on with more steps, to where a longer one ends.
func TestLonger(t *testing.T) {
	want := reportOf(t, "run", "plaza", "--agents", "100", "--steps", "90")
	reportOf(t, "run", "plaza", "--agents", "100", "--steps", "47", "--save", "x.save")
	_, out, errs := sameFolder(t, context.Background(), "run", "--resume", "x.save", "--steps", "90", "--json")
	if !strings.Contains(out, `"resumed_after": 47`) || !strings.Contains(out, want.Hash) || !strings.Contains(out, want.TraceHash) {
		t.Errorf("got=%s%s\nwant=%s, %s", out, errs, want.Hash, want.TraceHash)
	}
	code, out, _ := sameFolder(t, context.Background(), "run", "--resume", "x.save", "--steps", "96")
	if code != exitOK || !strings.Contains(out, "for 1.6 s, resumed after 90 steps") {
		t.Errorf("got=%s", out)
	}
}

// TestResumeEnded verifies that a run that had ended says so when its report is asked for again, and has no
// lines of what steps cost: none were done.
func TestResumeEnded(t *testing.T) {
	reportOf(t, "run", "plaza", "--agents", "20", "--steps", "60", "--save", "x.save")
	for _, test := range []struct{ flag, want string }{
		{"--quiet", "20 agents in plaza, for 1.0 s, the run had ended\n"},
		{"--verbose", "60, the run had ended, set up in "},
		{"-v", "60, the run had ended, set up in "},
	} {
		code, out, errs := sameFolder(t, t.Context(), "run", "--resume", "x.save", "--picture", "none", test.flag)
		if code != exitOK || !strings.Contains(out, test.want) || !strings.Contains(out, "\ncollisions ") {
			t.Errorf("%s: exit code %d, want %q, got:\n%s%s", test.flag, code, test.want, out, errs)
		}
		for _, not := range []string{"speed ", "cost ", "rate ", "step ", "parts ", " × real time"} {
			if strings.Contains(out, not) {
				t.Errorf("%s: got a line of %q, want none:\n%s", test.flag, not, out)
			}
		}
	}
}

// TestResumeRefused verifies that what can't go on is refused in one line that says why.
func TestResumeRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	scene := []byte("steps = 60\nbox = [[0, 0], [9, 9]]\n[[groups]]\ncount = 9\nmax-speed = 1\nstart-speed = 1\n")
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	do := func(args string) (int, string) {
		t.Helper()
		code, _, errs := sameFolder(t, context.Background(), strings.Fields(args)...)
		return code, errs
	}
	write("room.toml", scene)
	if code, errs := do("run room.toml --save x.save --trajectories x.csv --picture none"); code != exitOK {
		t.Fatal(errs)
	}
	whole := readFile(t, "x.save")
	write("cut.save", whole[:len(whole)-1])
	write("more.save", append(slices.Clone(whole), 'x'))
	write("twice.save", append(slices.Clone(whole), whole...))
	write("foreign.save", []byte("no saved run"))
	write("empty.save", nil)
	for _, test := range []struct{ args, want string }{
		{"run --resume none.save", "none.save: no such file"},
		{"run --resume .", "is not a regular file"},
		{"run --resume foreign.save", "foreign.save is not a saved run, want a file written by crowd run --save"},
		{"run --resume empty.save", "empty.save is not a saved run"},
		{"run --resume cut.save", "cut.save is truncated or damaged, want a complete file"},
		{"run --resume more.save", "more.save is truncated or damaged, want a complete file"},
		{"run --resume twice.save", "twice.save: unexpected data"},
		{"run plaza --resume x.save", "--resume takes the scene from x.save, want no plaza"},
		{"run --resume x.save --seed 3", "--seed can't be combined with --resume: it affects the result, which x.save determines"},
		{"run --resume x.save --set max-speed=3", "--set can't be combined with --resume"},
		{"run --resume x.save --set dt=0.1", "--set can't be combined with --resume"},
		{"run --resume x.save --trajectories y.csv", "--trajectories can't be combined with --resume"},
		{"run --resume x.save --safety", "--safety can't be combined with --resume"},
		{"run --resume x.save --steps 59", "--steps is 59, but x.save already has 60 steps: want at least as many"},
		{"run --resume x.save --steps 61", "the trajectories in x.csv are complete and can't be extended: want a new run of 61 steps"},
		{"run --resume x.save --save-every 0", `--save-every is 0, want at least one step`},
		{"run plaza --save-every 5s", "--save-every needs --save, which is missing"},
		{"run room.toml --save room.toml", "--save is room.toml, which is also read"},
		{"run room.toml --save y.csv --trajectories y.csv", "y.csv would be written twice"},
		{"run room.toml --save y.csv.part --trajectories y.csv", "y.csv.part would be written twice"},
		{"run room.toml --save .", "--save is .: is a folder"},
		{"run room.toml --save no/such/folder", "--save is no/such/folder: no such folder"},
	} {
		if code, errs := do(test.args); code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s", test.args, code, test.want, errs)
		}
	}
	write("room.toml", append(scene, '\n'))
	if code, errs := do("run --resume x.save"); code != exitBadInput || !strings.Contains(errs, "room.toml has changed since x.save was saved: SHA-256 is ") {
		t.Errorf("another scene: exit code %d, %s", code, errs)
	}
	if err := os.Remove("room.toml"); err != nil {
		t.Fatal(err)
	}
	if code, errs := do("run --resume x.save"); code != exitBadInput || !strings.Contains(errs, "reading the scene of x.save: open room.toml: no such file") {
		t.Errorf("no scene: exit code %d, %s", code, errs)
	}
	if got := readFile(t, "x.save"); !bytes.Equal(got, whole) {
		t.Error("who was refused has changed the file")
	}
}

// TestPartRefused verifies that a run does not go on with rows that are not those that were saved.
func TestPartRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, out, errs := sameFolder(t, endsAfter(100), "run", "plaza", "--agents", "100", "--steps", "1000000", "--save", "x.save", "--trajectories", "x.csv", "--json"); !strings.Contains(out, `"interrupted": true`) {
		t.Fatal(out, errs)
	}
	code, _, errs := sameFolder(t, context.Background(), "run", "plaza", "--steps", "5", "--save", "x.save")
	if code != exitBadInput || !strings.Contains(errs, "--save is x.save, which has a run that ended early, after ") || !strings.Contains(errs, ": continue it with --resume x.save, or delete it") {
		t.Errorf("begun anew: exit code %d, %s", code, errs)
	}
	whole := readFile(t, "x.csv.part")
	changed := slices.Clone(whole)
	changed[len(changed)/2] ^= 1
	for _, test := range []struct {
		part []byte
		want string
	}{
		{whole[:len(whole)-1], "x.csv.part has "},
		{changed, "x.csv.part has changed since the run was saved"},
	} {
		if err := os.WriteFile("x.csv.part", test.part, 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := sameFolder(t, context.Background(), "run", "--resume", "x.save", "--json")
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("exit code %d, %s, want=2, %q", code, errs, test.want)
		}
		if got := readFile(t, "x.csv.part"); !bytes.Equal(got, test.part) {
			t.Error("the part has changed")
		}
	}
}

// TestPartOfAnother verifies that a run does not take the file in which another one, which can go on, has its
// trajectories.
func TestPartOfAnother(t *testing.T) {
	t.Chdir(t.TempDir())
	briefly := func(args ...string) (code int, out, errs string) {
		return sameFolder(t, endsAfter(100), append(args, "--json")...)
	}
	if _, out, errs := briefly("run", "plaza", "--agents", "50", "--steps", "1000000", "--save", "x.save", "--trajectories", "t.csv"); !strings.Contains(out, `"interrupted": true`) {
		t.Fatal(out, errs)
	}
	want := readFile(t, "t.csv.part")
	other := []string{"run", "plaza", "--agents", "20", "--steps", "5", "--save", "y.save", "--trajectories", "t.csv"}
	const refused = "t.csv.part has the trajectories of another run, which has not ended: continue that run with crowd run --resume, or delete the file\n"
	if code, _, errs := briefly(other...); code != exitBadInput || errs != "crowd: "+refused {
		t.Errorf("exit code %d, want 2, got=%s", code, errs)
	}
	if got := readFile(t, "t.csv.part"); !bytes.Equal(got, want) {
		t.Errorf("the part has changed: got=%d bytes, want=%d", len(got), len(want))
	}
	if _, err := os.Stat("y.save"); err == nil {
		t.Error("the run that was refused was saved")
	}
	if _, out, errs := briefly("run", "--resume", "x.save"); !strings.Contains(out, `"interrupted": true`) {
		t.Errorf("the other run does not go on: %s%s", out, errs)
	}
	if err := os.Remove("t.csv.part"); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := briefly(other...); code != exitOK {
		t.Error(errs)
	}
}

// TestEndedStaysComplete verifies that the trajectories of a run that has ended stay as they are when its report is
// asked for again, even beside a part that another run left.
func TestEndedStaysComplete(t *testing.T) {
	dir := t.TempDir()
	save, rows := filepath.Join(dir, "a.save"), filepath.Join(dir, "t.csv")
	if code, _, errs := command(t, t.Context(), "run", "plaza", "--agents", "20", "--steps", "40", "--save", save, "--trajectories", rows, "--picture", "none"); code != exitOK {
		t.Fatal(errs)
	}
	want, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"", "of another run"} {
		if part != "" {
			if err := os.WriteFile(rows+".part", []byte(part), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if code, _, errs := command(t, t.Context(), "run", "--resume", save, "--picture", "none"); code != exitOK {
			t.Fatal(errs)
		}
		if got, err := os.ReadFile(rows); err != nil || string(got) != string(want) {
			t.Errorf("got %d bytes, %v, want %d", len(got), err, len(want))
		}
		if got, _ := os.ReadFile(rows + ".part"); string(got) != part {
			t.Errorf("part: got=%q, want=%q", got, part)
		}
	}
}
