package umans

import "encoding/xml"

// simulation reads the root element of a simulation file. A file without a
// World has the infinite one.
func (r *reader) simulation(t tag) error {
	if err := r.require(t, "delta_time"); err != nil {
		return err
	}
	world, agents := false, false
	return r.element(t, func(a xml.Attr) error {
		if a.Name.Local == "end_time" {
			return r.number(&r.sim.EndTime, t, a, aboveZero, "a time above 0")
		}
		return r.number(&r.sim.Dt, t, a, aboveZero, "a time above 0")
	}, func(c tag) error {
		switch c.name {
		case "World":
			if world {
				return errSecond
			}
			world = true
			return r.world(c)
		case "Agents":
			if agents {
				return errSecond
			}
			agents = true
			return r.block(c, (*reader).agents)
		case "Policies":
			r.warn(c.line, "<Policies> not read: agents steer by the behaviours of this crowd")
		case "Map":
			r.warn(c.line, "<Map> not read: agents make straight for their goals")
		}
		return r.skip(c)
	})
}

// world reads the kind of plane, and the obstacles in it.
func (r *reader) world(t tag) error {
	obstacles := false
	var width, height float64
	err := r.element(t, func(a xml.Attr) error {
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
	}, func(c tag) error {
		if obstacles {
			return errSecond
		}
		obstacles = true
		return r.block(c, (*reader).obstacles)
	})
	if err != nil || !r.sim.Toric {
		return err
	}
	r.sim.Width, r.sim.Height = width, height
	return r.require(t, "width", "height")
}

func (r *reader) worldType(t tag, a xml.Attr) error {
	switch a.Value {
	case "Infinite":
	case "Toric":
		r.sim.Toric = true
	default:
		return r.bad(t, a, "Infinite or Toric")
	}
	return nil
}
