package systems

import (
	"cmp"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// formationPlaces assigns places to members. All its state between steps is in components.
type formationPlaces struct {
	counting formationCount
	counts   frame.Walk
	listing  formationList
	lists    frame.Walk
	giving   formationGift
	gifts    frame.Walk

	matcher       matcher
	points, slots []r2.Vec
}

func (s *formationPlaces) attach(f *frame.Frame, w *ecs.World) {
	s.listing.counting, s.giving.listing = &s.counting, &s.listing
	s.counts.Attach(f, w, &s.counting)
	s.lists.Attach(f, w, &s.listing)
	s.gifts.Attach(f, w, &s.giving)
}

func (s *formationPlaces) detach(w *ecs.World) {
	s.counts.Detach(w)
	s.lists.Detach(w)
	s.gifts.Detach(w)
}

func (s *formationPlaces) give(w *ecs.World) {
	s.counting.reset()
	s.counts.Run(w)
	if !s.counting.anyStale() {
		return
	}
	s.listing.members = s.listing.members[:0]
	s.lists.Run(w)
	members := s.listing.members
	slices.SortFunc(members, func(a, b formationMember) int {
		return cmp.Or(cmp.Compare(a.formation, b.formation), cmp.Compare(a.id, b.id), cmp.Compare(a.row, b.row))
	})
	for first := 0; first < len(members); {
		end := first + 1
		for end < len(members) && members[end].formation == members[first].formation {
			end++
		}
		s.assign(members[first:end], &s.counting.tallies[members[first].formation])
		first = end
	}
	slices.SortFunc(members, func(a, b formationMember) int { return cmp.Compare(a.row, b.row) })
	s.giving.next = 0
	s.gifts.Run(w)
}

// assign numbers the members, and sets t.course. Members must be sorted by ID.
func (s *formationPlaces) assign(members []formationMember, t *formationTally) {
	t.course = courseOf(members)
	s.points, s.slots = column.Resize(s.points, len(members)), column.Resize(s.slots, len(members))
	for i := range members {
		at := members[i].at
		s.points[i] = r2.Vec{X: vec.Dot(at, t.course), Y: vec.Cross(t.course, at)}
		s.slots[i] = t.shape.slot(uint32(i+1), t.members)
	}
	for i, k := range s.matcher.match(s.points, s.slots) {
		members[i].number = uint32(k + 1)
	}
}

func courseOf(members []formationMember) r2.Vec {
	var course, from r2.Vec
	for i := range members {
		if course == (r2.Vec{}) {
			course = members[i].course
		}
		from = vec.AddScaled(from, -1/float64(len(members)), members[i].at)
	}
	facing := members[0].facing
	switch {
	case facing != (r2.Vec{}) && (course == (r2.Vec{}) || members[0].wheels && vec.Dot(course, facing) < 0):
		return facing
	case course != (r2.Vec{}):
		return course
	case from != (r2.Vec{}):
		return vec.Unit(from)
	}
	return eastward.Vec
}

type formationTally struct {
	leader       ecs.Entity
	shape        formationShape
	other        int32  // previous formation of the same leader, from 1 up; 0 means none
	members, of  uint32 // number of members, and their Formation.Of
	sum, squares uint64 // sums of the members' numbers and of their squares
	stale        bool   // places must be assigned again
	course       r2.Vec // unit vector
}

type formationCount struct {
	tallies []formationTally
	led     []int32 // last formation of each leader, from 1 up, by entity ID; 0 means none
	last    int32   // formation of the last row

	form frame.In[membership]
}

func (s *formationCount) Needs(n *frame.Needs) { n.Read(&s.form) }

func (s *formationCount) reset() {
	for i := range s.tallies {
		s.led[s.tallies[i].leader.ID()] = 0
	}
	s.tallies = s.tallies[:0]
}

func (s *formationCount) Run(b *frame.Batch) {
	form := s.form.Of(b)
	for i := range form {
		f := &form[i]
		if !takesPlace(f) {
			continue
		}
		t, n := &s.tallies[s.find(f)], uint64(f.Number)
		if t.members == 0 {
			t.of = f.Of
		}
		t.members++
		t.sum, t.squares = t.sum+n, t.squares+n*n
		t.stale = t.stale || f.Of != t.of || f.Course == (r2.Vec{}) || turnsAbout(f, f.Course)
	}
}

// find returns the index of a member's formation, which it adds if needed.
func (s *formationCount) find(f *membership) int32 {
	shape, leader := shapeOf(f), f.Leader.Entity
	if s.last < int32(len(s.tallies)) && s.tallies[s.last].leader == leader && s.tallies[s.last].shape == shape {
		return s.last
	}
	for int(leader.ID()) >= len(s.led) {
		s.led = append(s.led, 0)
	}
	for k := s.led[leader.ID()]; k > 0; k = s.tallies[k-1].other {
		if s.tallies[k-1].shape == shape {
			s.last = k - 1
			return s.last
		}
	}
	s.last = int32(len(s.tallies))
	s.tallies = append(s.tallies, formationTally{leader: leader, shape: shape, other: s.led[leader.ID()]})
	s.led[leader.ID()] = s.last + 1
	return s.last
}

// anyStale marks formations as stale if the sums show that members do not have the numbers from 1 up, and
// reports whether any is stale.
func (s *formationCount) anyStale() (any bool) {
	for i := range s.tallies {
		t := &s.tallies[i]
		n := uint64(t.members)
		t.stale = t.stale || t.of != t.members || t.sum != n*(n+1)/2 || t.squares != n*(n+1)*(2*n+1)/6
		any = any || t.stale
	}
	return any
}

type formationMember struct {
	id             uint64
	formation      int32
	row            int32 // position in the order of rows
	number         uint32
	wheels         bool   // the formation turns with its leader
	at             r2.Vec // m, relative to the leader
	course, facing r2.Vec
}

// formationList lists the members of stale formations.
type formationList struct {
	counting *formationCount
	members  []formationMember

	pos   frame.In[c.Position]
	agent frame.In[c.Agent]
	form  frame.In[membership]
}

func (s *formationList) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.form)
	n.Optional(&s.agent)
}

