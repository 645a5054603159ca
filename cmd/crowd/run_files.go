package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/world/scene"
)

// runFiles are the files that a run writes; those that are not asked for are nil.
type runFiles struct {
	output.Files
	picture, trajectories, cpuProfile, memProfile, trace *output.File
}

// begin begins the files that the command line asks for. The error says which of
// them can't be written.
func (c *runCmd) begin(s *scene.Scene) (*runFiles, error) {
	if c.Picture != "" && strings.ToLower(filepath.Ext(c.Picture)) != ".png" {
		return nil, fmt.Errorf("--picture is %s, want a name that ends with .png (crowd render draws others)", c.Picture)
	}
	if c.Trajectories != "" && trajectories.FormatOf(c.Trajectories) == nil {
		return nil, fmt.Errorf("--trajectories is %s, want a name that ends with .csv, .csv.gz, .parquet or .txt", c.Trajectories)
	}
	f := &runFiles{}
	f.Reads(s.Files...)
	f.picture = f.Add("--picture", c.Picture)
	f.trajectories = f.Add("--trajectories", c.Trajectories)
	f.cpuProfile = f.Add("--cpuprofile", c.CPUProfile)
	f.memProfile = f.Add("--memprofile", c.MemProfile)
	f.trace = f.Add("--trace", c.Trace)
	return f, f.Open()
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
