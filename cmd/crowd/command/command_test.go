package command

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// isCommand is the environment variable that makes the test binary act as the command.
const isCommand = "CROWD_IS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(isCommand) != "" || len(os.Args) > 1 && os.Args[1] == "sweep" { // a sweep starts its worker this way
		Main()
	}
	debug.SetGCPercent(400)
	runtime.GOMAXPROCS(1) // in small scenes, a second worker waits for the first more than it works
	os.Exit(m.Run())
}

// here is the folder of this package; tests change to other folders.
var here, _ = os.Getwd()

func page(t *testing.T, name string) string {
	t.Helper()
	return string(readFile(t, filepath.Join(here, "../../../docs", name)))
}

// spare holds unused commands: making one takes longer than running most command lines.
var spare = sync.Pool{New: func() any { return newCommands() }}

func execute(ctx context.Context, args []string, out io.Writer, errs *os.File) int {
	p := spare.Get().(*commands)
	defer spare.Put(p)
	forget(p.kong)
	return p.run(ctx, args, out, errs)
}

// command runs a command line in a new folder.
func command(t *testing.T, ctx context.Context, args ...string) (code int, out, errs string) {
	t.Helper()
	t.Chdir(t.TempDir())
	return sameFolder(t, ctx, args...)
}

// sameFolder runs a command line in the current folder.
func sameFolder(t *testing.T, ctx context.Context, args ...string) (code int, out, errs string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	testkit.Must(t, err)
	defer file.Close()
	var b bytes.Buffer
	code = execute(ctx, args, &b, file)
	return code, b.String(), string(readFile(t, file.Name()))
}

func succeed(t *testing.T, line string) (out, errs string) {
	t.Helper()
	code, out, errs := sameFolder(t, t.Context(), strings.Fields(line)...)
	if code != exitOK {
		t.Fatalf("%s: exit code: got=%d, want=0: %s%s", line, code, out, errs)
	}
	return out, errs
}

func contains(t *testing.T, what, text string, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q is missing from:\n%s", what, want, text)
		}
	}
}

func lacks(t *testing.T, what, text string, none ...string) {
	t.Helper()
	for _, not := range none {
		if strings.Contains(text, not) {
			t.Errorf("%s: got %q, want none in:\n%s", what, not, text)
		}
	}
}

func narrow(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("got=%q, want at most 80 columns", line)
		}
	}
}

func starts(t *testing.T, line, text string) {
	t.Helper()
	if out, _ := succeed(t, line); !strings.HasPrefix(out, text) {
		t.Fatalf("%s: got=%s, want=%s at the start", line, out, text)
	}
}

// An ending is how a command line ends: its exit code, and parts of its output and errors, or "" for none.
type ending struct {
	args      string
	code      int
	out, errs string
}

// end runs words followed by the args of each test, and verifies how the command line ends.
func end(t *testing.T, words string, tests []ending) {
	t.Helper()
	for _, test := range tests {
		line := words + " " + test.args
		code, out, errs := sameFolder(t, t.Context(), strings.Fields(line)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.errs) || (test.out == "") != (out == "") || (test.errs == "") != (errs == "") {
			t.Errorf("%s: got=%d, %q, %q, want=%d, %q, %q", line, code, out, errs, test.code, test.out, test.errs)
		}
	}
}

func decode[T any](t *testing.T, text string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: want JSON, got:\n%s", err, text)
	}
	return value
}

func reportOf(t *testing.T, line string) *report.Report {
	t.Helper()
	out, _ := succeed(t, line+" --json --quiet")
	r := decode[report.Report](t, out)
	return &r
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	testkit.Must(t, err)
	return b
}

func interrupted() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

const small = "run plaza --agents 500 --steps 40"

func TestNoArgument(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs := succeed(t, "--agents 60 --quiet")
	narrow(t, out)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	want := []string{"60 agents in evacuation", "all agents after ", " with obstacles, 0 among agents", "× real time",
		"evacuation.png, at ", " view evacuation ", " render evacuation ", " run evacuation "}
	if len(lines) != len(want) || errs != "" {
		t.Fatalf("got=%d lines, want=%d:\n%s%s", len(lines), len(want), out, errs)
	}
	for i, line := range lines {
		contains(t, "line", line, want[i])
	}
	_, err := png.Decode(bytes.NewReader(readFile(t, "evacuation.png")))
	testkit.Must(t, err)
}

func TestEndsByItself(t *testing.T) {
	t.Parallel()
	ended := reportOf(t, "run evacuation --agents 60")
	if ended.OutAfter == nil || float64(ended.Steps)*ended.Dt < *ended.OutAfter-1e-9 || ended.Steps >= 3600 || ended.TimedOut != 0 {
		t.Errorf("got=%d steps, all out: %v, %d agents left inside, want fewer than 3,600 steps, true, 0", ended.Steps, ended.OutAfter != nil, ended.TimedOut)
	}
	whole := reportOf(t, "run evacuation --agents 60 --steps 3000")
	testkit.Equal(t, *ended.OutAfter, math.Round(*ended.OutAfter*1e9)/1e9, "out after")
	if whole.Steps != 3000 || whole.OutAfter == nil || *whole.OutAfter != *ended.OutAfter {
		t.Errorf("with --steps 3000: got=%d steps, all out: %v, want=3000, true, and out after %v s as without", whole.Steps, whole.OutAfter != nil, *ended.OutAfter)
	}
	if r := reportOf(t, "run plaza --agents 6e1 --steps=2e1"); r.OutAfter != nil || r.Agents != 60 || r.Steps != 20 {
		t.Errorf("plaza: got=all out: %v, %d agents, %d steps, want=false, 60, 20", r.OutAfter != nil, r.Agents, r.Steps)
	}
	code, out, errs := sameFolder(t, interrupted(), "run", "plaza", "--agents", "100", "--json")
	if r := decode[report.Report](t, out); code != exitOK || !r.Interrupted || r.Steps != 0 {
		t.Errorf("interrupted: exit code %d, want 0 and a report of no steps, got:\n%s%s", code, out, errs)
	}
}

