package spec

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world/scene"
)

// check opens all scenes with all models, tries all values of axes with them, and reports what
// they can't take. It returns the files that the scenes are made of.
func (s *Spec) check(ctx context.Context, r *reader, paths []string) (files []string) {
	models := []Value{{}}
	for i := range s.Axes {
		if s.Axes[i].Name == modelAxis {
			models = s.Axes[i].Values
		}
	}
	for i := range s.Scenes {
		at := fmt.Sprintf("scenes[%d]", i)
		plain, err := scene.Open(cmp.Or(paths[i], s.Scenes[i].Name), scene.OpenOptions{Context: ctx})
		if err != nil {
			r.fault(at, "is %q: %v", s.Scenes[i].Name, err)
			continue
		}
		files = append(files, plain.Files...)
		if n := len(plain.Lines) + len(s.Run.Lines); n > measure.MaxLines {
			r.fault("run.lines", "are %d with those of the scene %s, want at most %d", n, s.Scenes[i].Name, measure.MaxLines)
		}
		if plain.Agents() == 0 {
			r.fault(at, "is %q, in which nobody is", s.Scenes[i].Name)
			continue
		}
		for k, model := range models {
			if err := ctx.Err(); err != nil {
				return nil
			}
			with := plain
			if model.Text != "" {
				with, err = scene.Open(cmp.Or(paths[i], s.Scenes[i].Name), scene.OpenOptions{Context: ctx, Model: scene.Model(model.Text)})
				if err != nil {
					r.fault(fmt.Sprintf("axes.model[%d]", k), "is %q: %v", model.Text, err)
					continue
				}
			}
			s.checkNumbers(r, with)
		}
	}
	return files
}

// checkNumbers tries all values of axes that are numbers of a scene.
func (s *Spec) checkNumbers(r *reader, with *scene.Scene) {
	of := ""
	if with.Model != "" {
		of = fmt.Sprintf(", by the model %s", with.Model)
	}
	for i := range s.Axes {
		a := &s.Axes[i]
		if a.Name == modelAxis || a.Name == agentsAxis {
			continue
		}
		values, path := a.Values, "axes."+a.Name
		if values == nil {
			values = []Value{a.between(0), a.between(1)}
		}
		for k, v := range values {
			if err := set(with, a.Name, v.Number); err != nil {
				at := path
				if a.Values != nil && !strings.Contains(err.Error(), "no agent of") && !strings.Contains(err.Error(), "nothing is named") {
					at = fmt.Sprintf("%s[%d]", path, k)
				}
				r.fault(at, "is no number that %s can have: %v%s", with.Name, err, of)
				break
			}
		}
	}
}

// set changes a number of a scene.
func set(s *scene.Scene, name string, x float64) error {
	if name == "dt" {
		if info, err := s.Model.Info(); err == nil && info.MaxDt > 0 && x > info.MaxDt {
			return fmt.Errorf("dt is %v s, want %.3g at most for the model %s", x, info.MaxDt, s.Model)
		}
	}
	return s.Set(name, x)
}
