package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
)

// Recordings are those of crowds that take each other's place in a view: the first one has the name that was asked for, such as
// a.replay, and the others a-2.replay and so on.
type Recordings struct {
	name    string
	console *cli.Console
	begun   int
}

// Recordings returns what records the crowds of a view; nil: nothing is to be recorded.
func (f Flag) Recordings(e *cli.Console) *Recordings {
	if f.Record == "" {
		return nil
	}
	return &Recordings{name: f.Record, console: e}
}

// BeginRecording begins the recording of the next crowd: see view.Scenes.Record.
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
