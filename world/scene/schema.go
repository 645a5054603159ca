package scene

import (
	"encoding/json"
	"maps"
	"math"

	"github.com/8f878440/crowd/systems/catalog"
)

// schema is a part of a JSON Schema.
type schema map[string]any

// with returns a copy with one more word in it. A default that JSON cannot say
// is left out.
func (s schema) with(word string, x any) schema {
	s = maps.Clone(s)
	switch x := x.(type) {
	case float64:
		if math.IsInf(x, 0) {
			return s
		}
	case string:
		if word == "default" && x == "" {
			return s
		}
	case bool, int, uint32, uint64, []string, schema:
	default:
		if x, ok := x.(interface{ word() string }); ok {
			s[word] = x.word()
		}
		return s
	}
	s[word] = x
	return s
}

func tableSchema(keys []key) schema {
	properties, required := schema{}, []string{}
	for _, k := range keys {
		properties[k.name] = k.schema()
		if k.must {
			required = append(required, k.name)
		}
	}
	s := schema{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// anyOf is a value of one of several forms.
func anyOf(forms ...schema) schema { return schema{"anyOf": forms} }

// Schema returns the JSON Schema of scene files, for editors that complete and
// check TOML by one. Behaviors that are not of this module have the entries given.
func Schema(own ...catalog.Entry) []byte {
	s := tableSchema((&file{Scene: Scene{Catalog: own}}).keys())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "crowd scene"
	s["$defs"] = schema{
		"vector": schema{"type": "array", "items": coordinate.schema(), "minItems": 2, "maxItems": 2},
		"box":    schema{"type": "array", "items": schema{"$ref": "#/$defs/vector"}, "minItems": 2, "maxItems": 2},
		"place":  placeSchema(),
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("crowd: the schema of scene files is no JSON: " + err.Error())
	}
	return append(text, '\n')
}
