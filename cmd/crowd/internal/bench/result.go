package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/kernel"
	"golang.org/x/perf/benchfmt"
)

// File is the output of --json and --out. docs/bench.md describes its fields. Their names and meanings are
// stable.
type File struct {
	Command     string   `json:"command"`
	Version     string   `json:"version"`
	GoVersion   string   `json:"go_version"`
	CPU         string   `json:"cpu"`
	Cores       int      `json:"cores"`
	Processors  int      `json:"processors"`
	OS          string   `json:"os"`
	Arch        string   `json:"arch"`
	Kernels     string   `json:"kernels"`
	Warmup      int      `json:"warmup"`
	Repeats     int      `json:"repeats"`
	Interrupted bool     `json:"interrupted"`
	Notes       []string `json:"notes"`
	Results     []Result `json:"results"`
}

// Result is the cost of a contender for a case at a size.
type Result struct {
	Name            string    `json:"name"`
	By              string    `json:"by"`
	Agents          int       `json:"agents"`
	Workers         int       `json:"workers"`
	Input           string    `json:"input"`
	Steps           int       `json:"steps"`
	NsPerAgentStep  float64   `json:"ns_per_agent_step"`
	Spread          float64   `json:"spread"`
	StepsPerSecond  float64   `json:"steps_per_second"`
	AgentsPerSecond float64   `json:"agents_per_second"`
	SpeedUp         *float64  `json:"speed_up"`
	AllocsPerStep   float64   `json:"allocs_per_step"`
	BytesPerAgent   float64   `json:"bytes_per_agent"`
	Samples         []float64 `json:"samples"`
	Calibration     []float64 `json:"yardstick"`
}

func newFile(e *cli.Console) File {
	return File{
		Command: strings.Join(append([]string{"crowd"}, e.Args...), " "), Version: cli.VersionLine(), GoVersion: runtime.Version(),
		CPU: cli.Processor(), Cores: runtime.NumCPU(), Processors: runtime.GOMAXPROCS(0), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernels: kernel.Used().String(),
		Notes: []string{}, Results: []Result{},
	}
}

// Machine returns a description of the machine.
func (f *File) Machine() string {
	cpu := f.CPU
	if cpu == "" {
		cpu = "unknown processor"
	}
	return fmt.Sprintf("%s, %s, %d used, %s/%s", cpu, cli.Plural(f.Cores, "core"), f.Processors, f.OS, f.Arch)
}

// Setting describes the machine, the kernels, if known, and the Go version, separated by "; ".
func (f *File) Setting() string {
	parts := []string{f.Machine(), f.GoVersion}
	if f.Kernels != "" { // missing in files of earlier versions
		parts = []string{f.Machine(), "kernels " + f.Kernels, f.GoVersion}
	}
	return strings.Join(parts, "; ")
}

// Label returns a description of what was measured.
func (r *Result) Label() string {
	return fmt.Sprintf("%s by %s, %s, %s", r.Name, r.By, cli.Plural(r.Agents, "agent"), cli.Plural(r.Workers, "worker"))
}

func (r *Result) summarize() {
	r.NsPerAgentStep = cli.Quantile(r.Samples, 0.5)
	r.Spread = cli.Spread(r.Samples)
	r.AgentsPerSecond = 1e9 / r.NsPerAgentStep
	r.StepsPerSecond = r.AgentsPerSecond / float64(r.Agents)
}

func (f *File) writeJSON(w io.Writer) error { return output.WriteJSON(w, f) }

// ReadFile reads the file of --compare.
func ReadFile(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w", err)
	}
	f, err := ReadJSON(text)
	if err != nil {
		return nil, fmt.Errorf("--compare: %s %w", name, err)
	}
	return f, nil
}

