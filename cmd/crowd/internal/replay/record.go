// Package replay records runs of scenes, runs them again, and finds where two of them part.
package replay

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
)

// Flag is --record, for commands that run a scene.
type Flag struct {
	Record string `placeholder:"FILE" help:"Record the run, step by step, for crowd replay and crowd bisect."`
}

// about is what a recording of ours says of itself.
type about struct {
	Command string `json:"command"` // that recorded
	Version string `json:"version"` // of it
	Name    string `json:"name"`    // of the scene
	Scene   string `json:"scene"`   // as TOML, with all changes: see scene.Scene.WriteTOML
	Measure bool   `json:"measure"` // of scene.Options
	Safety  bool   `json:"safety"`  // of scene.Options
}

// saveEvery is how many steps lie between saved states.
const saveEvery = 600

// Recorder records a run; the nil one does not.
type Recorder struct {
	to  *output.File
	rec *replay.Recorder
}

// BeginRecording begins to record a world of a scene into a file, for a command line that asks for it; without
// a file nothing is recorded.
func BeginRecording(to *output.File, s *scene.Scene, w *world.World, command string) (*Recorder, error) {
	if to == nil {
		return nil, nil
	}
	var text bytes.Buffer
	if err := s.WriteTOML(&text); err != nil {
		return nil, to.Fail(err)
	}
	a := about{command, cli.VersionLine(), s.Name, text.String(), w.Config().Measure, w.Config().Safety}
	rec, err := replay.NewRecorder(to, w, replay.Options{About: a, SaveEvery: saveEvery})
	return &Recorder{to, rec}, to.Fail(err)
}

// Stepped records a step that was done.
func (r *Recorder) Stepped() error {
	if r == nil {
		return nil
	}
	return r.to.Fail(r.rec.Stepped())
}

// Input records what was done by hand before the next step.
func (r *Recorder) Input(name string, value any) error { return r.to.Fail(r.rec.Input(name, value)) }

// Back records that a world goes on from an earlier step.
func (r *Recorder) Back(w *world.World, step int) error { return r.to.Fail(r.rec.Back(w, step)) }

// Close ends the recording.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.to.Fail(r.rec.Close())
	return r.to.Commit()
}

// aboutOf returns what a recording says of itself.
func aboutOf(r *replay.Recording) (about, error) {
	var a about
	if err := json.Unmarshal(r.About, &a); err != nil || a.Scene == "" {
		return a, fmt.Errorf("it is of another program: crowd run --record makes those that are read here")
	}
	return a, nil
}
