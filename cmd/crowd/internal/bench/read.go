package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"golang.org/x/perf/benchfmt"
)

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

// ReadJSON reads what writeJSON wrote. It ignores what follows.
func ReadJSON(text []byte) (*File, error) {
	f := &File{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(f); err != nil {
		return nil, fmt.Errorf("was not written by crowd bench --json or --out: %w", err)
	}
	return f, f.check()
}

// check returns an error for results that crowd bench does not write, and summarizes the others.
func (f *File) check() error {
	if len(f.Results) == 0 {
		return errors.New("has no results, want what crowd bench --json or --out wrote")
	}
	for i := range f.Results {
		r := &f.Results[i]
		all := slices.Concat(r.Samples, r.Yardstick)
		if r.SpeedUp != nil {
			all = append(all, *r.SpeedUp)
		}
		bad := slices.ContainsFunc(all, func(x float64) bool { return !(x > 0) || !cli.Drawable(x) })
		if r.Agents < 1 || r.Workers < 1 || r.Steps < 1 || r.Steps > run.MaxSteps || len(r.Samples) == 0 || bad {
			return fmt.Errorf("has a bad result %d (%s): want agents, workers, steps and samples above 0", i+1, cli.Shorten(r.Name, 40))
		}
		if r.Summarize(); math.IsInf(r.StepsPerSecond, 0) {
			return fmt.Errorf("has a bad result %d (%s): want a rate that is finite", i+1, cli.Shorten(r.Name, 40))
		}
	}
	return nil
}

// ReadGo reads Go benchmark lines with the unit ns/agent, as writeGo and the project's own benchmarks
// write them, under the name of a file.
func ReadGo(in io.Reader, name string) (*File, error) {
	f := &File{}
	for r := benchfmt.NewReader(in, name); r.Scan(); {
		line, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue // a unit, or a line of something else
		}
		result, k := resultOf(line.Name), slices.IndexFunc(line.Values, func(v benchfmt.Value) bool {
			return v.OrigUnit == "ns/agent" // the reader has made seconds of it
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
		return nil, errors.New("no benchmark has the unit ns/agent and agents=N in its name; want what bench --go writes")
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

// oneWorker returns the result of one worker at the same work, nil if there is none.
func (f *File) oneWorker(r *Result) *Result {
	i := slices.IndexFunc(f.Results, func(o Result) bool { return o.Workers == 1 && o.Name == r.Name && o.By == r.By && o.Agents == r.Agents })
	if i < 0 {
		return nil
	}
	return &f.Results[i]
}

// SpeedUpSpread returns half the interquartile range of a speed-up. Where it is not the median of the ratios
// of each round, as in Go benchmark lines, the spreads of both costs add up as those of independent figures
// do.
func (f *File) SpeedUpSpread(r *Result) float64 {
	one := f.oneWorker(r)
	if one == nil || r.Workers == 1 {
		return 0
	}
	ratios := make([]float64, min(len(one.Samples), len(r.Samples)))
	for k := range ratios {
		ratios[k] = one.Samples[k] / r.Samples[k]
	}
	if math.Abs(cli.Quantile(ratios, 0.5)-*r.SpeedUp) <= 1e-9**r.SpeedUp {
		return *r.SpeedUp * cli.Spread(ratios)
	}
	return *r.SpeedUp * math.Hypot(one.Spread, r.Spread)
}
