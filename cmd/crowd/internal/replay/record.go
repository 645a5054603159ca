// Package replay records runs of scenes, runs them again, and finds where two of them part.
package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
)

// Flag is --record, for commands that run a scene.
type Flag struct {
	Record string `placeholder:"FILE" help:"Record the run, step by step, for crowd replay."`
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

// Recordings are those of crowds that take each other's place in a view: the first one has the name that was asked for, such as
// a.replay, and the others a-2.replay and so on.
type Recordings struct {
	name    string
	console *cli.Console
	begun   int
}

// Recordings returns what records the crowds of a view; nil: nothing is recorded.
func (f Flag) Recordings(e *cli.Console) *Recordings {
	if f.Record == "" {
		return nil
	}
	return &Recordings{name: f.Record, console: e}
}

// Begin begins the recording of the next crowd: see view.Scenes.Record.
func (r *Recordings) Begin(s *scene.Scene, w *world.World) (view.Recorder, error) {
	name := r.next()
	var files output.Files
	files.Reads(s.Files...)
	to := files.AddGrowing("--record", name)
	if err := files.Open(); err != nil {
		return nil, err
	}
	rec, err := BeginRecording(to, s, w, strings.Join(r.console.Args, " "))
	if err != nil {
		files.Discard()
		return nil, err
	}
	r.begun++
	if r.begun > 1 {
		r.console.Log.Info(fmt.Sprintf("%s is recorded in %s", s.Name, name))
	}
	return &told{rec, r.console}, nil
}

// next returns the name of the next recording. Only the first replaces an older file.
func (r *Recordings) next() string {
	if r.begun == 0 {
		return r.name
	}
	end := filepath.Ext(r.name)
	for n := r.begun + 1; ; n++ {
		name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(r.name, end), n, end)
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// told is a recorder whose first error is logged, too.
type told struct {
	*Recorder
	console *cli.Console
}

// Close ends the recording.
func (t *told) Close() error {
	err := t.Recorder.Close()
	if err != nil {
		t.console.Log.Error(err.Error())
	}
	return err
}
