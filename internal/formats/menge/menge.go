// Package menge reads the projects of Menge, a crowd simulation framework. A project consists of a
// project file, and of the scene and the behavior that it names.
//
// In Menge, a state machine moves the agents. Here, each agent has a list of stops, which
// Project.People computes from the machine as if nothing were in the agent's way.
//
// Source: Curtis, Best, Manocha 2016, "Menge: a modular framework for simulating crowd movement",
// Collective Dynamics 1; the documentation of Menge 0.9.2.
package menge

import (
	"cmp"
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

// Defaults of Menge.
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

// With a step shorter than leastStep, a run would never end; with one longer than mostStep, it would be
// useless.
const leastStep, mostStep = 1e-4, 10. // s

// Project is a project with its scene and its behavior.
type Project struct {
	Name      string
	Model     string  // pedestrian model, such as orca; may be empty
	Step      float64 // s
	Duration  float64 // s; 0 if the file has none
	Obstacles []Obstacle
	Files     []string // files that were read
	Warnings  []string // "file:line: …"

	place    string // for errors
	groups   []*group
	profiles map[string]*profile
	behaves  bool
	sets     map[string][]*goal
	states   []*state
	byName   map[string]*state
	reached  map[[2]*state]bool // whether the second state may eventually follow the first
	maxStops int                // per agent
}

// Obstacle is a closed line.
type Obstacle struct {
	Corners []r2.Vec // m, 2 or more
	Solid   bool     // the inside is solid; otherwise only the edges are walls
}

const (
	defaultMaxBytes  = 256 << 20
	defaultMaxAgents = 200_000
)

// Read reads the project at path, or a scene without a behavior, in which all agents stand still. Paths in a
// file are relative to the folder of the file. Files may be gzipped. Errors begin with the file and, if there
// is one, the line. They wrap errors from the operating system.
func Read(path string, o formats.Options) (*Project, error) {
	o.MaxAgents = cmp.Or(o.MaxAgents, defaultMaxAgents)
	o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	l := &loader{Options: o, p: &Project{
		Name: formats.Name(path), profiles: map[string]*profile{},
		sets: map[string][]*goal{}, byName: map[string]*state{}, reached: map[[2]*state]bool{},
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

type loader struct {
	formats.Options
	p      *Project
	log    textio.Log
	agents int
}

type reader struct {
	*loader
	*textio.Reader
}

func (l *loader) open(path, from string) (*reader, error) {
	if err := l.Allowed(path); err != nil {
		return nil, err
	}
	f := textio.Format{Vocabulary: vocabulary, Remarks: true, Lenient: l.Lenient, MaxBytes: l.MaxBytes, Context: l.Context}
	r, err := textio.Open(path, from, f, &l.log)
	l.p.Files = append(l.p.Files, path)
	return &reader{loader: l, Reader: r}, err
}

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
		return r.Fail(root.Line, "<BFSM> contains a behavior, but no agents: want a project, <Project scene behavior model>")
	}, "Project", "Experiment", "BFSM")
	if err != nil || project.Name == "" {
		return err
	}
	for _, part := range []struct {
		attr, root string
		read       func(*reader, textio.Tag) error
	}{{"scene", "Experiment", (*reader).experiment}, {"behavior", "BFSM", (*reader).machine}} {
		name, _ := project.Attr(part.attr)
		f, err := l.open(r.Beside(name), r.Inside(project.Line))
		if err != nil {
			return fmt.Errorf("%s: <Project> %s=%q: %w", r.Place(project.Line), part.attr, textio.Clip(name), err)
		}
		if err := f.Read(func(root textio.Tag) error { return part.read(f, root) }, part.root); err != nil {
			return err
		}
	}
	l.p.behaves = true
	return nil
}

func (r *reader) project(t textio.Tag) error {
	r.p.Model, _ = t.Attr("model")
	sub := 0.
	if err := cmp.Or(
		r.Require(t, "scene", "behavior"),
		r.Number(&r.p.Duration, t, "duration", aboveZero), r.Number(&r.p.Step, t, "timeStep", anyNumber),
		r.Number(&sub, t, "subSteps", wholeNumber),
	); err != nil {
		return err
	}
	r.p.Step = max(r.p.Step, 0) / (1 + sub) // 0 or less: the scene sets it
	return cmp.Or(r.checkStep(t, r.p.Step), r.Element(t, nil))
}

func (r *reader) checkStep(t textio.Tag, step float64) error {
	if step != 0 && !(step >= leastStep && step <= mostStep) {
		return r.Fail(t.Line, "<%s> with a step of %.3g s: want %v to %v s", t.Name, step, leastStep, mostStep)
	}
	return nil
}

// models lists the pedestrian models whose elements are ignored: all but ORCA.
const models = "OpenSteer PedVO GCF Helbing Johansson Karamouzas Zanlungo Dummy"

// vocabulary lists what the files of a project may contain, by element. For elements with a type, kinds
// lists the attributes.
var vocabulary = func() map[string]textio.Words {
	all := map[string]textio.Words{
		"Project": {
			Attrs:        strings.Fields("scene behavior model duration timeStep subSteps"),
			IgnoredAttrs: strings.Fields("view dumpPath output scbVersion random outSamples"),
		},
		"Experiment": {
			Attrs: strings.Fields("time_step"), IgnoredAttrs: strings.Fields("version"),
			Children:        strings.Fields("Common AgentProfile AgentGroup ObstacleSet"),
			IgnoredChildren: strings.Fields("SpatialQuery Elevation ORCA " + models),
		},
		"Common": {
			Attrs:        strings.Fields("time_step r pref_speed max_speed max_accel neighbor_dist max_neighbors obstacleSet"),
			IgnoredAttrs: strings.Fields("max_angle_vel class priority"), Children: strings.Fields("Property"),
		},
		"ORCA":         {Attrs: strings.Fields("tau tauObst"), Children: strings.Fields("Property")},
		"Property":     {Attrs: strings.Fields("name dist value min max mean stddev"), IgnoredAttrs: strings.Fields("seed")},
		"AgentProfile": {Attrs: strings.Fields("name inherits"), Children: strings.Fields("Common ORCA"), IgnoredChildren: strings.Fields(models)},
		"Profile":      {Attrs: strings.Fields("name weight")},
		"AgentGroup":   {Children: strings.Fields("ProfileSelector StateSelector Generator")},
		"Agent":        {Attrs: strings.Fields("p_x p_y")},
		"Obstacle":     {Attrs: strings.Fields("closed"), IgnoredAttrs: strings.Fields("boundingbox"), Children: strings.Fields("Vertex")},
		"Vertex":       {Attrs: strings.Fields("p_x p_y")},
		"BFSM":         {Children: strings.Fields("GoalSet State Transition")},
		"GoalSet":      {Attrs: strings.Fields("id"), Children: strings.Fields("Goal")},
		"State": {
			Attrs: strings.Fields("name final weight"), IgnoredAttrs: strings.Fields("speedPolicy"),
			Children: strings.Fields("GoalSelector VelComponent Action"),
		},
		"Transition": {Attrs: strings.Fields("from to order"), Children: strings.Fields("Condition Target")},

		"ObstacleSet":     {Children: strings.Fields("Obstacle")},
		"Generator":       {Children: strings.Fields("Agent")},
		"ProfileSelector": {Children: strings.Fields("Profile")},
		"Condition":       {Children: strings.Fields("Condition")},
		"Target":          {Children: strings.Fields("State")},
	}
	for element, types := range kinds {
		w := all[element]
		for _, attrs := range types {
			w.Attrs = append(w.Attrs, strings.Fields(attrs)...)
		}
		w.Attrs = append(w.Attrs, "type")
		w.IgnoredAttrs = strings.Fields(ignoredOfKinds[element])
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

var ignoredOfKinds = map[string]string{
	"Generator": "displace_seed", "GoalSelector": "per_agent perAgent", "VelComponent": "weight dist headingDelta",
	"Condition": "seed", "Action": "seed",
}

// kind returns the type of an element, and verifies the attributes of the element. If the reader is lenient,
// kind skips an element of unknown type and returns "".
func (r *reader) kind(t textio.Tag) (kind string, err error) {
	if err := r.String(&kind, t, "type"); err != nil {
		return "", err
	}
	types := kinds[t.Name]
	attrs, known := types[kind]
	if !known {
		want := textio.Alternatives("?", slices.Sorted(maps.Keys(types)), nil)
		if err := r.Odd(t.Line, want, "<%s> type=%q", t.Name, textio.Clip(kind)); err != nil {
			return "", err
		}
		return "", r.Skip(t)
	}
	own := strings.Fields(attrs)
	for _, a := range t.Attrs {
		if a.Name == "type" || !slices.Contains(vocabulary[t.Name].Attrs, a.Name) || slices.Contains(own, a.Name) {
			continue
		}
		err := r.Odd(t.Line, textio.Alternatives("?", own, nil), "attribute %s in <%s type=%q>", a.Name, t.Name, kind)
		if err != nil {
			return "", err
		}
	}
	return kind, nil
}

var (
	anyNumber   = textio.AnyNumber("a finite number")
	aboveZero   = textio.AboveZero("a number above 0")
	notNegative = textio.NotNegative("a number of at least 0")
	wholeNumber = textio.Limit{
		OK:   func(x float64) bool { return x >= 0 && x == math.Trunc(x) && x <= 1e9 },
		Want: "a whole number from 0 to 1000000000",
	}
)

func (r *reader) needed(dst *float64, t textio.Tag, name string, l textio.Limit) error {
	return cmp.Or(r.Require(t, name), r.Number(dst, t, name, l))
}

func (r *reader) flag(dst *bool, t textio.Tag, name string) error {
	return r.Flag(dst, t, name, "0 or 1")
}

func (r *reader) oneOf(t textio.Tag, name string, words ...string) (word string, err error) {
	if err = r.String(&word, t, name); err == nil && !slices.Contains(words, word) {
		err = r.BadAttr(t, name, textio.Alternatives("?", words, nil))
	}
	return word, err
}

// draw is a distribution of numbers: uniform or normal. The normal one is a sum of twelve uniform numbers,
// limited to three standard deviations.
type draw struct {
	normal    bool
	low, high float64 // bounds of a uniform distribution; mean and standard deviation of a normal one
}

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

func (r *reader) distribution(t textio.Tag, prefix string, l textio.Limit) (d draw, err error) {
	kind, err := r.oneOf(t, prefix+"dist", "c", "u", "n")
	switch {
	case err != nil:
		return d, err
	case kind == "c":
		err = r.needed(&d.low, t, prefix+"value", l)
		d.high = d.low
	case kind == "u":
		err = cmp.Or(r.needed(&d.low, t, prefix+"min", l), r.needed(&d.high, t, prefix+"max", l))
		d.low, d.high = min(d.low, d.high), max(d.low, d.high)
	default:
		d.normal = true
		err = cmp.Or(r.needed(&d.low, t, prefix+"mean", anyNumber), r.needed(&d.high, t, prefix+"stddev", notNegative))
		if least := d.low - float64(3*d.high); err == nil && !l.OK(least) {
			return d, r.Fail(t.Line, "<%s> %smean=%v, %sstddev=%v, which allows numbers down to %v: want %s", t.Name, prefix, d.low, prefix, d.high, least, l.Want)
		}
	}
	return d, err
}
