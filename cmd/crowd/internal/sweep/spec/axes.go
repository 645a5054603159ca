package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/pelletier/go-toml/v2/unstable"
)

var fixed = map[string]string{"scene": "scenes", "scenes": "scenes", "seed": "seeds", "seeds": "seeds", "steps": "[run]", "time": "[run]"}

// taken lists the columns of the results whose names axes cannot have.
var taken = []string{"index", "status", "error", "hash", "trace_hash", "machine", "version", "seconds"}

// readAxes reads all axes in the order of the file. TOML parses a key with dots as nested tables.
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
		r.fault(path, "is not an axis: it belongs in %s", where)
		return
	}
	if slices.Contains(taken, name) || slices.ContainsFunc(s.Axes, func(a Axis) bool { return a.Name == name }) {
		r.fault(path, "is already a column of the results")
		return
	}
	if len(s.Axes) == maxAxes {
		r.fault("axes", "has too many entries, want at most %d", maxAxes)
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
			r.fault(path, "is %v, which is already in the list", value)
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
		r.fault(path, "goes from %v to %v, want from < to", a.From, a.To)
	case a.Log && a.From <= 0:
		r.fault(path, "goes from %v with log = true, want from > 0", a.From)
	case math.IsInf(a.To-a.From, 0) || a.Log && math.IsInf(a.To/a.From, 0):
		r.fault(path, "goes from %v to %v, want a smaller range", a.From, a.To)
	case a.Name == agentsAxis && float64(a.Count) > a.To-a.From+1:
		r.fault(path, "has count = %d, want at most %v, the number of whole numbers from %v to %v", a.Count, a.To-a.From+1, a.From, a.To)
	default:
		for i := 1; i < a.Count; i++ {
			if a.at(i) == a.at(i-1) {
				r.fault(path, "has %v twice, want a smaller count", a.at(i))
				return
			}
		}
	}
}

func (a *Axis) agents(r *reader, path string, x float64) {
	if a.Name == agentsAxis && (x != math.Trunc(x) || x < 1 || x > world.MaxAgents) {
		r.wrong(path, x, fmt.Sprintf("a whole number, 1 to %d", world.MaxAgents))
	}
}

// Axis is a parameter that varies between points.
type Axis struct {
	Name   string  // model, agents, or a name that scene.Scene.Set accepts
	Values []Value // nil for a range

	From, To float64
	Count    int  // number of evenly spaced values; 0 means any value, except in grids
	Log      bool // space the logarithms evenly
}

const (
	modelAxis  = "model"
	agentsAxis = "agents"
)

// Value is a string or a number.
type Value struct {
	Text   string // empty for a number
	Number float64
}

// String returns the text, or the shortest decimal number that reads back exactly.
func (v Value) String() string {
	if v.Text != "" {
		return v.Text
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// String returns a description of the values, for users.
func (a *Axis) String() string {
	if a.Values == nil {
		text := fmt.Sprintf("%v to %v", a.From, a.To)
		if a.Count > 0 {
			text = fmt.Sprintf("%d values from %s", a.Count, text)
		}
		if a.Log {
			text += ", logarithmic"
		}
		return text
	}
	const most = 12
	var all []string
	for _, v := range a.Values[:min(len(a.Values), most)] {
		all = append(all, v.String())
	}
	if n := len(a.Values) - most; n > 0 {
		all = append(all, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(all, ", ")
}

func (a *Axis) count() int {
	if a.Values != nil {
		return len(a.Values)
	}
	return a.Count
}

func (a *Axis) at(i int) Value {
	if a.Values != nil {
		return a.Values[i]
	}
	if a.Count == 1 {
		return a.between(0)
	}
	return a.between(float64(i) / float64(a.Count-1))
}

// part returns the value at u in [0, 1). Each of n values has an equal part of [0, 1).
func (a *Axis) part(u float64) Value {
	if n := a.count(); n > 0 {
		return a.at(min(int(u*float64(n)), n-1))
	}
	return a.between(u)
}

// between returns the value at a share of the range, rounded to whole agents, or else to 12 significant
// digits, because further digits are noise.
func (a *Axis) between(share float64) Value {
	x := a.From + float64(share*(a.To-a.From))
	if a.Log {
		x = a.From * vec.Exp(float64(share*vec.Log(a.To/a.From)))
	}
	if x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64); a.Name == agentsAxis {
		x = math.Round(x)
	}
	return Value{Number: min(max(x, a.From), a.To)}
}

// maxLevels is the maximum nesting depth. Memory for paths grows with its square.
const maxLevels = 16

// places holds the offset of each key and list element by its path, such as axes.agents[2].
type places struct {
	at   map[string]int
	deep int // offset of the first key or element nested too deeply; -1 means none
}

// placesOf returns the places in data, up to the first syntax error.
func placesOf(data []byte) *places {
	s := &places{map[string]int{}, -1}
	p := &unstable.Parser{}
	p.Reset(data)
	table, level := "", 0
	for s.deep < 0 && p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, level = s.addKeys("", 0, e)
		case unstable.KeyValue:
			path, level := s.addKeys(table, level, e)
			s.addValue(path, level, e.Value())
		}
	}
	return s
}

func (s *places) add(path string, level int, offset uint32) bool {
	if level > maxLevels && s.deep < 0 {
		s.deep = int(offset)
	}
	if _, ok := s.at[path]; !ok && s.deep < 0 {
		s.at[path] = int(offset)
	}
	return s.deep < 0
}

func (s *places) addKeys(path string, level int, e *unstable.Node) (string, int) {
	for keys := e.Key(); keys.Next(); {
		path, level = within(path, string(keys.Node().Data)), level+1
		if !s.add(path, level, keys.Node().Raw.Offset) {
			break
		}
	}
	return path, level
}

func (s *places) addValue(path string, level int, v *unstable.Node) {
	all := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for s.deep < 0 && all.Next() {
			path, level := s.addKeys(path, level, all.Node())
			s.addValue(path, level, all.Node().Value())
		}
	case unstable.Array:
		for i := 0; s.deep < 0 && all.Next(); i++ {
			element := fmt.Sprintf("%s[%d]", path, i)
			raw := all.Node().Raw
			if raw.Length == 0 { // a list or a table, which has no offset
				raw.Offset = uint32(s.at[path])
			}
			if s.add(element, level+1, raw.Offset) {
				s.addValue(element, level+1, all.Node())
			}
		}
	}
}
