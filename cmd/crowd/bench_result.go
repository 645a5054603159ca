package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/version"
	"github.com/8f878440/crowd/internal/machine"
)

// benchFile is what --json and --out write. docs/bench.md describes the fields; they keep
// their names and meanings.
type benchFile struct {
	Command     string        `json:"command"`
	Version     string        `json:"version"`
	GoVersion   string        `json:"go_version"`
	CPU         string        `json:"cpu"`
	Cores       int           `json:"cores"`
	Processors  int           `json:"processors"`
	OS          string        `json:"os"`
	Arch        string        `json:"arch"`
	Warmup      int           `json:"warmup"`
	Repeats     int           `json:"repeats"`
	Interrupted bool          `json:"interrupted"`
	Notes       []string      `json:"notes"`
	Results     []benchResult `json:"results"`
}

// benchResult is what one contender cost at one size.
type benchResult struct {
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
	Yardstick       []float64 `json:"yardstick"`
}

func newBenchFile(e *console.Console) benchFile {
	return benchFile{
		Command: strings.Join(append([]string{"crowd"}, e.Args...), " "), Version: version.String(), GoVersion: runtime.Version(),
		CPU: machine.Processor(), Cores: runtime.NumCPU(), Processors: runtime.GOMAXPROCS(0), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Notes: []string{}, Results: []benchResult{},
	}
}

// machine says where it was measured.
func (f *benchFile) machine() string {
	cpu := f.CPU
	if cpu == "" {
		cpu = "unknown processor"
	}
	return fmt.Sprintf("%s, %s, %d used, %s/%s", cpu, numbers.Plural(f.Cores, "core"), f.Processors, f.OS, f.Arch)
}

// label says what was measured.
func (r *benchResult) label() string {
	return fmt.Sprintf("%s by %s, %s, %s", r.Name, r.By, numbers.Plural(r.Agents, "agent"), numbers.Plural(r.Workers, "worker"))
}

// summarize fills in what follows from the samples.
func (r *benchResult) summarize() {
	r.NsPerAgentStep = quantile.Of(r.Samples, 0.5)
	r.Spread = quantile.Spread(r.Samples)
	r.AgentsPerSecond = 1e9 / r.NsPerAgentStep
	r.StepsPerSecond = r.AgentsPerSecond / float64(r.Agents)
}

func (f *benchFile) writeJSON(w io.Writer) error { return output.WriteJSON(w, f) }

// readBenchFile reads what writeJSON wrote.
func readBenchFile(name string) (*benchFile, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w", err)
	}
	f := &benchFile{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(f); err != nil {
		return nil, fmt.Errorf("--compare: %s was not written by crowd bench --json or --out: %w", name, err)
	}
	if len(f.Results) == 0 {
		return nil, fmt.Errorf("--compare: %s has no results, want what crowd bench --json or --out wrote", name)
	}
	for i := range f.Results {
		r := &f.Results[i]
		bad := slices.ContainsFunc(slices.Concat(r.Samples, r.Yardstick), func(x float64) bool { return !(x > 0) || math.IsInf(x, 0) })
		if r.Agents < 1 || r.Steps < 1 || r.Steps > simulation.MaxSteps || len(r.Samples) == 0 || bad {
			return nil, fmt.Errorf("--compare: %s: result %d (%s): want agents, steps and samples above 0", name, i+1, r.Name)
		}
		r.summarize()
	}
	return f, nil
}
