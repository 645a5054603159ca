package spec

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// fixed are keys that are no axes, and where they belong.
var fixed = map[string]string{"scene": "scenes", "scenes": "scenes", "seed": "seeds", "seeds": "seeds", "steps": "[run]", "time": "[run]"}

// taken are names of columns that an axis can't have.
var taken = []string{"index", "status", "error", "hash", "trace_hash", "machine", "version", "seconds"}

// readAxes reads all axes, in the order of the file. A key with dots in it, such as
// threat-scan.look-ahead, is a table in a table for TOML.
func (s *Spec) readAxes(r *reader, path string, v any) {
	all, ok := v.(map[string]any)
	if !ok {
		r.wrong(path, v, "a table of axes, such as agents = [100, 200]")
		return
	}
	for name, v := range all {
		inner, isTable := v.(map[string]any)
		_, from := inner["from"]
		_, to := inner["to"]
		if isTable && !from && !to && len(inner) > 0 && strings.Count(path, ".") < 8 {
			s.readAxes(r, within(path, name), v)
			continue
		}
		name = within(strings.TrimPrefix(strings.TrimPrefix(path, "axes"), "."), name)
		s.readAxis(r, name, v)
	}
	slices.SortFunc(s.Axes, func(a, b Axis) int { return r.place("axes."+a.Name) - r.place("axes."+b.Name) })
}

func (s *Spec) readAxis(r *reader, name string, v any) {
	path := "axes." + name
	if where, ok := fixed[name]; ok {
		r.fault(path, "is no axis: it belongs in %s", where)
		return
	}
	if slices.Contains(taken, name) || slices.ContainsFunc(s.Axes, func(a Axis) bool { return a.Name == name }) {
		r.fault(path, "is a column of the results already")
		return
	}
	if len(s.Axes) == maxAxes {
		r.fault("axes", "has more than %d axes", maxAxes)
		return
	}
	a := Axis{Name: name}
	if _, ok := v.(map[string]any); ok && name != modelAxis {
		a.readRange(r, path, v)
	} else {
		a.readList(r, path, v)
	}
	s.Axes = append(s.Axes, a)
}

func (a *Axis) readList(r *reader, path string, v any) {
	want := "a list of numbers, or {from = a, to = b, count = n}"
	switch a.Name {
	case modelAxis:
		want = "a list of models: " + strings.Join(scene.ModelNames(), ", ")
	case agentsAxis:
		want = "a list of whole numbers, or {from = a, to = b, count = n}"
	}
	seen := map[Value]bool{}
	r.list(maxValues, want, func(path string, v any) {
		value := Value{}
		switch x, ok := number(v); {
		case a.Name == modelAxis:
			value.Text, _ = v.(string)
			if _, err := scene.Model(value.Text).Info(); err != nil {
				_, text, _ := strings.Cut(err.Error(), ", ")
				r.wrong(path, v, strings.TrimPrefix(text, "want "))
			}
		case !ok:
			r.wrong(path, v, "a finite number")
		default:
			value.Number = x
			a.agents(r, path, x)
		}
		if seen[value] {
			r.fault(path, "is %v, which is there already", value)
		}
		seen[value], a.Values = true, append(a.Values, value)
	})(path, v)
}

func (a *Axis) readRange(r *reader, path string, v any) {
	end := func(to *float64) func(string, any) {
		return func(path string, v any) {
			x, ok := number(v)
			if !ok {
				r.wrong(path, v, "a finite number")
				return
			}
			*to = x
			a.agents(r, path, x)
		}
	}
	before := len(r.faults)
	r.table(path, v, []key{{"from", end(&a.From)}, {"to", end(&a.To)}, {"count", whole(r, &a.Count, 1, maxValues)}, {"log", r.flag(&a.Log)}})
	for _, name := range []string{"from", "to"} {
		if table, _ := v.(map[string]any); table[name] == nil {
			r.fault(path, "has no %s, want {from = a, to = b, count = n}", name)
		}
	}
	switch {
	case len(r.faults) > before:
	case a.From >= a.To:
		r.fault(path, "goes from %v to %v, want it to rise", a.From, a.To)
	case a.Log && a.From <= 0:
		r.fault(path, "goes from %v with log = true, want it above 0", a.From)
	case math.IsInf(a.To-a.From, 0) || a.Log && math.IsInf(a.To/a.From, 0):
		r.fault(path, "goes from %v to %v, which is too far", a.From, a.To)
	case a.Name == agentsAxis && float64(a.Count) > a.To-a.From+1:
		r.fault(path, "has %d whole numbers from %v to %v, want fewer", a.Count, a.From, a.To)
	default:
		for i := 1; i < a.Count; i++ {
			if a.at(i) == a.at(i-1) {
				r.fault(path, "has %v twice, want a smaller count", a.at(i))
				return
			}
		}
	}
}

// agents holds that numbers of agents are whole, and that there can be so many.
func (a *Axis) agents(r *reader, path string, x float64) {
	if a.Name == agentsAxis && (x != math.Trunc(x) || x < 1 || x > world.MaxAgents) {
		r.wrong(path, x, fmt.Sprintf("a whole number, 1 to %d", world.MaxAgents))
	}
}
