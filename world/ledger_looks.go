package world

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// looker is a system that only looks: it runs elsewhere. It notes whom the one
// agent minds.
type looker struct {
	systems.Looker
	name  string
	view  float64 // rad, as Mind has it
	most  uint32
	blind bool // it minds nobody
	saw   Look
}

// Meet looks, and takes note.
func (l *looker) Meet(m *systems.Meeting) {
	l.Looker.Meet(m)
	if m.Reach(0) == 0 || l.blind {
		return
	}
	agents, self := m.Agents(), m.Place(0)
	l.saw = Look{Behavior: l.name, Reach: m.Reach(0), View: l.view, Facing: vec.Unit(agents[self].Velocity)}
	for _, i := range m.Mind(0, l.view, l.most) {
		l.saw.Seen = append(l.saw.Seen, agents[i])
	}
}

// open forgets what was seen, and gets the eyes of an agent.
func (l *looker) open(w *World, e ecs.Entity) {
	l.view, l.most, l.blind, l.saw = 0, 0, false, Look{}
	switch l.Looker.(type) {
	case *systems.Separation:
		if p, ok := look[c.Separation](w, e); ok {
			l.view, l.most = p.FieldOfView, p.MaxNeighbors
		}
	case *systems.Alignment:
		if p, ok := look[c.Alignment](w, e); ok {
			l.view, l.most = p.FieldOfView, p.MaxNeighbors
		}
	case *systems.Cohesion:
		if p, ok := look[c.Cohesion](w, e); ok {
			l.view, l.most = p.FieldOfView, p.MaxNeighbors
		}
	case *systems.UnalignedCollisionAvoidance:
		if p, ok := look[c.UnalignedCollisionAvoidance](w, e); ok {
			l.view = p.FieldOfView
		}
	case *systems.ResolveOverlaps:
		l.blind = true // it is pushed, and minds nobody
	case *systems.ORCA:
		if p, ok := look[c.ORCA](w, e); ok {
			l.most, l.blind = uint32(max(p.MaxNeighbors, 0)), p.MaxNeighbors <= 0 || !(p.NeighborDist > 0)
		}
	}
}
