package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"golang.org/x/perf/benchfmt"
)

// tiny is a run for tests: it says nothing about speed.
var tiny = []string{"bench", "plaza", "W2", "--agents", "100", "--repeats", "2", "--steps", "3", "--warmup", "1"}

// TestBench holds that one run writes everything that was asked for.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	code, out, errs := command(t, context.Background(), append(tiny, "--workers", "2,1,2", "--baselines",
		"--out", at("a.json"), "--go", at("a.txt"), "--plot", at("a.png"))...)
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, %s", code, errs)
	}
	for _, want := range []string{"ns/agent", "plaza", "W2", "crowd", "plain", "query", "objects", "±", "medians of 2 samples", "steps of a sample: 3\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("table lacks %q:\n%s", want, out)
		}
	}
	f, err := readBenchFile(at("a.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range f.Results {
		r := &f.Results[i]
		got = append(got, r.label())
		if r.Steps != 3 || len(r.Samples) != 2 || r.NsPerAgentStep <= 0 || len(r.Input) != 16 || r.BytesPerAgent <= 0 || (r.SpeedUp != nil) != (r.By == "crowd") {
			t.Errorf("%s: %+v", r.label(), r)
		}
	}
	want := []string{
		"plaza by crowd, 100 agents, 1 worker", "plaza by crowd, 100 agents, 2 workers",
		"W2 by crowd, 100 agents, 1 worker", "W2 by crowd, 100 agents, 2 workers",
		"W2 by plain, 100 agents, 1 worker", "W2 by blocks, 100 agents, 1 worker", "W2 by query, 100 agents, 1 worker", "W2 by objects, 100 agents, 1 worker",
	}
	if !slices.Equal(got, want) {
		t.Errorf("results: got=%q, want=%q", got, want)
	}
	for i := 1; i < len(f.Results); i++ {
		if a, b := &f.Results[i-1], &f.Results[i]; a.Name == b.Name && a.Input != b.Input {
			t.Errorf("%s and %s begin with different crowds", a.label(), b.label())
		}
	}
	file, err := os.Open(at("a.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if size, err := png.DecodeConfig(file); err != nil || size.Width != 1200 || size.Height < 500 {
		t.Errorf("picture: %v, %+v", err, size)
	}
	if n := len(goLines(t, at("a.txt"))); n != 2*len(want) {
		t.Errorf("Go benchmark lines: got=%d, want=%d", n, 2*len(want))
	}
}

// TestBenchStandardOutput holds that - puts results in place of the table, and that
// the JSON reads back as it was written.
func TestBenchStandardOutput(t *testing.T) {
	code, out, errs := command(t, context.Background(), append(tiny, "--json")...)
	if code != exitOK || errs != "" {
		t.Fatal(code, errs)
	}
	var f benchFile
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	var again bytes.Buffer
	if err := f.writeJSON(&again); err != nil || again.String() != out {
		t.Errorf("round trip: %v, got=%s, want=%s", err, &again, out)
	}
	code, out, _ = command(t, context.Background(), append(tiny, "--go=-")...)
	if code != exitOK || strings.Contains(out, "±") || !strings.Contains(out, "\nBenchmarkPlaza/by=crowd/agents=100/workers=1") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestBenchFileIsDescribed holds that docs/bench.md describes every field and flag.
func TestBenchFileIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/bench.md")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, of := range []reflect.Type{reflect.TypeFor[benchFile](), reflect.TypeFor[benchResult]()} {
		for _, field := range reflect.VisibleFields(of) {
			words = append(words, "`"+field.Tag.Get("json")+"`")
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[benchCmd]())[1:] {
		if !field.Anonymous { // its fields follow
			words = append(words, "`--"+strings.ToLower(field.Name))
		}
	}
	for _, word := range words {
		if !strings.Contains(string(page), word) {
			t.Errorf("docs/bench.md does not describe %s", word)
		}
	}
}

// TestBenchBadInput holds that bad input is answered with one line that says what
// is allowed.
func TestBenchBadInput(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"W", `no scene, workload or file is named "W", did you mean "W1"?`},
		{"W33", `no scene, workload or file is named "W33", did you mean "W`},
		{"W3", `no scene, workload or file is named "W3", did you mean "W3/obstacles=64"?`},
		{"plasa", `is named "plasa", did you mean "plaza"? (crowd scenes lists the scenes, crowd bench --help the workloads)`},
		{"w3/obstacles=1025", `did you mean "W3/obstacles=1024"?`},
		{"nosuch.toml", "nosuch.toml: no such file"},
		{"--agents 0", `--agents has "0", want whole numbers from 1 to 50000000`},
		{"--agents 10,many", `--agents has "many"`},
		{"--agents 1.5", `--agents has "1.5"`},
		{"--agents 1e99", `--agents has "1e99"`},
		{"--agents NaN", `--agents has "NaN"`},
		{"--workers 0", "--workers has 0, want 1 to 1024"},
		{"--workers 1,x", "--workers: expected"},
		{"--steps 0", "--steps is 0, want 1 to"},
		{"--warmup=-1", "--warmup is -1, want 0 to"},
		{"--repeats 0", "--repeats is 0, want 1 to"},
		{"--plot a.gif", "--plot is a.gif, want a name that ends with .png or .svg"},
		{"--json --go -", "--json and --go both want standard output"},
		{"--json --compare a.json", "--compare wants standard output"},
		{"--compare nosuch.json", "--compare: open nosuch.json: no such file"},
		{"--out no/such/folder", "no/such/folder"},
		{"--targets W1", "leave out W1"},
		{"--targets --json a.json --agents 5", "leave out --agents --json"},
		{"W1 --out a.json --go a.json", "a.json would be written twice"},
		{"W1 --json a.json --out b.json", "--json a.json and --out b.json, want --out alone"},
		{"W1 --out -", "--out is -, want a file"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"bench"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
}

// TestBenchInterrupted holds that what was measured so far is printed.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &bench{workers: []int{1}, steps: 1, benchFile: benchFile{Repeats: 1000}}
	steps := 0
	b.cases = []benchCase{{name: "x", sizes: []int{10}, open: func(string, int, int) (*subject, error) {
		return &subject{
			cycle: 1, reset: func() error { return nil }, input: func() string { return "" }, close: func() {},
			step: func() error {
				if steps++; steps == 5 {
					cancel()
				}
				return nil
			},
		}, nil
	}}}
	_, _, _ = command(t, ctx, "--version") // it has a file for progress
	b.measure(ctx, &console.Console{Err: os.Stderr, Log: logger(os.Stderr, true)})
	if !b.Interrupted || len(b.Results) != 1 || len(b.Results[0].Samples) == 0 || len(b.Results[0].Samples) > 10 {
		t.Fatalf("interrupted %v, %+v", b.Interrupted, b.Results)
	}
	var out bytes.Buffer
	if err := b.writeTable(&out); err != nil || !strings.Contains(out.String(), "interrupted: ") {
		t.Errorf("%v:\n%s", err, &out)
	}
	if code, _, errs := command(t, ctx, tiny...); code != exitFailure || !strings.Contains(errs, "interrupted before anything") {
		t.Errorf("at once: exit code %d, %s", code, errs)
	}
}

