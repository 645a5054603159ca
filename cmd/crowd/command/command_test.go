package command

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// isCommand names a variable that makes the test binary the command, for tests that need it in a process of its own.
const isCommand = "CROWD_IS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(isCommand) != "" || len(os.Args) > 1 && os.Args[1] == "sweep" { // a sweep starts its worker
		Main()
	}
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// spare commands that no test uses at the moment: to make one takes longer than most command lines.
var spare = sync.Pool{New: func() any { return newCommands() }}

func execute(ctx context.Context, args []string, out io.Writer, errs *os.File) int {
	p := spare.Get().(*commands)
	defer spare.Put(p)
	forget(p.kong)
	return p.run(ctx, args, out, errs)
}

// command runs a command line in a folder of its own.
func command(t *testing.T, ctx context.Context, args ...string) (code int, out, errs string) {
	t.Helper()
	t.Chdir(t.TempDir())
	return sameFolder(t, ctx, args...)
}

// sameFolder is command in the folder where it is.
func sameFolder(t *testing.T, ctx context.Context, args ...string) (code int, out, errs string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var b bytes.Buffer
	code = execute(ctx, args, &b, file)
	return code, b.String(), string(readFile(t, file.Name()))
}

// small is plaza at a size for tests.
var small = []string{"--agents", "500", "--steps", "40"}

// TestNoArgument verifies what a first run says: eight lines that fit a terminal, of a crowd
// that gets out, and a picture.
func TestNoArgument(t *testing.T) {
	code, out, errs := command(t, context.Background(), "--agents", "60", "--quiet")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code: got=%d, want=0\n%s", code, errs)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 8 {
		t.Errorf("got=%d lines, want=8:\n%s", len(lines), out)
	}
	for i, want := range []string{"60 agents in evacuation", "all agents after ", " with obstacles, 0 among agents", "× real time", "evacuation.png, at ", " view evacuation ", " render evacuation ", " run evacuation "} {
		if i < len(lines) && (!strings.Contains(lines[i], want) || utf8.RuneCountInString(lines[i]) > 80) {
			t.Errorf("line %d: got=%q, want %q in at most 80 columns", i+1, lines[i], want)
		}
	}
	f, err := os.Open("evacuation.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
}

// TestEndsByItself verifies that a scene ends when everyone is out, unless the number of
// steps is given.
func TestEndsByItself(t *testing.T) {
	ended := reportOf(t, "run", "evacuation", "--agents", "60")
	if ended.OutAfter == nil || float64(ended.Steps)*ended.Dt < *ended.OutAfter-1e-9 || ended.Steps >= 3600 || ended.TimedOut != 0 {
		t.Errorf("got=%d steps, out after %v, want fewer than the 3,600 of the scene", ended.Steps, ended.OutAfter)
	}
	whole := reportOf(t, "run", "evacuation", "--agents", "60", "--steps", "3000")
	if whole.Steps != 3000 || whole.OutAfter == nil || *whole.OutAfter != *ended.OutAfter {
		t.Errorf("with --steps 3000: got=%d steps, out after %v, want=%v", whole.Steps, whole.OutAfter, *ended.OutAfter)
	}
	if endless := reportOf(t, "run", "plaza", "--agents", "60", "--steps", "20"); endless.OutAfter != nil {
		t.Errorf("plaza: got=out after %v, want=nothing", *endless.OutAfter)
	}
}

func TestVerbose(t *testing.T) {
	code, out, errs := command(t, context.Background(), append([]string{"run", "plaza", "--verbose"}, small...)...)
	if code != exitOK {
		t.Fatalf("exit code: got=%d, want=0\n%s", code, errs)
	}
	for _, want := range []string{"plaza", "500", "ns per agent and step", "steps/s", "real time", "p50", "Integration", "under threat", "arrived", "collisions", "workers", "hash", "picture in plaza.png, at the end\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("table lacks %q:\n%s", want, out)
		}
	}
}

