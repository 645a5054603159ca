package view

import (
	"math"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// What an agent does, as the viewer colors it.
const (
	moving = iota
	seeking
	arriving
	following
	fleeing
	arrived
	avoiding
	wandering
	pursuing
	flocking
)

var behaviors = []string{"moving", "seeking", "arriving", "following a path", "fleeing", "arrived", "avoiding", "wandering", "pursuing", "flocking"}

// tap copies what there is to see of the agents into a snapshot. It is a system
// like any other, in a frame of its own that runs when somebody looks.
type tap struct {
	to         *snapshot
	archetypes archetypes

	agent   systems.In[c.Agent]
	pos     systems.In[c.Position]
	vel     systems.In[c.Velocity]
	heading systems.In[c.Heading]
	radius  systems.In[c.Radius]
	limits  systems.In[c.Limits]
	target  systems.In[c.Target]
	goal    systems.In[c.Goal]
	threat  systems.In[c.Threat]

	seek      systems.In[c.Seek]
	kinematic systems.In[c.KinematicSeek]
	flee      systems.In[c.Flee]
	arrival   systems.In[c.Arrival]
	opposing  systems.In[c.OpposingArrival]
	damped    systems.In[c.DampedArrival]
	smooth    systems.In[c.SmoothArrival]
	facing    systems.In[c.Facing]
	towards   systems.In[c.TurnTowards]
	away      systems.In[c.TurnAway]
	drive     systems.In[c.Drive]
	path      systems.In[c.Path]
	itinerary systems.In[c.Itinerary]
	scan      systems.In[c.ThreatScan]
	avoidance systems.In[c.Avoidance]

	quarry   systems.In[c.Quarry]
	pursuer  systems.In[c.Pursuer]
	pursuit  systems.In[c.Pursuit]
	offset   systems.In[c.OffsetPursuit]
	evasion  systems.In[c.Evasion]
	wander   systems.In[c.Wander]
	contain  systems.In[c.Containment]
	wallside systems.In[c.WallFollowing]
	solid    systems.In[c.Solid]

	separate  systems.In[c.Separation]
	align     systems.In[c.Alignment]
	cohere    systems.In[c.Cohesion]
	unaligned systems.In[c.UnalignedCollisionAvoidance]

	orca  systems.In[c.ORCA]
	touch systems.In[c.Contact]
	near  *systems.Neighbors // as of now; empty unless somebody wants to see who is near
	scale crowding

	seen systems.Scratch[seen]
}

func newTap(scale crowding) *tap {
	return &tap{near: &systems.Neighbors{Cell: scale.Radius}, scale: scale}
}

// seen is what a worker saw of all its agents.
type seen struct {
	agents              int
	maxSpeed, maxRadius float64
}

func (t *tap) Needs(n *systems.Needs) {
	n.Read(&t.agent, &t.pos)
	n.Optional(&t.vel, &t.heading, &t.radius, &t.limits, &t.target, &t.goal, &t.threat)
	n.Optional(&t.seek, &t.kinematic, &t.flee, &t.arrival, &t.opposing, &t.damped, &t.smooth, &t.facing,
		&t.towards, &t.away, &t.drive, &t.path, &t.itinerary, &t.scan, &t.avoidance)
	n.Optional(&t.quarry, &t.pursuer, &t.pursuit, &t.offset, &t.evasion, &t.wander, &t.contain, &t.wallside)
	n.Optional(&t.separate, &t.align, &t.cohere, &t.unaligned, &t.solid, &t.orca, &t.touch)
	n.Scratch(&t.seen)
}

func (t *tap) Run(b *systems.Batch) {
	agent, pos, vel, heading := t.agent.Of(b), t.pos.Of(b), t.vel.Of(b), t.heading.Of(b)
	radius, limits, target, threat := t.radius.Of(b), t.limits.Of(b), t.target.Of(b), t.threat.Of(b)
	scan, goal, flee, avoidance := t.scan.Of(b), t.goal.Of(b), t.flee.Of(b), t.avoidance.Of(b)
	quarry, pursuer, evasion := t.quarry.Of(b), t.pursuer.Of(b), t.evasion.Of(b)
	pursues := quarry != nil && (t.pursuit.Of(b) != nil || t.offset.Of(b) != nil)
	usual, archetype := t.usual(b), t.archetypes.of(t.has(b))
	seen, to, touch := t.seen.Of(b), t.to, t.touch.Of(b)
	crowded := t.near != nil && t.near.Len() > 0
	around := around{scale: t.scale}
	meet := around.meet
	for i := range pos {
		k := agent[i].ID - 1
		if k >= uint64(len(to.alive)) || !finite(pos[i].Vec) {
			continue
		}
		l := look{behavior: usual, archetype: archetype}
		ahead := r2.Vec{}
		if vel != nil {
			ahead = vel[i].Vec
			l.speed = float32(math.Sqrt(r2.Norm2(ahead)))
		}
		if heading != nil {
			ahead = heading[i].Vec
		}
		l.aheadX, l.aheadY = float32(ahead.X), float32(ahead.Y)
		if radius != nil {
			l.radius = float32(radius[i].Meters)
			seen.maxRadius = max(seen.maxRadius, radius[i].Meters)
		}
		if limits != nil && limits[i].MaxSpeed <= math.MaxFloat32 {
			seen.maxSpeed = max(seen.maxSpeed, limits[i].MaxSpeed)
		}
		if pursues && quarry[i].Seen {
			l.behavior = pursuing
		}
		if flee != nil && flees(pos[i].Vec, &flee[i]) {
			l.behavior = fleeing
		}
		if evasion != nil && pursuer != nil && pursuer[i].Seen && flees(pos[i].Vec, &c.Flee{From: pursuer[i].At, Radius: evasion[i].Radius}) {
			l.behavior = fleeing
		}
		if goal != nil && goal[i].Inside {
			l.behavior = arrived
		}
		threatened := threat != nil && !threat[i].Obstacle.IsZero()
		if threatened {
			l.threat = nearness(threat[i].Distance, scan, i)
			if avoidance != nil && avoidance[i].MaxForce != 0 {
				l.behavior = avoiding
			}
		}
		if crowded {
			around.id, around.at, around.body = agent[i].ID, pos[i].Vec, float64(l.radius)
			around.look(t.near, meet)
			l.density, l.contact = around.density(), around.contact()
			if touch != nil && touch[i].Touching != [4]ecs.Entity{} {
				l.contact = max(l.contact, 1)
			}
		}
		if to.target != nil {
			to.target[k] = nowhere
			if target != nil {
				to.target[k] = target[i].Vec
			}
		}
		if to.contact != nil {
			to.contact[k] = nowhere
			if threatened {
				to.contact[k] = threat[i].Contact
			}
		}
		to.alive[k], to.pos[k], to.look[k] = true, pos[i].Vec, l
		seen.agents++
	}
}

var nowhere = r2.Vec{X: math.NaN(), Y: math.NaN()}

func finite(p r2.Vec) bool { return p.X-p.X == 0 && p.Y-p.Y == 0 }

// flees tells whether an agent is in the zone of what it flees from.
func flees(p r2.Vec, f *c.Flee) bool {
	return f.Radius == 0 || r2.Norm2(r2.Sub(p, f.From)) <= f.Radius*f.Radius
}

// nearness returns 255 for a threat that is touched and 1 for one at the end of
// the look-ahead.
func nearness(distance float64, scan []c.ThreatScan, i int) uint8 {
	if i >= len(scan) || !(scan[i].LookAhead > 0) {
		return 255
	}
	return uint8(255 - 254*min(max(distance/scan[i].LookAhead, 0), 1))
}

// usual returns what the agents of a batch do by default.
func (t *tap) usual(b *systems.Batch) uint8 {
	switch {
	case t.path.Of(b) != nil || t.itinerary.Of(b) != nil:
		return following
	case t.arrival.Of(b) != nil || t.opposing.Of(b) != nil || t.damped.Of(b) != nil || t.smooth.Of(b) != nil:
		return arriving
	case t.seek.Of(b) != nil || t.kinematic.Of(b) != nil || t.towards.Of(b) != nil:
		return seeking
	case t.align.Of(b) != nil || t.cohere.Of(b) != nil:
		return flocking
	case t.wander.Of(b) != nil:
		return wandering
	}
	return moving
}

// behaviorNames are in the order of the bits of has.
var behaviorNames = []string{
	"Seek", "KinematicSeek", "Flee", "Arrival", "OpposingArrival", "DampedArrival", "SmoothArrival", "Facing",
	"TurnTowards", "TurnAway", "Drive", "Path", "Itinerary", "ThreatScan", "Avoidance",
	"Pursuit", "OffsetPursuit", "Evasion", "Wander", "Containment", "WallFollowing",
	"Separation", "Alignment", "Cohesion", "UnalignedCollisionAvoidance", "Solid", "ORCA",
}

// has returns which behaviors the agents of a batch have, a bit each.
func (t *tap) has(b *systems.Batch) (bits uint32) {
	for i, has := range [...]bool{
		t.seek.Of(b) != nil, t.kinematic.Of(b) != nil, t.flee.Of(b) != nil, t.arrival.Of(b) != nil,
		t.opposing.Of(b) != nil, t.damped.Of(b) != nil, t.smooth.Of(b) != nil, t.facing.Of(b) != nil,
		t.towards.Of(b) != nil, t.away.Of(b) != nil, t.drive.Of(b) != nil, t.path.Of(b) != nil,
		t.itinerary.Of(b) != nil, t.scan.Of(b) != nil, t.avoidance.Of(b) != nil,
		t.pursuit.Of(b) != nil, t.offset.Of(b) != nil, t.evasion.Of(b) != nil, t.wander.Of(b) != nil,
		t.contain.Of(b) != nil, t.wallside.Of(b) != nil,
		t.separate.Of(b) != nil, t.align.Of(b) != nil, t.cohere.Of(b) != nil, t.unaligned.Of(b) != nil, t.solid.Of(b) != nil,
		t.orca.Of(b) != nil,
	} {
		if has {
			bits |= 1 << i
		}
	}
	return bits
}

// sum returns what all workers saw, and forgets it.
func (t *tap) sum() (all seen) {
	t.seen.Each(func(s *seen) {
		all.agents += s.agents
		all.maxSpeed, all.maxRadius = max(all.maxSpeed, s.maxSpeed), max(all.maxRadius, s.maxRadius)
		*s = seen{}
	})
	return all
}

// archetypes numbers the sets of behaviors that agents have. The last number
// stands for all sets beyond it.
type archetypes struct {
	mu    sync.Mutex
	known []uint32
}

// of returns the number of a set.
func (a *archetypes) of(bits uint32) uint8 {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, known := range a.known {
		if known == bits {
			return uint8(i)
		}
	}
	if len(a.known) <= math.MaxUint8 {
		a.known = append(a.known, bits)
	}
	return uint8(len(a.known) - 1)
}

// names returns what the sets have, in the order of their numbers.
func (a *archetypes) names() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	names := []string{}
	for _, bits := range a.known {
		name := ""
		for i, behavior := range behaviorNames {
			if bits>>i&1 == 1 {
				if name != "" {
					name += ", "
				}
				name += behavior
			}
		}
		if name == "" {
			name = "no behavior"
		}
		names = append(names, name)
	}
	return names
}

// push notes the steering of every agent in the middle of a step, after the
// behaviors and before it is used up.
type push struct {
	to []r2.Vec // m/s², by id less 1

	agent systems.In[c.Agent]
	steer systems.In[c.Steering]
	limit systems.In[c.Limits]
	mass  systems.In[c.Mass]
}

func (p *push) Needs(n *systems.Needs) {
	n.Read(&p.agent, &p.steer)
	n.Optional(&p.limit, &p.mass)
}

func (p *push) Run(b *systems.Batch) {
	agent, steer, limits, mass := p.agent.Of(b), p.steer.Of(b), p.limit.Of(b), p.mass.Of(b)
	for i := range steer {
		k := agent[i].ID - 1
		if k >= uint64(len(p.to)) {
			continue
		}
		force := steer[i].Vec
		if n := math.Sqrt(r2.Norm2(force)); limits != nil && n > limits[i].MaxForce {
			force = r2.Scale(limits[i].MaxForce/n, force)
		}
		if mass != nil {
			force = r2.Scale(1/mass[i].Kilograms, force)
		}
		p.to[k] = force
	}
}
