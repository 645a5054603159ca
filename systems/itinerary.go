package systems

import (
	"errors"
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Itineraries is the resource that holds the stops of all itineraries.
type Itineraries [][]Stop

// TrackedEntities is the resource that holds the entities that stops depend on. Itinerary updates them.
type TrackedEntities []c.TrackedEntity

// StopKind is what an agent does at a stop.
type StopKind int

const (
	StopPlace    StopKind = iota // goes to At until it arrives
	StopBox                      // goes to the nearest point of Box, until the agent is within 1 mm of Box or past it
	StopFlee                     // goes away from At
	StopFlow                     // continues in Direction
	StopIdle                     // stays where it is
	StopFollow                   // goes to Other until it arrives
	StopFleeFrom                 // goes away from Other
	StopFlowWith                 // moves in the direction of Other's velocity
)

// Stop is one part of an itinerary. It ends when the agent reaches the place or passes the box, after
// Duration, or when Other is dead or has no finite position and velocity. If the last stop ends because of
// Other, the agent keeps its Target.
type Stop struct {
	Kind      StopKind
	At        r2.Vec  // m
	Box       r2.Box  // m
	Direction r2.Vec  // for StopFlow; of any length above 0
	Other     uint32  // index in TrackedEntities or, in a scene, ID of an agent
	Duration  float64 // s; 0 means until the agent arrives, or forever
	Speed     float64 // m/s, the agent's top speed from this stop on; 0 means unchanged
}

// atPlace is the distance, in meters, within which an agent is at a place, a box or a goal, even if the
// radius is smaller. An agent with a model that never passes its target would otherwise enter a box only when the
// remaining distance rounds to zero, which depends on the origin.
const atPlace = 0.001

// passBy is the maximum distance, in meters, at which an agent counts as passing a box. In a crowd, only a
// tenth of the agents would reach a 2 cm box in a 1.2 m door.
const passBy = 0.5

const farAhead = 1000 // m, to the Target of an agent without a place to go to

// Itinerary leads each agent through the stops of an itinerary. It sets the Target. If the stop has a Speed,
// it also sets FreeSpeed.Speed or, without FreeSpeed, Limits.MaxSpeed. An agent keeps its Target if
// its itinerary does not exist. Other agents are seen at their positions at the start of the step.
//
// Reads Position, Velocity if present, the resource Itineraries, and Position and Velocity of the
// entities of the resource TrackedEntities. Writes Itinerary, TrackedEntities, Target or, if
// present, Destination, and, if present, Limits and FreeSpeed.
type Itinerary struct {
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	it     frame.Out[c.Itinerary]
	target frame.Out[c.Target]
	dest   frame.Out[c.Destination]
	limits frame.Out[c.Limits]
	free   frame.Out[c.FreeSpeed]
	all    Itineraries
	seen   TrackedEntities
	where  tracker
}

func (s *Itinerary) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Write(&s.it, &s.target)
	n.InFrame("the resource Itineraries")
	n.Optional(&s.vel, &s.dest, &s.limits, &s.free)
	n.Once()
}

func (s *Itinerary) Attach(f *frame.Frame, w *ecs.World) {
	s.where.attach(f, w)
}

func (s *Itinerary) Detach(*ecs.World) {}

func (s *Itinerary) Sense(w *ecs.World) {
	s.all, s.seen = *frame.Resource[Itineraries](w), *frame.Resource[TrackedEntities](w)
	if s.where.reset(); frame.ClockOf(w).Dt == 0 {
		return
	}
	for i := range s.seen {
		s.seen[i] = s.where.track(s.seen[i])
	}
}

func (s *Itinerary) Run(b *frame.Batch) {
	pos, vel, it, target, dest, limits, free := s.pos.Of(b), s.vel.Of(b), s.it.Of(b), s.target.Of(b), s.dest.Of(b), s.limits.Of(b), s.free.Of(b)
	for i := range pos {
		if int(it[i].Index) >= len(s.all) || !vec.Finite(pos[i].Vec) {
			continue
		}
		before := pos[i].Vec
		if vel != nil {
			before = vec.AddScaled(before, -b.Dt, vel[i].Vec)
		}
		stop, ok := s.follow(&it[i], before, pos[i].Vec, b.Time, s.all[it[i].Index])
		if !ok {
			continue
		}
		if to, ok := stop.target(pos[i].Vec, s.seen.of(&stop)); ok {
			send(target, dest, i, to)
			if dest != nil {
				dest[i].Direct = !stop.Kind.hasPlace()
			}
		}
		switch {
		case stop.Speed == 0:
		case free != nil:
			free[i].Speed = stop.Speed
		case limits != nil:
			limits[i].MaxSpeed = stop.Speed
		}
	}
}

// follow skips the stops that have ended, given the agent's position before the last step and its present
// position p. It returns the current stop, or false if there are no stops. After the last stop, which
// stays the current one, the agent is Done.
func (s *Itinerary) follow(it *c.Itinerary, before, p r2.Vec, now float64, stops []Stop) (Stop, bool) {
	if len(stops) == 0 {
		it.Done = true
		return Stop{}, false
	}
	last := uint32(len(stops) - 1)
	it.Next = min(it.Next, last)
	for !it.Done {
		stop := &stops[it.Next]
		passed := it.Next < last && stop.passed(&stops[it.Next+1], before, p)
		if !passed && !stop.over(p, now-it.Since, it.Reached, s.seen.of(stop)) {
			break
		}
		if it.Next == last {
			it.Done = true
			break
		}
		it.Next++
		it.Since = now
	}
	return stops[it.Next], true
}

func (t TrackedEntities) of(s *Stop) c.TrackedEntity {
	if !s.Kind.goesBy() || int(s.Other) >= len(t) {
		return c.TrackedEntity{}
	}
	other := t[s.Other]
	other.Seen = other.Seen && vec.Finite(other.At) && vec.Finite(other.Velocity)
	return other
}

