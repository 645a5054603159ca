package umans

import (
	"encoding/xml"

	"github.com/8f878440/crowd/internal/textio"
)

// simulation reads the root element of a simulation file. A file without a
// World has the infinite one.
func (r *reader) simulation(t textio.Tag) error {
	if err := r.Require(t, "delta_time"); err != nil {
		return err
	}
	world, agents := false, false
	return r.Element(t, func(a xml.Attr) error {
		if a.Name.Local == "end_time" {
			return r.number(&r.sim.EndTime, t, a, aboveZero, "a time above 0")
		}
		return r.number(&r.sim.Dt, t, a, aboveZero, "a time above 0")
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
			return r.number(&width, t, a, aboveZero, "a width above 0")
		case "height":
			return r.number(&height, t, a, aboveZero, "a height above 0")
		default:
			return r.number(&r.sim.GoalRadius, t, a, aboveZero, "a number of radii above 0")
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
