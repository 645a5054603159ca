package umans

import (
	"encoding/xml"
	"strconv"

	"github.com/8f878440/crowd/internal/textio"
)

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
		return r.number(&ag.Radius, t, a, aboveZero, "a radius above 0")
	case "pref_speed":
		return r.number(&ag.PreferredSpeed, t, a, notNegative, "a speed of at least 0")
	case "max_speed":
		return r.number(&ag.MaxSpeed, t, a, notNegative, "a speed of at least 0")
	case "max_acceleration":
		return r.number(&ag.MaxAcceleration, t, a, aboveZero, "an acceleration above 0")
	case "start_time":
		return r.number(&ag.StartTime, t, a, anyNumber, "a finite number")
	default:
		return r.boolean(&ag.RemoveAtGoal, t, a)
	}
}