// TestBenchSteps holds that contenders do the same work: the same steps within a
// cycle, whole cycles beyond, and what an earlier run did before all.
func TestBenchSteps(t *testing.T) {
	for _, test := range []struct {
		name              string
		asked, old, cycle int
		needed, want      []int
	}{
		{"within a cycle", 0, 0, 200, []int{30, 120}, []int{120, 120}},
		{"beyond a cycle", 0, 0, 200, []int{30, 1001}, []int{200, 1200}},
		{"asked", 7, 9, 200, []int{30, 1001}, []int{7, 7}},
		{"as before", 0, 9, 200, []int{30, 120}, []int{9, 9}},
	} {
		b := &bench{steps: test.asked}
		if test.old > 0 {
			b.old = &benchFile{Results: []benchResult{{By: "0", Steps: test.old}, {By: "1", Steps: test.old}}}
		}
		var all []*contender
		for i := range test.needed {
			all = append(all, &contender{subject: &subject{cycle: test.cycle}, benchResult: benchResult{By: fmt.Sprint(i)}})
		}
		asked := -1
		b.chooseSteps(all, func(*subject) int { asked++; return test.needed[asked] })
		for i, k := range all {
			if k.Steps != test.want[i] {
				t.Errorf("%s: contender %d: got=%d, want=%d", test.name, i, k.Steps, test.want[i])
			}
		}
	}
}