// TestJSON verifies that the report has all fields that docs/report.md names, and
// that nothing else is on stdout.
func TestJSON(t *testing.T) {
	page, err := os.ReadFile("../../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, context.Background(), append([]string{"run", "plaza", "--json"}, small...)...)
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	var r map[string]any
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for field := range r {
		if !strings.Contains(string(page), "`"+field+"`") {
			t.Errorf("docs/report.md does not describe %q", field)
		}
	}
	for _, field := range strings.Fields(`scene agents steps workers seed dt setup_seconds ns_per_agent_step
		steps_per_second real_time_factor step_p50_ns step_p99_ns allocs_per_step bytes_per_agent arrived
		timed_out collisions collisions_steerbench obstacle_collisions centers_inside max_penetration
		mean_arrival_time systems hash`) {
		if _, ok := r[field]; !ok {
			t.Errorf("report lacks %q", field)
		}
	}
	if r["agents"] != 500.0 || r["steps"] != 40.0 || len(r["hash"].(string)) != 16 {
		t.Errorf("agents %v, steps %v, hash %v", r["agents"], r["steps"], r["hash"])
	}
	if _, err := os.Stat("plaza.png"); err == nil {
		t.Error("a picture was drawn that none asked for")
	}
}

// TestHashOfWorkers verifies that a run ends the same with any number of workers.
func TestHashOfWorkers(t *testing.T) {
	hash := func(workers string) string {
		code, out, errs := command(t, context.Background(), "run", "plaza", "--agents", "5000", "--steps", "10", "--json", "--workers", workers)
		var r report.Report
		if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
			t.Fatal(code, err, errs)
		}
		return r.Hash
	}
	want := hash("1")
	for _, workers := range []string{"2", "7"} {
		if got := hash(workers); got != want {
			t.Errorf("%s workers: got=%s, want=%s", workers, got, want)
		}
	}
}

// TestEveryScene verifies that each scene of the list runs and is drawn.
func TestEveryScene(t *testing.T) {
	code, list, _ := command(t, context.Background(), "scene")
	if code != exitOK {
		t.Fatal(code)
	}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		name := strings.Fields(line)[0]
		t.Run(name, func(t *testing.T) { rendered(t, "x.png", name+" --agents 60 --at 5 --size 200") })
	}
}

// TestWholeNumbers verifies that counts may have an exponent.
func TestWholeNumbers(t *testing.T) {
	if got := reportOf(t, "run", "plaza", "--agents", "1e2", "--steps=2e0"); got.Agents != 100 || got.Steps != 2 {
		t.Errorf("got=%d agents, %d steps, want=100, 2", got.Agents, got.Steps)
	}
}

