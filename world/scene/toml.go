package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
)

// These limits bound the time and memory of reading to seconds and gigabytes, even for malicious files.
const (
	maxBytes  = 64 << 20
	maxValues = 4 << 20
)

// Read reads a scene from TOML, which may be gzipped, as described in docs/scenes.md. If the file does
// not name the scene, Read names it after the file: the base of the given name, without .toml and .gz.
//
// Each line of an error about the file starts with the given name and, if known, the line and column.
// Scene.Warnings lists outdated and skipped parts of the file, and the results of Lint. Read uses only the
// options Catalog, Lenient and Context.
func Read(in io.Reader, name string, o OpenOptions) (*Scene, error) {
	if err := o.setCatalog(); err != nil {
		return nil, err
	}
	return read(in, name, o)
}

func read(in io.Reader, name string, o OpenOptions) (*Scene, error) {
	ctx := o.context()
	data, err := textio.ReadValues(ctx, in, maxBytes, maxValues)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r := &reader{ctx: ctx, name: name, file: o.path, data: data, lenient: o.Lenient, allow: o.allow}
	root, err := parse(ctx, data)
	if err != nil {
		var bad *fault
		if errors.As(err, &bad) {
			if o.anyKind() {
				bad.text += ": " + wanted()
			}
			return nil, errors.New(r.line(*bad))
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(root.entries) == 0 && o.anyKind() {
		return nil, fmt.Errorf("%s: only blanks and comments, %s", name, wanted())
	}
	s := r.scene(root, o.Catalog)
	if r.cut {
		return nil, fmt.Errorf("%s: %w", name, ctx.Err())
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	for _, p := range slices.Concat(s.problems(), s.featuredProblems()) {
		r.fault(root.locate(p.key), "%s %s", p.key, p.text)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	s.Files = r.files
	for _, f := range slices.Concat(r.older, r.unknown, r.unread) {
		s.Warnings = append(s.Warnings, r.line(f))
	}
	s.Warnings = append(s.Warnings, s.lint(name)...)
	return s, nil
}

func (r *reader) scene(root *table, own []catalog.Entry) *Scene {
	f := file{Scene: Scene{Catalog: own}}
	r.table(&node{kind: isTable, table: root}, f.keys())
	if len(r.faults) > 0 {
		return nil
	}
	if f.Name == "" {
		f.Name = formats.Name(r.name)
	}
	first := uint64(1)
	for i := range f.Groups {
		g, n := &f.Groups[i], &root.find("groups").list[i]
		if n.table.find("count") == nil {
			g.Count = max(1, len(g.At.Points))
			switch {
			case g.Source == nil:
			case !g.Source.endless() && (len(g.Source.Schedule) > 0 || !g.Source.Every.Zero()):
				g.Count = g.Source.agents(f.Seed, first, world.MaxAgents)
			case g.Source.endless():
				r.fault(n.offset, "groups[%d].count is missing, want the number of agents that its source makes, or source.until", i)
			}
		}
		first += uint64(g.Count)
	}
	steps, duration := root.find("steps"), root.find("duration")
	switch {
	case steps != nil && duration != nil:
		r.fault(duration.offset, "duration and steps are both set, want one")
	case duration != nil:
		f.Steps = int(max(1, min(math.Round(f.duration/f.Dt), maxSteps)))
	case steps == nil:
		f.Steps = defaultSteps
	}
	return &f.Scene
}

// WriteTOML writes the scene as a TOML file. With the same Catalog, Read returns a scene whose crowd has
// the same hash. Files, Warnings, Recorded, Model and Catalog are not written.
func (s *Scene) WriteTOML(out io.Writer) error {
	var w writer
	w.table("", (&file{Scene: *s}).keys())
	_, err := io.WriteString(out, w.String())
	return err
}

type schema map[string]any

// with returns a copy of s in which the given keyword has the value x. It leaves out empty defaults,
// infinite numbers, and values that scene files write in another form.
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

func anyOf(forms ...schema) schema { return schema{"anyOf": forms} }

// Schema returns the JSON Schema of scene files, for editors that complete and check TOML. It includes
// the given behaviors of a host.
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
		panic("crowd: the schema of scene files is not JSON: " + err.Error())
	}
	return append(text, '\n')
}
