package spec

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/dustin/go-humanize"
	"github.com/pelletier/go-toml/v2"
	"gonum.org/v1/gonum/spatial/r2"
)

// parse parses a spec without opening scenes. The caller can add faults to the reader.
func parse(text []byte, name string) (*Spec, *reader, error) {
	r := &reader{name: name, data: text, reported: map[string]bool{}}
	if len(text) > maxBytes {
		return nil, r, fmt.Errorf("%s has %d bytes, want at most %d", name, len(text), maxBytes)
	}
	s := &Spec{
		Name: name, Text: text, seedCount: 1,
		Design: Design{Kind: Grid, Seed: 1}, Run: Run{Safety: true}, Limits: Limits{Time: defaultTime, Tries: defaultTries},
	}
	all := r.decode()
	if err := r.err(); err != nil {
		return nil, r, err
	}
	r.table("", all, []key{
		{"scenes", r.list(maxScenes, "a list of names of scenes or files", func(path string, v any) {
			r.text("the name of a scene or a file", func(text string) bool {
				for i := range s.Scenes {
					if s.Scenes[i].Name == text {
						r.fault(path, "is %q, which is already in the list", text)
					}
				}
				s.Scenes = append(s.Scenes, Scene{Name: text})
				return text != ""
			})(path, v)
		})},
		{"seeds", func(path string, v any) { s.readSeeds(r, path, v) }},
		{"design", func(path string, v any) { r.table(path, v, s.designKeys(r)) }},
		{"axes", func(path string, v any) { s.readAxes(r, path, v) }},
		{"run", func(path string, v any) { r.table(path, v, s.runKeys(r)) }},
		{"limits", func(path string, v any) { r.table(path, v, s.limitKeys(r)) }},
	})
	if _, ok := all["scenes"]; !ok {
		r.fault("scenes", `is missing, want a list of scenes or files, such as ["bottleneck"]`)
	}
	if len(r.faults) == 0 {
		s.checkDesign(r)
	}
	return s, r, r.err()
}

func (s *Spec) readSeeds(r *reader, path string, v any) {
	if _, ok := v.([]any); !ok {
		whole(r, &s.seedCount, 1, maxSeeds)(path, v)
		return
	}
	seen := map[uint64]bool{}
	r.list(maxSeeds, "the number of seeds, or a list of seeds", func(path string, v any) {
		var seed uint64
		whole(r, &seed, 1, math.MaxInt64)(path, v)
		if seen[seed] {
			r.fault(path, "is %d, which is already in the list", seed)
		}
		seen[seed], s.Seeds = true, append(s.Seeds, seed)
	})(path, v)
}

func (s *Spec) designKeys(r *reader) []key {
	kinds := []string{string(Grid), string(Halton), string(Latin)}
	return []key{
		{"kind", func(path string, v any) {
			text, _ := v.(string)
			if s.Design.Kind = Kind(text); !slices.Contains(kinds, text) {
				r.fault(path, "is %q, %s", text, suggest.OneOf(text, kinds))
			}
		}},
		{"points", whole(r, &s.Design.Points, 1, maxRuns)},
		{"seed", whole(r, &s.Design.Seed, 0, math.MaxInt64)},
	}
}

