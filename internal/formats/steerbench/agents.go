package steerbench

import "github.com/8f878440/crowd/internal/textio"

// crowd reads an agent, an emitter or a region of agents.
func (r *reader) crowd(t textio.Tag) error {
	ag := Agent{Bounds: r.test.Bounds}
	count := 1
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "name":
			ag.Name, err = r.Text(c)
		case "initialConditions":
			err = r.conditions(&ag, c, t.Name == "agentRegion")
		case "goalSequence":
			ag.Goals, err = r.goals(c)
		case "radius":
			err = r.radius(&ag, c)
		case "numAgents":
			err = r.count(&count, c)
		case "regionBounds":
			ag.Bounds, err = r.box(c)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := r.lacks(t, seen, "initialConditions"); err != nil {
		return err
	}
	if ag.Radius == 0 {
		ag.Radius = DefaultRadius
		r.Warn(t.Line, "<%s> without <radius>: taken as %g", t.Name, DefaultRadius)
	}
	if t.Name == "agentRegion" {
		if err := r.lacks(t, seen, "numAgents", "regionBounds"); err != nil {
			return err
		}
		ag.Random = true
	}
	if count > r.MaxAgents-r.agents {
		return r.Fail(t.Line, "too many agents: want at most %d", r.MaxAgents)
	}
	r.agents += count
	if r.aims += count * len(ag.Goals); r.aims > maxGoals {
		return r.Fail(t.Line, "too many goals: want at most %d for all agents", maxGoals)
	}
	switch t.Name {
	case "agent":
		r.test.Agents = append(r.test.Agents, ag)
	case "agentEmitter":
		r.test.Emitters = append(r.test.Emitters, ag)
	default:
		r.test.Regions = append(r.test.Regions, AgentRegion{Count: count, Agent: ag})
	}
	return nil
}

// conditions reads how an agent starts. A direction that is left out is zero.
func (r *reader) conditions(ag *Agent, t textio.Tag, region bool) error {
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "radius":
			err = r.radius(ag, c)
		case "position":
			if region {
				if err := r.Odd(c.Line, "none, since the region places its agents", "<position> in <agentRegion>"); err != nil {
					return err
				}
				return r.Skip(c)
			}
			ag.Position, ag.Random, err = r.point(c)
		case "direction":
			ag.Direction, ag.RandomDirection, err = r.point(c)
		case "speed":
			err = r.number(&ag.Speed, c, notNegative, "a speed of at least 0")
		}
		return err
	})
	if err != nil || region {
		return err
	}
	return r.lacks(t, seen, "position")
}

// radius reads a radius, which some test cases hold beside the initial
// conditions.
func (r *reader) radius(ag *Agent, t textio.Tag) error {
	if ag.Radius != 0 {
		return textio.ErrSecond
	}
	return r.number(&ag.Radius, t, aboveZero, "a radius above 0")
}
