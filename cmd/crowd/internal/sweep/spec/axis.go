package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/vec"
)

// Axis is one of the things that differ from point to point.
type Axis struct {
	Name   string  // model, agents, or that of a number of scenes, see scene.Scene.Set
	Values []Value // of a list; nil for a range

	From, To float64
	Count    int  // of values in the range, evenly spaced; 0: any, for a design that is no grid
	Log      bool // their logarithms are evenly spaced
}

// Axes that are no numbers of a scene.
const (
	modelAxis  = "model"
	agentsAxis = "agents"
)

// Value is a value of an axis: a text or a number.
type Value struct {
	Text   string // empty for a number
	Number float64
}

// String writes a number so that it is read back exactly.
func (v Value) String() string {
	if v.Text != "" {
		return v.Text
	}
	return strconv.FormatFloat(v.Number, 'g', -1, 64)
}

// MarshalJSON writes a text or a number.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Text != "" {
		return json.Marshal(v.Text)
	}
	return json.Marshal(v.Number)
}

// String writes the values for people.
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

// count returns how many values the axis has in a grid.
func (a *Axis) count() int {
	if a.Values != nil {
		return len(a.Values)
	}
	return a.Count
}

// at returns value i of those that the axis has in a grid.
func (a *Axis) at(i int) Value {
	if a.Values != nil {
		return a.Values[i]
	}
	if a.Count == 1 {
		return a.between(0)
	}
	return a.between(float64(i) / float64(a.Count-1))
}

// part returns the value for a coordinate in [0, 1): a list is cut into equal parts.
func (a *Axis) part(u float64) Value {
	if n := a.count(); n > 0 {
		return a.at(min(int(u*float64(n)), n-1))
	}
	return a.between(u)
}

// between returns the value at a share of the way from the one end to the other. It has 12 digits,
// because more would only be noise of the arithmetic.
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