func (s *Spec) runKeys(r *reader) []key {
	return []key{
		{"steps", whole(r, &s.Run.Steps, 1, run.MaxSteps)},
		{"time", func(path string, v any) {
			if s.Run.Steps > 0 {
				r.fault(path, "and run.steps are both set, want only one")
			}
			r.duration(&s.Run.Time)(path, v)
		}},
		{"safety", r.flag(&s.Run.Safety)},
		{"lines", r.list(measure.MaxLines, fmt.Sprintf("a list of up to %d lines, each [x0, y0, x1, y1]", measure.MaxLines), func(path string, v any) {
			q := r.quad(path, v)
			l := measure.MeasurementLine{A: r2.Vec{X: q[0], Y: q[1]}, B: r2.Vec{X: q[2], Y: q[3]}}
			if l.A == l.B {
				r.fault(path, "ends where it begins, want two different points")
			}
			s.Run.Lines = append(s.Run.Lines, l)
		})},
		{"areas", r.list(maxAreas, "a list of areas, each [x0, y0, x1, y1]", func(path string, v any) {
			q := r.quad(path, v)
			a := r2.Box{Min: r2.Vec{X: q[0], Y: q[1]}, Max: r2.Vec{X: q[2], Y: q[3]}}
			if !(a.Min.X < a.Max.X && a.Min.Y < a.Max.Y) {
				r.fault(path, "is empty, want [x0, y0, x1, y1] with x0 < x1 and y0 < y1")
			}
			s.Run.Areas = append(s.Run.Areas, a)
		})},
	}
}

func (s *Spec) limitKeys(r *reader) []key {
	return []key{
		{"time", r.duration(&s.Limits.Time)},
		{"memory", r.text(`a number of bytes, such as "2GB"`, func(text string) (ok bool) {
			n, err := humanize.ParseBytes(text)
			s.Limits.Memory = n
			return err == nil && n > 0
		})},
		{"tries", whole(r, &s.Limits.Tries, 1, maxTries)},
	}
}

func (r *reader) duration(to *time.Duration) func(string, any) {
	return r.text(`a time above 0, such as "60s" or "5m"`, func(text string) bool {
		d, err := time.ParseDuration(text)
		*to = d
		return err == nil && d > 0
	})
}

func (r *reader) quad(path string, v any) (q [4]float64) {
	all, _ := v.([]any)
	ok := len(all) == len(q)
	for i := 0; i < len(q) && ok; i++ {
		q[i], ok = number(all[i])
	}
	if !ok {
		r.wrong(path, v, "[x0, y0, x1, y1], in meters")
		q = [4]float64{0, 0, 1, 1}
	}
	return q
}

func (s *Spec) checkDesign(r *reader) {
	if s.Design.Kind == Grid && s.Design.Points > 0 {
		r.fault("design.points", "is only for the designs %s and %s; a grid has every combination", Halton, Latin)
	}
	if s.Design.Kind != Grid && s.Design.Points == 0 {
		r.fault("design.points", "is missing, want the number of points per scene")
	}
	runs := float64(len(s.Scenes)) * float64(s.SeedCount())
	if s.Design.Kind != Grid {
		runs *= float64(s.Design.Points)
	} else {
		for i := range s.Axes {
			a := &s.Axes[i]
			if runs *= float64(max(a.count(), 1)); a.count() == 0 {
				r.fault("axes."+a.Name, "has no count, want the number of grid values from %v to %v", a.From, a.To)
			}
		}
	}
	if runs > maxRuns {
		r.fault("scenes", "together with seeds and axes give %.3g runs, want at most %d", runs, maxRuns)
	}
}

const maxFaults = 20 // per file

type reader struct {
	name   string
	data   []byte
	places *places
	faults []fault

	reported map[string]bool // axes with a reported fault
}

type fault struct {
	offset int
	text   string
}

func (r *reader) decode() map[string]any {
	r.places = placesOf(r.data)
	if at := r.places.deep; at >= 0 {
		r.faults = append(r.faults, fault{at, fmt.Sprintf("nested too deeply, want at most %d levels", maxLevels)})
		return nil
	}
	var all map[string]any
	err := toml.Unmarshal(r.data, &all)
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &bad):
		line, column := bad.Position()
		r.faults = append(r.faults, fault{r.offset(line, column), strings.TrimPrefix(bad.Error(), "toml: ")})
	case err != nil:
		r.faults = append(r.faults, fault{0, err.Error()})
	}
	return all
}

