// Package menge reads the projects of Menge, a framework for crowds: a project file with the
// scene and the behavior that it names. It yields plain data in the plane x–y, in meters and
// seconds; what the crowd does with them is decided elsewhere.
//
// In Menge what agents do is a state machine. Here each agent has a list of stops: what the
// machine makes of an agent whom nobody is in the way of. See Project.People.
//
// What a file may hold, and what of it is passed over, stands in two tables: see vocabulary
// and kinds.
//
// Source: Curtis, Best, Manocha 2016, "Menge: a modular framework for simulating crowd
// movement", Collective Dynamics 1; the documentation of Menge 0.9.2.
package menge

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Defaults of Menge for attributes that a file leaves out.
const (
	DefaultRadius         = 0.2  // m
	DefaultPreferredSpeed = 1.34 // m/s
	DefaultMaxSpeed       = 2.5  // m/s
	DefaultMaxAccel       = 2.0  // m/s²
	DefaultNeighborDist   = 5.0  // m
	DefaultMaxNeighbors   = 10
	DefaultTau            = 2.5   // s
	DefaultTauObst        = 0.15  // s
	DefaultStep           = 0.1   // s
	DefaultDuration       = 400.0 // s
)

// Steps outside of these are no steps of people: a run would never end, or lead nowhere.
const leastStep, mostStep = 1e-4, 10. // s

// Project is a project with its scene and its behavior.
type Project struct {
	Name      string
	Model     string  // pedestrian model that it asks for, such as orca; may be empty
	Step      float64 // s
	Duration  float64 // s; 0 when the file does not say
	Obstacles []Obstacle
	Files     []string // that were read, as they were named or beside the one that names them
	Warnings  []string // "file:line: …", what was not read or is not followed though a file holds it

	place    string // of the project, for errors
	groups   []*group
	profiles map[string]*profile
	behaves  bool // it has a behavior
	sets     map[string]*goalSet
	states   []*state
	byName   map[string]*state
	reached  map[[2]*state]bool // whether the first may be followed by the second
	maxStops int                // of an agent
}

// Obstacle is a closed line.
type Obstacle struct {
	Corners []r2.Vec // m, 2 or more
	Solid   bool     // wound to the left: its inside is solid; else it is the wall of a room
}

// Options says how to read. The zero value is strict, with default limits.
type Options struct {
	Lenient   bool  // skip unknown elements and attributes with a warning, instead of an error
	MaxBytes  int64 // limit of one file, unpacked; 0 means 256 MiB
	MaxAgents int   // limit of the crowd; 0 means 200,000

	Context context.Context         // ends reading, with its error; nil: nothing does
	Allow   func(path string) error // is asked before a file is opened; nil: all may be
}

// allow asks whether a file may be opened.
func (o *Options) allow(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

const (
	defaultMaxBytes  = 256 << 20
	defaultMaxAgents = 200_000
)

// Read reads the project at path, or a scene without a behavior, in which everybody stands.
// Files that it includes are sought relative to the folder of the file that names them. Any
// of them may be gzipped, whatever its name.
//
// Errors name the file and, where there is one, the line. A file that can't be opened
// leaves an error that matches fs.ErrNotExist and the like.
func Read(path string, o Options) (*Project, error) {
	if o.MaxAgents <= 0 {
		o.MaxAgents = defaultMaxAgents
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	l := &loader{Options: o, p: &Project{
		Name: name(path), profiles: map[string]*profile{}, sets: map[string]*goalSet{}, byName: map[string]*state{}, reached: map[[2]*state]bool{},
	}}
	err := l.main(path)
	if err == nil {
		err = l.resolve()
	}
	if err != nil {
		return nil, err
	}
	l.p.Warnings = l.log.Warnings(path)
	return l.p, nil
}

// name is the file's base name without .gz and .xml.
func name(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".gz")
	return strings.TrimSuffix(base, ".xml")
}

// loader gathers one project from its files.
type loader struct {
	Options
	p      *Project
	log    textio.Log
	agents int
}

// reader reads one of the files.
type reader struct {
	*loader
	*textio.Reader
}

// open opens one of the files.
func (l *loader) open(path, from string) (*reader, error) {
	if err := l.allow(path); err != nil {
		return nil, err
	}
	f := textio.Format{Vocabulary: vocabulary, Remarks: true, Lenient: l.Lenient, MaxBytes: l.MaxBytes, Context: l.Context}
	r, err := textio.Open(path, from, f, &l.log)
	l.p.Files = append(l.p.Files, path)
	return &reader{loader: l, Reader: r}, err
}

// main reads the file that the user names.
func (l *loader) main(path string) error {
	r, err := l.open(path, "")
	if err != nil {
		return err
	}
	var project textio.Tag
	err = r.Read(func(root textio.Tag) error {
		l.p.place = r.Place(root.Line)
		switch root.Name {
		case "Project":
			project = root
			return r.project(root)
		case "Experiment":
			return r.experiment(root)
		}
		return r.Fail(root.Line, "<BFSM> says what agents do, but not who they are: want a project, <Project scene behavior model>")
	}, "Project", "Experiment", "BFSM")
	if err != nil || project.Name == "" {
		return err
	}
	for _, part := range []struct {
		attr, root string
		read       func(*reader, textio.Tag) error
	}{{"scene", "Experiment", (*reader).experiment}, {"behavior", "BFSM", (*reader).machine}} {
		a, _ := project.Attr(part.attr)
		f, err := l.open(r.beside(a.Value), r.Inside(project.Line))
		if err != nil {
			return fmt.Errorf("%s: <Project> %s=%q: %w", r.Place(project.Line), part.attr, textio.Clip(a.Value), err)
		}
		if err := f.Read(func(root textio.Tag) error { return part.read(f, root) }, part.root); err != nil {
			return err
		}
	}
	l.p.behaves = true
	return nil
}

// beside is a path relative to the folder of this file.
func (r *reader) beside(file string) string {
	return filepath.Join(filepath.Dir(r.Path), filepath.FromSlash(file))
}

// project reads the attributes of a project.
func (r *reader) project(t textio.Tag) error {
	if err := r.Require(t, "scene", "behavior"); err != nil {
		return err
	}
	a, _ := t.Attr("model")
	r.p.Model = a.Value
	sub := 0.
	if err := first(
		r.number(&r.p.Duration, t, "duration", aboveZero), r.number(&r.p.Step, t, "timeStep", anyNumber),
		r.number(&sub, t, "subSteps", wholeNumber),
	); err != nil {
		return err
	}
	r.p.Step = max(r.p.Step, 0) / (1 + sub) // below 0: that of the scene
	if err := r.checkStep(t, r.p.Step); err != nil {
		return err
	}
	return r.Element(t, ignore, nil)
}

// checkStep returns an error that names the step of an element if nothing could be computed
// with it; 0: another element says it.
func (r *reader) checkStep(t textio.Tag, step float64) error {
	if step != 0 && !(step >= leastStep && step <= mostStep) {
		return r.Fail(t.Line, "<%s> with a step of %.3g s: want %v to %v s", t.Name, step, leastStep, mostStep)
	}
	return nil
}
