// Package replay records runs of scenes, replays them, and finds where two runs start to differ.
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
	Record string `placeholder:"FILE" help:"Record every step, for crowd replay."`
}

// about is the metadata that crowd stores in a recording.
type about struct {
	Command string `json:"command"` // command line
	Version string `json:"version"` // version of crowd
	Name    string `json:"name"`    // name of the scene
	Scene   string `json:"scene"`   // TOML, with all changes; see scene.Scene.WriteTOML
	Measure bool   `json:"measure"` // as in scene.Options
	Safety  bool   `json:"safety"`  // as in scene.Options
}

// saveEvery is the number of steps between saved states.
const saveEvery = 600

// Recorder records a run.
type Recorder struct {
	to  *output.File
	rec *replay.Recorder
}

// BeginRecording starts to record w, a world of s, to a file. command is the command line to store. The caller
// must close the recorder. If to is nil, BeginRecording returns a nil Recorder, whose Stepped and Close do nothing.
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

// Stepped records the last step of the world.
func (r *Recorder) Stepped() error {
	if r == nil {
		return nil
	}
	return r.to.Fail(r.rec.Stepped())
}

// Input records a manual change before the next step; see replay.Recorder.Input.
func (r *Recorder) Input(name string, value any) error { return r.to.Fail(r.rec.Input(name, value)) }

// Back records that the run continues from an earlier step as w; see replay.Recorder.Back.
func (r *Recorder) Back(w *world.World, step int) error { return r.to.Fail(r.rec.Back(w, step)) }

// Close ends the recording and commits its file.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.to.Fail(r.rec.Close())
	return r.to.Commit()
}

func aboutOf(r *replay.Recording) (about, error) {
	var a about
	if err := json.Unmarshal(r.About, &a); err != nil || a.Scene == "" {
		return a, fmt.Errorf("made by another program, want a recording by crowd run --record")
	}
	return a, nil
}

// Recordings records successive crowds of a view. The first recording has the name of --record, such as
// a.replay. The next ones are a-2.replay and so on, skipping the names of files that exist.
type Recordings struct {
	name    string
	console *cli.Console
	begun   int
}

// Recordings returns the Recordings for the crowds of a view, or nil without --record.
func (f Flag) Recordings(e *cli.Console) *Recordings {
	if f.Record == "" {
		return nil
	}
	return &Recordings{name: f.Record, console: e}
}

// Begin starts the recording of the next crowd; see view.Scenes.Record.
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
		r.console.Log.Info(fmt.Sprintf("recording %s in %s", s.Name, name))
	}
	return &logged{rec, r.console}, nil
}

// next returns the name of the next recording. Only the first recording replaces an older file.
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

// logged is a recorder that also logs the error of Close.
type logged struct {
	*Recorder
	console *cli.Console
}

func (l *logged) Close() error {
	err := l.Recorder.Close()
	if err != nil {
		l.console.Log.Error(err.Error())
	}
	return err
}
