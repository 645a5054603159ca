package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/systems/sense"
)

// look finds out whom the k-th agent heeds. Where all share the avoidance alike and nobody
// has to know who is nearest, it is left to the solver to find them.
func (s *ORCA) look(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others := &mind.others
	others.Of, others.Share, others.Parts = others.Of[:0], nil, nil
	if seesOthers(par) {
		if mind.who.TimeGap == 0 && s.near.Alike() && !s.inRoom(mind) {
			s.around(mind, m, k, par)
		}
		if len(others.Parts) == 0 || s.Account != nil {
			s.list(mind, m, k, par)
		}
	}
}

// inRoom tells whether walls are near, which may hide others.
func (s *ORCA) inRoom(mind *mind) bool {
	return len(mind.walls) > 0 && !s.Faithful && s.obstacles.Hide()
}

// around lets the solver find others near to the k-th agent and to all behind it in the same
// cell together.
func (s *ORCA) around(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others := &mind.others
	if others.Self = m.Index(k); k < mind.until {
		others.Parts = mind.parts
		return
	}
	var n int
	mind.parts, n = m.Around(k)
	others.Parts, mind.until = mind.parts, k+n
	if len(others.Parts) > 0 {
		others.Room, others.Most = sense.MostAround, mostHeeded(par)
		others.Limit = min(float64(m.Reach(k)*m.Reach(k)), math.MaxFloat64)
		mind.solver.Near(others, others.Self, n)
	}
}

// list lists those that the k-th agent heeds, the nearest first.
func (s *ORCA) list(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others, agents, room := &mind.others, m.Agents(), s.inRoom(mind)
	if room {
		mind.lines.Look(&mind.who, mind.walls, m.Dt)
	}
	for _, f := range m.NearestSquared(k, mostHeeded(par)) {
		if room && mind.lines.Hides(agents.Position(f.Index), agents.Radius[f.Index]) {
			continue
		}
		others.Of = append(others.Of, f.Index)
	}
	if agents.On != nil || !s.near.Alike() {
		mind.shares = mind.shares[:0]
		for _, i := range others.Of {
			mind.shares = append(mind.shares, s.share(par, agents, m.Index(k), i))
		}
		others.Share = mind.shares
	}
}

// share returns how much of the avoidance of another one falls to an agent: all, if
// the other one pauses or does not see it.
func (s *ORCA) share(own *c.ORCA, agents *sense.Agents, self, other uint32) float64 {
	theirs := s.near.Param(other)
	switch {
	case !agents.Seen(self, agents.Sight(other)):
		return 1
	case theirs == own:
		return 0.5
	case !(theirs.Gain > 0 && seesOthers(theirs)):
		return 1
	}
	return orca.Share(own.Priority, theirs.Priority)
}
