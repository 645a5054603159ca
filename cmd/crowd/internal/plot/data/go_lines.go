package data

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"golang.org/x/perf/benchfmt"
)

// readGoBench reads Go benchmark lines with the unit ns/agent, such as bench --go
// and the project's own benchmarks write.
func (f *File) readGoBench(in io.Reader) error {
	b := &bench.File{}
	r := benchfmt.NewReader(in, f.Name)
	for r.Scan() {
		line, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue // a unit, or a line of something else
		}
		ns, ok := nsPerAgent(line)
		name, ok2 := goResult(line.Name)
		if !ok || !ok2 {
			continue
		}
		b.OS, b.Arch, b.CPU = line.GetConfig("goos"), line.GetConfig("goarch"), line.GetConfig("cpu")
		i := slices.IndexFunc(b.Results, func(o bench.Result) bool {
			return o.Name == name.Name && o.By == name.By && o.Agents == name.Agents && o.Workers == name.Workers
		})
		if i < 0 {
			i, b.Results = len(b.Results), append(b.Results, name)
		}
		b.Results[i].Samples = append(b.Results[i].Samples, ns)
	}
	if err := r.Err(); err != nil {
		return err
	}
	if len(b.Results) == 0 {
		return errors.New("no benchmark has the unit ns/agent and agents=N in its name; want what bench --go writes")
	}
	if err := f.setBench(b); err != nil {
		return err
	}
	for i := range b.Results {
		r := &b.Results[i]
		for k := range b.Results {
			if one := &b.Results[k]; one.Workers == 1 && one.Name == r.Name && one.By == r.By && one.Agents == r.Agents && r.By == "crowd" {
				up := one.NsPerAgentStep / r.NsPerAgentStep
				r.SpeedUp = &up
			}
		}
	}
	return f.setBench(b) // with the speed-up in the table
}

// nsPerAgent returns the figure with the unit ns/agent, for which the reader has
// seconds.
func nsPerAgent(line *benchfmt.Result) (float64, bool) {
	for _, v := range line.Values {
		switch {
		case v.OrigUnit == "ns/agent":
			return v.OrigValue, true
		case v.Unit == "sec/agent":
			return 1e9 * v.Value, true
		}
	}
	return 0, false
}

// goResult returns what the name of a benchmark says, false if there is no number
// of agents in it.
func goResult(name benchfmt.Name) (bench.Result, bool) {
	r := bench.Result{By: "crowd", Workers: 1, Steps: 1}
	base, parts := name.Parts()
	r.Name = string(base)
	for _, part := range parts {
		text := strings.TrimPrefix(string(part), "/")
		key, value, _ := strings.Cut(text, "=")
		switch n, err := strconv.Atoi(value); {
		case strings.HasPrefix(string(part), "-"): // processors
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
	return r, r.Agents > 0
}
