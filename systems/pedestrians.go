package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// pedestrians is what models of pedestrians have in common; P is the component of one. When
// all that decides where agents want to go has run, each of them chooses a velocity by what it
// sees as of the start of the step, and then all take theirs. An agent that Neighbors leaves
// out, or whose numbers are not finite, keeps its velocity.
type pedestrians[P comparable] struct {
	rule      func(*surroundings, *P)
	dist      func(P) float64
	obstacles *sense.Obstacles
	near      sense.Query[P, plan]
	intents   intents[P]
	others    directions[P, plan]
	around    []*surroundings // of each worker

	par frame.In[P]
	vel frame.Out[c.Velocity]
}

// declare is Needs. Dist says how far an agent looks, in m, and rule sets what it chooses.
func (s *pedestrians[P]) declare(n *frame.Needs, dist func(P) float64, rule func(*surroundings, *P)) {
	s.rule, s.dist = rule, dist
	n.Read(&s.par)
	n.Write(&s.vel)
	s.near.AskLater(n, func(p P) sense.Look {
		if far := dist(p); far > 0 {
			return sense.Look{NeighborDist: far}
		}
		return sense.Look{NeighborDist: onlyWalls}
	}, s.choose)
	n.Once()
}

// seeDirections makes surroundings know where others with the model want to go, or which way
// they face.
func (s *pedestrians[P]) seeDirections(headings bool) {
	s.others.agents, s.others.headings = &s.near, headings
	s.near.Also(s.others.clear, &s.others)
}

// attach finds the obstacles, those given or those of the frame.
func (s *pedestrians[P]) attach(f *frame.Frame, system any, given *sense.Obstacles) {
	s.obstacles = sense.ObstaclesOf(f, system, given)
}

// Detach forgets the obstacles.
func (s *pedestrians[P]) Detach(*ecs.World) { s.obstacles = nil }

// intents takes down what agents want.
type intents[P comparable] struct {
	of      *pedestrians[P]
	par     frame.In[P]
	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	limits  frame.In[c.Limits]
	mass    frame.In[c.Mass]
	heading frame.In[c.Heading]
}

func (s *intents[P]) Needs(n *frame.Needs) {
	n.Read(&s.par, &s.pos, &s.target, &s.limits)
	n.Optional(&s.mass, &s.heading)
}

func (s *intents[P]) Run(b *frame.Batch) {
	near := &s.of.near
	if !near.Any() {
		return
	}
	pos, target, limits, mass, heading := s.pos.Of(b), s.target.Of(b), s.limits.Of(b), s.mass.Of(b), s.heading.Of(b)
	var indexes [atOnce]uint32
	for lo := 0; lo < len(pos); lo += atOnce {
		hi := min(lo+atOnce, len(pos))
		near.Indexes(b, lo, indexes[:hi-lo])
		near.Fetch(indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			index := indexes[i-lo]
			if int(index) >= near.Len() {
				continue
			}
			to := vec.Sub(target[i].Vec, pos[i].Vec)
			p := plan{toward: vec.Unit(to), maxSpeed: limits[i].MaxSpeed, mass: 1}
			if p.speed = p.maxSpeed; b.Dt > 0 { // within a step of its target it goes as far as that
				p.speed = min(p.speed, vec.Norm(to)/b.Dt)
			}
			if len(mass) > 0 {
				p.mass = mass[i].Kilograms
			}
			if len(heading) > 0 {
				p.heading = heading[i].Vec
			}
			if vec.Finite(p.toward) && p.speed >= 0 && p.speed <= math.MaxFloat64 && p.mass > 0 {
				*near.Answer(index) = p
			}
		}
	}
}

// Collect returns what goes before all others are known.
func (s *pedestrians[P]) Collect() frame.System {
	s.intents.of = s
	return &s.intents
}

// Pending reports whether there is anybody to choose.
func (s *pedestrians[P]) Pending() bool { return s.near.Any() }

// Resolve lets all agents choose.
func (s *pedestrians[P]) Resolve() {
	for len(s.around) < s.near.Workers() {
		s.around = append(s.around, &surroundings{})
	}
	far := 0.
	for i := range s.around {
		far = max(far, s.around[i].far)
	}
	s.obstacles.PrepareWalls(far)
	if s.others.agents != nil {
		s.near.EachImage(func(image, of uint32) { s.others.of[image] = s.others.of[of] })
	}
	s.near.Resolve()
}

// choose lets a block of agents choose.
func (s *pedestrians[P]) choose(b *sense.Block) {
	a := s.around[b.Worker]
	a.clock, a.agents, a.directions = b.Clock, b.Agents(), s.others.of
	for k := range b.Len() {
		index := b.Index(k)
		p := s.near.Answer(index)
		if !(p.mass > 0) || !(b.Reach(k) > 0) {
			continue
		}
		par := s.near.Param(index)
		a.look(b, k, p, s.obstacles, s.dist(*par) > 0)
		s.rule(a, par)
	}
}

func (s *pedestrians[P]) Run(b *frame.Batch) { s.take(b, nil) }

// take sets the velocities of rows to those that they have chosen, and the headings, if there
// are any.
func (s *pedestrians[P]) take(b *frame.Batch, heading []c.Heading) {
	if !s.near.Any() {
		return
	}
	vel := s.vel.Of(b)
	var indexes [atOnce]uint32
	for lo := 0; lo < len(vel); lo += atOnce {
		hi := min(lo+atOnce, len(vel))
		s.near.Indexes(b, lo, indexes[:hi-lo])
		s.near.Fetch(indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			if index := indexes[i-lo]; int(index) < s.near.Len() {
				if p := s.near.Answer(index); p.mass > 0 {
					setFinite(b, &vel[i].Vec, p.velocity)
					if heading != nil {
						setFinite(b, &heading[i].Vec, p.turned)
					}
				}
			}
		}
	}
}
