// Package menge reads the projects of Menge, a framework for crowds: a project file with the
// scene and the behavior that it names. It yields plain data in the plane x–y, in meters and
// seconds; what the crowd does with them is decided elsewhere.
//
// In Menge what agents do is a state machine. Here each agent has a list of stops: what the
// machine makes of an agent with nothing in its way. See Project.People.
//
// What a file may hold, and what of it is passed over, stands in two tables: see vocabulary
// and kinds.
//
// Source: Curtis, Best, Manocha 2016, "Menge: a modular framework for simulating crowd
// movement", Collective Dynamics 1; the documentation of Menge 0.9.2.
package menge

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/hash"
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

const (
	defaultMaxBytes  = 256 << 20
	defaultMaxAgents = 200_000
)

// Read reads the project at path, or a scene without a behavior, in which all agents stand.
// Files that it includes are sought relative to the folder of the file that names them. Any
// of them may be gzipped, whatever its name.
//
// Errors name the file and, where there is one, the line. A file that can't be opened
// leaves an error that matches fs.ErrNotExist and the like.
func Read(path string, o formats.Options) (*Project, error) {
	o.MaxAgents = cmp.Or(o.MaxAgents, defaultMaxAgents)
	o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	l := &loader{Options: o, p: &Project{
		Name: formats.Name(path), profiles: map[string]*profile{}, sets: map[string]*goalSet{}, byName: map[string]*state{}, reached: map[[2]*state]bool{},
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

// loader gathers one project from its files.
type loader struct {
	formats.Options
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
	if err := l.Allowed(path); err != nil {
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
		f, err := l.open(r.Beside(a.Value), r.Inside(project.Line))
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

// models are the elements with the numbers of pedestrian models, of which that of ORCA is
// read.
const models = "OpenSteer PedVO GCF Helbing Johansson Karamouzas Zanlungo Dummy"

// vocabulary is all that the files of a project hold, by element. What an element with a type
// may have besides stands in kinds.
var vocabulary = func() map[string]textio.Words {
	all := map[string]textio.Words{
		"Project": {
			Attrs:        textio.List("scene behavior model duration timeStep subSteps"),
			IgnoredAttrs: textio.List("view dumpPath output scbVersion random outSamples"),
		},
		"Experiment": {
			Attrs: textio.List("time_step"), IgnoredAttrs: textio.List("version"),
			Children:        textio.List("Common AgentProfile AgentGroup ObstacleSet"),
			IgnoredChildren: textio.List("SpatialQuery Elevation ORCA " + models),
		},
		"Common": {
			Attrs:        textio.List("time_step r pref_speed max_speed max_accel neighbor_dist max_neighbors obstacleSet"),
			IgnoredAttrs: textio.List("max_angle_vel class priority"), Children: textio.List("Property"),
		},
		"ORCA":         {Attrs: textio.List("tau tauObst"), Children: textio.List("Property")},
		"Property":     {Attrs: textio.List("name dist value min max mean stddev"), IgnoredAttrs: textio.List("seed")},
		"AgentProfile": {Attrs: textio.List("name inherits"), Children: textio.List("Common ORCA"), IgnoredChildren: textio.List(models)},
		"Profile":      {Attrs: textio.List("name weight")},
		"AgentGroup":   {Children: textio.List("ProfileSelector StateSelector Generator")},
		"Agent":        {Attrs: textio.List("p_x p_y")},
		"Obstacle":     {Attrs: textio.List("closed"), IgnoredAttrs: textio.List("boundingbox"), Children: textio.List("Vertex")},
		"Vertex":       {Attrs: textio.List("p_x p_y")},
		"BFSM":         {Children: textio.List("GoalSet State Transition")},
		"GoalSet":      {Attrs: textio.List("id"), Children: textio.List("Goal")},
		"State": {
			Attrs: textio.List("name final weight"), IgnoredAttrs: textio.List("speedPolicy"),
			Children: textio.List("GoalSelector VelComponent Action"),
		},
		"Transition": {Attrs: textio.List("from to order"), Children: textio.List("Condition Target")},

		"ObstacleSet":     {Children: textio.List("Obstacle")},
		"Generator":       {Children: textio.List("Agent")},
		"ProfileSelector": {Children: textio.List("Profile")},
		"Condition":       {Children: textio.List("Condition")},
		"Target":          {Children: textio.List("State")},
	}
	for element, types := range kinds {
		w := all[element]
		for _, attrs := range types {
			w.Attrs = append(w.Attrs, textio.List(attrs)...)
		}
		w.Attrs = append(w.Attrs, "type")
		w.IgnoredAttrs = textio.List(ignoredOfKinds[element])
		slices.Sort(w.Attrs)
		w.Attrs = slices.Compact(w.Attrs)
		all[element] = w
	}
	return all
}()

const (
	drawn     = " dist value min max mean stddev"
	displaced = " displace_dist displace_value displace_min displace_max displace_mean displace_stddev"
	boxed     = "min_x min_y max_x max_y"
)

// kinds are the types of elements that have one, each with its attributes.
var kinds = map[string]map[string]string{
	"ProfileSelector": {"const": "name", "random": "", "weighted": ""},
	"StateSelector":   {"const": "name"},
	"Generator": {
		"explicit":    displaced,
		"rect_grid":   "anchor_x anchor_y offset_x offset_y count_x count_y rotation" + displaced,
		"hex_lattice": "anchor_x anchor_y alignment row_direction density width population rotation" + displaced,
	},
	"ObstacleSet": {"explicit": "class", "nav_mesh": "class file_name"},
	"Goal": {
		"point": "id weight capacity x y", "circle": "id weight capacity x y radius", "AABB": "id weight capacity " + boxed,
		"OBB": "id weight capacity x y width height angle",
	},
	"GoalSelector": {
		"identity": "persistent", "mirror": "mirror_x mirror_y persistent", "explicit": "goal_set goal persistent",
		"nearest": "goal_set persistent", "farthest": "goal_set persistent",
		"random": "goal_set goal persistent", "weighted": "goal_set persistent",
	},
	"VelComponent": {
		"zero": "", "goal": "", "const": "x y", "const_dir": "x y", "vel_field": "file_name use_nearest",
		"road_map": "file_name", "nav_mesh": "file_name heading_threshold",
	},
	"Action": {
		"set_property": "property exit_reset" + drawn, "offset_property": "property exit_reset" + drawn,
		"scale_property": "property exit_reset" + drawn,
	},
	"Condition": {
		"auto": "", "goal_reached": "distance", "timer": "per_agent" + drawn, "AABB": "inside " + boxed,
		"circle": "inside center_x center_y radius", "OBB": "inside pivot_x pivot_y width height angle",
		"and": "", "or": "", "not": "",
	},
	"Target": {"prob": "", "return": ""},
}

// ignoredOfKinds are attributes of these elements that are passed over.
var ignoredOfKinds = map[string]string{
	"Generator": "displace_seed", "GoalSelector": "per_agent perAgent", "VelComponent": "weight dist headingDelta",
	"Condition": "seed", "Action": "seed",
}

// kind returns the type of an element, and whether it is known. One that is not is skipped in
// a lenient reading, and so is the attribute of another type.
func (r *reader) kind(t textio.Tag) (kind string, known bool, err error) {
	if err := r.Require(t, "type"); err != nil {
		return "", false, err
	}
	a, _ := t.Attr("type")
	types := kinds[t.Name]
	attrs, known := types[a.Value]
	if !known {
		want := textio.Alternatives("?", slices.Sorted(maps.Keys(types)), nil)
		return "", false, r.Odd(t.Line, want, "<%s> type=%q", t.Name, textio.Clip(a.Value))
	}
	for _, b := range t.Attrs {
		name := b.Name.Local
		if name == "type" || !slices.Contains(vocabulary[t.Name].Attrs, name) || slices.Contains(strings.Fields(attrs), name) {
			continue
		}
		if err := r.Odd(t.Line, textio.Alternatives("?", textio.List(attrs), nil), "attribute %s in <%s type=%q>", name, t.Name, a.Value); err != nil {
			return "", false, err
		}
	}
	return a.Value, true, nil
}

// limit is what a number may be.
type limit struct {
	ok   func(float64) bool
	want string
}

var (
	anyNumber   = limit{textio.AnyNumber, "a finite number"}
	aboveZero   = limit{textio.AboveZero, "a number above 0"}
	notNegative = limit{textio.NotNegative, "a number of at least 0"}
	wholeNumber = limit{func(x float64) bool { return x >= 0 && x == math.Trunc(x) && x <= 1e9 }, "a whole number from 0 to 1000000000"}
)

func ignore(xml.Attr) error { return nil }

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// number reads an attribute into dst, which stays as it is if there is none.
func (r *reader) number(dst *float64, t textio.Tag, name string, l limit) error {
	a, ok := t.Attr(name)
	if !ok {
		return nil
	}
	x, wanted := textio.Number(a.Value, l.ok, l.want)
	if wanted != "" {
		return r.BadAttr(t, a, wanted)
	}
	*dst = x
	return nil
}

// needed is number for an attribute that has to be there.
func (r *reader) needed(dst *float64, t textio.Tag, name string, l limit) error {
	return first(r.Require(t, name), r.number(dst, t, name, l))
}

// point reads two attributes that have to be there as a place in meters.
func (r *reader) point(t textio.Tag, x, y string) (v r2.Vec, err error) {
	err = first(r.Require(t, x, y), r.number(&v.X, t, x, anyNumber), r.number(&v.Y, t, y, anyNumber))
	return v, err
}

// flag reads an attribute that is 0 or 1; otherwise if there is none.
func (r *reader) flag(t textio.Tag, name string, otherwise bool) (bool, error) {
	a, ok := t.Attr(name)
	if !ok {
		return otherwise, nil
	}
	switch strings.ToLower(strings.TrimSpace(a.Value)) {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, r.BadAttr(t, a, "0 or 1")
}

// oneOf reads an attribute that is one of some words.
func (r *reader) oneOf(t textio.Tag, name string, words ...string) (string, error) {
	if err := r.Require(t, name); err != nil {
		return "", err
	}
	a, _ := t.Attr(name)
	for _, w := range words {
		if a.Value == w {
			return w, nil
		}
	}
	return "", r.BadAttr(t, a, textio.Alternatives("?", words, nil))
}

// draw is a number, or a distribution of numbers: from low to high, or normal by the sum of
// twelve uniform numbers, within three deviations.
type draw struct {
	normal    bool
	low, high float64 // of a normal one the mean and the deviation
}

func constant(x float64) draw { return draw{low: x, high: x} }

// of returns the number of a hash.
func (d draw) of(h uint64) float64 {
	if !d.normal {
		return d.low + float64((d.high-d.low)*hash.Float(hash.Mix(h)))
	}
	sum := -6.
	for i := range uint64(12) {
		sum += hash.Float(hash.Mix(h + i))
	}
	return d.low + float64(d.high*min(max(sum, -3), 3))
}

// distribution reads the attributes of a distribution, whose names begin with a prefix.
func (r *reader) distribution(t textio.Tag, prefix string, l limit) (d draw, err error) {
	kind, err := r.oneOf(t, prefix+"dist", "c", "u", "n")
	switch {
	case err != nil:
		return d, err
	case kind == "c":
		err = r.needed(&d.low, t, prefix+"value", l)
		d.high = d.low
	case kind == "u":
		err = first(r.needed(&d.low, t, prefix+"min", l), r.needed(&d.high, t, prefix+"max", l))
		d.low, d.high = min(d.low, d.high), max(d.low, d.high)
	default:
		d.normal = true
		err = first(r.needed(&d.low, t, prefix+"mean", anyNumber), r.needed(&d.high, t, prefix+"stddev", notNegative))
		if least := d.low - 3*d.high; err == nil && !l.ok(least) {
			return d, r.Fail(t.Line, "<%s> %smean=%v, %sstddev=%v, so that numbers may be %v: want %s", t.Name, prefix, d.low, prefix, d.high, least, l.want)
		}
	}
	return d, err
}
