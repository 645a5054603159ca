// Package umans reads the XML files of UMANS, the Unified Microscopic Agent Navigation Simulator: a
// simulation file with the agents and obstacles that it includes, or a bare file of agents. Missing
// attributes get the defaults of UMANS.
//
// Sources: van Toll, Grzeskowiak, Gandía et al. 2020, "Generalized microscopic crowd simulation using
// costs in velocity space"; the UMANS engine, class CrowdSimulator.
package umans

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Defaults of UMANS.
const (
	DefaultRadius         = 0.24 // m
	DefaultPreferredSpeed = 1.4  // m/s
	DefaultMaxSpeed       = 1.8  // m/s
	DefaultGoalRadius     = 1.0  // in radii of the agent
)

// Simulation is a simulation file with everything that it includes, or a bare file of agents.
type Simulation struct {
	Name          string
	Dt            float64    // s; 0 for a bare file of agents
	EndTime       float64    // s; 0 if the file has none
	Toric         bool       // positions wrap at ±Width/2 and ±Height/2
	Width, Height float64    // m; 0 unless Toric
	GoalRadius    float64    // distance from a goal, in radii, at which an agent arrives; 0 if the file has none
	Agents        []Agent    // at least one
	Obstacles     [][]r2.Vec // m, closed, in either winding order; two points are a wall
	Files         []string   // files that were read
	Warnings      []string   // "file:line: …"
}

// Agent is one agent of a file.
type Agent struct {
	Position        r2.Vec  // m
	Goal            r2.Vec  // m; the position if there is none
	HasGoal         bool    // without a goal, the agent does not walk
	Radius          float64 // m, above 0
	PreferredSpeed  float64 // m/s; MaxSpeed limits it
	MaxSpeed        float64 // m/s
	MaxAcceleration float64 // m/s²; 0 if the file has none
	StartTime       float64 // s, time at which the agent appears; 0 or less means at the start
	RemoveAtGoal    bool    // the agent leaves on arrival; otherwise it stays at the goal
}

const (
	defaultMaxAgents = 10_000_000
	maxConfigPaths   = 8 // files in a chain, each but the last with a <configPath> to the next
)

// Read reads the simulation or the file of agents at path, the files that it includes, and o.Obstacles. Paths
// in a file are relative to the folder of the file. Files may be gzipped. Errors begin with the file and, if
// there is one, the line. They wrap errors from the operating system.
func Read(path string, o formats.Options) (*Simulation, error) {
	o.MaxAgents = cmp.Or(o.MaxAgents, defaultMaxAgents)
	l := &loader{Options: o, sim: &Simulation{Name: formats.Name(path)}}
	if err := l.main(path); err != nil {
		return nil, err
	}
	if o.Obstacles != "" {
		r, err := l.open(o.Obstacles, "")
		if err != nil {
			return nil, err
		}
		if err := r.read((*reader).obstacles, "Obstacles"); err != nil {
			return nil, err
		}
	}
	if len(l.sim.Agents) == 0 {
		return nil, fmt.Errorf("%s: no agents: want at least one <Agent>", l.agentsAt)
	}
	l.sim.Warnings = l.log.Warnings(path)
	return l.sim, nil
}

// vocabulary lists what UMANS files may contain, by element. Policies and maps cause only a warning.
var vocabulary = map[string]textio.Words{
	"configPath": {Attrs: strings.Fields("path")},
	"Simulation": {
		Attrs:        strings.Fields("delta_time end_time"),
		IgnoredAttrs: strings.Fields("write_interval"),
		Children:     strings.Fields("World Policies Agents Map"), IgnoredChildren: strings.Fields("SPH"),
	},
	"World": {
		Attrs:        strings.Fields("type width height goal_radius"),
		IgnoredAttrs: strings.Fields("integration_mode nearest_nav dynamic_nav"),
		Children:     strings.Fields("Obstacles"), IgnoredChildren: strings.Fields("PNG"),
	},
	"Agents": {Attrs: strings.Fields("file"), Children: strings.Fields("Agent")},
	"Agent": {
		Attrs:        strings.Fields("rad pref_speed max_speed max_acceleration start_time remove_at_goal"),
		IgnoredAttrs: strings.Fields("id"),
		Children:     strings.Fields("pos goal"), IgnoredChildren: strings.Fields("Policy color"),
	},
	"pos":  {Attrs: strings.Fields("x y")},
	"goal": {Attrs: strings.Fields("x y")},
	"Obstacles": {
		Attrs:    strings.Fields("file"),
		Children: strings.Fields("Offset Obstacle"), IgnoredChildren: strings.Fields("Dimension"),
	},
	"Offset":   {Attrs: strings.Fields("x y")},
	"Obstacle": {Children: strings.Fields("Point")},
	"Point":    {Attrs: strings.Fields("x y")},
}

