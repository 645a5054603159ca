package main

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/beside"
	"github.com/8f878440/crowd/cmd/crowd/internal/interrupt"
	"github.com/8f878440/crowd/internal/recorded"
)

// recordingFlags are what the file of a recording may not say.
type recordingFlags struct {
	FrameRate float64       `placeholder:"N" help:"Frames a second of a recording, where its file does not say."`
	Unit      recorded.Unit `placeholder:"UNIT" help:"Unit of the lengths of a recording, where its file does not say: m or cm."`
	Columns   []string      `placeholder:"NAMES" help:"Columns of a recording, where its file does not say: id, frame (or time, in s), x, y in their order, and - for others (default: id,frame,x,y)."`
}

// recording returns how a recording is read.
func (f *recordingFlags) recording(ctx context.Context) recorded.Options {
	return recorded.Options{FrameRate: f.FrameRate, Unit: f.Unit, Columns: f.Columns, Context: ctx}
}

// openBeside reads the people to be shown beside simulated ones; nil: nobody.
func (f *recordingFlags) openBeside(ctx context.Context, o *beside.Options) (*beside.People, error) {
	people, err := o.Open(f.recording(ctx))
	if err != nil {
		return nil, interrupt.While(ctx, err, "reading "+o.Beside)
	}
	return people, nil
}
