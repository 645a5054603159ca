package measure

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestHashCovers verifies that the hash depends on ID, position, velocity and heading, but not on obstacles
// or another component.
func TestHashCovers(t *testing.T) {
	hashOf := func(id uint64, p, v, h r2.Vec, more ...any) uint64 {
		hash := &Hash{}
		s := newStage(t, 0.1, hash)
		s.Put(append([]any{c.Agent{ID: id}, c.Position{Vec: p}, c.Velocity{Vec: v}, c.Heading{Vec: h}}, more...)...)
		s.Put(c.Position{Vec: r2.Vec{X: float64(len(more))}}, c.Obstacle{Radius: 1})
		s.Step()
		return hash.Sum()
	}
	p, v, h, d := r2.Vec{X: 1, Y: 2}, r2.Vec{X: 3, Y: 4}, r2.Vec{X: 0.6, Y: 0.8}, r2.Vec{X: 1e-15}
	want := hashOf(1, p, v, h)
	for name, got := range map[string]uint64{
		"id":        hashOf(2, p, v, h),
		"position":  hashOf(1, r2.Add(p, d), v, h),
		"velocity":  hashOf(1, p, r2.Add(v, d), h),
		"heading":   hashOf(1, p, v, r2.Add(h, d)),
		"exchanged": hashOf(1, v, p, h),
		"axes":      hashOf(1, r2.Vec{X: 2, Y: 1}, v, h),
	} {
		if got == want {
			t.Errorf("%s: got the same hash, %x, want another", name, got)
		}
	}
	testkit.Equal(t, hashOf(1, p, v, h, c.Mass{Kilograms: 3}), want, "another component or obstacle")
}

// TestHashOfEntity verifies that an agent without Agent is identified by its entity.
func TestHashOfEntity(t *testing.T) {
	sum := func(first, second float64) uint64 {
		hash := &Hash{}
		s := newStage(t, 1, hash)
		s.Put(c.Position{Vec: r2.Vec{X: first}})
		s.Put(c.Position{Vec: r2.Vec{X: second}})
		s.Step()
		return hash.Sum()
	}
	if sum(1, 2) == sum(2, 1) {
		t.Error("exchanged positions of two agents: got the same hash, want another")
	}
}

// TestHashOfReborn verifies that an agent without Agent and a later agent with a recycled entity ID
// have different hashes and different IDs as neighbors.
func TestHashOfReborn(t *testing.T) {
	hash, neighbors := &Hash{}, &sense.Neighbors{Always: true}
	s := newStage(t, 1, neighbors, hash)
	first := s.Put(c.Position{Vec: r2.Vec{X: 1}}, c.Velocity{})
	s.Step()
	sum, id := hash.Sum(), neighbors.At(0).ID
	s.RemoveEntity(first)
	second := s.Put(c.Position{Vec: r2.Vec{X: 1}}, c.Velocity{})
	s.Step()
	if first.ID() != second.ID() || first == second {
		t.Fatalf("entities %v and %v, want the same entity ID, or nothing is tested", first, second)
	}
	if hash.Sum() == sum {
		t.Error("the later agent: got the same hash, want another")
	}
	if neighbors.At(0).ID == id {
		t.Errorf("the later agent as a neighbor: got the same ID, %d, want another", id)
	}
}