type loader struct {
	formats.Options
	sim      *Simulation
	log      textio.Log
	agentsAt string
}

type reader struct {
	*loader
	*textio.Reader
}

func (l *loader) main(path string) error {
	from := ""
	for range maxConfigPaths {
		r, err := l.open(path, from)
		switch {
		case err != nil && from != "":
			return fmt.Errorf("%s: <configPath>: %w", from, err)
		case err != nil:
			return err
		}
		if from == "" {
			r.Reader.OtherRoots = otherRoots
		}
		next := ""
		err = r.Read(func(root textio.Tag) error {
			l.agentsAt = r.Place(root.Line)
			switch root.Name {
			case "Simulation":
				return r.simulation(root)
			case "Agents":
				return r.agents(root)
			}
			from = r.Inside(root.Line)
			return cmp.Or(r.String(&next, root, "path"), r.Element(root, nil))
		}, "Simulation", "Agents", "configPath")
		if err != nil || next == "" {
			return err
		}
		path = r.Beside(next)
	}
	return fmt.Errorf("%s: too many <configPath> files: want a chain of at most %d", path, maxConfigPaths)
}

func (l *loader) open(path, from string) (*reader, error) {
	if err := l.Allowed(path); err != nil {
		return nil, err
	}
	f := textio.Format{Vocabulary: vocabulary, Lenient: l.Lenient, MaxBytes: l.MaxBytes, Context: l.Context}
	r, err := textio.Open(path, from, f, &l.log)
	l.sim.Files = append(l.sim.Files, path)
	return &reader{l, r}, err
}

func (r *reader) read(element func(*reader, textio.Tag) error, root string) error {
	return r.Read(func(t textio.Tag) error { return element(r, t) }, root)
}

// block reads an element that contains children or names a file with them. That file cannot name another
// file, so there are no loops.
func (r *reader) block(t textio.Tag, element func(*reader, textio.Tag) error) error {
	name, ok := t.Attr("file")
	if !ok {
		return element(r, t)
	}
	f, err := r.open(r.Beside(name), r.Inside(t.Line))
	if err != nil {
		return fmt.Errorf("%s: <%s> file=%q: %w", r.Place(t.Line), t.Name, textio.Clip(name), err)
	}
	if err := f.read(element, t.Name); err != nil {
		return err
	}
	return r.Element(t, func(c textio.Tag) error {
		return r.Fail(c.Line, "<%s> in <%s file=%q>: want either a file or elements", c.Name, t.Name, textio.Clip(name))
	})
}

// noFile refuses the attribute "file", which only block reads.
func (r *reader) noFile(t textio.Tag) error {
	if _, has := t.Attr("file"); has {
		return r.BadAttr(t, "file", "elements, because this file can't name another one")
	}
	return nil
}

var (
	seconds = textio.AboveZero("a time above 0")
	speed   = textio.NotNegative("a speed of at least 0")
)

// simulation reads a simulation. Without a <World>, the world is infinite.
func (r *reader) simulation(t textio.Tag) error {
	err := cmp.Or(r.Require(t, "delta_time"),
		r.Number(&r.sim.Dt, t, "delta_time", seconds), r.Number(&r.sim.EndTime, t, "end_time", seconds))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	return r.Element(t, func(c textio.Tag) error {
		if seen[c.Name] && (c.Name == "World" || c.Name == "Agents") {
			return textio.ErrSecond
		}
		seen[c.Name] = true
		switch c.Name {
		case "World":
			return r.world(c)
		case "Agents":
			return r.block(c, (*reader).agents)
		case "Policies":
			r.Warn(c.Line, "<Policies> not read: agents have the behaviors of this simulator")
		case "Map":
			r.Warn(c.Line, "<Map> not read: agents walk straight to their goals")
		}
		return r.Skip(c)
	})
}

