package umans

import (
	"encoding/xml"
	"fmt"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
)

// loader gathers one simulation from its files.
type loader struct {
	formats.Options
	sim      *Simulation
	log      textio.Log
	agentsAt string // the place where they stand, or should
}

// reader reads one of the files.
type reader struct {
	*loader
	*textio.Reader
}

// main reads the file that the user names, or that such a file names in its place.
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
		err = r.Read(func(root textio.Tag) (err error) {
			l.agentsAt = r.Place(root.Line)
			switch root.Name {
			case "Simulation":
				return r.simulation(root)
			case "Agents":
				return r.agents(root)
			default:
				next, err = r.configPath(root)
				from = r.Inside(root.Line)
				return err
			}
		}, "Simulation", "Agents", "configPath")
		if err != nil || next == "" {
			return err
		}
		path = next
	}
	return fmt.Errorf("%s: too many <configPath> files: want a chain of at most %d", path, maxConfigPaths)
}

// open opens one of the files.
func (l *loader) open(path, from string) (*reader, error) {
	if err := l.Allowed(path); err != nil {
		return nil, err
	}
	f := textio.Format{Vocabulary: vocabulary, Lenient: l.Lenient, MaxBytes: l.MaxBytes, Context: l.Context}
	r, err := textio.Open(path, from, f, &l.log)
	l.sim.Files = append(l.sim.Files, path)
	return &reader{loader: l, Reader: r}, err
}

// read reads the whole file, whose root element has one of the names, and
// closes it.
func (r *reader) read(element func(*reader, textio.Tag) error, roots ...string) error {
	return r.Read(func(root textio.Tag) error { return element(r, root) }, roots...)
}

// extraObstacles reads the obstacles file of the options.
func (l *loader) extraObstacles(path string) error {
	r, err := l.open(path, "")
	if err != nil {
		return err
	}
	return r.read((*reader).obstacles, "Obstacles")
}

// block reads an element that holds its children itself, or names a file that
// does. Such a file can't name another, so inclusion has no loops.
func (r *reader) block(t textio.Tag, element func(*reader, textio.Tag) error) error {
	a, ok := t.Attr("file")
	if !ok {
		return element(r, t)
	}
	f, err := r.open(r.Beside(a.Value), r.Inside(t.Line))
	if err != nil {
		return fmt.Errorf("%s: <%s> file=%q: %w", r.Place(t.Line), t.Name, textio.Clip(a.Value), err)
	}
	if err := f.read(element, t.Name); err != nil {
		return err
	}
	return r.Element(t, func(xml.Attr) error { return nil }, func(c textio.Tag) error {
		return r.Fail(c.Line, "<%s> in <%s file=%q>: want either a file or elements", c.Name, t.Name, textio.Clip(a.Value))
	})
}

// noFile refuses the attribute file where block has not dealt with it.
func (r *reader) noFile(t textio.Tag) func(xml.Attr) error {
	return func(a xml.Attr) error { return r.BadAttr(t, a, "elements, since this file can't name a further one") }
}

// configPath returns the path of the file that stands in place of this one.
func (r *reader) configPath(t textio.Tag) (path string, err error) {
	if err := r.Require(t, "path"); err != nil {
		return "", err
	}
	err = r.Element(t, func(a xml.Attr) error {
		path = r.Beside(a.Value)
		return nil
	}, nil)
	return path, err
}

// simulation reads the root element of a simulation file. A file without a
// World has the infinite one.
func (r *reader) simulation(t textio.Tag) error {
	if err := r.Require(t, "delta_time"); err != nil {
		return err
	}
	world, agents := false, false
	return r.Element(t, func(a xml.Attr) error {
		if a.Name.Local == "end_time" {
			return r.number(&r.sim.EndTime, t, a, textio.AboveZero, "a time above 0")
		}
		return r.number(&r.sim.Dt, t, a, textio.AboveZero, "a time above 0")
	}, func(c textio.Tag) error {
		switch c.Name {
		case "World":
			if world {
				return textio.ErrSecond
			}
			world = true
			return r.world(c)
		case "Agents":
			if agents {
				return textio.ErrSecond
			}
			agents = true
			return r.block(c, (*reader).agents)
		case "Policies":
			r.Warn(c.Line, "<Policies> not read: agents steer by the behaviors of this crowd")
		case "Map":
			r.Warn(c.Line, "<Map> not read: agents make straight for their goals")
		}
		return r.Skip(c)
	})
}

// world reads the kind of plane, and the obstacles in it.
func (r *reader) world(t textio.Tag) error {
	obstacles := false
	var width, height float64
	err := r.Element(t, func(a xml.Attr) error {
		switch a.Name.Local {
		case "type":
			return r.worldType(t, a)
		case "width":
			return r.number(&width, t, a, textio.AboveZero, "a width above 0")
		case "height":
			return r.number(&height, t, a, textio.AboveZero, "a height above 0")
		default:
			return r.number(&r.sim.GoalRadius, t, a, textio.AboveZero, "a number of radii above 0")
		}
	}, func(c textio.Tag) error {
		if obstacles {
			return textio.ErrSecond
		}
		obstacles = true
		return r.block(c, (*reader).obstacles)
	})
	if err != nil || !r.sim.Toric {
		return err
	}
	r.sim.Width, r.sim.Height = width, height
	return r.Require(t, "width", "height")
}

func (r *reader) worldType(t textio.Tag, a xml.Attr) error {
	switch a.Value {
	case "Infinite":
	case "Toric":
		r.sim.Toric = true
	default:
		return r.BadAttr(t, a, "Infinite or Toric")
	}
	return nil
}
