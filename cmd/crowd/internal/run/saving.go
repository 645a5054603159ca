package run

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Saving saves a run now and then. The nil one does nothing.
type Saving struct {
	to    *output.File
	part  *trajectories.Part // nil: there are no trajectories
	run   SavedRun
	steps int // between two saves
	last  int // steps that were done at the last one; -1: there was none
}

// NewSaving returns what saves a run of a scene in a file, with the part of its trajectories if there is
// one. Flags are those that decide about the result.
func NewSaving(to *output.File, id uint64, s *scene.Scene, flags any, every Period, part *trajectories.Part) (*Saving, error) {
	steps, err := every.Steps(s.Dt)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(flags)
	if err != nil {
		return nil, err
	}
	sources, err := sourcesOf(s.Files)
	if err != nil {
		return nil, err
	}
	for _, source := range sources {
		if !utf8.ValidString(source.Name) {
			return nil, fmt.Errorf("a run of %s can't be saved: its name is not UTF-8", source.Name)
		}
	}
	run := SavedRun{Version: cli.Version(), ID: id, Flags: text, Sources: sources, Every: string(every)}
	return &Saving{to: to, part: part, run: run, steps: steps, last: -1}, nil
}

// Last returns after how many steps the run was saved last.
func (s *Saving) Last() int { return s.last }

// Step saves a run after a step if it is time.
func (s *Saving) Step(w *world.World, r *report.Report, state *State) error {
	if s == nil || state.Steps%s.steps != 0 {
		return nil
	}
	return s.Save(w, r, state, false)
}

// Save saves a run between two steps. The older file stays until the new one is complete.
func (s *Saving) Save(w *world.World, r *report.Report, state *State, ended bool) (err error) {
	if s == nil || s.last == state.Steps && !ended {
		return nil
	}
	run := s.run
	run.State, run.Hash, run.Ended = *state, w.Hash(), ended
	if run.Report, err = json.Marshal(r.Begun()); err != nil {
		return err
	}
	if s.part != nil {
		if run.Part, err = s.part.Save(); err != nil {
			return err
		}
	}
	if err := s.to.Begin(); err != nil {
		return err
	}
	if err := s.to.Fill(func(to io.Writer) error { return run.write(to, w) }); err != nil {
		return err
	}
	s.last = state.Steps
	return nil
}

// GoOn gives a report what the file has of its start.
func (f *SavedFile) GoOn(r *report.Report) error {
	var begun report.Begun
	if err := json.Unmarshal(f.Report, &begun); err != nil {
		return f.Fault(err)
	}
	r.GoOn(begun, f.State.Steps)
	return nil
}

// ReadFlags reads the flags that decide about the result.
func (f *SavedFile) ReadFlags(flags any) error {
	if err := json.Unmarshal(f.Flags, flags); err != nil {
		return f.Fault(err)
	}
	return nil
}
