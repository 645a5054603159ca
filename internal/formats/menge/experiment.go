package menge

import (
	"encoding/xml"
	"math"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// group is a number of agents that are placed alike.
type group struct {
	place    string // of its element, for errors
	profiles []weighted
	state    string
	starts   []start
}

// weighted is the name of a profile or a state, with the chance of it.
type weighted struct {
	name, place string
	weight      float64
}

// start is where an agent is placed: at a point, moved by so much in any direction.
type start struct {
	at    r2.Vec
	moved draw
}

// experiment reads a scene.
func (r *reader) experiment(t textio.Tag) error {
	step := 0.
	if err := r.number(&step, t, "time_step", aboveZero); err != nil {
		return err
	}
	classes := 0
	err := r.Element(t, ignore, func(c textio.Tag) error {
		switch c.Name {
		case "Common":
			return r.Element(c, func(a xml.Attr) error {
				if a.Name.Local != "time_step" {
					return r.Odd(c.Line, "only time_step", "attribute %s in <Common> of all", a.Name.Local)
				}
				return r.number(&step, c, "time_step", aboveZero)
			}, func(p textio.Tag) error {
				return r.Fail(p.Line, "<Property> in <Common> of all: want it in a profile")
			})
		case "AgentProfile":
			return r.profile(c)
		case "AgentGroup":
			return r.group(c)
		}
		class, err := r.obstacleSet(c)
		classes |= class
		return err
	})
	if err != nil {
		return err
	}
	if err := r.checkStep(t, step); err != nil {
		return err
	}
	if r.p.Step == 0 {
		r.p.Step = step
	}
	if len(r.p.groups) == 0 {
		return r.Fail(t.Line, "no agents: want at least one <AgentGroup> with a <Generator>")
	}
	return r.seen(t, classes)
}

// seen warns of agents that do not see all obstacles.
func (r *reader) seen(t textio.Tag, classes int) error {
	for _, g := range r.p.groups {
		for _, w := range g.profiles {
			if p := r.p.profiles[w.name]; p != nil && int(p.obstacles)&classes != classes {
				r.Warn(t.Line, "agents of profile %q see only obstacles of class %v: here they see all", textio.Clip(p.name), p.obstacles)
				p.obstacles = 1<<30 - 1 // said once
			}
		}
	}
	return nil
}

// group reads a group of agents.
func (r *reader) group(t textio.Tag) error {
	g := &group{place: r.Place(t.Line)}
	err := r.Element(t, nil, func(c textio.Tag) error {
		kind, known, err := r.kind(c)
		switch {
		case err != nil:
			return err
		case !known:
			return r.Skip(c)
		case c.Name == "Generator":
			return r.generator(g, c, kind)
		case c.Name == "ProfileSelector" && g.profiles != nil || c.Name == "StateSelector" && g.state != "":
			return textio.ErrSecond
		case c.Name == "StateSelector":
			if err := r.Require(c, "name"); err != nil {
				return err
			}
			a, _ := c.Attr("name")
			g.state = a.Value
			return r.Element(c, ignore, nil)
		}
		return r.profileSelector(g, c, kind)
	})
	switch {
	case err != nil:
		return err
	case g.profiles == nil:
		return r.Fail(t.Line, "<AgentGroup> without <ProfileSelector>: want one")
	case g.state == "":
		return r.Fail(t.Line, "<AgentGroup> without <StateSelector>: want one")
	}
	if len(g.starts) > 0 {
		r.p.groups = append(r.p.groups, g)
	}
	return nil
}

func (r *reader) profileSelector(g *group, t textio.Tag, kind string) error {
	if kind == "const" {
		if err := r.Require(t, "name"); err != nil {
			return err
		}
		a, _ := t.Attr("name")
		g.profiles = []weighted{{a.Value, r.Place(t.Line), 1}}
	}
	err := r.Element(t, ignore, func(c textio.Tag) error {
		w, err := r.weighted(c)
		if kind != "const" {
			g.profiles = append(g.profiles, w)
		}
		return err
	})
	if err == nil && g.profiles == nil {
		err = r.Fail(t.Line, "<ProfileSelector> without <Profile>: want at least one")
	}
	return err
}

// weighted reads an element with a name and perhaps a weight.
func (r *reader) weighted(t textio.Tag) (weighted, error) {
	w := weighted{weight: 1, place: r.Place(t.Line)}
	err := first(r.Require(t, "name"), r.number(&w.weight, t, "weight", notNegative))
	if err != nil {
		return w, err
	}
	a, _ := t.Attr("name")
	w.name = a.Value
	return w, r.Element(t, ignore, r.Skip)
}

// obstacleSet reads obstacles, and returns the bits of their class.
func (r *reader) obstacleSet(t textio.Tag) (class int, err error) {
	kind, known, err := r.kind(t)
	if err != nil || !known {
		return 0, first(err, r.skipUnless(known, t))
	}
	number := 1.
	if err := r.number(&number, t, "class", wholeNumber); err != nil {
		return 0, err
	}
	if kind == "nav_mesh" {
		if err := r.Require(t, "file_name"); err != nil {
			return 0, err
		}
		a, _ := t.Attr("file_name")
		if err := r.meshObstacles(t, r.Beside(a.Value)); err != nil {
			return 0, err
		}
	}
	return int(number), r.Element(t, ignore, r.obstacle)
}

// skipUnless passes over an element that is not known.
func (r *reader) skipUnless(known bool, t textio.Tag) error {
	if known {
		return nil
	}
	return r.Skip(t)
}

// obstacle reads a closed line, and merges points that coincide.
func (r *reader) obstacle(t textio.Tag) error {
	closed, err := r.flag(t, "closed", false)
	if err == nil && !closed {
		err = r.Odd(t.Line, `closed="1", as Menge does`, "<Obstacle> that is open")
	}
	if err != nil {
		return err
	}
	var points []r2.Vec
	if err := r.Element(t, ignore, func(c textio.Tag) error {
		p, err := r.point(c, "p_x", "p_y")
		points = append(points, p)
		return first(err, r.Element(c, ignore, nil))
	}); err != nil || !closed {
		return err
	}
	outline := textio.Outline(points)
	if len(outline) < 2 {
		return r.Odd(t.Line, "at least 2 that differ", "<Obstacle> with too few points")
	}
	solid, err := r.Solid(t, outline)
	if solid {
		r.p.Obstacles = append(r.p.Obstacles, Obstacle{outline, len(outline) > 2 && turnsLeft(outline)})
	}
	return err
}

// turnsLeft reports whether a closed line is wound to the left.
func turnsLeft(line []r2.Vec) bool {
	twice := 0.
	for i, a := range line {
		a, b := r2.Sub(a, line[0]), r2.Sub(line[(i+1)%len(line)], line[0])
		twice += float64(a.X*b.Y) - float64(a.Y*b.X)
	}
	return twice > 0 && !math.IsInf(twice, 0)
}