func TestInterrupted(t *testing.T) {
	for line, want := range map[string]string{
		"bench targets":        "crowd: interrupted",
		tiny + "--out a.json":  "interrupted before anything",
		"explain seek --at 3":  "crowd: interrupted before step 1\n",
		"validate --out a.png": "crowd: interrupted while verifying\n",
	} {
		code, _, errs := command(t, interrupted(), strings.Fields(line)...)
		if left := leftovers(t, ".", nil); code != exitFailure || !strings.Contains(errs, want) || len(left) > 0 {
			t.Errorf("%s: exit code %d, left %v, want 1, no files and %q, got:\n%s", line, code, left, want, errs)
		}
	}
}

func TestVerbose(t *testing.T) {
	t.Chdir(t.TempDir())
	out, _ := succeed(t, small+" -v --safety --quiet")
	contains(t, "-v", out, "plaza", "500", "ns per agent per step", "steps/s", "real time", "p50", " Integration,", "sensing ",
		"under threat", "arrived", "collisions", "workers", "of the rows", "hash", "picture in plaza.png, at the end\n")
	for _, once := range []string{" Integration,", "under threat", "\nsystems "} {
		testkit.Equal(t, strings.Count(out, once), 1, "lines with %q", once)
	}
	narrow(t, out)
	p := reportOf(t, small+" -v --workers 2").Perf
	if p == nil || p.Scan == nil || p.Obstacles == nil {
		t.Fatalf("perf: got=%+v, want it with scan and obstacles", p)
	}
	share, names := 0., map[string]report.SystemPerf{}
	for _, s := range p.Systems {
		share += s.Share
		names[s.Name] = s
	}
	testkit.Near(t, share, 1, 1e-9, "all shares")
	if a, o := names["Integration"], names["Obstacles"]; a.Rows != 500 || a.NsRow <= 0 || a.AloneNs != 0 || o.Rows != 0 || o.AloneNs <= 0 {
		t.Errorf("got=%+v, %+v, want=500 rows of Integration, and time of Obstacles alone", a, o)
	}
	if len(p.Workers) != 2 || p.Workers[0].Rows+p.Workers[1].Rows != 1 || p.Workers[1].Batches != 0 {
		t.Errorf("workers: got=%+v, want two, one of them idle", p.Workers)
	}
	if o := p.Obstacles; p.Scan.Looked != 500 || p.Scan.Threats > 500 || o.Obstacles < 10 || o.Taken > o.Slots || o.Mean > float64(o.Longest) {
		t.Errorf("got=%+v, obstacles %+v, want 500 agents that looked, and consistent obstacles", p.Scan, o)
	}
	if p.SensingNs <= 0 || p.RunningNs <= 0 || p.ObservingNs <= 0 {
		t.Errorf("got=%+v, want times above 0 for sensing, running and observing", p)
	}
	testkit.Equal(t, reportOf(t, small).Perf, nil, "without -v")
}

// TestReportIsDescribed of package report pins the names of the fields.
func TestJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	out, errs := succeed(t, small+" --json")
	r := decode[report.Report](t, out)
	if r.Agents != 500 || r.Steps != 40 || len(r.Hash) != 16 || errs != "" {
		t.Errorf("got=%d agents, %d steps, hash %s, errors %q, want=500, 40, 16 digits, none", r.Agents, r.Steps, r.Hash, errs)
	}
	testkit.Equal(t, len(leftovers(t, ".", nil)), 0, "files")
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--help", "run --help", "render --help", "view --help", "bench --help", "plot --help", "scene --help",
		"scene check --help", "explain --help", "completion --help"} {
		out, _ := succeed(t, args)
		narrow(t, out)
		if args != "--help" && args != "completion --help" {
			contains(t, args, out, "Example")
		}
	}
	for _, name := range []string{"", "scene check"} {
		got, _ := succeed(t, "help "+name)
		want, _ := succeed(t, name+" --help")
		testkit.Equal(t, got, want, "help %s", name)
	}
	starts(t, "--version", "crowd ")
}

// little limits the available memory until the end of the test.
func little(t *testing.T, bytes uint64) {
	was := cli.FreeMemory
	cli.FreeMemory = func() cli.Memory { return cli.Memory{Bytes: bytes, Of: "in the test"} }
	t.Cleanup(func() { cli.FreeMemory = was })
}

func TestMemory(t *testing.T) {
	little(t, 1<<19)
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"run plaza --agents 1250 --steps 2",
		"render plaza --agents 1250 --at 1 --size 100 --out x.png",
		"explain plaza --agents 1250",
		"bench plaza --agents 1250 --workers 1 --quick --repeats 1 --steps 1",
		"bench W2 --agents 1250 --workers 1 --quick --repeats 1 --steps 1",
		"view plaza --agents 2500 --listen 127.0.0.1:0",
	} {
		refuses(t, line, []refusal{{"", " MB of memory, but only 1 MB is left in the test: want fewer agents, or --force to try anyway"}})
		if !strings.HasPrefix(line, "view") { // view would serve until it is interrupted
			succeed(t, line+" --force")
		}
	}
}
