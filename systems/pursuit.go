package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Pursuit steers each agent at full speed toward the future position of its Quarry. With p and v the
// agent's position and velocity, q and w those of the quarry, and T the predicted time, at most the
// horizon:
//
//	desired = (q + w·T - p)^ · MaxSpeed; steering = desired - v
//
// While the quarry is unseen, Pursuit adds no force. Track or the host must keep Quarry up to date.
//
// Reads Position, Velocity, Quarry, Limits, Pursuit. Adds to Steering.
//
// Source: Reynolds 1999, "pursuit"; the time of PredictMeeting is ours.
type Pursuit struct {
	Prediction Prediction // selects T

	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	quarry frame.In[c.Quarry]
	limits frame.In[c.Limits]
	pursue frame.In[c.Pursuit]
	steer  frame.Out[c.Steering]
}

func (s *Pursuit) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.quarry, &s.limits, &s.pursue)
	n.Add(&s.steer)
	n.Once()
}

func (s *Pursuit) Run(b *frame.Batch) {
	pos, vel, quarry := s.pos.Of(b), s.vel.Of(b), s.quarry.Of(b)
	limits, par, steer := s.limits.Of(b), s.pursue.Of(b), s.steer.Of(b)
	for i := range pos {
		if !quarry[i].Seen {
			continue
		}
		to := vec.Sub(quarry[i].At, pos[i].Vec)
		e := s.Prediction.pursue(to, vel[i].Vec, quarry[i].Velocity, limits[i].MaxSpeed, par[i].Horizon)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

func (m Prediction) pursue(to, v, w r2.Vec, maxSpeed, horizon float64) r2.Vec {
	return vec.Sub(vec.WithNorm(m.lead(to, v, w, maxSpeed, horizon), maxSpeed), v)
}

var pursuitEntry = catalog.Of(catalog.Entry{
	Name: "pursuit", Text: "steer toward the future position of the quarry",
	Source: `Reynolds 1999, "pursuit"; the time of PredictMeeting is ours`,
	Needs:  []any{c.Quarry{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Pursuit{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 80, Laws: catalog.AllLaws,
	Doing: "pursuing", While: frame.While2(func(q *c.Quarry, _ *c.Pursuit) bool { return q.Seen }),
}, func(b *c.Pursuit) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain), predicted(&b.Horizon)}
})

// Evasion steers each agent at full speed away from the future position of its Pursuer, while the pursuer
// is within Radius. With p and v the agent's position and velocity, q and w those of the pursuer, and T the
// predicted time, at most the horizon:
//
//	desired = (p - q - w·T)^ · MaxSpeed; steering = desired - v
//
// While the pursuer is unseen or too far away, Evasion adds no force, so the agent does not brake. Track or
// the host must keep Pursuer up to date.
//
// Reads Position, Velocity, Pursuer, Limits, Evasion and, if present, Heading. Adds to Steering.
//
// Source: Reynolds 1999, "evasion"; the time of PredictMeeting is ours.
type Evasion struct {
	Prediction Prediction // selects T

	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	pursuer frame.In[c.Pursuer]
	limits  frame.In[c.Limits]
	evade   frame.In[c.Evasion]
	heading frame.In[c.Heading]
	steer   frame.Out[c.Steering]
}

func (s *Evasion) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.pursuer, &s.limits, &s.evade)
	n.Optional(&s.heading)
	n.Add(&s.steer)
	n.Once()
}

