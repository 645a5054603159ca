package systems

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// FlowFieldFollowing sets the Target of each agent with FlowField in the direction of the path to the nearest
// goal of its field. The Target's distance is the path's length, so agents slow down only at the goal.
// Without a path or field, an agent keeps its Target. The Target of an agent that CrowdedGoal has settled is
// CrowdedGoal.Place.
//
// A new field is computed at once. After obstacles or rows of sense.FlowFields have changed, fields are
// recomputed one after another at the end of steps, about sense.Fields.Cells cells per step.
//
// In fields with sense.FlowField.Every above 0, the speed in a cell is lower where agents are slow. Agents
// with Radius, Velocity and a finite Limits.MaxSpeed count; the measure is the fraction of MaxSpeed at which
// they advance toward their Target, or move if they have none.
//
// world.World.Save saves the fields through frame.Keeper. Saving only components and resources loses them.
//
// Reads Position; Agent and CrowdedGoal, if present; Position, Radius, Velocity, Limits and Target
// of the crowd; the resource sense.FlowFields; and Obstacles. Writes Target and FlowField.
//
// Source: Reynolds 1999, "flow field following"; the fields are floor fields by fast marching
// (Sethian 1996).
type FlowFieldFollowing struct {
	Fields *sense.Fields // nil means new fields around the Obstacles of the same frame

	fields *sense.Fields
	rows   frame.Walk
	crowd  crowdOfFields
	pos    frame.In[c.Position]
	agent  frame.In[c.Agent]
	settle frame.In[c.CrowdedGoal]
	field  frame.Out[c.FlowField]
	target frame.Out[c.Target]
}

func (s *FlowFieldFollowing) Attach(f *frame.Frame, w *ecs.World) {
	s.fields = s.Fields
	if s.fields == nil {
		s.fields = &sense.Fields{Obstacles: sense.ObstaclesOf(f, s, nil)}
	}
	frame.Resource[sense.FlowFields](w)
	s.crowd.fields = s.fields
	s.rows.Attach(f, w, &s.crowd)
}

func (s *FlowFieldFollowing) Detach(w *ecs.World) { s.rows.Detach(w) }

// Keep saves or restores the fields: see sense.Fields.Keep.
func (s *FlowFieldFollowing) Keep(a *frame.Archive) { s.fields.Keep(a) }

func (s *FlowFieldFollowing) Sense(w *ecs.World) { s.fields.Set(*frame.Resource[sense.FlowFields](w)) }

// Observe measures how the crowd advances, if a field uses that, and recomputes outdated fields.
func (s *FlowFieldFollowing) Observe(w *ecs.World) {
	clock := frame.ClockOf(w)
	if clock.Dt == 0 {
		return
	}
	if s.fields.Look(clock.Time) {
		s.rows.Run(w)
	}
	s.fields.Update()
}

func (s *FlowFieldFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.agent, &s.settle)
	n.Write(&s.field, &s.target)
	n.InFrame("sense.FlowFields")
	n.Once()
}

// Paths of up to looksAlways cells are read in each step. Longer ones are read every looksIntoEvery steps,
// because the field is not in the processor's cache.
const (
	looksAlways    = 16
	looksIntoEvery = 4
)

func (s *FlowFieldFollowing) Run(b *frame.Batch) {
	pos, agent, field, target, settle := s.pos.Of(b), s.agent.Of(b), s.field.Of(b), s.target.Of(b), s.settle.Of(b)
	for i := range pos {
		p, f := pos[i].Vec, &field[i]
		if settle != nil && settle[i].Settled {
			target[i].Vec, f.Looked = settle[i].Place, false
			continue
		}
		if f.Looked && (b.Tick+b.ID(agent, i))%looksIntoEvery != 0 {
			if near := looksAlways * s.fields.Cell(f.Index); vec.Norm2(vec.Sub(target[i].Vec, p)) > near*near {
				continue
			}
		}
		f.Looked = true
		if way, toward := s.fields.Read(f.Index, p); way <= math.MaxFloat64 {
			target[i].Vec = vec.AddScaled(p, way, toward)
		}
	}
}

