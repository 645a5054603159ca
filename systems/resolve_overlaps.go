package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// ResolveOverlaps moves apart solid bodies that overlapped at the start of the step. Each body moves by the
// fraction Push of its half of the overlap, averaged over at most the 16 nearest bodies that it overlaps,
// with the depths as weights. With p and r the body's position and radius, p₂ and r₂ those of another body,
// and d their distance:
//
//	o = r + r₂ - d > 0;  p += Push · Σ o·½·o·(p - p₂)^ / Σ o
//
// So two equal bodies separate without overshooting, in one step if Push is 1, and a heap spreads from its
// rim. No move exceeds half of the deepest overlap. Masses have no effect. Bodies with a Push of 0 neither
// move nor push, and bodies on layers that an agent does not see do not push that agent.
//
// Two bodies that walk into each other, each at speed v, eventually overlap by 2·v·dt/Push. Two bodies at
// the same position separate in opposite directions, drawn from their IDs. Velocities do not change.
//
// Put ResolveOverlaps after the systems that move agents, and before Slide. It needs Neighbors in its
// frame.
//
// Reads Solid, and what Neighbors reads. Writes Position.
//
// Source: DetourCrowd by Mononen, which moves bodies by the mean of their halves of the overlaps; OpenSteer
// calls it enforceNonPenetrationConstraint. The weights are ours.
type ResolveOverlaps struct {
	near  sense.Query[c.Solid, r2.Vec]
	solid frame.In[c.Solid]
	pos   frame.Out[c.Position]
}

// mostPushed limits the number of bodies that push an agent: n bodies at one position have n² overlaps.
const mostPushed = 16

func (s *ResolveOverlaps) Needs(n *frame.Needs) {
	n.Read(&s.solid)
	n.Write(&s.pos)
	frame.Without[c.Obstacle](n)
	s.near.AskTouching(n, func(p c.Solid) bool { return p.Push > 0 }, s.giveWay)
	n.Once()
}

func (s *ResolveOverlaps) giveWay(m *sense.Block) {
	var pushers pushers
	near, agents := m.Neighbors(), m.Agents()
	for k := range m.Len() {
		place := m.Index(k)
		push := s.near.Param(place).Push
		if !(push > 0) {
			continue
		}
		body := agents.At(place)
		pushers.n = 0
		meet := func(i uint32) {
			if overlap(agents, place, i) && s.near.Param(i).Push > 0 {
				pushers.add(agents, place, i)
			}
		}
		for _, i := range m.Near(k) {
			if agents.Radius[i] <= near.Bulk() {
				meet(i)
			}
		}
		near.Large(body.Position, body.Radius*(1+0x1p-40), func(i uint32) bool {
			if i != place && agents.Seen(i, body.Sees) {
				meet(i)
			}
			return true
		})
		*s.near.Answer(place) = vec.Scale(min(push, 1), pushers.mean(&body, agents))
	}
}

func overlap(agents *sense.Agents, a, b uint32) bool {
	touch := agents.Radius[a] + agents.Radius[b]
	return vec.Norm2(vec.Sub(agents.Position(a), agents.Position(b))) < float64(touch*touch)
}

type pushers struct {
	n     int
	found [mostPushed]sense.NeighborHit // nearest first; Distance is squared
}

// add adds the agent at index place if it is among the nearest to the agent at index body. Ties go to the
// lowest ID.
func (p *pushers) add(agents *sense.Agents, body, place uint32) {
	f := sense.NeighborHit{Index: place, Distance: vec.Norm2(vec.Sub(agents.Position(place), agents.Position(body)))}
	k := p.n
	for k > 0 && (f.Distance < p.found[k-1].Distance || f.Distance == p.found[k-1].Distance && agents.ID[place] < agents.ID[p.found[k-1].Index]) {
		k--
	}
	if k == mostPushed {
		return
	}
	p.n = min(p.n+1, mostPushed)
	copy(p.found[k+1:p.n], p.found[k:])
	p.found[k] = f
}

// mean returns the displacement of the given body for a Push of 1.
func (p *pushers) mean(body *sense.Neighbor, agents *sense.Agents) (sum r2.Vec) {
	if p.n == 0 {
		return sum
	}
	var from [mostPushed]r2.Vec
	var deep [mostPushed]float64
	all := 0.
	for i, f := range p.found[:p.n] {
		from[i] = vec.Sub(body.Position, agents.Position(f.Index))
		deep[i] = max(body.Radius+agents.Radius[f.Index]-vec.Norm(from[i]), 0)
		if all += deep[i]; from[i] == (r2.Vec{}) {
			from[i] = asunder(body.ID, agents.ID[f.Index])
		}
	}
	if !(all > 0) {
		return sum
	}
	for i := range p.found[:p.n] {
		sum = vec.AddScaled(sum, float64(deep[i]/all*deep[i]/2), vec.Unit(from[i]))
	}
	return sum
}

// asunder returns the direction in which an agent leaves another at the same position. The other agent gets
// the opposite direction.
func asunder(id, other uint64) r2.Vec {
	sin, cos := vec.SinCos(float64(2 * math.Pi * frame.HashFloat(min(id, other), max(id, other), 0, useAsunder)))
	if id < other {
		return r2.Vec{X: cos, Y: sin}
	}
	return r2.Vec{X: -cos, Y: -sin}
}

const useAsunder = 2 << 32

func (s *ResolveOverlaps) Run(b *frame.Batch) {
	solid, pos := s.solid.Of(b), s.pos.Of(b)
	if !s.near.Any() || !pushes(solid) {
		return
	}
	for i, way := range s.near.Of(b) {
		if way != (r2.Vec{}) {
			setFinite(b, &pos[i].Vec, vec.Add(pos[i].Vec, way))
		}
	}
}

func pushes(solid []c.Solid) bool {
	for i := range solid {
		if solid[i].Push > 0 {
			return true
		}
	}
	return false
}
