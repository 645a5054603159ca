package spec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
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
		name := s.Scenes[i].Name
		plain, err := scene.Open(cmp.Or(paths[i], name), scene.OpenOptions{Context: ctx})
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) { // it need not be meant as a file
			err = scene.UnknownError(name)
		}
		if err != nil {
			r.fault(at, "is %q: %v", name, err)
			continue
		}
		files = append(files, plain.Files...)
		if n := len(plain.Lines) + len(s.Run.Lines); n > measure.MaxLines {
			r.fault("run.lines", "are %d with those of the scene %s, want at most %d", n, name, measure.MaxLines)
		}
		if plain.Agents() == 0 {
			r.fault(at, "is %q, in which nobody is", name)
			continue
		}
		for k, model := range models {
			if err := ctx.Err(); err != nil {
				return nil
			}
			with := plain
			if model.Text != "" {
				with, err = scene.Open(cmp.Or(paths[i], name), scene.OpenOptions{Context: ctx, Model: scene.Model(model.Text)})
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

// checkNumbers tries all values of axes that are numbers of a scene. Of an axis it reports the first
// that is wrong.
func (s *Spec) checkNumbers(r *reader, with *scene.Scene) {
	for i := range s.Axes {
		a := &s.Axes[i]
		path := "axes." + a.Name
		if a.Name == modelAxis || a.Name == agentsAxis || r.reported[path] {
			continue
		}
		values := a.Values
		if values == nil {
			values = []Value{a.between(0), a.between(1)}
		}
		for k, v := range values {
			err := set(with, a.Name, v.Number)
			if err == nil {
				continue
			}
			r.reported[path] = true
			if k > 0 && a.Values != nil {
				path = fmt.Sprintf("%s[%d]", path, k)
			}
			of := ""
			if with.Model != "" {
				of = fmt.Sprintf(" (model %s)", with.Model)
			}
			r.fault(path, "does not go with the scene %s%s: %v", with.Name, of, err)
			break
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