var flowFieldEntry = catalog.Of(catalog.Entry{
	Name: "flow-field", Text: "follow a field to the nearest of its goals",
	Source: `Reynolds 1999, "flow field following"; Sethian 1996`,
	Needs:  []any{c.Target{}},
	System: func(o catalog.Options) any { return &FlowFieldFollowing{Fields: catalog.Get[*sense.Fields](o)} }, Phase: catalog.Steer,
	Does:    catalog.SetsTarget | catalog.FindsWay | catalog.SeesObstacles,
	Laws:    catalog.Translation | catalog.Finite | catalog.NoAllocation,
	Special: true,
	Doing:   "following a field",
}, func(b *c.FlowField) []catalog.Param {
	return []catalog.Param{
		catalog.Count("index", &b.Index, "index of the field in the resource, from 0").Or(uint32(0)).Of("fields"),
	}
})

type crowdOfFields struct {
	fields *sense.Fields
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	radius frame.In[c.Radius]
	limits frame.In[c.Limits]
	target frame.In[c.Target]
}

func (s *crowdOfFields) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.radius, &s.limits)
	n.Optional(&s.target)
}

func (s *crowdOfFields) Run(b *frame.Batch) {
	pos, vel, radius, limits, target := s.pos.Of(b), s.vel.Of(b), s.radius.Of(b), s.limits.Of(b), s.target.Of(b)
	for i := range pos {
		p, v, most := pos[i].Vec, vel[i].Vec, limits[i].MaxSpeed
		if !(most <= math.MaxFloat64) {
			continue // its free speed is unknown
		}
		share := 0.
		if most > 0 {
			speed := 0.
			if target == nil {
				speed = vec.Norm(v)
			} else {
				speed = vec.Dot(v, vec.Unit(vec.Sub(target[i].Vec, p)))
			}
			share = speed / most
		}
		s.fields.Visit(p, radius[i].Meters, share)
	}
}

// inZone reports whether p is in the zone around a point, rim included. A radius of 0 means everywhere.
func inZone(p, center r2.Vec, radius float64) bool {
	return radius == 0 || vec.Norm2(vec.Sub(p, center)) <= radius*radius
}

// Zones is the resource that lists areas where agents with FreeSpeed walk slower or faster, such as
// stairs.
type Zones []Zone

// Zone is a box in which agents walk at a different speed. The factors of overlapping zones are multiplied.
type Zone struct {
	r2.Box          // m
	Speed   float64 // factor of the free speed
	Up      r2.Vec  // uphill direction, of any length; zero means level
	SpeedUp float64 // replaces Speed for agents that go up
	Smoke   float64 // 1/m, extinction coefficient; 0 means clear air
}

// FreeSpeed sets the MaxSpeed of each agent: zero until the agent starts, then its free speed times the
// factors of the zones that it is in. The direction to its Target, or else its velocity, determines whether
// the agent goes up. Smoke slows agents by the factor
//
//	max(0.1, 1 − 0.0807 m · Smoke)
//
// Put FreeSpeed before all systems that read Limits, and after Itinerary. It does not affect agents
// that have Drive or a Formation with a TopSpeed.
//
// Reads FreeSpeed, Position, Velocity, the clock, the resource Zones and, if present, Target.
// Writes Limits.
//
// Source of the factor for smoke: Frantzich, Nilsson, "Utrymning genom tät rök", 2003, as used in
// FDS+Evac.
type FreeSpeed struct {
	free   frame.In[c.FreeSpeed]
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	target frame.In[c.Target]
	limits frame.Out[c.Limits]
	zones  Zones
}

func (s *FreeSpeed) Needs(n *frame.Needs) {
	n.Read(&s.free, &s.pos, &s.vel)
	n.Write(&s.limits)
	n.Optional(&s.target)
	n.Once()
}

func (s *FreeSpeed) Sense(w *ecs.World) { s.zones = *frame.Resource[Zones](w) }