// TestBadInput verifies that bad input ends with exit code 2 and one line that says
// what is allowed.
func TestBadInput(t *testing.T) {
	for _, test := range []struct {
		args string
		want string
	}{
		{"run nosuch", `no scene or file is named "nosuch" (crowd scene lists the scenes)`},
		{"run ./nosuch.xml", "./nosuch.xml: no such file or directory"},
		{"run .", "no scene in this folder"},
		{"run --resume=", "--resume is empty, want FILE"},
		{"view seek --record=", "--record is empty, want FILE"},
		{"run plaza --agents=-1", "--agents is -1, want 1 to 50000000"},
		{"run plaza --agents -1", "--agents is -1, want 1 to 50000000"},
		{"sweep join . --workers -1", "--workers is -1, want 1 or more\n"},
		{"run plaza --agents -1e3", "--agents is -1000, want 1 to 50000000"},
		{"run plaza --agents 1.5", `--agents: expected a valid 64 bit int but got "1.5"`},
		{"run plaza --agents 0", "--agents is 0, want 1 to"},
		{"run plaza --steps 0", "--steps is 0, want 1 to"},
		{"run plaza --set dt=0", "dt is 0 s"},
		{"run plaza --agents 50000001", "--agents is 50000001"},
		{"run plaza --agents x", "--agents: expected a valid 64 bit int"},
		{"run plaza --steps=-1", "--steps is -1"},
		{"run plaza --set dt=-1", "dt is -1 s, want a finite number above 0"},
		{"run plaza --set dt=NaN", "dt is NaN s"},
		{"run plaza --set dt=2", "want 0 to mass/dt"},
		{"run plaza --workers=-1", "workers is -1"},
		{"run plaza --set nosuch=1", `nothing is named "nosuch", want one of anticipation-time, avoidance`},
		{"run plaza --set max-speed", `--set: expected "<key>=<value>"`},
		{"run plaza --set turn-rate=1", "no agent of scene plaza has it"},
		{"run plaza --set mass=0", "mass is 0 kg"},
		{"run plaza --set mass=-1", "mass is -1 kg"},
		{"run plaza --set max-speed=-1", "max-speed is -1 m/s"},
		{"run plaza --set radius=NaN", "radius is NaN"},
		{"run plaza --obstacles x.xml", "go with agents from a file"},
		{"run plaza --agents 1 --steps 1 --picture no/such/folder.png", "no/such/folder.png"},
		{"run plaza --agents 1 --steps 1 --profile cpu=no/such/folder", "no/such/folder"},
		{"run plaza --crop 1,2,3", "--crop is [1 2 3], want X0,Y0,X1,Y1"},
		{"run plaza --crop 5,0,1,9", "--crop is [5 0 1 9]"},
		{"run plaza --crop 0,0,1,inf", "--crop is [0 0 1 +Inf]"},
		{"run plaza --nosuch", "unknown flag --nosuch"},
		{"nosuch extra", `no scene or file is named "nosuch"`},
		// misspelled
		{"run plazza", `no scene or file is named "plazza", did you mean "plaza"? (crowd scene lists the scenes)`},
		{"view plazza", `did you mean "plaza"?`},
		{"explain plazza", `did you mean "plaza"?`},
		{"run plazza", `did you mean "plaza"?`},
		{"scene check plazza", `did you mean "plaza"?`},
		{"scene show plazza", `did you mean "plaza"?`},
		{"render plazza --out a.png", `did you mean "plaza"?`},
		{"vew", `unknown command, scene or file "vew", did you mean "view"? (crowd --help lists commands, crowd scene lists scenes)`},
		{"vew plaza", `did you mean "view"?`},
		{"-q rnder plaza --out a.png", `did you mean "render"?`},
		{"plazza --steps 5", `unknown command, scene or file "plazza", did you mean "plaza"?`},
		{"scne show plaza", `did you mean "scene"?`},
		{"scene shw plaza", `unknown command crowd scene shw, want one of check, list, show; did you mean "show"?`},
		{"scene plaza", `unknown command crowd scene plaza, want one of check, list, show`},
		{"run plaza seek --seed 1", "--seed is for a single scene, and several are compared"},
		{"run plaza --cpuprofile x", "unknown flag --cpuprofile, want --profile cpu=FILE"},
		{"run plaza --profile cpi=x", `unknown profile kind "cpi", want one of cpu, heap, http, http-anywhere, trace; did you mean "cpu"?`},
		{"score plaza", `unknown command "score", want crowd run`},
		{"scenes", `unknown command "scenes", want crowd scene list`},
		{"lint plaza", `unknown command "lint", want crowd scene check`},
		{"run plaza --agnets 5", `unknown flag --agnets, did you mean "--agents"?`},
		{"run plaza --set lok-ahead=5", `nothing is named "lok-ahead", did you mean "look-ahead"?`},
		{"run plaza --model orka", `model is "orka", want one of orca, steer, social-force-1995, social-force-2000, collision-free-speed, anticipation-velocity; did you mean "orca"?`},
		{"render plaza --out a.png --palette plazma", `did you mean "plasma"?`},
		{"render plaza --out a.png --color sped", `did you mean "speed"?`},
	} {
		code, out, errs := command(t, context.Background(), strings.Fields(test.args)...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
}

// TestHelp verifies that every command's help has an example.
func TestHelp(t *testing.T) {
	for _, args := range []string{"--help", "run --help", "scene --help"} {
		code, out, _ := command(t, context.Background(), strings.Fields(args)...)
		if code != exitOK || args != "--help" && !strings.Contains(out, "Example") {
			t.Errorf("%s: exit code %d:\n%s", args, code, out)
		}
	}
	if code, out, _ := command(t, context.Background(), "--version"); code != exitOK || !strings.HasPrefix(out, "crowd ") {
		t.Errorf("version: exit code %d, %q", code, out)
	}
}

// TestInterrupted verifies that a run that is stopped ends cleanly with the report
// so far.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, out, errs := command(t, ctx, "run", "plaza", "--agents", "100", "--json")
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil || !r.Interrupted || r.Steps != 0 {
		t.Errorf("exit code %d, %v, %+v, %s", code, err, r, errs)
	}
}

func TestProfiles(t *testing.T) {
	args := []string{"--profile", "cpu=c", "--profile", "heap=m", "--profile", "trace=t", "--picture", "none"}
	code, _, errs := command(t, context.Background(), append(args, small...)...)
	if code != exitOK {
		t.Fatal(errs)
	}
	for _, name := range []string{"c", "m", "t"} {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
