package spec

import (
	"fmt"
	"math"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/dustin/go-humanize"
	"gonum.org/v1/gonum/spatial/r2"
)

// parse reads the text of a spec. What it says of scenes is not looked at.
func parse(text []byte, name string) (*Spec, *reader, error) {
	r := &reader{name: name, data: text, reported: map[string]bool{}}
	if len(text) > maxBytes {
		return nil, r, fmt.Errorf("%s: %d bytes, want at most %d", name, len(text), maxBytes)
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
						r.fault(path, "is %q, which is there already", text)
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
	r.list(maxSeeds, "how many seeds, or a list of them", func(path string, v any) {
		var seed uint64
		whole(r, &seed, 1, math.MaxInt64)(path, v)
		if seen[seed] {
			r.fault(path, "is %d, which is there already", seed)
		}
		seen[seed], s.Seeds = true, append(s.Seeds, seed)
	})(path, v)
}

func (s *Spec) designKeys(r *reader) []key {
	kinds := []string{string(Grid), string(Halton), string(Latin)}
	return []key{
		{"kind", func(path string, v any) {
			text, _ := v.(string)
			switch s.Design.Kind = Kind(text); s.Design.Kind {
			case Grid, Halton, Latin:
			default:
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
				r.fault(path, "and run.steps are both there, want one")
			}
			r.duration(&s.Run.Time)(path, v)
		}},
		{"safety", r.flag(&s.Run.Safety)},
		{"lines", r.list(measure.MaxLines, fmt.Sprintf("a list of up to %d lines, each [x0, y0, x1, y1]", measure.MaxLines), func(path string, v any) {
			q := r.quad(path, v)
			l := measure.MeasurementLine{A: r2.Vec{X: q[0], Y: q[1]}, B: r2.Vec{X: q[2], Y: q[3]}}
			if l.A == l.B {
				r.fault(path, "ends where it begins, want two points")
			}
			s.Run.Lines = append(s.Run.Lines, l)
		})},
		{"areas", r.list(maxScenes, "a list of areas, each [x0, y0, x1, y1]", func(path string, v any) {
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

// duration reads a time above 0.
func (r *reader) duration(to *time.Duration) func(string, any) {
	return r.text(`a time above 0, such as "60s" or "5m"`, func(text string) bool {
		d, err := time.ParseDuration(text)
		*to = d
		return err == nil && d > 0
	})
}

// quad reads two points.
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

// checkDesign holds that the design has points, and not too many.
func (s *Spec) checkDesign(r *reader) {
	if s.Design.Kind == Grid && s.Design.Points > 0 {
		r.fault("design.points", "is for the designs %s and %s, and a grid has every combination", Halton, Latin)
	}
	if s.Design.Kind != Grid && s.Design.Points == 0 {
		r.fault("design.points", "is missing, want how many points a scene gets")
	}
	runs := float64(len(s.Scenes)) * float64(s.SeedCount())
	if s.Design.Kind != Grid {
		runs *= float64(s.Design.Points)
	} else {
		for i := range s.Axes {
			a := &s.Axes[i]
			if runs *= float64(max(a.count(), 1)); a.count() == 0 {
				r.fault("axes."+a.Name, "has no count, want how many values from %v to %v the grid has", a.From, a.To)
			}
		}
	}
	if runs > maxRuns {
		r.fault("scenes", "and all else ask for %.3g runs, want at most %d", runs, maxRuns)
	}
}