// fault adds a fault at a path, unless it is already known or there are maxFaults.
func (r *reader) fault(path, format string, args ...any) {
	f := fault{r.place(path), path + " " + fmt.Sprintf(format, args...)}
	if len(r.faults) < maxFaults && !slices.Contains(r.faults, f) {
		r.faults = append(r.faults, f)
	}
}

// place returns the file offset of a path, or of its nearest parent.
func (r *reader) place(path string) int {
	for path != "" {
		if offset, ok := r.places.at[path]; ok {
			return offset
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}

// offset returns the file offset of a line and column, which start at 1.
func (r *reader) offset(line, column int) int {
	at := 0
	for range line - 1 {
		at += bytes.IndexByte(r.data[at:], '\n') + 1
	}
	return min(at+column-1, len(r.data))
}

// err returns all faults in the order of the file, one per line, or nil.
func (r *reader) err() error {
	slices.SortStableFunc(r.faults, func(a, b fault) int { return cmp.Compare(a.offset, b.offset) })
	var all []error
	for _, f := range r.faults {
		before := r.data[:min(f.offset, len(r.data))]
		start := bytes.LastIndexByte(before, '\n') + 1
		all = append(all, fmt.Errorf("%s:%d:%d: %s", r.name, bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1, f.text))
	}
	return errors.Join(all...)
}

type key struct {
	name string
	read func(path string, v any)
}

func (r *reader) table(path string, v any, keys []key) {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	entries, ok := v.(map[string]any)
	if !ok {
		r.wrong(path, v, "a table with "+strings.Join(names, ", "))
		return
	}
	for name := range entries { // the order does not matter: faults are sorted
		if !slices.Contains(names, name) {
			hint := cmp.Or(suggest.DidYouMean(name, names), "want "+strings.Join(names, ", "))
			r.fault(within(path, name), "is not a key: %s", hint)
		}
	}
	for _, k := range keys {
		if v, ok := entries[k.name]; ok {
			k.read(within(path, k.name), v)
		}
	}
}

func within(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func (r *reader) wrong(path string, v any, want string) {
	is := fmt.Sprint(v)
	switch v := v.(type) {
	case string:
		is = fmt.Sprintf("%q", v)
	case []any:
		is = fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		is = "a table"
	}
	if len(is) > 60 {
		is = strings.ToValidUTF8(is[:60], "") + "…"
	}
	r.fault(path, "is %s, want %s", is, want)
}

func whole[T int | int64 | uint64](r *reader, to *T, least, most int64) func(string, any) {
	return func(path string, v any) {
		n, ok := v.(int64)
		if !ok || n < least || n > most {
			want := fmt.Sprintf("a whole number, %d to %d", least, most)
			if most == math.MaxInt64 {
				want = fmt.Sprintf("a whole number, %d or more", least)
			}
			r.wrong(path, v, want)
			return
		}
		*to = T(n)
	}
}

// text returns a function that reads a string. The function read reports whether the string is accepted.
func (r *reader) text(want string, read func(text string) bool) func(string, any) {
	return func(path string, v any) {
		if text, ok := v.(string); !ok || !read(text) {
			r.wrong(path, v, want)
		}
	}
}

func (r *reader) flag(to *bool) func(string, any) {
	return func(path string, v any) {
		ok := false
		if *to, ok = v.(bool); !ok {
			r.wrong(path, v, "true or false")
		}
	}
}

// list returns a function that calls the function read for each element. It rejects empty lists, and lists of
// more than the given number of elements.
func (r *reader) list(most int, want string, read func(path string, v any)) func(string, any) {
	return func(path string, v any) {
		all, ok := v.([]any)
		if !ok || len(all) == 0 || len(all) > most {
			r.wrong(path, v, want)
			return
		}
		for i, v := range all {
			read(fmt.Sprintf("%s[%d]", path, i), v)
		}
	}
}

func number(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case int64:
		x, ok = float64(v), true
	case float64:
		x, ok = v, true
	}
	return x, ok && !math.IsNaN(x) && !math.IsInf(x, 0)
}
