package sense

import (
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// noting writes down what a block says of one agent.
type noting struct {
	herding
	id     uint64
	reach  float64
	others map[uint32][]uint64 // by how many at most
}

func newNoting(id uint64) *noting {
	s := &noting{id: id}
	s.answer = s.note
	return s
}

func (s *noting) note(b *Block) {
	for k := range b.Len() {
		if b.Agents().ID[b.Index(k)] != s.id {
			continue
		}
		s.reach, s.others = b.Reach(k), map[uint32][]uint64{}
		for most := range uint32(4) {
			for _, i := range b.Others(k, Look{FieldOfView: math.Pi, MaxNeighbors: most}) {
				s.others[most] = append(s.others[most], b.Agents().ID[i])
			}
		}
	}
}

// TestLooks verifies the reach that is reported of agents, and which others they consider.
func TestLooks(t *testing.T) {
	w := ecs.NewWorld()
	put := func(id uint64, x, y, reach float64) {
		e := w.NewEntity()
		testkit.Add(&w, e, c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x, Y: y}}, c.Velocity{Vec: r2.Vec{X: 1}}, c.Steering{})
		if reach > 0 {
			testkit.Add(&w, e, herd{reach})
		}
	}
	put(1, 0, 0, 3)
	put(2, 2, 0, 1)
	put(3, 1, 1, 0)
	put(4, -1, 0, 0.5)
	put(5, 0.5, -0.5, 0)
	far, near := newNoting(1), newNoting(1)
	near.look = func(h herd) Look { return Look{NeighborDist: h.Reach / 2} }
	n := &Neighbors{}
	f := frame.New(n, far, near)
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	for place := range uint32(n.Len()) {
		if got, want := n.Reach(place), [...]float64{3, 1, 0, 0.5, 0}[n.At(place).ID-1]; got != want {
			t.Errorf("reach of agent %d: got=%v, want=%v", n.At(place).ID, got, want)
		}
	}
	for _, test := range []struct {
		name  string
		s     *noting
		reach float64
		minds [4][]uint64
	}{
		{"far", far, 3, [4][]uint64{{2, 3, 5}, {5}, {3, 5}, {2, 3, 5}}},
		{"near", near, 1.5, [4][]uint64{{3, 5}, {5}, {3, 5}, {3, 5}}},
	} {
		if test.s.reach != test.reach {
			t.Errorf("%s: reach: got=%v, want=%v", test.name, test.s.reach, test.reach)
		}
		for most, want := range test.minds {
			got := test.s.others[uint32(most)]
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s: minds at most %d: got=%v, want=%v", test.name, most, got, want)
			}
		}
	}
}

// An agent just as far away as another looks is seen, also by one that looks less far than others.
func TestLooksAsFarAs(t *testing.T) {
	far, near := newNoting(1), newNoting(1)
	near.look = func(h herd) Look { return Look{NeighborDist: h.Reach / 2} }
	s := newStage(t, 1, &Neighbors{}, far, near)
	for id, x := range []float64{0, 1.5, 1.5000001, 3, 3.0000001} {
		s.Put(c.Agent{ID: uint64(id) + 1}, c.Position{Vec: r2.Vec{X: x}}, c.Velocity{}, c.Steering{}, herd{3})
	}
	s.Step()
	for most, want := range map[uint32][2][]uint64{0: {{2, 3, 4}, {2}}, 3: {{2, 3, 4}, {2}}} {
		got := [2][]uint64{far.others[most], near.others[most]}
		slices.Sort(got[0])
		if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
			t.Errorf("at most %d: up to 3 m and 1.5 m: got=%v, want=%v", most, got, want)
		}
	}
}
