// Package replay records and replays runs, and finds where two runs begin to differ.
package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
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

// Flag is the flag --record.
type Flag struct {
	Record string `placeholder:"FILE" help:"Record every step, for crowd replay."`
}

// about is the metadata in a recording.
type about struct {
	Command string `json:"command"`
	Version string `json:"version"`
	Name    string `json:"name"`
	Scene   string `json:"scene"`   // TOML of scene.Scene.WriteTOML
	Measure bool   `json:"measure"` // as in scene.Options
	Safety  bool   `json:"safety"`  // as in scene.Options
}

// saveEvery is the number of steps between saved states.
const saveEvery = 600

// Recorder records a run. Stepped and Close do nothing on a nil Recorder.
type Recorder struct {
	to  *output.File
	rec *replay.Recorder
}

// BeginRecording begins to record w, a world of s, to a file, with the given command line. The caller must
// close the recorder, which is nil if the file is nil.
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

// Back records that the world has gone back to an earlier step; see replay.Recorder.Back.
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
		return a, fmt.Errorf("the recording was made by another program, want one made by crowd run --record")
	}
	return a, nil
}

// Recordings records successive crowds of a view. If --record is a.replay, the files are a.replay, a-2.replay
// and so on. Only the first replaces an older file.
type Recordings struct {
	name    string
	console *cli.Console
	begun   int
}

// Recordings returns the Recordings of a view, or nil without --record.
func (f Flag) Recordings(e *cli.Console) *Recordings {
	if f.Record == "" {
		return nil
	}
	return &Recordings{name: f.Record, console: e}
}

// Begin begins to record the next crowd; see view.Scenes.Record.
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

// Film is a recording that can run again.
type Film struct {
	*replay.Recording
	about
	file    *os.File
	scene   *scene.Scene
	options scene.Options
	tick    func(step int) // reports progress; may be nil
}

const magic = "crowd replay\n"

