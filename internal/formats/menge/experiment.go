package menge

import (
	"cmp"
	"math"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

type group struct {
	place    string // for errors
	profiles []weighted
	state    string
	starts   []start
}

type weighted struct {
	name, place string
	weight      float64
}

type start struct {
	at    r2.Vec
	moved draw
}

func (r *reader) experiment(t textio.Tag) error {
	step := 0.
	if err := r.Number(&step, t, "time_step", aboveZero); err != nil {
		return err
	}
	classes := 0
	err := r.Element(t, func(c textio.Tag) error {
		switch c.Name {
		case "Common":
			return r.common(&step, c)
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
	r.p.Step = cmp.Or(r.p.Step, step)
	if len(r.p.groups) == 0 {
		return r.Fail(t.Line, "no agents: want at least one <AgentGroup> with a <Generator>")
	}
	r.warnOfClasses(t, classes)
	return nil
}

// common reads only the step from the <Common> of all agents.
func (r *reader) common(step *float64, t textio.Tag) error {
	for _, a := range t.Attrs {
		if a.Name == "obstacleSet" || numbersOfAgents[a.Name].OK != nil {
			if err := r.Odd(t.Line, "only time_step", "attribute %s in the <Common> of all agents", a.Name); err != nil {
				return err
			}
		}
	}
	return cmp.Or(r.Number(step, t, "time_step", aboveZero), r.Element(t, func(p textio.Tag) error {
		return r.Fail(p.Line, "<Property> in the <Common> of all agents: want properties only in profiles")
	}))
}

func (r *reader) warnOfClasses(t textio.Tag, classes int) {
	for _, g := range r.p.groups {
		for _, w := range g.profiles {
			if p := r.p.profiles[w.name]; p != nil && int(p.obstacles)&classes != classes {
				r.Warn(t.Line, "agents of profile %q see only obstacles of the classes in bit mask %v: this simulator lets them see all", textio.Clip(p.name), p.obstacles)
				p.obstacles = 1<<30 - 1
			}
		}
	}
}

func (r *reader) group(t textio.Tag) error {
	g := &group{place: r.Place(t.Line)}
	err := r.Element(t, func(c textio.Tag) error {
		kind, err := r.kind(c)
		switch {
		case kind == "":
			return err
		case c.Name == "Generator":
			return r.generator(g, c, kind)
		case c.Name == "ProfileSelector" && g.profiles != nil || c.Name == "StateSelector" && g.state != "":
			return textio.ErrSecond
		case c.Name == "StateSelector":
			return cmp.Or(r.String(&g.state, c, "name"), r.Element(c, nil))
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
		w := weighted{place: r.Place(t.Line), weight: 1}
		if err := r.String(&w.name, t, "name"); err != nil {
			return err
		}
		g.profiles = []weighted{w}
	}
	err := r.Element(t, func(c textio.Tag) error {
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

func (r *reader) weighted(t textio.Tag) (weighted, error) {
	w := weighted{weight: 1, place: r.Place(t.Line)}
	err := cmp.Or(r.String(&w.name, t, "name"), r.Number(&w.weight, t, "weight", notNegative))
	if err != nil {
		return w, err
	}
	return w, r.Element(t, nil)
}

// obstacleSet reads obstacles and returns the bits of their class.
func (r *reader) obstacleSet(t textio.Tag) (class int, err error) {
	kind, err := r.kind(t)
	if kind == "" {
		return 0, err
	}
	number := 1.
	if err := r.Number(&number, t, "class", wholeNumber); err != nil {
		return 0, err
	}
	if kind == "nav_mesh" {
		var file string
		if err := r.String(&file, t, "file_name"); err != nil {
			return 0, err
		}
		if err := r.meshObstacles(t, r.Beside(file)); err != nil {
			return 0, err
		}
	}
	return int(number), r.Element(t, r.obstacle)
}

func (r *reader) obstacle(t textio.Tag) error {
	closed := false
	err := r.flag(&closed, t, "closed")
	if err == nil && !closed {
		err = r.Odd(t.Line, `closed="1", as in Menge`, "open <Obstacle>")
	}
	if err != nil {
		return err
	}
	var points []r2.Vec
	if err := r.Element(t, func(c textio.Tag) error {
		points = append(points, r2.Vec{})
		return cmp.Or(r.Point(&points[len(points)-1], c, "p_x", "p_y"), r.Element(c, nil))
	}); err != nil || !closed {
		return err
	}
	outline := textio.Outline(points)
	if len(outline) < 2 {
		return r.Odd(t.Line, "at least 2 different points", "<Obstacle> with too few points")
	}
	solid, err := r.Solid(t, outline)
	if solid {
		r.p.Obstacles = append(r.p.Obstacles, Obstacle{outline, len(outline) > 2 && turnsLeft(outline)})
	}
	return err
}

func turnsLeft(line []r2.Vec) bool {
	twice := 0.
	for i, a := range line {
		a, b := r2.Sub(a, line[0]), r2.Sub(line[(i+1)%len(line)], line[0])
		twice += float64(a.X*b.Y) - float64(a.Y*b.X)
	}
	return twice > 0 && !math.IsInf(twice, 0)
}
