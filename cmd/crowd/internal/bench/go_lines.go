package bench

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/benchmarks"
	"golang.org/x/perf/benchfmt"
)

// writeGo writes a Go benchmark line a sample.
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

// goName returns the name of a result as Go benchmarks are named, but for the
// word Benchmark: it begins with a capital letter, has no spaces, and a slash only
// before what is a key with a value.
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

// resultOf returns what the name of a benchmark says.
func resultOf(name benchfmt.Name) Result {
	base, parts := name.Parts()
	r := Result{Name: string(base), By: "crowd", Workers: 1, Steps: 1}
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