func (s *Evasion) Run(b *frame.Batch) {
	pos, vel, pursuer, limits := s.pos.Of(b), s.vel.Of(b), s.pursuer.Of(b), s.limits.Of(b)
	par, heading, steer := s.evade.Of(b), s.heading.Of(b), s.steer.Of(b)
	for i := range pos {
		if !pursuer[i].Seen || !inZone(pos[i].Vec, pursuer[i].At, par[i].Radius) {
			continue
		}
		to := vec.Sub(pursuer[i].At, pos[i].Vec)
		away := s.Prediction.away(to, vel[i].Vec, pursuer[i].Velocity, limits[i].MaxSpeed, par[i].Horizon)
		if away == (r2.Vec{}) {
			away = facing(vel, heading, i)
		}
		e := flee(away, vel[i].Vec, limits[i].MaxSpeed)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

func (m Prediction) away(to, v, w r2.Vec, maxSpeed, horizon float64) r2.Vec {
	return vec.Scale(-1, m.lead(to, v, w, maxSpeed, horizon))
}

var evasionEntry = catalog.Of(catalog.Entry{
	Name: "evasion", Text: "steer away from the future position of the pursuer",
	Source: `Reynolds 1999, "evasion"; the time of PredictMeeting is ours`,
	Needs:  []any{c.Pursuer{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Evasion{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 60, Laws: catalog.AllLaws,
	Doing: "fleeing", While: frame.While3(func(p *c.Position, from *c.Pursuer, b *c.Evasion) bool {
		return from.Seen && inZone(p.Vec, from.At, b.Radius)
	}),
}, func(b *c.Evasion) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		predicted(&b.Horizon),
		catalog.Number("radius", &b.Radius, "m", "distance to the pursuer within which the agent evades; 0 means any distance").Or(0.),
	}
})

// OffsetPursuit steers each agent at full speed past the future position of its Quarry. The agent aims at the
// point at Distance from that position, perpendicular to the agent's course and on the agent's side. With f
// the course, p, v, q, w and T as for Pursuit, and l the part of q + w·T - p perpendicular to f:
//
//	desired = (q + w·T - l^·Distance - p)^ · MaxSpeed; steering = desired - v
//
// If that position is straight ahead, where the source divides by zero, the agent passes to the right of it.
// An agent at rest counts as facing the predicted position. An agent at the point at which it aims goes
// straight on.
//
// While the quarry is unseen, OffsetPursuit adds no force. Track or the host must keep Quarry up to date.
//
// Reads Position, Velocity, Quarry, Limits, OffsetPursuit. Adds to Steering.
//
// Source: Reynolds 1999, "offset pursuit".
type OffsetPursuit struct {
	Prediction Prediction // selects T

	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	quarry frame.In[c.Quarry]
	limits frame.In[c.Limits]
	pursue frame.In[c.OffsetPursuit]
	steer  frame.Out[c.Steering]
}

func (s *OffsetPursuit) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.quarry, &s.limits, &s.pursue)
	n.Add(&s.steer)
	n.Once()
}

func (s *OffsetPursuit) Run(b *frame.Batch) {
	pos, vel, quarry := s.pos.Of(b), s.vel.Of(b), s.quarry.Of(b)
	limits, par, steer := s.limits.Of(b), s.pursue.Of(b), s.steer.Of(b)
	for i := range pos {
		if !quarry[i].Seen {
			continue
		}
		to, v, maxSpeed := vec.Sub(quarry[i].At, pos[i].Vec), vel[i].Vec, limits[i].MaxSpeed
		lead := s.Prediction.lead(to, v, quarry[i].Velocity, maxSpeed, par[i].Horizon)
		e := vec.Sub(vec.WithNorm(past(lead, v, par[i].Distance), maxSpeed), v)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// past returns the offset of the point at which to pass another agent. The parameter lead is the future offset
// of that agent. The result is zero only if lead and v are zero.
func past(lead, v r2.Vec, distance float64) r2.Vec {
	course, left := vec.Unit(v), 0.
	if course == (r2.Vec{}) {
		course = vec.Unit(lead)
	} else {
		left = vec.Cross(course, lead)
	}
	if left < 0 {
		distance = -distance
	}
	if way := vec.AddScaled(lead, distance, vec.Right(course)); way != (r2.Vec{}) {
		return way
	}
	return course
}

var offsetPursuitEntry = catalog.Of(catalog.Entry{
	Name: "offset-pursuit", Text: "steer past the future position of the quarry",
	Source: `Reynolds 1999, "offset pursuit"`,
	Needs:  []any{c.Quarry{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &OffsetPursuit{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 90, Laws: catalog.AllLaws,
	Doing: "pursuing", While: frame.While2(func(q *c.Quarry, _ *c.OffsetPursuit) bool { return q.Seen }),
}, func(b *c.OffsetPursuit) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		predicted(&b.Horizon),
		catalog.Number("distance", &b.Distance, "m", "distance at which the agent passes"),
	}
})

// lead returns the future offset of another agent, given its present offset and its velocity w, or w if the
// future offset overflows. The result is zero only if the agents meet: now or, with PredictDistance or
// PredictBearing, at the predicted time.
func (m Prediction) lead(to, v, w r2.Vec, maxSpeed, horizon float64) r2.Vec {
	d := vec.Norm(to)
	if d == 0 || w == (r2.Vec{}) || !(horizon > 0) {
		return to
	}
	u := vec.Unit(to)
	t := d / maxSpeed
	switch m {
	case PredictMeeting:
		t = meetingTime(d, u, w, maxSpeed)
	case PredictBearing:
		t *= bearingFactor(vec.Unit(v), u, vec.Unit(w))
	}
	if !(t <= horizon) {
		t = horizon
	}
	if at := vec.AddScaled(to, t, w); vec.Finite(at) {
		return at
	}
	return w // after so long a time, only the direction matters
}

// meetingTime returns the time, in s, until an agent can meet another at distance d in direction u. If the
// other moves across too fast, it is the time until the other passes. It is +Inf if neither happens.
func meetingTime(d float64, u, w r2.Vec, maxSpeed float64) float64 {
	away, across := vec.Dot(u, w), math.Abs(vec.Cross(u, w))
	closing := math.Sqrt(max((maxSpeed-across)*(maxSpeed+across), 0)) - away
	if !(closing > 0) {
		return math.Inf(1)
	}
	return d / closing
}

// bearingFactors are indexed by the bearing of the other agent (behind, to the side, ahead), then by the
// courses (opposite, across, alike).
var bearingFactors = [3][3]float64{{2, 2, 0.5}, {4, 0.8, 1}, {0.85, 1.8, 4}}

// bearingFactor returns the factor of PredictBearing for unit vectors. If either course is zero, the courses
// count as across. If the agent's own course is zero, the other agent counts as to the side.
func bearingFactor(course, to, other r2.Vec) float64 {
	return bearingFactors[sector(vec.Dot(course, to))][sector(vec.Dot(course, other))]
}

// sector takes the cosine of an angle, and returns 0 for the rear quarter turn, 2 for the front one, and 1
// otherwise.
func sector(cos float64) int {
	switch {
	case cos < -math.Sqrt2/2:
		return 0
	case cos > math.Sqrt2/2:
		return 2
	}
	return 1
}

func predicted(at *float64) catalog.Param {
	return catalog.Number("horizon", at, "s", "longest prediction").Within(catalog.OrInfinite).InFile(catalog.ZeroOrMore)
}
