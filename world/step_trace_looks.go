package world

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// looker is a system that only looks: it runs elsewhere. It notes whom the one
// agent minds.
type looker struct {
	sense.Looker
	name  string
	entry *catalog.Entry // of the behavior; nil: a host's
	view  float64        // rad, as Mind has it
	most  uint32
	blind bool // it minds nobody
	saw   Look
}

// Meet looks, and takes note.
func (l *looker) Meet(m *sense.Meeting) {
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

// open forgets what was seen, and gets the eyes of the copy.
func (l *looker) open(t *stepTrace) {
	l.view, l.most, l.saw = 0, 0, Look{}
	l.blind = l.entry == nil || l.entry.Does&(catalog.Steers|catalog.TakesForces) == 0 // as one who is pushed
	if l.entry == nil {
		return
	}
	for _, p := range t.params(l.entry) {
		x, _ := p.Number()
		switch p.Key {
		case "field-of-view":
			l.view = x
		case "max-neighbors":
			l.most = uint32(max(x, 0))
		}
	}
	if orca := get[c.ORCA](&t.sandbox, t.agent); orca != nil && l.entry.Does.Has(catalog.TakesForces) {
		l.blind = orca.MaxNeighbors < 0 || !(orca.NeighborDist > 0)
	}
}

// Attach and Detach do nothing: the looker is a part of the frame as it is.
func (l *looker) Attach(*frame.Frame, *ecs.World) {}
func (l *looker) Detach(*ecs.World)               {}
