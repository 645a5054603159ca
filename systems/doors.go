package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Doors opens and closes each Door at its times, before obstacles are looked at: put it before
// sense.Obstacles. Between its times a door stays as it is, or as it was set by hand.
//
// Reads and writes Door.
type Doors struct {
	rows frame.Walk
	walk doorRows
}

// Attach registers the walk over the doors.
func (s *Doors) Attach(f *frame.Frame, w *ecs.World) { s.rows.Attach(f, w, &s.walk) }

// Detach gives back what Attach took.
func (s *Doors) Detach(w *ecs.World) { s.rows.Detach(w) }

// Sense opens and closes the doors whose time has come.
func (s *Doors) Sense(w *ecs.World) { s.rows.Run(w) }

// doorRows walks over the doors.
type doorRows struct{ door frame.Out[c.Door] }

func (s *doorRows) Needs(n *frame.Needs) { n.Write(&s.door) }

func (s *doorRows) Run(b *frame.Batch) {
	door := s.door.Of(b)
	for i := range door {
		d := &door[i]
		if d.Opens == d.Closes {
			continue
		}
		opens, closes := due(d.Opens, d.Period, b.Time, b.Dt), due(d.Closes, d.Period, b.Time, b.Dt)
		switch { // of both, what comes last
		case opens >= 0 && opens >= closes:
			d.Open = true
		case closes >= 0:
			d.Open = false
		}
	}
}

// due returns the last time at which something is due in the step that begins now, that is, since
// the middle of the step before; -1 if there is none. It is due once, or every period from then on.
func due(first, period, now, dt float64) float64 {
	from, until := now-float64(dt/2), now+float64(dt/2)
	if !(first >= 0) || first >= until {
		return -1
	}
	last := first
	if period > 0 {
		last += float64(math.Floor((until-first)/period) * period)
		if last >= until {
			last -= period
		}
	}
	if last < from {
		return -1
	}
	return last
}
