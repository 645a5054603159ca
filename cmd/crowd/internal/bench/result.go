package bench

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/kernel"
)

// File is what --json and --out write. docs/bench.md describes the fields; they keep
// their names and meanings.
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

// Result is what one contender cost at one size.
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
	Yardstick       []float64 `json:"yardstick"`
}

func newFile(e *cli.Console) File {
	return File{
		Command: strings.Join(append([]string{"crowd"}, e.Args...), " "), Version: cli.VersionLine(), GoVersion: runtime.Version(),
		CPU: cli.Processor(), Cores: runtime.NumCPU(), Processors: runtime.GOMAXPROCS(0), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernels: kernel.Used().String(),
		Notes: []string{}, Results: []Result{},
	}
}

// Machine says where it was measured.
func (f *File) Machine() string {
	cpu := f.CPU
	if cpu == "" {
		cpu = "unknown processor"
	}
	return fmt.Sprintf("%s, %s, %d used, %s/%s", cpu, cli.Plural(f.Cores, "core"), f.Processors, f.OS, f.Arch)
}

// Setting says where it was measured, with which vector kernels and which Go.
func (f *File) Setting() string {
	parts := []string{f.Machine(), f.GoVersion}
	if f.Kernels != "" { // files of earlier versions have none
		parts = []string{f.Machine(), "kernels " + f.Kernels, f.GoVersion}
	}
	return strings.Join(parts, "; ")
}

// Label says what was measured.
func (r *Result) Label() string {
	return fmt.Sprintf("%s by %s, %s, %s", r.Name, r.By, cli.Plural(r.Agents, "agent"), cli.Plural(r.Workers, "worker"))
}

// Summarize fills in what follows from the samples.
func (r *Result) Summarize() {
	r.NsPerAgentStep = cli.Quantile(r.Samples, 0.5)
	r.Spread = cli.Spread(r.Samples)
	r.AgentsPerSecond = 1e9 / r.NsPerAgentStep
	r.StepsPerSecond = r.AgentsPerSecond / float64(r.Agents)
}

func (f *File) writeJSON(w io.Writer) error { return output.WriteJSON(w, f) }