func (s *formationList) Run(b *frame.Batch) {
	pos, form, agent := s.pos.Of(b), s.form.Of(b), s.agent.Of(b)
	for i := range form {
		if f := &form[i]; takesPlace(f) {
			if k := s.counting.find(f); s.counting.tallies[k].stale {
				at := vec.Sub(pos[i].Vec, f.Leader.At)
				if !vec.Finite(at) {
					at = r2.Vec{}
				}
				s.members = append(s.members, formationMember{
					id: b.ID(agent, i), formation: k, row: int32(len(s.members)),
					wheels: f.TurnRate > 0, at: at, course: f.Course, facing: f.Facing,
				})
			}
		}
	}
}

// formationGift writes the places of the members in formationList, in the same order of rows.
type formationGift struct {
	listing *formationList
	next    int

	pos  frame.In[c.Position]
	form frame.Out[membership]
}

func (s *formationGift) Needs(n *frame.Needs) { n.Read(&s.pos); n.Write(&s.form) }

func (s *formationGift) Run(b *frame.Batch) {
	form := s.form.Of(b)
	for i := range form {
		if f := &form[i]; takesPlace(f) {
			if t := &s.listing.counting.tallies[s.listing.counting.find(f)]; t.stale {
				f.Number, f.Of, f.Course = s.listing.members[s.next].number, t.members, t.course
				s.next++
			}
		}
	}
}

const (
	swapRounds = 8  // maximum number of rounds of exchanges
	swapReach  = 64 // maximum distance, in the order of halving, between points that exchange slots
)

// matcher assigns slots to points, one to each, so that the sum of squared distances is nearly minimal.
// The result depends only on the differences between points and between slots.
//
// It halves slots and points along the longer side of the slots' bounding box until one of each is left,
// and then exchanges the slots of nearby pairs if that reduces the sum.
type matcher struct {
	points, slots []r2.Vec
	point, slot   []int32 // indexes in the order of matching
}

// match returns the index of each point's slot, valid until the next call.
func (m *matcher) match(points, slots []r2.Vec) []int32 {
	m.points, m.slots = points, slots
	m.point, m.slot = column.Resize(m.point, len(points)), column.Resize(m.slot, len(points))
	for i := range m.point {
		m.point[i], m.slot[i] = int32(i), int32(i)
	}
	m.halve(m.point, m.slot)
	for round := 0; round < swapRounds && m.swap(); {
		round++
	}
	for i, p := range m.point { // sort slots by the index of their point
		for m.point[i] != int32(i) {
			m.point[i], m.point[p] = m.point[p], m.point[i]
			m.slot[i], m.slot[p] = m.slot[p], m.slot[i]
			p = m.point[i]
		}
	}
	return m.slot
}

func (m *matcher) halve(points, slots []int32) {
	if len(points) < 2 {
		return
	}
	low, high := m.slots[slots[0]], m.slots[slots[0]]
	for _, k := range slots {
		p := m.slots[k]
		low, high = r2.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, r2.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
	}
	order := along
	if high.Y-low.Y > high.X-low.X {
		order = across
	}
	slices.SortFunc(points, func(a, b int32) int { return order(m.points, a, b) })
	slices.SortFunc(slots, func(a, b int32) int { return order(m.slots, a, b) })
	half := len(points) / 2
	m.halve(points[:half], slots[:half])
	m.halve(points[half:], slots[half:])
}

func along(of []r2.Vec, a, b int32) int {
	return cmp.Or(cmp.Compare(of[a].X, of[b].X), cmp.Compare(of[a].Y, of[b].Y), cmp.Compare(a, b))
}

func across(of []r2.Vec, a, b int32) int {
	return cmp.Or(cmp.Compare(of[a].Y, of[b].Y), cmp.Compare(of[a].X, of[b].X), cmp.Compare(a, b))
}

// swap exchanges slots where that reduces the sum, and reports whether it did.
func (m *matcher) swap() (better bool) {
	for i := range m.slot {
		p, s := m.points[m.point[i]], m.slots[m.slot[i]]
		for j := i + 1; j < min(i+1+swapReach, len(m.slot)); j++ {
			if t := m.slots[m.slot[j]]; vec.Dot(vec.Sub(p, m.points[m.point[j]]), vec.Sub(s, t)) < 0 {
				m.slot[i], m.slot[j] = m.slot[j], m.slot[i]
				s, better = t, true
			}
		}
	}
	return better
}