// goLines reads a file of Go benchmark lines.
func goLines(t *testing.T, file string) []*benchfmt.Result {
	t.Helper()
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	var all []*benchfmt.Result
	for lines := benchfmt.NewReader(text, file); lines.Scan(); {
		switch line := lines.Result().(type) {
		case *benchfmt.Result:
			all = append(all, line.Clone())
		case *benchfmt.SyntaxError:
			t.Error(line)
		}
	}
	return all
}

func TestGoLines(t *testing.T) {
	r := benchResult{Name: "my scenes/a hall.toml", By: "crowd", Agents: 1000, Workers: 2, Steps: 40, BytesPerAgent: 280, Samples: []float64{20, 30}}
	f := benchFile{OS: "linux", Arch: "arm64", CPU: "a processor", Processors: 4, Results: []benchResult{r}}
	file := filepath.Join(t.TempDir(), "go.txt")
	var text bytes.Buffer
	if err := f.writeGo(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	all := goLines(t, file)
	if len(all) != 2 {
		t.Fatalf("lines: got=%d, want=2", len(all))
	}
	line := all[1]
	if got, want := string(line.Name), "My_scenes_a_hall.toml/by=crowd/agents=1000/workers=2-4"; got != want || line.Iters != 40 {
		t.Errorf("name: got=%s %d, want=%s 40", got, line.Iters, want)
	}
	for unit, want := range map[string]float64{"sec/op": 30e-6, "sec/agent": 30e-9, "agents/s": 1e9 / 30., "B/agent": 280, "allocs/op": 0} {
		if got, ok := line.Value(unit); !ok || got < 0.999*want || got > 1.001*want {
			t.Errorf("%s: got=%v, want=%v", unit, got, want)
		}
	}
	if got := line.GetConfig("cpu"); got != "a processor" {
		t.Errorf("cpu: got=%q, want=%q", got, "a processor")
	}
}

func TestQuantile(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for _, test := range []struct{ q, want float64 }{{0, 1}, {0.25, 1.75}, {0.5, 2.5}, {1, 4}} {
		if got := quantile.Of(values, test.q); got != test.want {
			t.Errorf("%v: got=%v, want=%v", test.q, got, test.want)
		}
	}
	if values[0] != 4 {
		t.Error("the values were sorted in place, but their order is that of the rounds")
	}
}

// TestBenchSizes holds that scenes whose places are made for so many agents are
// measured with these, unless asked otherwise.
func TestBenchSizes(t *testing.T) {
	for _, test := range []struct {
		name        string
		asked, want []int
	}{
		{"plaza", nil, []int{1000, 10_000}},
		{"boids", nil, []int{1000, 10_000}},
		{"bottleneck", nil, []int{300}},
		{"crossing", nil, []int{480}},
		{"evacuation", nil, []int{1000}},
		{"concert", nil, []int{10_000}},
		{"antipodal", nil, []int{1000}},
		{"rvo-circle", nil, []int{250}},
		{"rvo-blocks", nil, []int{100}},
		{"rvo-blocks", []int{50}, []int{50}},
	} {
		c, err := findCase(t.Context(), test.name, test.asked, []int{1000, 10_000}, &console.Console{})
		if err != nil || !slices.Equal(c.sizes, test.want) {
			t.Errorf("%s, asked for %v: got=%v %v, want=%v", test.name, test.asked, c.sizes, err, test.want)
		}
	}
}
