package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// FormationKeeping sets the Target of each agent with Formation to its place in a formation that moves
// with a leader. With L and w the position and velocity of the leader, s the place relative to the
// leader, s' the velocity of s as the formation wheels, and T the lead time:
//
//	target = L + s + (w + s')·T
//
// The formation turns to the course of the leader, or to the heading of a leader at rest, no faster than
// TurnRate. With TopSpeed, MaxSpeed becomes |target - p|/T, but at most TopSpeed, where p is the member's
// position.
//
// Places are assigned at the end of a step if a member has joined or left. If TurnRate is above 0 and the
// leader has turned by more than a quarter turn, places are assigned again, and the formation turns at once.
// A member with Formation.Own keeps its Slot. The assignment nearly minimizes the sum of squared distances,
// and does not depend on the order of rows.
//
// While the leader is unseen or dead, FormationKeeping does nothing.
//
// Reads Position, Agent if present, and Position, Velocity and Heading of the leader. Writes
// Formation, Target or, if present, Destination, and, if present, Limits.
//
// Source: ours, after Reynolds 1999, "offset pursuit", with moving places.
type FormationKeeping struct {
	leaders tracking[membership]
	heading frame.Component[c.Heading]
	eye     eyeOnLeader
	places  formationPlaces

	pos    frame.In[c.Position]
	form   frame.Out[membership]
	target frame.Out[c.Target]
	dest   frame.Out[c.Destination]
	limits frame.Out[c.Limits]
}

type eyeOnLeader struct {
	leader  ecs.Entity
	heading r2.Vec
}

func (s *FormationKeeping) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Write(&s.form, &s.target)
	n.Optional(&s.dest, &s.limits)
	n.Once()
}

func (s *FormationKeeping) Attach(f *frame.Frame, w *ecs.World) {
	s.heading.Attach(f, w)
	s.leaders.attach(f, w, s.look)
	s.places.attach(f, w)
}

func (s *FormationKeeping) Detach(w *ecs.World) {
	s.leaders.detach(w)
	s.places.detach(w)
}

func (s *FormationKeeping) Sense(w *ecs.World) {
	s.eye = eyeOnLeader{}
	s.leaders.sense(w)
}

func (s *FormationKeeping) Observe(w *ecs.World) {
	if frame.ClockOf(w).Dt != 0 {
		s.places.give(w)
	}
}

// slowWheel is the minimum radius, in spacings, of the path of a leader that turns at TurnRate. A leader too
// slow for that only wavers, and counts as at rest.
const slowWheel = 0.125

func (s *FormationKeeping) look(f *membership, t *tracker) {
	if f.Leader = t.track(f.Leader); !f.Leader.Seen {
		return
	}
	if vec.Norm(f.Leader.Velocity) > float64(float64(f.Spacing*f.TurnRate)*slowWheel) {
		f.Facing = vec.Unit(f.Leader.Velocity)
		return
	}
	if e := f.Leader.Entity; !e.IsZero() {
		if e != s.eye.leader {
			h, _ := s.heading.Of(e)
			s.eye = eyeOnLeader{e, h.Vec}
		}
		if f.Facing = vec.Unit(s.eye.heading); !vec.Finite(f.Facing) {
			f.Facing = r2.Vec{}
		}
	}
}

func (s *FormationKeeping) Run(b *frame.Batch) {
	pos, form, target := s.pos.Of(b), s.form.Of(b), s.target.Of(b)
	dest, limits := s.dest.Of(b), s.limits.Of(b)
	for i := range pos {
		f := &form[i]
		if !inPlace(f) {
			continue
		}
		if !f.Own {
			f.Slot = shapeOf(f).slot(f.Number, f.Of)
		}
		aim := follow(f, b.Dt)
		if !vec.Finite(aim) {
			b.Skip()
			continue
		}
		send(target, dest, i, aim)
		if f.TopSpeed > 0 && limits != nil {
			limits[i].MaxSpeed = inTime(vec.Norm(vec.Sub(aim, pos[i].Vec)), f.Lead, f.TopSpeed)
		}
	}
}

// follow wheels a member's formation, and returns the point at which the member aims.
func follow(f *membership, dt float64) r2.Vec {
	before := f.Course
	if f.Course = vec.TurnTowards(before, f.Facing, float64(f.TurnRate*dt)); before == (r2.Vec{}) {
		f.Course = f.Facing
		before = f.Course
	}
	from, to := ofCourse(f.Slot, before), ofCourse(f.Slot, f.Course)
	v := vec.AddScaled(f.Leader.Velocity, 1/dt, vec.Sub(to, from))
	return vec.AddScaled(vec.Add(f.Leader.At, to), f.Lead, v)
}

