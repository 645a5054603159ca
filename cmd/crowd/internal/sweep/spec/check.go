package spec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world/scene"
)

// check opens each scene with each model, checks the axes, and reports faults. The file of each scene is in
// paths, which contains "" for built-in scenes. check returns the files that the scenes read, perhaps not all
// if ctx is done.
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
		if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) { // perhaps a mistyped built-in scene
			err = scene.UnknownError(name)
		}
		if err != nil {
			r.fault(at, "is %q: %v", name, err)
			continue
		}
		files = append(files, plain.Files...)
		if n := len(plain.Lines) + len(s.Run.Lines); n > measure.MaxLines {
			r.fault("run.lines", "has %d lines with those of the scene %s, want at most %d", n, name, measure.MaxLines)
		}
		if plain.Agents() == 0 {
			r.fault(at, "is %q, which has no agents", name)
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

// checkNumbers tries the listed values, or the ends of the range, of each numeric axis except agents. It
// reports the first fault of each axis.
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
			r.fault(path, "does not fit the scene %s%s: %v", with.Name, of, err)
			break
		}
	}
}

func set(s *scene.Scene, name string, x float64) error {
	if name == "dt" {
		if info, err := s.Model.Info(); err == nil && info.MaxDt > 0 && x > info.MaxDt {
			return fmt.Errorf("dt is %v s, want at most %.3g s for the model %s", x, info.MaxDt, s.Model)
		}
	}
	return s.Set(name, x)
}

// Difference describes the first difference between the spec and an older manifest, or explains why the
// manifest is invalid.
func (s *Spec) Difference(older []byte) string {
	was, err := readManifest(older)
	if err != nil {
		return err.Error()
	}
	if text := differentKey(s.Text, []byte(was.Spec)); text != "" {
		return text
	}
	if was.Spec != string(s.Text) {
		return "the spec differs only in comments, layout or the order of keys"
	}
	for i := range max(len(s.Files), len(was.Files)) {
		switch {
		case i >= len(s.Files) || i < len(was.Files) && was.Files[i].Name < s.Files[i].Name:
			return fmt.Sprintf("the sweep no longer uses the scene file %s", was.Files[i].Name)
		case i >= len(was.Files) || s.Files[i].Name < was.Files[i].Name:
			return fmt.Sprintf("the scene file %s is new", s.Files[i].Name)
		case s.Files[i] != was.Files[i]:
			return fmt.Sprintf("the scene file %s has the SHA-256 %.8s…, not %.8s… as before", s.Files[i].Name, s.Files[i].SHA256, was.Files[i].SHA256)
		}
	}
	return "the scenes of the sweep were read from other files"
}

func differentKey(text, older []byte) string {
	now, was := map[string]string{}, map[string]string{}
	flatten(now, "", (&reader{data: text}).decode())
	flatten(was, "", (&reader{data: older}).decode())
	all := slices.AppendSeq(slices.Collect(maps.Keys(now)), maps.Keys(was))
	slices.Sort(all)
	for _, path := range all {
		if now[path] != was[path] {
			return fmt.Sprintf("%s is %s, but was %s", path, cmp.Or(now[path], "missing"), cmp.Or(was[path], "missing"))
		}
	}
	return ""
}

func flatten(all map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, v := range v {
			flatten(all, within(path, name), v)
		}
	case []any:
		for i, v := range v {
			flatten(all, fmt.Sprintf("%s[%d]", path, i), v)
		}
	case string:
		all[path] = fmt.Sprintf("%q", v)
	default:
		all[path] = fmt.Sprint(v)
	}
}

// Open returns the scene of a point as crowd run opens it with --model, --agents, --seed and --set, plus the
// settings of s.Run. It sets parameters in the order of s.Axes. Its errors are the same on all machines.
func (s *Spec) Open(ctx context.Context, p Point) (*scene.Scene, error) {
	o := scene.OpenOptions{Context: ctx, Seed: &p.Seed, Allow: s.allow}
	for i := range s.Axes {
		if s.Axes[i].Name == modelAxis {
			o.Model = scene.Model(p.Values[i].Text)
		}
	}
	from := &s.Scenes[p.Scene]
	name := from.Name
	if from.File != "" {
		name = filepath.Join(s.root, filepath.FromSlash(from.File))
	}
	opened, err := scene.Open(name, o)
	if err != nil {
		return nil, s.anywhere(err)
	}
	opened.Reseed(p.Seed)
	for i := range s.Axes {
		if s.Axes[i].Name == agentsAxis {
			opened.Resize(int(p.Values[i].Number))
		}
	}
	for i := range s.Axes {
		if name := s.Axes[i].Name; name != modelAxis && name != agentsAxis {
			if err := set(opened, name, p.Values[i].Number); err != nil {
				return nil, err
			}
		}
	}
	opened.Steps = cmp.Or(s.Run.Steps, stepsIn(s.Run.Time, opened.Dt), opened.Steps)
	if opened.Steps > run.MaxSteps {
		return nil, fmt.Errorf("the run has %d steps of %v s, want at most %d", opened.Steps, opened.Dt, run.MaxSteps)
	}
	opened.Lines = append(opened.Lines, s.Run.Lines...)
	opened.Areas = append(opened.Areas, s.Run.Areas...)
	return opened, nil
}

// stepsIn returns the number of steps in t, from 1 to run.MaxSteps+1, or 0 if t is 0.
func stepsIn(t time.Duration, dt float64) int {
	if t == 0 {
		return 0
	}
	return int(min(max(math.Round(t.Seconds()/dt), 1), run.MaxSteps+1))
}

func (s *Spec) anywhere(err error) error {
	if s.root == "" {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), s.root+string(filepath.Separator), ""))
}
