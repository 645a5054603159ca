package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestFollowKeepsTheLastPoint verifies that targets and flee points follow the leader, and stay
// when the leader dies, loses its position, or has a position that is not finite.
func TestFollowKeepsTheLastPoint(t *testing.T) {
	last := r2.Vec{X: 3, Y: 4}
	for _, test := range []struct {
		name string
		do   func(s *stage, leader ecs.Entity)
	}{
		{"dies", func(s *stage, leader ecs.Entity) { s.RemoveEntity(leader) }},
		{"loses its position", func(s *stage, leader ecs.Entity) { s.Remove(leader, ecs.ComponentID[c.Position](s.World)) }},
		{"not a number", func(s *stage, leader ecs.Entity) { testkit.ComponentOf[c.Position](s, leader).X = math.NaN() }},
		{"infinite", func(s *stage, leader ecs.Entity) { testkit.ComponentOf[c.Position](s, leader).Y = math.Inf(-1) }},
	} {
		s := newStage(t, 0.1, &Follow{})
		leader := s.Put(c.Position{Vec: last})
		e := s.Put(c.Target{}, c.Follow{Entity: leader}, c.Flee{}, c.FleeFrom{Entity: leader})
		s.Step()
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, last, "%s: target before", test.name)
		test.do(s, leader)
		s.Step()
		if target, from := testkit.ComponentOf[c.Target](s, e).Vec, testkit.ComponentOf[c.Flee](s, e).From; target != last || from != last {
			t.Errorf("%s: got target %v and flee point %v, want both at %v", test.name, target, from, last)
		}
	}
}

// TestFollowNobody verifies that an agent that follows no entity keeps its target.
func TestFollowNobody(t *testing.T) {
	s := newStage(t, 0.1, &Follow{})
	e := s.Put(c.Target{Vec: r2.Vec{X: 7}}, c.Follow{})
	leader := s.Put(c.Position{Vec: r2.Vec{X: 3}})
	s.Put(c.Target{}, c.Follow{Entity: leader}, c.Flee{}, c.FleeFrom{Entity: leader})
	s.Step()
	s.Step()
	testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, r2.Vec{X: 7}, "target")
}
