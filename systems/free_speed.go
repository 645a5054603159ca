package systems

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Zones is the resource that holds where agents walk slower than elsewhere, or faster:
// stairs, slopes, moving walkways, smoke.
type Zones []Zone

// Zone is a box in which agents walk at another speed. Where several overlap, all factors count.
type Zone struct {
	r2.Box          // m
	Speed   float64 // factor of the free speed
	Up      r2.Vec  // where it leads up, as stairs do, a direction of any length; zero: it is level
	SpeedUp float64 // factor in place of Speed for those who go up; not used where it is level
	Smoke   float64 // 1/m, extinction coefficient of smoke; 0: the air is clear
}

// FreeSpeed sets the greatest speed of each agent: zero until it starts, and then its free
// speed, times the factors of the zones in which it stands. Who goes up in a zone is told by
// the way to its Target, or without one by its velocity. Smoke slows down by
//
//	max(0.1, 1 − 0.0807 m · Smoke)
//
// Put it before all that goes by Limits, behind Itinerary, whose stops may change the free
// speed. An agent with a Formation that has a TopSpeed goes by that, and one with Drive by
// its own speed.
//
// Reads FreeSpeed, Position, Velocity, Target if there is one, the clock and the resource
// Zones. Writes Limits.
//
// Source of the factor for smoke: Frantzich, Nilsson, "Utrymning genom tät rök", 2003, as
// FDS+Evac has it.
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

// Sense looks up the zones.
func (s *FreeSpeed) Sense(w *ecs.World) { s.zones = *frame.Resource[Zones](w) }

func (s *FreeSpeed) Run(b *frame.Batch) {
	free, pos, vel, target, limits := s.free.Of(b), s.pos.Of(b), s.vel.Of(b), s.target.Of(b), s.limits.Of(b)
	for i := range free {
		speed := 0.
		if b.Time+float64(b.Dt/2) > free[i].Start { // the step that begins nearest to it
			course := vel[i].Vec
			if target != nil {
				course = vec.Sub(target[i].Vec, pos[i].Vec)
			}
			speed = float64(free[i].Speed * s.zones.Factor(pos[i].Vec, course))
		}
		if limits[i].MaxSpeed != speed { // do not write what stays
			limits[i].MaxSpeed = speed
		}
	}
}

// Factor returns by which factor an agent at p is slower, or faster, whose course is a
// direction of any length.
func (z Zones) Factor(p, course r2.Vec) float64 {
	factor := 1.
	for i := range z {
		if p.X >= z[i].Min.X && p.X <= z[i].Max.X && p.Y >= z[i].Min.Y && p.Y <= z[i].Max.Y {
			factor *= z[i].factor(course)
		}
	}
	return factor
}

// factor returns that of one zone.
func (z *Zone) factor(course r2.Vec) float64 {
	const (
		perSmoke = 0.057 / 0.706 // m
		blind    = 0.1           // at which people feel their way
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

// Check returns an error that names the first zone with a number that is not allowed.
func (z Zones) Check() error {
	for i := range z {
		if key, fault := z[i].Fault(); fault != "" {
			return fmt.Errorf("zone %d: %s %s", i, key, fault)
		}
	}
	return nil
}

// mostSpeed bounds the factors of zones.
const mostSpeed = 100

// Fault says which number of a zone is not allowed, by its key in a scene file, and what is
// wrong with it; nothing if all is well.
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
	Name: "free-speed", Text: "start at a time, and walk as fast as zones allow",
	Source: "factor of smoke: Frantzich, Nilsson 2003",
	Needs:  []any{c.Limits{}},
	System: func(catalog.Options) any { return &FreeSpeed{} }, Phase: catalog.Steer,
	Does: catalog.LimitsSpeed, Laws: catalog.AllLaws, Special: true,
	Doing: "waiting to start", While: frame.While2(func(f *c.FreeSpeed, l *c.Limits) bool { return l.MaxSpeed == 0 && f.Speed > 0 }),
}, func(b *c.FreeSpeed) []catalog.Param {
	return []catalog.Param{
		catalog.Number("speed", &b.Speed, "m/s", "where no zone changes it"),
		catalog.Number("start", &b.Start, "s", "the time until which the agent stays where it is").Or(0.),
	}
})
