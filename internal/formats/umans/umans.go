// Package umans reads the XML files of UMANS, the Unified Microscopic Agent
// Navigation Simulator: a simulation file with the agents and obstacles that it
// includes, or a bare agents file. It yields plain data in the plane x–y, in
// meters and seconds; what the crowd does with them is decided elsewhere.
//
// Missing attributes take the defaults of UMANS. What a file may hold, and what
// of it is passed over, stands in one table: see vocabulary.
//
// Sources: van Toll, Grzeskowiak, Gandía et al. 2020, "Generalized microscopic
// crowd simulation using costs in velocity space"; the UMANS engine, class
// CrowdSimulator.
package umans

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Defaults of UMANS for attributes that a file leaves out.
const (
	DefaultRadius         = 0.24 // m
	DefaultPreferredSpeed = 1.4  // m/s
	DefaultMaxSpeed       = 1.8  // m/s
	DefaultGoalRadius     = 1.0  // in radii of the agent
)

// Simulation is a UMANS scenario: a simulation file with all that it includes,
// or a bare agents file.
type Simulation struct {
	Name          string
	Dt            float64    // length of a step, s; 0 for a bare agents file
	EndTime       float64    // s; 0 when the file does not say
	Toric         bool       // positions wrap at ±Width/2 and ±Height/2, so the origin is the center
	Width, Height float64    // m; 0 unless Toric
	GoalRadius    float64    // an agent arrives within GoalRadius·Radius of its goal; 0 when the file does not say
	Agents        []Agent    // at least one
	Obstacles     [][]r2.Vec // closed outlines, m, wound either way; two points are a wall without thickness, three may lie on a line
	Files         []string   // that were read, as they were named or beside the one that names them
	Warnings      []string   // "file:line: …", what was not read though the file holds it
}

// Agent is one agent as its file describes it.
type Agent struct {
	ID              int64   // −1 when the file gives none; need not be unique
	Position        r2.Vec  // m
	Goal            r2.Vec  // m; the position when HasGoal is false
	HasGoal         bool    // without a goal the agent does not walk
	Radius          float64 // m, above 0
	PreferredSpeed  float64 // m/s, at least 0; may be above MaxSpeed, which then limits it
	MaxSpeed        float64 // m/s, at least 0
	MaxAcceleration float64 // m/s²; 0 when the file does not say, which means no limit
	StartTime       float64 // s at which the agent appears; 0 or less is the start
	RemoveAtGoal    bool    // leaves the world on arrival; otherwise it stands there
}

const (
	defaultMaxAgents = 10_000_000
	maxConfigPaths   = 8 // files that name another file in their place
)

// Read reads the simulation or agents file at path. Files that it includes are
// sought relative to its folder. Any of them may be gzipped, whatever its name.
//
// Errors name the file and, where there is one, the line. A file that
// can't be opened leaves an error that matches fs.ErrNotExist and the like.
func Read(path string, o formats.Options) (*Simulation, error) {
	o.MaxAgents = cmp.Or(o.MaxAgents, defaultMaxAgents)
	l := &loader{Options: o, sim: &Simulation{Name: formats.Name(path)}}
	if err := l.main(path); err != nil {
		return nil, err
	}
	if o.Obstacles != "" {
		if err := l.extraObstacles(o.Obstacles); err != nil {
			return nil, err
		}
	}
	if len(l.sim.Agents) == 0 {
		return nil, fmt.Errorf("%s: no agents: want at least one <Agent>", l.agentsAt)
	}
	l.sim.Warnings = l.log.Warnings(path)
	return l.sim, nil
}

// vocabulary is all that UMANS files hold, by element. Policies and maps are
// children that are read as far as a warning: what they say is not used, but
// changes what UMANS would have done.
var vocabulary = map[string]textio.Words{
	"configPath": {Attrs: textio.List("path")},
	"Simulation": {
		Attrs:        textio.List("delta_time end_time"),
		IgnoredAttrs: textio.List("write_interval"),
		Children:     textio.List("World Policies Agents Map"), IgnoredChildren: textio.List("SPH"),
	},
	"World": {
		Attrs:        textio.List("type width height goal_radius"),
		IgnoredAttrs: textio.List("integration_mode nearest_nav dynamic_nav"),
		Children:     textio.List("Obstacles"), IgnoredChildren: textio.List("PNG"),
	},
	"Agents": {Attrs: textio.List("file"), Children: textio.List("Agent")},
	"Agent": {
		Attrs:    textio.List("id rad pref_speed max_speed max_acceleration start_time remove_at_goal"),
		Children: textio.List("pos goal"), IgnoredChildren: textio.List("Policy color"),
	},
	"pos":       {Attrs: textio.List("x y")},
	"goal":      {Attrs: textio.List("x y")},
	"Obstacles": {Attrs: textio.List("file"), Children: textio.List("Offset Obstacle"), IgnoredChildren: textio.List("Dimension")},
	"Offset":    {Attrs: textio.List("x y")},
	"Obstacle":  {Children: textio.List("Point")},
	"Point":     {Attrs: textio.List("x y")},
}

// number reads attribute a of t into dst.
func (r *reader) number(dst *float64, t textio.Tag, a xml.Attr, ok func(float64) bool, want string) error {
	x, wanted := textio.Number(a.Value, ok, want)
	if wanted != "" {
		return r.BadAttr(t, a, wanted)
	}
	*dst = x
	return nil
}

