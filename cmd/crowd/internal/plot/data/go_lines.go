package data

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"golang.org/x/perf/benchfmt"
)

// readGo reads Go benchmark lines with the unit ns/agent, such as bench --go and the project's own
// benchmarks write.
func (f *File) readGo(text []byte) error {
	b, r := &bench.File{}, benchfmt.NewReader(bytes.NewReader(text), f.Name)
	for r.Scan() {
		line, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue // a unit, or a line of something else
		}
		result, k := goResult(line.Name), slices.IndexFunc(line.Values, func(v benchfmt.Value) bool {
			return v.OrigUnit == "ns/agent" // the reader has made seconds of it
		})
		if k < 0 || result.Agents < 1 {
			continue
		}
		b.OS, b.Arch, b.CPU = line.GetConfig("goos"), line.GetConfig("goarch"), line.GetConfig("cpu")
		i := slices.IndexFunc(b.Results, func(o bench.Result) bool { return o.Label() == result.Label() })
		if i < 0 {
			i, b.Results = len(b.Results), append(b.Results, result)
		}
		b.Results[i].Samples = append(b.Results[i].Samples, line.Values[k].OrigValue)
	}
	if len(b.Results) == 0 {
		return errors.New("no benchmark has the unit ns/agent and agents=N in its name; want what bench --go writes")
	}
	if err := f.setBench(b); err != nil {
		return err
	}
	for i := range b.Results {
		r := &b.Results[i]
		for _, one := range b.Results {
			if one.Workers == 1 && one.Name == r.Name && one.By == r.By && one.Agents == r.Agents && r.By == "crowd" {
				up := one.NsPerAgentStep / r.NsPerAgentStep
				r.SpeedUp = &up
			}
		}
	}
	return f.setBench(b) // with the speed-up in the table
}

// goResult returns what the name of a benchmark says.
func goResult(name benchfmt.Name) bench.Result {
	base, parts := name.Parts()
	r := bench.Result{Name: string(base), By: "crowd", Workers: 1, Steps: 1}
	for _, part := range parts {
		text := strings.TrimPrefix(string(part), "/")
		key, value, _ := strings.Cut(text, "=")
		switch n, err := strconv.Atoi(value); {
		case part[0] == '-': // processors
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
