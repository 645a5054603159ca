package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/beside"
	"github.com/8f878440/crowd/cmd/crowd/internal/interrupt"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/internal/recorded"
	"github.com/8f878440/crowd/world/scene"
)

// recordingFlags are what the file of a recording may not say.
type recordingFlags struct {
	FrameRate float64       `placeholder:"N" help:"Frames a second of a recording, where its file does not say."`
	Unit      recorded.Unit `placeholder:"UNIT" help:"Unit of the lengths of a recording, where its file does not say: m or cm."`
	Columns   []string      `placeholder:"NAMES" help:"Columns of a recording, where its file does not say: id, frame (or time, in s), x, y in their order, and - for others (default: id,frame,x,y)."`
}

// to lets a scene be read from a recording.
func (f *recordingFlags) to(o *scene.OpenOptions) {
	o.FrameRate, o.Unit, o.Columns = f.FrameRate, string(f.Unit), f.Columns
}

// idle returns which flags do nothing with a scene, if no recording is shown beside it.
func (f *recordingFlags) idle(s *scene.Scene, beside bool) (all []usage.IdleFlag) {
	for _, name := range []string{"frame-rate", "unit", "columns"} {
		all = append(all, usage.IdleFlag{Name: name, Idle: !s.Recorded && !beside, Why: fmt.Sprintf("is for recordings, and %s is none", s.Name)})
	}
	return all
}

// words returns the flags as they stand on a command line, each after a blank.
func (f *recordingFlags) words() (text string) {
	if f.FrameRate != 0 {
		text += fmt.Sprintf(" --frame-rate %v", f.FrameRate)
	}
	if f.Unit != "" {
		text += " --unit " + string(f.Unit)
	}
	if f.Columns != nil {
		text += " --columns " + strings.Join(f.Columns, ",")
	}
	return text
}

// openBeside reads the people to be shown beside simulated ones; nil: nobody.
func (f *recordingFlags) openBeside(ctx context.Context, o *beside.Options) (*beside.People, error) {
	people, err := o.Open(recorded.Options{FrameRate: f.FrameRate, Unit: f.Unit, Columns: f.Columns, Context: ctx})
	if err != nil {
		return nil, interrupt.While(ctx, err, "reading "+o.Beside)
	}
	return people, nil
}
