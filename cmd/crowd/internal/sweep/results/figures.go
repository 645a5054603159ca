package results

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// costs are the figures of a report that are not the same each time: what a run cost.
var costs = []string{
	"setup_seconds", "beside_seconds", "ns_per_agent_step", "steps_per_second", "real_time_factor", "step_p50_ns", "step_p99_ns",
}

// left are numbers of a report that a row leaves out: those that other columns have, those of the
// process or of the machine, and who can't arrive, which a run looks for as long as there is time.
var left = []string{
	"seed", "workers", "cores", "interrupted_step", "allocs_per_step", "bytes_per_agent", "cannot_arrive", "cannot_arrive_asked",
}

// field is a number of a report.
type field struct {
	name  string
	index []int
}

// fields returns the numbers of a struct, by the names that they have as JSON, in its order.
func fields(t reflect.Type) (all []field) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := f.Type.Kind()
		if kind == reflect.Pointer {
			kind = f.Type.Elem().Kind()
		}
		if name != "" && f.IsExported() && kind >= reflect.Int && kind <= reflect.Float64 && !slices.Contains(left, name) {
			all = append(all, field{name, f.Index})
		}
	}
	return all
}

var (
	reportFields = fields(reflect.TypeFor[report.Report]())
	lineFields   = fields(reflect.TypeFor[report.Line]())
	areaFields   = fields(reflect.TypeFor[report.Area]())
)

// Take takes the figures, the costs and the hashes of a report. What was not measured is left out.
func (r *Row) Take(of *report.Report) {
	r.Figures, r.Cost, r.Hash, r.TraceHash = map[string]float64{}, map[string]float64{}, of.Hash, of.TraceHash
	add := func(prefix string, from any, fields []field) {
		v := reflect.ValueOf(from).Elem()
		for _, f := range fields {
			x, ok := floatOf(v.FieldByIndex(f.index))
			switch {
			case !ok:
			case prefix == "" && slices.Contains(costs, f.name):
				r.Cost[f.name] = x
			default:
				r.Figures[prefix+f.name] = x
			}
		}
	}
	add("", of, reportFields)
	if of.Dt > 0 { // steps of two models may differ in length
		r.Cost["us_per_agent_second"] = of.NsPerAgentStep / of.Dt / 1000
	}
	for i := range of.Lines {
		add(fmt.Sprintf("lines[%d].", i), &of.Lines[i], lineFields)
	}
	for i := range of.Areas {
		add(fmt.Sprintf("areas[%d].", i), &of.Areas[i], areaFields)
	}
}

// floatOf returns a number; false if it is a pointer to none.
func floatOf(v reflect.Value) (x float64, ok bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0, false
		}
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return v.Float(), true
}
