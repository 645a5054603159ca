package bench

import (
	"bytes"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
	"golang.org/x/perf/benchfmt"
)

func TestReadBenchFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":   "was not written by crowd bench --json",
		"[]": "was not written by crowd bench --json",
		"{}": "has no results",
		`{"results": [{"name": "W2", "agents": 0, "steps": 1, "samples": [1]}]}`:  "result 1 (W2): want agents",
		`{"results": [{"name": "W2", "agents": 1, "steps": 1, "samples": []}]}`:   "result 1 (W2): want agents",
		`{"results": [{"name": "W2", "agents": 1, "steps": 1, "samples": [0]}]}`:  "result 1 (W2): want agents",
		`{"results": [{"name": "W2", "agents": 1, "steps": -1, "samples": [1]}]}`: "result 1 (W2): want agents",
	} {
		file := filepath.Join(testkit.Files(t, map[string]string{"x.json": text}), "x.json")
		_, err := ReadFile(file)
		testkit.Fails(t, err, want, "%s", text)
	}
}

func TestSpeedUps(t *testing.T) {
	up := 2.
	f := &File{Results: []Result{
		{Name: "a", By: "crowd", Agents: 10, Workers: 1, Samples: []float64{10, 12, 9}, SpeedUp: &up},
		{Name: "a", By: "crowd", Agents: 10, Workers: 2, Samples: []float64{5, 4}, SpeedUp: &up},
		{Name: "alone", By: "crowd", Agents: 10, Workers: 2, Samples: []float64{5, 6}, SpeedUp: &up},
	}}
	for i, want := range [][]float64{{1, 1, 1}, {2, 3}, nil} {
		if got := f.SpeedUps(&f.Results[i]); !slices.Equal(got, want) {
			t.Errorf("result %d: got=%v, want=%v", i, got, want)
		}
	}
}

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
		c, err := findCase(t.Context(), test.name, test.asked, []int{1000, 10_000}, &cli.Console{})
		if err != nil || !slices.Equal(c.sizes, test.want) {
			t.Errorf("%s, asked for %v: got=%v %v, want=%v", test.name, test.asked, c.sizes, err, test.want)
		}
	}
}

func TestBenchFileIsDescribed(t *testing.T) {
	page := testkit.Read(t, "../../../../docs/bench.md")
	for _, field := range append(reflect.VisibleFields(reflect.TypeFor[File]()), reflect.VisibleFields(reflect.TypeFor[Result]())...) {
		if word := "`" + field.Tag.Get("json") + "`"; !strings.Contains(string(page), word) {
			t.Errorf("docs/bench.md does not have %s, want its description", word)
		}
	}
}

func TestGoLines(t *testing.T) {
	r := Result{Name: "my scenes/a hall.toml", By: "crowd", Agents: 1000, Workers: 2, Steps: 40, BytesPerAgent: 280, Samples: []float64{20, 30}}
	f := File{OS: "linux", Arch: "arm64", CPU: "a processor", Processors: 4, Results: []Result{r}}
	var text bytes.Buffer
	testkit.Must(t, f.writeGo(&text))
	var all []*benchfmt.Result
	for lines := benchfmt.NewReader(&text, "go.txt"); lines.Scan(); {
		switch line := lines.Result().(type) {
		case *benchfmt.Result:
			all = append(all, line.Clone())
		case *benchfmt.SyntaxError:
			t.Error(line)
		}
	}
	if len(all) != 2 {
		t.Fatalf("lines: got=%d, want=2", len(all))
	}
	line := all[1]
	if got, want := string(line.Name), "My_scenes_a_hall.toml/by=crowd/agents=1000/workers=2-4"; got != want || line.Iters != 40 {
		t.Errorf("name and iterations: got=%s %d, want=%s 40", got, line.Iters, want)
	}
	for unit, want := range map[string]float64{"sec/op": 30e-6, "sec/agent": 30e-9, "agents/s": 1e9 / 30., "B/agent": 280, "allocs/op": 0} {
		if got, ok := line.Value(unit); !ok || got < 0.999*want || got > 1.001*want {
			t.Errorf("%s: got=%v, want=%v", unit, got, want)
		}
	}
	testkit.Equal(t, line.GetConfig("cpu"), "a processor", "cpu")
}
