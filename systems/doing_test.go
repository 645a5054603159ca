package systems_test

import (
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// asking is a system that evaluates a condition.
type asking struct {
	is  frame.Condition
	pos frame.In[c.Position]
	yes []r2.Vec
}

func (s *asking) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	s.is.Needs(n)
}

func (s *asking) Run(b *frame.Batch) {
	pos := s.pos.Of(b)
	marks := make([]uint8, b.Len())
	s.is.Mark(b, marks, 7)
	for i, mark := range marks {
		if mark == 7 {
			s.yes = append(s.yes, pos[i].Vec)
		}
	}
}

func TestDoing(t *testing.T) {
	other := ecs.NewWorld()
	wall := other.NewEntity()
	for _, tc := range []struct {
		behavior string
		agents   [][]any // each at the Position with its index
		want     []float64
	}{
		{"flee", [][]any{{c.Flee{Radius: 1}}, {c.Flee{Radius: 1}}, {c.Flee{}}, {}}, []float64{0, 1, 2}},
		{"flee", [][]any{{}, {}, {c.Flee{Radius: 1}}}, nil},
		{"evasion", [][]any{
			{c.Evasion{Radius: 2}, c.Pursuer{Seen: true}}, {c.Evasion{Radius: 2}, c.Pursuer{}}, {},
			{c.Evasion{Radius: 2}, c.Pursuer{Seen: true, At: r2.Vec{X: 9}}},
		}, []float64{0}},
		{"pursuit", [][]any{{c.Pursuit{}, c.Quarry{Seen: true}}, {c.Pursuit{}, c.Quarry{}}, {c.Quarry{Seen: true}}}, []float64{0}},
		{"offset-pursuit", [][]any{{c.Pursuit{}, c.Quarry{Seen: true}}, {c.OffsetPursuit{}, c.Quarry{Seen: true}}}, []float64{1}},
		{"avoidance", [][]any{
			{c.Avoidance{MaxForce: 1}, c.Threat{Obstacle: wall}}, {c.Avoidance{}, c.Threat{Obstacle: wall}}, {c.Avoidance{MaxForce: 1}, c.Threat{}},
		}, []float64{0}},
		{"free-speed", [][]any{{c.FreeSpeed{Speed: 1}, c.Limits{}}, {c.FreeSpeed{Speed: 1}, c.Limits{MaxSpeed: 1}}, {c.FreeSpeed{}, c.Limits{}}, {c.Limits{}}}, []float64{0}},
		{"goal", [][]any{{c.Goal{}}, {c.Goal{Inside: true}}}, []float64{1}},
	} {
		w := ecs.NewWorld()
		for i, agent := range tc.agents {
			e := w.NewEntity()
			systems.Add(&w, e, c.Position{Vec: r2.Vec{X: float64(i)}})
			for _, value := range agent {
				systems.Add(&w, e, value)
			}
		}
		s := &asking{}
		for _, b := range systems.Catalog() {
			if b.Name == tc.behavior {
				s.is = b.While().(frame.Condition)
			}
		}
		frame := frame.New(s)
		frame.Workers = 1
		frame.Initialize(&w)
		frame.Update(&w)
		frame.Finalize(&w)
		var got []float64
		for _, p := range s.yes {
			got = append(got, p.X)
		}
		if slices.Sort(got); !slices.Equal(got, tc.want) {
			t.Errorf("%s: agents: got=%v, want=%v", tc.behavior, got, tc.want)
		}
	}
}