func (s *FreeSpeed) Run(b *frame.Batch) {
	free, pos, vel, target, limits := s.free.Of(b), s.pos.Of(b), s.vel.Of(b), s.target.Of(b), s.limits.Of(b)
	for i := range free {
		speed := 0.
		if b.Time+float64(b.Dt/2) > free[i].Start { // from the step that begins nearest to Start
			course := vel[i].Vec
			if target != nil {
				course = vec.Sub(target[i].Vec, pos[i].Vec)
			}
			speed = float64(free[i].Speed * s.zones.Factor(pos[i].Vec, course))
		}
		if limits[i].MaxSpeed != speed { // write only changes
			limits[i].MaxSpeed = speed
		}
	}
}

// Factor returns the product of the factors of the zones that contain p, edges included. The vector
// course is the direction of the agent, of any length.
func (z Zones) Factor(p, course r2.Vec) float64 {
	factor := 1.
	for i := range z {
		if p.X >= z[i].Min.X && p.X <= z[i].Max.X && p.Y >= z[i].Min.Y && p.Y <= z[i].Max.Y {
			factor *= z[i].factor(course)
		}
	}
	return factor
}

func (z *Zone) factor(course r2.Vec) float64 {
	const (
		perSmoke = 0.057 / 0.706 // m
		blind    = 0.1           // factor for people feeling their way
	)
	smoke := 1.
	if z.Smoke > 0 {
		smoke = max(blind, 1-float64(perSmoke*z.Smoke))
	}
	if vec.Dot(course, z.Up) > 0 {
		return z.SpeedUp * smoke
	}
	return z.Speed * smoke
}

// Check returns an error for the first invalid zone.
func (z Zones) Check() error {
	for i := range z {
		if key, fault := z[i].Fault(); fault != "" {
			return fmt.Errorf("zone %d: %s %s", i, key, fault)
		}
	}
	return nil
}

const mostSpeed = 100 // maximum factor of a zone

// Fault returns the key, in scene files, of the first invalid value of a zone, and what is wrong with that
// value, or empty strings if all values are valid.
func (z *Zone) Fault() (key, fault string) {
	size := vec.Sub(z.Max, z.Min)
	factor := func(x float64) bool { return x >= 0 && x <= mostSpeed }
	switch {
	case !(size.X > 0 && size.Y > 0 && vec.Finite(z.Min) && vec.Finite(z.Max)):
		return "box", fmt.Sprintf("is %v, want finite sides above 0", z.Box)
	case !factor(z.Speed):
		return "speed", fmt.Sprintf("is %v, want a factor from 0 to %d", z.Speed, mostSpeed)
	case !factor(z.SpeedUp):
		return "speed-up", fmt.Sprintf("is %v, want a factor from 0 to %d", z.SpeedUp, mostSpeed)
	case !vec.Finite(z.Up):
		return "up", fmt.Sprintf("is [%v, %v], want finite numbers", z.Up.X, z.Up.Y)
	case !(z.Smoke >= 0) || math.IsInf(z.Smoke, 1):
		return "smoke", fmt.Sprintf("is %v 1/m, want a finite number, 0 or more", z.Smoke)
	}
	return "", ""
}

var freeSpeedEntry = catalog.Of(catalog.Entry{
	Name: "free-speed", Text: "start at a given time, and walk as fast as zones allow",
	Source: "factor for smoke: Frantzich, Nilsson 2003",
	Needs:  []any{c.Limits{}},
	System: func(catalog.Options) any { return &FreeSpeed{} }, Phase: catalog.Steer,
	Does: catalog.LimitsSpeed, Laws: catalog.AllLaws, Special: true,
	Doing: "waiting to start", While: frame.While2(func(f *c.FreeSpeed, l *c.Limits) bool { return l.MaxSpeed == 0 && f.Speed > 0 }),
}, func(b *c.FreeSpeed) []catalog.Param {
	return []catalog.Param{
		catalog.Number("speed", &b.Speed, "m/s", "speed where no zone changes it"),
		catalog.Number("start", &b.Start, "s", "time until which the agent stands still").Or(0.),
	}
})