// boolean reads attribute a of t into dst, in the spellings that UMANS takes.
func (r *reader) boolean(dst *bool, t textio.Tag, a xml.Attr) error {
	switch strings.TrimSpace(a.Value) {
	case "true", "True", "TRUE", "1":
		*dst = true
	case "false", "False", "FALSE", "0":
		*dst = false
	default:
		return r.BadAttr(t, a, "true or false")
	}
	return nil
}

// point reads an element whose attributes x and y are a place in meters.
func (r *reader) point(t textio.Tag) (r2.Vec, error) {
	var v r2.Vec
	if err := r.Require(t, "x", "y"); err != nil {
		return v, err
	}
	err := r.Element(t, func(a xml.Attr) error {
		dst := &v.X
		if a.Name.Local == "y" {
			dst = &v.Y
		}
		return r.number(dst, t, a, textio.AnyNumber, "a finite number")
	}, nil)
	return v, err
}

// agents reads a block of agents, in the order of the file.
func (r *reader) agents(t textio.Tag) error {
	r.agentsAt = r.Place(t.Line)
	return r.Element(t, r.noFile(t), func(c textio.Tag) error {
		if len(r.sim.Agents) >= r.MaxAgents {
			return r.Fail(c.Line, "too many agents: want at most %d", r.MaxAgents)
		}
		a, err := r.agent(c)
		r.sim.Agents = append(r.sim.Agents, a)
		return err
	})
}

// agent reads one agent. Speeds stay as they are when the preferred one is
// above the limit: UMANS cuts the velocity, not the preference.
func (r *reader) agent(t textio.Tag) (Agent, error) {
	ag := Agent{ID: -1, Radius: DefaultRadius, PreferredSpeed: DefaultPreferredSpeed, MaxSpeed: DefaultMaxSpeed}
	placed := false
	err := r.Element(t, func(a xml.Attr) error {
		return r.setting(&ag, t, a)
	}, func(c textio.Tag) (err error) {
		switch {
		case c.Name == "pos" && !placed:
			placed = true
			ag.Position, err = r.point(c)
		case c.Name == "goal" && !ag.HasGoal:
			ag.HasGoal = true
			ag.Goal, err = r.point(c)
		default:
			err = textio.ErrSecond
		}
		return err
	})
	if err != nil {
		return ag, err
	}
	if !placed {
		return ag, r.Fail(t.Line, "<Agent> without <pos>: want <pos x y>")
	}
	if !ag.HasGoal {
		ag.Goal = ag.Position
	}
	if ag.PreferredSpeed > ag.MaxSpeed {
		r.Warn(t.Line, "<Agent> with pref_speed %g above max_speed %g, which limits it", ag.PreferredSpeed, ag.MaxSpeed)
	}
	return ag, nil
}

// setting reads one attribute of an agent.
func (r *reader) setting(ag *Agent, t textio.Tag, a xml.Attr) error {
	switch a.Name.Local {
	case "id":
		id, err := strconv.ParseInt(a.Value, 10, 64)
		if err != nil {
			return r.BadAttr(t, a, "a whole number")
		}
		ag.ID = max(id, -1)
		return nil
	case "rad":
		return r.number(&ag.Radius, t, a, textio.AboveZero, "a radius above 0")
	case "pref_speed":
		return r.number(&ag.PreferredSpeed, t, a, textio.NotNegative, "a speed of at least 0")
	case "max_speed":
		return r.number(&ag.MaxSpeed, t, a, textio.NotNegative, "a speed of at least 0")
	case "max_acceleration":
		return r.number(&ag.MaxAcceleration, t, a, textio.AboveZero, "an acceleration above 0")
	case "start_time":
		return r.number(&ag.StartTime, t, a, textio.AnyNumber, "a finite number")
	default:
		return r.boolean(&ag.RemoveAtGoal, t, a)
	}
}

// obstacles reads a block of outlines. Its Offset, wherever it stands in the
// block, is where the origin of the agents lies for these points: it is taken
// off them, as UMANS does.
func (r *reader) obstacles(t textio.Tag) error {
	first := len(r.sim.Obstacles)
	var offset r2.Vec
	moved := false
	err := r.Element(t, r.noFile(t), func(c textio.Tag) (err error) {
		switch {
		case c.Name == "Obstacle":
			err = r.obstacle(c)
		case moved:
			err = textio.ErrSecond
		default:
			moved = true
			offset, err = r.point(c)
		}
		return err
	})
	for _, outline := range r.sim.Obstacles[first:] {
		for i, p := range outline {
			outline[i] = r2.Sub(p, offset)
		}
	}
	return err
}

// obstacle reads one outline, and merges points that coincide. A wall may be
// thin: two points stay, and so do any that lie on a line.
func (r *reader) obstacle(t textio.Tag) error {
	var points []r2.Vec
	err := r.Element(t, nil, func(c textio.Tag) error {
		p, err := r.point(c)
		points = append(points, p)
		return err
	})
	if err != nil {
		return err
	}
	outline := textio.Outline(points)
	if len(outline) < 2 {
		return r.Odd(t.Line, "at least 2 that differ", "<Obstacle> with too few points")
	}
	solid, err := r.Solid(t, outline)
	if solid {
		r.sim.Obstacles = append(r.sim.Obstacles, outline)
	}
	return err
}