// IsReplay reports whether the named file is a regular file that begins like a recording.
func IsReplay(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() { // a pipe can be read only once
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magic
}

// OpenFilm opens a recording and reads its scene. The worlds of the film have the given number of workers; 0
// means one per processor. OpenFilm returns an error if memory.Admit does. The caller must close the film.
func OpenFilm(ctx context.Context, name string, workers int, memory cli.MemoryFlag) (*Film, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, want a file written by crowd run --record", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file, want one written by crowd run --record", name)
	}
	if !IsReplay(name) {
		return nil, fmt.Errorf("%s is not a recording, want a file written by crowd run --record or crowd view --record", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
	}
	f := &Film{file: file}
	if err := f.read(ctx, workers, memory); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func (f *Film) read(ctx context.Context, workers int, memory cli.MemoryFlag) (err error) {
	if f.Recording, err = replay.Open(f.file); err != nil {
		return err
	}
	if f.about, err = aboutOf(f.Recording); err != nil {
		return err
	}
	if f.scene, err = scene.Read(strings.NewReader(f.Scene), "its scene", scene.OpenOptions{Context: ctx, Allow: noFiles}); err != nil {
		return cli.While(ctx, err, "reading the scene of the recording")
	}
	f.options = scene.Options{Workers: workers, Measure: f.Measure, Safety: f.Safety, Context: ctx}
	return memory.Admit(f.scene, f.options, 0)
}

// noFiles rejects all other files: a recording is self-contained.
func noFiles(path string) error {
	return fmt.Errorf("%s: the scene of a recording can't read other files", path)
}

// Close closes the file. The film may be nil.
func (f *Film) Close() {
	if f != nil {
		_ = f.file.Close()
	}
}

// Shown returns the recording for a view, or nil for a nil film.
func (f *Film) Shown() *replay.Recording {
	if f == nil {
		return nil
	}
	return f.Recording
}

// Scenario returns a copy of the scene at the start.
func (f *Film) Scenario() *scene.Scene { return f.scene.Clone() }

// Options returns the options that affect saved states, or none for a nil film.
func (f *Film) Options() scene.Options {
	if f == nil {
		return scene.Options{}
	}
	return scene.Options{Measure: f.Measure, Safety: f.Safety}
}

// restore returns the world saved after a step, with the parameters that inputs had set.
func (f *Film) restore(step int, state io.Reader) (*world.World, error) {
	var inputs []scene.Input
	for earlier := 1; earlier <= step; earlier++ {
		for _, in := range f.Inputs(earlier) {
			read, err := scene.ReadInput(in.Name, in.Data)
			if err != nil {
				return nil, fmt.Errorf("step %d: %w", earlier, err)
			}
			inputs = append(inputs, read)
		}
	}
	return f.scene.After(inputs).Resume(f.options, state)
}

func (f *Film) side() replay.Side {
	return replay.Side{Recording: f.Recording, Restore: f.restore, Apply: scene.Replay}
}

// at returns the world after a step, even if that step is the first to differ. The caller must close the
// world.
func (f *Film) at(ctx context.Context, step int) (*world.World, error) {
	w, from, err := f.before(ctx, step)
	if err != nil {
		return nil, err
	}
	err = f.run(ctx, w, from, step)
	if d := (*replay.Diverged)(nil); errors.As(err, &d) && d.Step == step {
		err = nil
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// before returns the last world saved at or before a step, and the step of that world. If the saved state is
// unreadable, for example because another version saved it, the world is rebuilt from the scene.
func (f *Film) before(ctx context.Context, step int) (w *world.World, from int, err error) {
	from, state, err := f.State(step)
	if err != nil {
		return nil, 0, err
	}
	w, err = f.restore(from, state)
	if err != nil && ctx.Err() == nil {
		if built, failed := f.scene.Clone().Build(f.options); failed == nil { // inputs change the scene, so build a clone
			w, from, err = built, 0, nil
		}
	}
	return w, from, cli.While(ctx, err, "building "+f.Name)
}

// run checks the hash of w, the world after a step, and replays the steps from there through a later one. It
// returns a *replay.Diverged for the first step whose hash is not the recorded one, or a cli.Interruption if
// ctx is done.
func (f *Film) run(ctx context.Context, w *world.World, from, to int) error {
	defer context.AfterFunc(ctx, w.Interrupt)()
	if got, want := w.Hash(), f.Hash(from); got != want {
		return &replay.Diverged{Step: from, Want: want, Got: got}
	}
	const some = 20 // steps between reports
	for ; from < to; from = min(from+some, to) {
		err := f.RunOn(ctx, w, from, min(from+some, to), scene.Replay)
		if err != nil && ctx.Err() != nil {
			return cli.Interruption{While: fmt.Sprintf("replaying, after step %d", from)}
		}
		if err != nil {
			return err
		}
		if f.tick != nil {
			f.tick(min(from+some, to))
		}
	}
	return nil
}

func (f *Film) again(ctx context.Context, to int) error {
	w, from, err := f.before(ctx, 0)
	if err != nil {
		return err
	}
	defer w.Close()
	return f.run(ctx, w, from, to)
}

func (f *Film) states(ctx context.Context, step int, use func(iter.Seq[world.EntityState]) error) error {
	w, err := f.at(ctx, step)
	if err != nil {
		return err
	}
	defer w.Close()
	return use(w.Inspect().States())
}

func (f *Film) explain(ctx context.Context, step int, agent uint64) (json.RawMessage, error) {
	w, err := f.at(ctx, step-1)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if err := f.Apply(w, step, scene.Replay); err != nil {
		return nil, err
	}
	e, ok := w.Entity(agent)
	if !ok {
		return nil, nil
	}
	x, err := w.Inspect().Explain(e)
	if err != nil {
		return nil, err
	}
	return json.Marshal(x)
}
