package sense

import (
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
)

// noting records the reach and the neighbors of agent 1.
type noting struct {
	herding
	reach  float64
	others map[uint32][]uint64 // sorted IDs, by MaxNeighbors
}

// newNoting returns a rule in which agents search as far as a share of their reach.
func newNoting(share float64) *noting {
	s := &noting{}
	s.look, s.answer = func(h herd) Look { return Look{NeighborDist: h.Reach * share} }, s.note
	return s
}

func (s *noting) note(b *Block) {
	for k := range b.Len() {
		if b.Agents().ID[b.Index(k)] != 1 {
			continue
		}
		s.reach, s.others = b.Reach(k), map[uint32][]uint64{}
		for most := range uint32(4) {
			for _, i := range b.Others(k, Look{FieldOfView: math.Pi, MaxNeighbors: most}) {
				s.others[most] = append(s.others[most], b.Agents().ID[i])
			}
			slices.Sort(s.others[most])
		}
	}
}

func TestLooks(t *testing.T) {
	n, far, near := &Neighbors{}, newNoting(1), newNoting(0.5)
	st := newStage(t, 1, n, far, near)
	put := func(id uint64, x, y, reach float64) {
		e := st.Put(c.Agent{ID: id}, c.Position{Vec: xy(x, y)}, c.Velocity{Vec: xy(1, 0)}, c.Steering{})
		if reach > 0 {
			testkit.Add(st.World, e, herd{reach})
		}
	}
	put(1, 0, 0, 3)
	put(2, 2, 0, 1)
	put(3, 1, 1, 0)
	put(4, -1, 0, 0.5)
	put(5, 0.5, -0.5, 0)
	put(6, 1.5, 0, 0)
	put(7, 1.5000001, 0, 0)
	put(8, 3, 0, 0)
	put(9, 3.0000001, 0, 0)
	st.Step()
	for place := range uint32(n.Len()) {
		testkit.Equal(t, n.Reach(place), [9]float64{3, 1, 0, 0.5}[n.At(place).ID-1], "reach of agent %d", n.At(place).ID)
	}
	if looked, met := n.Met(); looked != 3 || met != 10 {
		t.Errorf("searches and neighbors: got=%v %v, want=3 10", looked, met)
	}
	for _, test := range []struct {
		name   string
		s      *noting
		reach  float64
		others [4][]uint64
	}{
		{"far", far, 3, [4][]uint64{{2, 3, 5, 6, 7, 8}, {5}, {3, 5}, {3, 5, 6}}},
		{"near", near, 1.5, [4][]uint64{{3, 5, 6}, {5}, {3, 5}, {3, 5, 6}}},
	} {
		testkit.Equal(t, test.s.reach, test.reach, "%s: reach", test.name)
		for most, want := range test.others {
			if got := test.s.others[uint32(most)]; !slices.Equal(got, want) {
				t.Errorf("%s: considers at most %d: got=%v, want=%v", test.name, most, got, want)
			}
		}
	}
}

// nearing compares the results of searches with selections from the list of all neighbors.
type nearing struct {
	herding
	t       *testing.T
	cell    float64
	shorter int // lists shorter than requested
}

func (s *nearing) compare(b *Block) {
	s.cell = b.neighbors.crowd.Cell()
	for k := range b.Len() {
		for _, most := range []int{0, 1, 3, 10} {
			searched := slices.Clone(b.Nearest(k, most))
			others := slices.Clone(b.Others(k, Look{MaxNeighbors: uint32(most)}))
			if b.near != nil && len(others) == most && most > 0 {
				s.t.Fatalf("agent %d with %d others: got a list of all agents within reach, want none", k, most)
			}
			b.narrow()
			if want := b.Nearest(k, most); !slices.Equal(searched, want) {
				s.t.Fatalf("agent %d, %d nearest: got=%v, want=%v", k, most, searched, want)
			}
			if want := b.Others(k, Look{MaxNeighbors: uint32(most)}); !slices.Equal(others, want) {
				s.t.Fatalf("agent %d, %d others: got=%v, want=%v", k, most, others, want)
			}
			if len(searched) < most {
				s.shorter++
			}
			b.near, b.gathered = nil, false
		}
	}
}

func TestNearestWithoutList(t *testing.T) {
	s := &nearing{t: t}
	s.look, s.answer = fewOf, s.compare
	st := newStage(t, 1, &Neighbors{}, s)
	for i := range uint64(900) {
		putHerd(st, xy(float64(i%30)/3, float64(i/30)/3), i, 6)
	}
	for i := range uint64(5) { // and some alone
		putHerd(st, xy(50+float64(i), 50), 1000+i, 6)
	}
	st.Step()
	if !(s.cell > 0.3 && s.cell < 2) {
		t.Errorf("cell width: got=%v m, want above 0.3 and below 2", s.cell)
	}
	if s.shorter == 0 {
		t.Error("agents with fewer neighbors than requested: got none, want some")
	}
}

func TestCellWidths(t *testing.T) {
	for _, test := range []struct {
		name               string
		all, nearest, body float64
		narrowest, widest  float64
	}{
		{"none", 0, 0, 0, 2, 2},
		{"a flock", 4, 0, 0, 4, 4},
		{"the nearest", 0, 8, 0, 0, 8},
		{"bodies", 0, 0, 0.5, 0.5, 4},
		{"bodies beside the nearest", 0, 8, 0.5, 0.5, 8},
		{"bodies beside a flock", 4, 0, 0.5, 4, 4},
		{"a flock and the nearest", 4, 8, 0, 4, 8},
		{"a flock that looks farther", 9, 8, 0.5, 9, 9},
	} {
		var r reaches
		r.all.add(test.all, 3)
		r.nearest.add(test.nearest, 3)
		r.bodies.add(test.body, 300)
		narrowest, widest := r.cells()
		if !within(narrowest, test.narrowest, 1e-4*test.widest) || !within(widest, test.widest, 1e-4*test.widest) {
			t.Errorf("%s: got=%v to %v, want=%v to %v", test.name, narrowest, widest, test.narrowest, test.widest)
		}
	}
}

func fewOf(h herd) Look { return Look{NeighborDist: h.Reach, MaxNeighbors: 10} }

func TestMetNearest(t *testing.T) {
	n := &Neighbors{}
	s := newStage(t, 1, n, &herding{answer: func(b *Block) {
		for k := range b.Len() {
			b.Nearest(k, 3)
			b.Nearest(k, 1)
		}
	}})
	for i := range uint64(6) { // five in a row, and one alone
		putHerd(s, xy(float64(i+i/5*100), 0), i, 1.5)
	}
	s.Step()
	if looked, met := n.Met(); looked != 6 || met != 1+2+2+2+1 {
		t.Errorf("searches and neighbors: got=%v %v, want=6 8", looked, met)
	}
}