// ReadJSON parses and checks the output of writeJSON. It ignores any text that follows.
func ReadJSON(text []byte) (*File, error) {
	f := &File{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(f); err != nil {
		return nil, fmt.Errorf("was not written by crowd bench --json or --out: %w", err)
	}
	return f, f.check()
}

// check summarizes the results, and returns an error if crowd bench cannot have written them.
func (f *File) check() error {
	if len(f.Results) == 0 {
		return errors.New("has no results, want a file written by crowd bench --json or --out")
	}
	for i := range f.Results {
		r := &f.Results[i]
		all := slices.Concat(r.Samples, r.Calibration)
		if r.SpeedUp != nil {
			all = append(all, *r.SpeedUp)
		}
		bad := slices.ContainsFunc(all, func(x float64) bool { return !(x > 0) || !cli.Drawable(x) })
		if r.Agents < 1 || r.Workers < 1 || r.Steps < 1 || r.Steps > run.MaxSteps || len(r.Samples) == 0 || bad {
			return fmt.Errorf("has a bad result %d (%s): want agents, workers, steps and samples above 0", i+1, cli.Shorten(r.Name, 40))
		}
		if r.summarize(); math.IsInf(r.StepsPerSecond, 0) {
			return fmt.Errorf("has a bad result %d (%s): want a finite rate", i+1, cli.Shorten(r.Name, 40))
		}
	}
	return nil
}

// ReadGo reads Go benchmark lines with a value in ns/agent and agents=N in their names, such as those of
// writeGo, and computes the speed-ups of crowd over one worker. The parameter name is the name of the file.
func ReadGo(in io.Reader, name string) (*File, error) {
	f := &File{}
	for r := benchfmt.NewReader(in, name); r.Scan(); {
		line, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue // a unit, or a line with a syntax error
		}
		result, k := resultOf(line.Name), slices.IndexFunc(line.Values, func(v benchfmt.Value) bool {
			return v.OrigUnit == "ns/agent" // the reader converted it to seconds
		})
		if k < 0 || result.Agents < 1 {
			continue
		}
		f.OS, f.Arch, f.CPU = line.GetConfig("goos"), line.GetConfig("goarch"), line.GetConfig("cpu")
		i := slices.IndexFunc(f.Results, func(o Result) bool { return o.Label() == result.Label() })
		if i < 0 {
			i, f.Results = len(f.Results), append(f.Results, result)
		}
		f.Results[i].Samples = append(f.Results[i].Samples, line.Values[k].OrigValue)
	}
	if len(f.Results) == 0 {
		return nil, errors.New("no benchmark with agents=N in its name has the unit ns/agent, want the output of crowd bench --go")
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	for i := range f.Results {
		r := &f.Results[i]
		if one := f.oneWorker(r); one != nil && r.By == "crowd" {
			up := one.NsPerAgentStep / r.NsPerAgentStep
			r.SpeedUp = &up
		}
	}
	return f, f.check()
}

// oneWorker returns the result in f for what r measures, but with one worker, or nil.
func (f *File) oneWorker(r *Result) *Result {
	return f.find(&Result{Name: r.Name, By: r.By, Agents: r.Agents, Workers: 1})
}

// SpeedUps returns the speed-up over one worker in each round, or nil if r has no speed-up.
func (f *File) SpeedUps(r *Result) (all []float64) {
	one := f.oneWorker(r)
	if r.SpeedUp == nil || one == nil {
		return nil
	}
	for k := range min(len(one.Samples), len(r.Samples)) {
		if up := one.Samples[k] / r.Samples[k]; cli.Drawable(up) {
			all = append(all, up)
		}
	}
	return all
}

func (f *File) writeGo(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	var config []benchfmt.Config
	for _, c := range [][2]string{{"goos", f.OS}, {"goarch", f.Arch}, {"pkg", "github.com/8f878440/crowd/cmd/crowd"}, {"cpu", f.CPU}} {
		if c[1] != "" {
			config = append(config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
		}
	}
	for _, unit := range [][2]string{{"ns/agent", "lower"}, {"agents/s", "higher"}, {"B/agent", "lower"}} {
		if _, err := fmt.Fprintf(w, "Unit %s better=%s\n", unit[0], unit[1]); err != nil {
			return err
		}
	}
	for i := range f.Results {
		r := &f.Results[i]
		for _, ns := range r.Samples {
			err := out.Write(&benchfmt.Result{
				Config: config, Name: r.goName(f.Processors), Iters: r.Steps,
				Values: []benchfmt.Value{
					{Value: ns * float64(r.Agents), Unit: "ns/op"},
					{Value: ns, Unit: "ns/agent"},
					{Value: 1e9 / ns, Unit: "agents/s"},
					{Value: r.BytesPerAgent, Unit: "B/agent"},
					{Value: r.AllocsPerStep, Unit: "allocs/op"},
				},
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// goName returns a name in the style of Go benchmarks, without the word Benchmark. Spaces, unprintable
// characters, and slashes in file names become underscores.
func (r *Result) goName(processors int) benchfmt.Name {
	_, err := benchmarks.ByName(r.Name)
	file := err != nil
	name := []rune(strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || !unicode.IsPrint(c) || file && c == '/' {
			return '_'
		}
		return c
	}, r.Name))
	if len(name) == 0 || !unicode.IsLetter(name[0]) {
		name = append([]rune("Scene_"), name...)
	}
	name[0] = unicode.ToUpper(name[0])
	full := fmt.Sprintf("%s/by=%s/agents=%d/workers=%d", string(name), r.By, r.Agents, r.Workers)
	if processors > 1 {
		full += fmt.Sprintf("-%d", processors)
	}
	return benchfmt.Name(full)
}

func resultOf(name benchfmt.Name) Result {
	base, parts := name.Parts()
	r := Result{Name: string(base), By: "crowd", Workers: 1, Steps: 1}
	for _, part := range parts {
		text := strings.TrimPrefix(string(part), "/")
		key, value, _ := strings.Cut(text, "=")
		switch n, err := strconv.Atoi(value); {
		case part[0] == '-': // number of processors
		case key == "by":
			r.By = value
		case key == "agents" && err == nil:
			r.Agents = n
		case key == "workers" && err == nil:
			r.Workers = n
		default:
			r.Name += "/" + text
		}
	}
	return r
}
