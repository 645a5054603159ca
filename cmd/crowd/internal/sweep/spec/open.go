package spec

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world/scene"
)

// Open returns the scene of a point, as crowd run has it with the flags --model, --agents, --seed
// and --set. An error does not depend on where the files are.
func (s *Spec) Open(ctx context.Context, p Point) (*scene.Scene, error) {
	o := scene.OpenOptions{Context: ctx, Seed: p.Seed, Allow: s.allow}
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
	for i := range s.Axes {
		if s.Axes[i].Name == agentsAxis {
			opened.Resize(int(p.Values[i].Number))
		}
	}
	opened.Seed = p.Seed
	for i := range s.Axes {
		if name := s.Axes[i].Name; name != modelAxis && name != agentsAxis {
			if err := set(opened, name, p.Values[i].Number); err != nil {
				return nil, err
			}
		}
	}
	opened.Steps = cmp.Or(s.Run.Steps, stepsIn(s.Run.Time, opened.Dt), opened.Steps)
	if opened.Steps > run.MaxSteps {
		return nil, fmt.Errorf("%d steps of %v s, want at most %d", opened.Steps, opened.Dt, run.MaxSteps)
	}
	opened.Lines = append(opened.Lines, s.Run.Lines...)
	opened.Areas = append(opened.Areas, s.Run.Areas...)
	return opened, nil
}

// stepsIn returns how many steps there are in a time above 0.
func stepsIn(t time.Duration, dt float64) int {
	if t == 0 {
		return 0
	}
	return int(min(max(math.Round(t.Seconds()/dt), 1), run.MaxSteps+1))
}

// anywhere returns an error without the folder of this machine.
func (s *Spec) anywhere(err error) error {
	if s.root == "" { // there are no files
		return err
	}
	text := strings.ReplaceAll(err.Error(), s.root+string(filepath.Separator), "")
	if text == err.Error() {
		return err
	}
	return placeless{text, err}
}

// placeless is an error without a folder in its text.
type placeless struct {
	text  string
	cause error
}

func (e placeless) Error() string { return e.text }

func (e placeless) Unwrap() error { return e.cause }