func (k StopKind) goesBy() bool { return k >= StopFollow && k <= StopFlowWith }

// hasPlace reports whether stops of this kind need pathfinding.
func (k StopKind) hasPlace() bool { return k == StopPlace || k == StopBox || k == StopFollow }

// over reports whether the stop has ended. The parameter reached is the radius of places, in m, and ago the
// time since the stop began, in s.
func (s *Stop) over(p r2.Vec, ago, reached float64, other c.TrackedEntity) bool {
	if s.Duration > 0 && ago >= s.Duration {
		return true
	}
	switch s.Kind {
	case StopPlace:
		return isAt(s.At, p, reached)
	case StopBox:
		return isAt(vec.Clamp(p, s.Box), p, 0)
	case StopFollow:
		return !other.Seen || isAt(other.At, p, reached)
	case StopFleeFrom, StopFlowWith:
		return !other.Seen
	}
	return false
}

// passed reports whether an agent, now at p, passed the box of a stop in its last step: within passBy of the
// nearest point of the box, the agent crossed the line through that point perpendicular to the direction to
// the next stop. passed returns false if the next stop has no fixed place.
func (s *Stop) passed(next *Stop, before, p r2.Vec) bool {
	to, ok := next.Place(p)
	if s.Kind != StopBox || !ok {
		return false
	}
	at := vec.Clamp(p, s.Box)
	onward, beside := vec.Sub(to, at), vec.Sub(p, at)
	return vec.Norm2(beside) <= passBy*passBy && vec.Dot(beside, onward) >= 0 && vec.Dot(vec.Sub(before, at), onward) < 0
}

func isAt(place, p r2.Vec, radius float64) bool {
	radius = max(radius, atPlace)
	return vec.Norm2(vec.Sub(place, p)) <= radius*radius
}

// Endless returns why a stop never ends, such as "makes it flee forever", or "" if it can end.
func (s *Stop) Endless() string {
	if s.Duration > 0 || s.Kind.hasPlace() || s.Kind.goesBy() {
		return ""
	}
	return map[StopKind]string{StopFlee: "makes it flee", StopFlow: "makes it go on in a direction", StopIdle: "makes it stay"}[s.Kind] + " forever"
}

// Place returns the place of a stop for an agent at p, or false if the stop has no fixed place.
func (s *Stop) Place(p r2.Vec) (r2.Vec, bool) {
	switch s.Kind {
	case StopPlace:
		return s.At, true
	case StopBox:
		return vec.Clamp(p, s.Box), true
	}
	return r2.Vec{}, false
}

func (s *Stop) target(p r2.Vec, other c.TrackedEntity) (r2.Vec, bool) {
	if s.Kind.goesBy() && !other.Seen {
		return r2.Vec{}, false
	}
	switch s.Kind {
	case StopBox:
		return vec.Clamp(p, s.Box), true
	case StopFlee:
		return onward(p, vec.Sub(p, s.At)), true
	case StopFlow:
		return onward(p, s.Direction), true
	case StopIdle:
		return p, true
	case StopFollow:
		return other.At, true
	case StopFleeFrom:
		return onward(p, vec.Sub(p, other.At)), true
	case StopFlowWith:
		return onward(p, other.Velocity), true
	}
	return s.At, true
}

func onward(p, direction r2.Vec) r2.Vec { return vec.Add(p, vec.WithNorm(direction, farAhead)) }

// GoesBy reports whether the stop depends on Other.
func (s *Stop) GoesBy() bool { return s.Kind.goesBy() }

// Check returns an error if the stop is invalid.
func (s *Stop) Check() error {
	switch {
	case s.Kind < StopPlace || s.Kind > StopFlowWith:
		return fmt.Errorf("kind of stop is %d, want a systems.StopKind", s.Kind)
	case !vec.Finite(s.At) || !vec.Finite(s.Direction) || !vec.Finite(s.Box.Min) || !vec.Finite(s.Box.Max):
		return fmt.Errorf("stop has place (%v, %v), direction (%v, %v) and box %v, want finite numbers", s.At.X, s.At.Y, s.Direction.X, s.Direction.Y, s.Box)
	case s.Kind == StopBox && !(s.Box.Min.X <= s.Box.Max.X && s.Box.Min.Y <= s.Box.Max.Y):
		return fmt.Errorf("box of stop is %v, want its first corner below and left of the second", s.Box)
	case s.Kind == StopFlow && s.Direction == (r2.Vec{}):
		return errors.New("direction of stop is (0, 0), want a vector of any length above 0")
	case !(s.Duration >= 0):
		return fmt.Errorf("duration of stop is %v s, want 0 (no limit) or more", s.Duration)
	case !(s.Speed >= 0) || s.Speed > 1e300:
		return fmt.Errorf("speed of stop is %v m/s, want a finite number, 0 (unchanged) or more", s.Speed)
	}
	return nil
}

var itineraryEntry = catalog.Of(catalog.Entry{
	Name: "itinerary", Text: "go through the stops of an itinerary, one after another",
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &Itinerary{} }, Phase: catalog.Steer,
	Does: catalog.SetsTarget, Laws: catalog.AllLaws, Special: true,
	Doing: "following a path",
}, func(b *c.Itinerary) []catalog.Param {
	return []catalog.Param{
		catalog.Count("index", &b.Index, "index of the itinerary in the resource, from 0").Or(uint32(0)).Of("itineraries"),
		catalog.Count("next", &b.Next, "index of the first stop, from 0").Or(uint32(0)),
		catalog.Number("reached", &b.Reached, "m", "distance at which a place counts as reached").Or(0.),
	}
})
