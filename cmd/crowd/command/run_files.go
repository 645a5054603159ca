package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/world/scene"
)

// load returns the scene, with the changes that the command line asks for.
func (c *runCmd) load(ctx context.Context, e *cli.Console) (*scene.Scene, error) {
	s, err := c.open(ctx, e)
	if err != nil {
		return nil, err
	}
	if c.Steps != nil {
		if *c.Steps < 1 || *c.Steps > run.MaxSteps {
			return nil, fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, run.MaxSteps)
		}
		s.Steps = *c.Steps
	}
	if err := c.Places.AddTo(s); err != nil {
		return nil, err
	}
	if err := render.CheckView(c.View); err != nil {
		return nil, err
	}
	if c.Every < 1 {
		return nil, fmt.Errorf("--every is %d, want 1 or more", c.Every)
	}
	if err := c.Profiles.Check(); err != nil {
		return nil, err
	}
	if c.Picture == "" && !c.JSON {
		c.Picture = render.PictureName(s)
	}
	if c.NoPicture {
		c.Picture = ""
	}
	return s, e.Given.Refuse(
		cli.IdleFlag{Name: "picture", Idle: c.NoPicture, Why: "and --no-picture contradict one another, want one of them"},
		cli.IdleFlag{Name: "view", Idle: c.Picture == "", Why: "is for the picture, and none is drawn"},
		cli.IdleFlag{Name: "save-every", Idle: c.Save == "", Why: "is for --save, which is missing"},
		cli.IdleFlag{Name: "every", Idle: c.Trajectories == "", Why: "is for --trajectories, which is missing"},
	)
}

// runFiles are the files that a run writes; those that are not asked for are nil.
type runFiles struct {
	output.Files
	picture, trajectories, cpuProfile, memProfile, trace, save, record *output.File

	format   trajectories.Format // of the trajectories
	partName string              // of the file of what was recorded so far of a run that is saved; empty: it is not
	part     *trajectories.Part
}

// begin begins the files that the command line asks for. The error says which of
// them can't be written.
func (c *runCmd) begin(s *scene.Scene) (*runFiles, error) {
	if c.Picture != "" && strings.ToLower(filepath.Ext(c.Picture)) != ".png" {
		return nil, fmt.Errorf("--picture is %s, want a name that ends with .png (crowd render draws others)", c.Picture)
	}
	f := &runFiles{}
	trajectory := f.Add
	if c.Trajectories != "" {
		var err error
		if f.format, err = trajectories.FormatOf(c.Trajectories); err != nil {
			return nil, fmt.Errorf("--trajectories is %w", err)
		}
		if c.Save != "" {
			trajectory = f.AddRegular
			f.partName = c.Trajectories + ".part"
		}
	}
	f.Reads(s.Files...)
	f.picture = f.Add("--picture", c.Picture)
	f.trajectories = trajectory("--trajectories", c.Trajectories)
	f.cpuProfile = f.Add("--cpuprofile", c.CPUProfile)
	f.memProfile = f.Add("--memprofile", c.MemProfile)
	f.trace = f.Add("--trace", c.Trace)
	f.record = f.AddGrowing("--record", c.Record.Record)
	f.save = f.AddRegular("--save", c.Save)
	part := f.AddRegular("the part of --trajectories", f.partName)
	if err := f.Open(); err != nil {
		return nil, err
	}
	if f.save.PutOff(); c.Save != "" {
		f.trajectories.PutOff()
	}
	part.PutOff() // it has a writer of its own
	return f, nil
}

// join writes the trajectories from their part.
func (f *runFiles) join(of trajectories.Source) error {
	if err := f.trajectories.Begin(); err != nil {
		return err
	}
	to := f.format.Begin(f.trajectories, of)
	return f.trajectories.Fail(cmp.Or(f.part.Join(to), to.Close()))
}

// removePart removes the file of what was recorded, when all is in its place.
func (f *runFiles) removePart() error {
	if f.part == nil {
		return nil
	}
	return f.part.Remove()
}

// Discard removes what was not committed, and leaves the part for who goes on with the run.
func (f *runFiles) Discard() {
	f.Files.Discard()
	if f.part != nil {
		_ = f.part.Close()
	}
}

// steps completes what was written beside the steps.
func (f *runFiles) steps() error {
	return cmp.Or(f.trajectories.Commit(), f.cpuProfile.Commit(), f.trace.Commit())
}

// heap writes the heap profile.
func (f *runFiles) heap() error {
	if f.memProfile == nil {
		return nil
	}
	runtime.GC()
	return f.memProfile.Fill(pprof.WriteHeapProfile)
}