func inTime(distance, seconds, topSpeed float64) float64 {
	if distance < float64(topSpeed*seconds) {
		return distance / seconds
	}
	return topSpeed
}

var formationEntry = catalog.Of(catalog.Entry{
	Name: "formation", Text: "keep a place in a formation that moves with a leader",
	Source: `ours, after Reynolds 1999, "offset pursuit"`,
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &FormationKeeping{} }, Phase: catalog.Steer,
	Does:  catalog.SetsTarget,
	Laws:  catalog.AllLaws,
	Doing: "keeping formation", While: frame.While1(inPlace),
	Check: func(b any) (string, string) { return checkTracked("leader ", &b.(*membership).Leader) },
}, func(b *membership) []catalog.Param {
	return []catalog.Param{
		catalog.Entity("leader", &b.Leader.Entity, "entity with which the formation moves: \"pointer\", or the name of a group"),
		catalog.Number("spacing", &b.Spacing, "m", "between neighbors, and between ranks").Pausing().InFile(catalog.AboveZero),
		catalog.Count("files", &b.Files, "number of agents abreast; 1 means a column, 0 a line").Or(uint32(0)),
		catalog.Number("slant", &b.Slant, "", "how far ranks fall back per meter from their middle; 1 means a wedge, negative means ahead").
			Within(catalog.Limits{Min: -mostSlant, Max: mostSlant}).Or(0.),
		catalog.Number("distance", &b.Distance, "m", "from the leader to the first rank; 0 means the leader is in its middle").Or(0.),
		catalog.Number("turn-rate", &b.TurnRate, "rad/s", "rate at which the formation wheels; 0 means it does not turn").Or(1.),
		catalog.Number("lead", &b.Lead, "s", "how far ahead in time a member aims; slowing-radius/max-speed is best").Or(0.),
		catalog.Number("top-speed", &b.TopSpeed, "m/s", "maximum to which max-speed is set to arrive in time; 0 keeps max-speed").Or(0.),
	}
})

const mostSlant = 8 // of a wedge that is nearly a column

// Members with the same formationShape and leader are in one formation.
type formationShape struct {
	spacing, slant, distance float64
	files                    uint32
}

// slot returns the place with the given number, from 1 to the number of members, in meters ahead of the
// leader and to the left. Places are numbered rank by rank, from the left. A last rank that is not full is
// centered, to within half a spacing. If the distance is 0, the leader takes the middle place of the first
// rank; that place has no number.
func (s formationShape) slot(number, of uint32) r2.Vec {
	k, n := uint64(number)-1, uint64(of)
	leads := s.distance == 0
	if leads {
		n++
	}
	files := n
	if s.files > 0 {
		files = min(uint64(s.files), n)
	}
	shift := 0. // aligns the leader's place with a file
	if leads {
		if k >= files/2 {
			k++
		}
		if files%2 == 0 {
			shift = 0.5
		}
	}
	rank, file := k/files, k%files
	width := min(files, n-rank*files)
	if s.slant != 0 && (files-width)%2 != 0 { // otherwise, a slanted rank would come too close to the previous one
		shift += 0.5
	}
	left := float64(s.spacing * (float64(float64(width-1)/2) - float64(file) + shift))
	at := r2.Vec{X: -s.distance - float64(s.spacing*float64(rank)), Y: left}
	at.X -= float64(s.slant * math.Abs(left))
	return at
}

func ofCourse(slot, course r2.Vec) r2.Vec {
	return vec.AddScaled(vec.Scale(slot.X, course), slot.Y, vec.Left(course))
}

type membership = c.Formation

func shapeOf(f *membership) formationShape {
	return formationShape{f.Spacing, f.Slant, f.Distance, f.Files}
}

func inPlace(f *membership) bool { return f.Own && f.Leader.Seen || f.Number > 0 && takesPlace(f) }

func takesPlace(f *membership) bool {
	return f.Leader.Seen && !f.Own && f.Spacing > 0 && vec.Finite(r2.Vec{X: f.Slant + f.Spacing, Y: f.Distance})
}

// turnsAbout reports whether a formation must turn at once, because its leader has turned about.
func turnsAbout(f *membership, course r2.Vec) bool {
	return f.TurnRate > 0 && vec.Dot(course, f.Facing) < 0
}
