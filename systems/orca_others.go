package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/systems/sense"
)

// look finds those that the k-th agent heeds, but for walls that hide some. Where all share the avoidance
// alike, it is left to the solver to find them.
func (s *ORCA) look(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others := &mind.others
	others.Of, others.Share, others.Parts = others.Of[:0], nil, nil
	if !seesOthers(par) {
		return
	}
	if s.near.Alike() {
		s.around(mind, m, k, par)
	}
	if len(others.Parts) == 0 {
		s.list(mind, m, k, par)
	}
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
	others.Room, others.Most = 0, mostHeeded(par)
	for _, part := range mind.parts {
		others.Room += int(part.Hi - part.Lo)
	}
	n = min(n, 1+orca.PairsAtOnce/(others.Room+1))
	others.Parts, mind.until = mind.parts, k+n
	if len(others.Parts) > 0 {
		others.Limit = min(float64(m.Reach(k)*m.Reach(k)), math.MaxFloat64)
		mind.solver.Near(others, others.Self, n)
	}
}

// list lists those that the k-th agent heeds, the nearest first.
func (s *ORCA) list(mind *mind, m *sense.Block, k int, par *c.ORCA) {
	others, agents := &mind.others, m.Agents()
	for _, f := range m.NearestSquared(k, mostHeeded(par)) {
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
