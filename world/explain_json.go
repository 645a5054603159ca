package world

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// MarshalJSON encodes x as docs/report.md describes, with infinities and NaN as the strings Infinity,
// -Infinity and NaN.
func (x Explanation) MarshalJSON() ([]byte, error) {
	type Rest Explanation
	archetype := make([]string, len(x.Components))
	for i := range x.Components {
		archetype[i] = x.Components[i].Name
	}
	x.Looks = slices.Clone(x.Looks)
	for i := range x.Looks {
		x.Looks[i].View = vec.Degrees(x.Looks[i].View)
	}
	return appendJSON(nil, reflect.ValueOf(struct {
		ID         uint64
		Time, Dt   float64
		Archetype  []string
		Components []Component
		Rest
		Combination string
	}{x.ID, x.Time, x.Dt, archetype, x.Components, Rest(x), x.Combination.String()})), nil
}

// appendJSON appends the JSON of v to b. It encodes infinities, NaN and entities as strings, and a
// neighbor as its ID.
func appendJSON(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Float64:
		switch x := v.Float(); {
		case math.IsNaN(x):
			return append(b, `"NaN"`...)
		case math.IsInf(x, 1):
			return append(b, `"Infinity"`...)
		case math.IsInf(x, -1):
			return append(b, `"-Infinity"`...)
		default:
			return strconv.AppendFloat(b, x, 'g', -1, 64)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return appendJSON(b, v.Elem())
		}
	case reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Struct:
		switch x := v.Interface().(type) {
		case ecs.Entity:
			return strconv.AppendQuote(b, entityText(x))
		case sense.Neighbor:
			return strconv.AppendUint(b, x.ID, 10)
		}
		return append(appendFields(append(b, '{'), v), '}')
	}
	text, _ := json.Marshal(v.Interface()) // cannot fail: the value is nil, a bool, an integer or a string
	return append(b, text...)
}

// appendFields appends the fields of v to b. It flattens embedded and inline structs. Untagged names
// begin with a lower-case letter, except in vectors.
func appendFields(b []byte, v reflect.Value) []byte {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() || option != "" && value.IsZero():
			continue
		case f.Anonymous || option == "inline":
			b = appendFields(b, reflect.Indirect(value))
			continue
		case name == "" && f.Name == strings.ToUpper(f.Name) && v.Type() != vectorType:
			name = strings.ToLower(f.Name)
		case name == "" && v.Type() != vectorType:
			name = strings.ToLower(f.Name[:1]) + f.Name[1:]
		case name == "":
			name = f.Name
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = appendJSON(append(strconv.AppendQuote(b, name), ':'), value)
	}
	return b
}
