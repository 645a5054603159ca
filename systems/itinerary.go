package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Itineraries is the resource that holds the stops of every itinerary that
// agents follow.
type Itineraries [][]Stop

// StopKind says what an agent does at a stop of its itinerary.
type StopKind int

const (
	StopPlace StopKind = iota // goes to At, until it is there
	StopBox                   // goes to the nearest point of Box, until it is inside
	StopFlee                  // goes away from At
	StopFlow                  // goes on in Direction
	StopIdle                  // stays where it is
)

// Stop is one part of an itinerary. It ends when its place is reached, or after
// Duration.
type Stop struct {
	Kind      StopKind
	At        r2.Vec  // m
	Box       r2.Box  // m
	Direction r2.Vec  // of StopFlow; any length above 0
	Duration  float64 // s; 0: until its place is reached, or for ever
	Speed     float64 // m/s, the agent's top speed meanwhile; 0: what it was
}

// farAhead is how far the Target of an agent is put that has no place to go to.
const farAhead = 1000

// Itinerary makes one stop after another what each agent does: it sets the
// Target, and Limits.MaxSpeed where the stop has a speed of its own. How the
// agent goes there its other behaviours say, such as Seek or Arrival. An agent
// whose itinerary does not exist keeps its Target.
//
// Reads Position and the resource Itineraries. Writes Itinerary, Target, and
// Limits if there are any.
type Itinerary struct {
	pos    In[c.Position]
	it     Out[c.Itinerary]
	target Out[c.Target]
	limits Out[c.Limits]
	id     ecs.ResID
	all    Itineraries
}

func (s *Itinerary) Needs(n *Needs) {
	n.Read(&s.pos)
	n.Write(&s.it, &s.target)
	n.Optional(&s.limits)
}

func (s *Itinerary) attach(_ *Frame, w *ecs.World) { s.id = ecs.ResourceID[Itineraries](w) }
func (s *Itinerary) detach(*ecs.World)             {}

// Sense looks up the table.
func (s *Itinerary) Sense(w *ecs.World) {
	s.all = nil
	if w.Resources().Has(s.id) {
		s.all = *w.Resources().Get(s.id).(*Itineraries)
	}
}

func (s *Itinerary) Run(b *Batch) {
	pos, it, target, limits := s.pos.Of(b), s.it.Of(b), s.target.Of(b), s.limits.Of(b)
	for i := range pos {
		if int(it[i].Index) >= len(s.all) || !vec.Finite(pos[i].Vec) {
			continue
		}
		stop, ok := follow(&it[i], pos[i].Vec, b.Time, s.all[it[i].Index])
		if !ok {
			continue
		}
		target[i].Vec = stop.target(pos[i].Vec)
		if limits != nil && stop.Speed > 0 {
			limits[i].MaxSpeed = stop.Speed
		}
	}
}

// follow moves on past all stops that have ended, and returns the one the agent
// is at. After the last one it is Done, and stays at the last.
func follow(it *c.Itinerary, p r2.Vec, now float64, stops []Stop) (Stop, bool) {
	if len(stops) == 0 {
		it.Done = true
		return Stop{}, false
	}
	last := uint32(len(stops) - 1)
	it.Next = min(it.Next, last)
	for !it.Done && stops[it.Next].over(p, now-it.Since, it.Reached) {
		if it.Next == last {
			it.Done = true
			break
		}
		it.Next++
		it.Since = now
	}
	return stops[it.Next], true
}

// over tells whether a stop has ended for an agent at p that began it some time
// ago.
func (s *Stop) over(p r2.Vec, ago, reached float64) bool {
	if s.Duration > 0 && ago >= s.Duration {
		return true
	}
	switch s.Kind {
	case StopPlace:
		return vec.Norm2(vec.Sub(s.At, p)) <= reached*reached
	case StopBox:
		return p.X >= s.Box.Min.X && p.X <= s.Box.Max.X && p.Y >= s.Box.Min.Y && p.Y <= s.Box.Max.Y
	}
	return false
}

// target returns where an agent at p goes.
func (s *Stop) target(p r2.Vec) r2.Vec {
	switch s.Kind {
	case StopBox:
		return r2.Vec{
			X: min(max(p.X, s.Box.Min.X), s.Box.Max.X),
			Y: min(max(p.Y, s.Box.Min.Y), s.Box.Max.Y),
		}
	case StopFlee:
		return vec.Add(p, vec.WithNorm(vec.Sub(p, s.At), farAhead))
	case StopFlow:
		return vec.Add(p, vec.WithNorm(s.Direction, farAhead))
	case StopIdle:
		return p
	}
	return s.At
}

// Check returns an error that names what is not allowed in a stop.
func (s *Stop) Check() error {
	switch {
	case s.Kind < StopPlace || s.Kind > StopIdle:
		return fmt.Errorf("kind of stop is %d, want one of systems.StopKind", s.Kind)
	case !vec.Finite(s.At) || !vec.Finite(s.Direction) || !vec.Finite(s.Box.Min) || !vec.Finite(s.Box.Max):
		return fmt.Errorf("stop has place (%v, %v), direction (%v, %v) and box %v, want finite numbers", s.At.X, s.At.Y, s.Direction.X, s.Direction.Y, s.Box)
	case s.Kind == StopBox && !(s.Box.Min.X <= s.Box.Max.X && s.Box.Min.Y <= s.Box.Max.Y):
		return fmt.Errorf("box of stop is %v, want its first corner below and left of the second", s.Box)
	case !(s.Duration >= 0):
		return fmt.Errorf("duration of stop is %v s, want 0 (no limit) or more", s.Duration)
	case !(s.Speed >= 0) || s.Speed > 1e300:
		return fmt.Errorf("speed of stop is %v m/s, want a finite number, 0 (as before) or more", s.Speed)
	}
	return nil
}