func (r *reader) world(t textio.Tag) error {
	kind, ok := t.Attr("type")
	if r.sim.Toric = kind == "Toric"; ok && !r.sim.Toric && kind != "Infinite" {
		return r.BadAttr(t, "type", "Infinite or Toric")
	}
	var width, height float64
	err := cmp.Or(
		r.Number(&width, t, "width", textio.AboveZero("a width above 0")),
		r.Number(&height, t, "height", textio.AboveZero("a height above 0")),
		r.Number(&r.sim.GoalRadius, t, "goal_radius", textio.AboveZero("a number of radii above 0")),
	)
	if r.sim.Toric {
		r.sim.Width, r.sim.Height = width, height
		err = cmp.Or(err, r.Require(t, "width", "height"))
	}
	if err != nil {
		return err
	}
	obstacles := false
	return r.Element(t, func(c textio.Tag) error {
		if obstacles {
			return textio.ErrSecond
		}
		obstacles = true
		return r.block(c, (*reader).obstacles)
	})
}

func (r *reader) agents(t textio.Tag) error {
	r.agentsAt = r.Place(t.Line)
	if err := r.noFile(t); err != nil {
		return err
	}
	return r.Element(t, func(c textio.Tag) error {
		if len(r.sim.Agents) >= r.MaxAgents {
			return r.Fail(c.Line, "too many agents: want at most %d", r.MaxAgents)
		}
		a, err := r.agent(c)
		r.sim.Agents = append(r.sim.Agents, a)
		return err
	})
}

func (r *reader) agent(t textio.Tag) (Agent, error) {
	ag := Agent{Radius: DefaultRadius, PreferredSpeed: DefaultPreferredSpeed, MaxSpeed: DefaultMaxSpeed}
	err := cmp.Or(
		r.Number(&ag.Radius, t, "rad", textio.AboveZero("a radius above 0")),
		r.Number(&ag.PreferredSpeed, t, "pref_speed", speed),
		r.Number(&ag.MaxSpeed, t, "max_speed", speed),
		r.Number(&ag.MaxAcceleration, t, "max_acceleration", textio.AboveZero("an acceleration above 0")),
		r.Number(&ag.StartTime, t, "start_time", textio.AnyNumber("a finite number")),
		r.Flag(&ag.RemoveAtGoal, t, "remove_at_goal", "true or false"),
	)
	if err != nil {
		return ag, err
	}
	placed := false
	err = r.Element(t, func(c textio.Tag) error {
		switch {
		case c.Name == "pos" && !placed:
			placed = true
			return r.point(&ag.Position, c)
		case c.Name == "goal" && !ag.HasGoal:
			ag.HasGoal = true
			return r.point(&ag.Goal, c)
		}
		return textio.ErrSecond
	})
	switch {
	case err != nil:
		return ag, err
	case !placed:
		return ag, r.Fail(t.Line, "<Agent> without <pos>: want <pos x y>")
	case !ag.HasGoal:
		ag.Goal = ag.Position
	}
	if ag.PreferredSpeed > ag.MaxSpeed {
		r.Warn(t.Line, "<Agent> with pref_speed %g above max_speed %g, which limits it", ag.PreferredSpeed, ag.MaxSpeed)
	}
	return ag, nil
}

func (r *reader) point(dst *r2.Vec, t textio.Tag) error {
	return cmp.Or(r.Point(dst, t, "x", "y"), r.Element(t, nil))
}

// obstacles reads a block of obstacles. It subtracts the Offset, even if that comes last, from all points, as
// UMANS does.
func (r *reader) obstacles(t textio.Tag) error {
	if err := r.noFile(t); err != nil {
		return err
	}
	first := len(r.sim.Obstacles)
	var offset r2.Vec
	moved := false
	err := r.Element(t, func(c textio.Tag) error {
		switch {
		case c.Name == "Obstacle":
			return r.obstacle(c)
		case moved:
			return textio.ErrSecond
		}
		moved = true
		return r.point(&offset, c)
	})
	for _, outline := range r.sim.Obstacles[first:] {
		for i, p := range outline {
			outline[i] = r2.Sub(p, offset)
		}
	}
	return err
}

func (r *reader) obstacle(t textio.Tag) error {
	var points []r2.Vec
	err := r.Element(t, func(c textio.Tag) error {
		points = append(points, r2.Vec{})
		return r.point(&points[len(points)-1], c)
	})
	if err != nil {
		return err
	}
	outline := textio.Outline(points)
	if len(outline) < 2 {
		return r.Odd(t.Line, "at least 2 different points", "<Obstacle> with too few points")
	}
	solid, err := r.Solid(t, outline)
	if solid {
		r.sim.Obstacles = append(r.sim.Obstacles, outline)
	}
	return err
}
