package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

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
		free := s.Put(c.Target{Vec: xy(7, 0)}, c.Follow{})
		s.Step()
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, last, "%s: target before", test.name)
		test.do(s, leader)
		s.Step()
		if target, from := testkit.ComponentOf[c.Target](s, e).Vec, testkit.ComponentOf[c.Flee](s, e).From; target != last || from != last {
			t.Errorf("%s: got target %v and flee point %v, want both at %v", test.name, target, from, last)
		}
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, free).Vec, xy(7, 0), "%s: target of an agent that follows no entity", test.name)
	}
}

func TestClearTheWay(t *testing.T) {
	const maxSpeed, length, width = 4., 5., 2.
	north, v := r2.Vec{Y: 1}, r2.Vec{X: 0.5, Y: -1}
	for _, tc := range []struct {
		name string
		at   r2.Vec
		want r2.Vec // desired velocity, or zero for an agent that is not in the way
	}{
		{"ahead, to the right", r2.Vec{X: 0.5, Y: 2}, r2.Vec{X: 4}},
		{"ahead, to the left", r2.Vec{X: -0.5, Y: 2}, r2.Vec{X: -4}},
		{"dead ahead", r2.Vec{Y: 2}, r2.Vec{X: -4}},
		{"on the rim", r2.Vec{X: 1, Y: 5}, r2.Vec{X: 4}},
		{"too far ahead", r2.Vec{X: 0.5, Y: 5.1}, r2.Vec{}},
		{"beside the box", r2.Vec{X: 1.1, Y: 2}, r2.Vec{}},
		{"abeam", r2.Vec{X: 0.5}, r2.Vec{}},
		{"behind", r2.Vec{X: 0.5, Y: -1}, r2.Vec{}},
	} {
		for _, v := range []r2.Vec{v, tc.want} { // an agent that already moves as desired still counts as in the way
			e, inTheWay := clearTheWay(vec.Scale(-1, tc.at), north, v, maxSpeed, length, width)
			testkit.Equal(t, inTheWay, tc.want != (r2.Vec{}), "%s: in the way", tc.name)
			if inTheWay {
				testkit.Equal(t, vec.Add(e, v), tc.want, "%s", tc.name)
			}
		}
	}
	_, inTheWay := clearTheWay(r2.Vec{Y: 1}, r2.Vec{}, v, maxSpeed, length, width)
	testkit.Equal(t, inTheWay, false, "a leader at rest: in the way")
}

func TestBehind(t *testing.T) {
	for _, tc := range []struct{ to, course, want r2.Vec }{
		{r2.Vec{X: 3, Y: 4}, r2.Vec{Y: 1}, r2.Vec{X: 3, Y: 2}},
		{r2.Vec{Y: 5}, r2.Vec{}, r2.Vec{Y: 3}},  // at rest: on the way to the point
		{r2.Vec{Y: 1}, r2.Vec{}, r2.Vec{Y: -1}}, // too near: back
		{r2.Vec{}, r2.Vec{X: 1}, r2.Vec{X: -2}}, // at the same position
		{r2.Vec{}, r2.Vec{}, r2.Vec{}},          // no direction is known
	} {
		testkit.Equal(t, behind(tc.to, tc.course, 2), tc.want, "to %v, course %v", tc.to, tc.course)
	}
}

// The other agent slows down an agent at the origin that goes east at 2 m/s. Bodies have a radius of
// 0.25 m.
func TestTooFast(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   r2.Vec
		v    r2.Vec
		want float64
	}{
		{"stands ahead, a gap of 1 m", r2.Vec{X: 1.5}, r2.Vec{}, 1},
		{"touches", r2.Vec{X: 0.5}, r2.Vec{}, 2},
		{"overlaps", r2.Vec{X: 0.3}, r2.Vec{}, 2},
		{"goes on at 1 m/s", r2.Vec{X: 1}, r2.Vec{X: 1}, 0.5},
		{"far enough", r2.Vec{X: 4}, r2.Vec{}, 0},
		{"as fast", r2.Vec{X: 0.6}, r2.Vec{X: 2}, 0},
		{"comes toward", r2.Vec{X: 1}, r2.Vec{X: -1}, 0},
		{"behind", r2.Vec{X: -0.6}, r2.Vec{}, 0},
		{"abeam", r2.Vec{Y: 0.4}, r2.Vec{}, 0},
		{"beside the box", r2.Vec{X: 1, Y: 0.51}, r2.Vec{}, 0},
	} {
		agents := &sense.Agents{
			X: []float64{0, tc.at.X}, Y: []float64{0, tc.at.Y}, VX: []float64{2, tc.v.X}, VY: []float64{0, tc.v.Y},
			Radius: []float64{0.25, 0.25}, ID: []uint64{1, 2},
		}
		testkit.Near(t, tooFast(agents, 0, []uint32{1}, 1, 1), tc.want, 1e-12, "%s", tc.name)
		agents.VX[0] = 0
		testkit.Equal(t, tooFast(agents, 0, []uint32{1}, 1, 1), 0, "%s, at rest", tc.name)
	}
}
