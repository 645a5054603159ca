package sense

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// sight is the offset of a neighbor and the range of that neighbor's search.
type sight struct {
	offset r2.Vec
	reach  float64
}

// In a periodic world, each agent must see every other agent within reach once, at the nearest position.
func TestAcrossEdges(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		box := r2.Box{Min: xy(rnd.Float64()*20-10, rnd.Float64()*20-10)}
		size := xy(6+rnd.Float64()*20, 6+rnd.Float64()*20)
		box.Max = vec.Add(box.Min, size)
		half := min(size.X, size.Y) / 2

		searches, got := map[uint64]int{}, map[[2]uint64]sight{} // by ID, and by the IDs of both
		s := &herding{}
		s.answer = func(b *Block) {
			for k := range b.Len() {
				if !(b.Reach(k) > 0) {
					continue
				}
				self := b.Neighbors().At(b.Index(k))
				searches[self.ID]++
				for _, i := range b.Near(k) {
					o := b.Neighbors().At(i)
					if _, twice := got[[2]uint64{self.ID, o.ID}]; twice {
						t.Errorf("seed %d: agent %d sees agent %d: got=twice, want=once", seed, self.ID, o.ID)
					}
					got[[2]uint64{self.ID, o.ID}] = sight{vec.Sub(o.Position, self.Position), s.near.Param(i).Reach}
				}
			}
		}
		neighbors := &Neighbors{Wrap: box}
		st := newStage(t, 1, neighbors, s)
		idOf := func(i int) uint64 { return uint64(i*7919%1009) + 1 }
		n := 2 + rnd.IntN(60)
		pos, reach := make([]r2.Vec, n), make([]float64, n)
		far := []float64{1, 3, 40}[seed%3]
		for i := range pos {
			pos[i] = vec.Add(box.Min, xy(rnd.Float64()*size.X, rnd.Float64()*size.Y))
			switch rnd.IntN(10) {
			case 0:
				pos[i].X = box.Min.X
			case 1:
				pos[i] = box.Min
			case 2:
				pos[i].Y = math.Nextafter(box.Max.Y, box.Min.Y)
			}
			reach[i] = far * (0.5 + rnd.Float64())
			components := []any{c.Agent{ID: idOf(i)}, c.Position{Vec: pos[i]}, c.Velocity{}, c.Steering{}, herd{reach[i]}}
			if rnd.IntN(3) == 0 {
				components = append(components, c.Radius{Meters: rnd.Float64()}, c.Layers{On: 1, Sees: 1})
			}
			st.Put(components...)
		}
		st.Step()
		for i := range pos {
			testkit.Equal(t, searches[idOf(i)], 1, "seed %d: searches of agent %d", seed, i)
			for j := range pos {
				to := vec.Sub(pos[j], pos[i])
				to.X -= size.X * math.Round(to.X/size.X)
				to.Y -= size.Y * math.Round(to.Y/size.Y)
				d := vec.Norm(to)
				limit := min(reach[i], half)
				if math.Abs(d-limit) < 1e-9 {
					continue
				}
				other, ok := got[[2]uint64{idOf(i), idOf(j)}]
				if want := i != j && d < limit; ok != want {
					t.Fatalf("seed %d: agent at %v sees an agent at %v, %v m away, in %v with reach %v: got=%v, want=%v", seed, pos[i], pos[j], d, box, limit, ok, want)
				}
				if ok && (math.Abs(vec.Norm(other.offset)-d) > 1e-9 || other.reach != reach[j]) {
					t.Fatalf("seed %d: offset and reach of a neighbor: got=%v, want=%v, %v", seed, other, to, reach[j])
				}
			}
		}
		if e, _ := neighbors.Index(neighbors.At(0).Entity); int(e) >= neighbors.Len() {
			t.Errorf("index of an agent: got=%d, want below %d", e, neighbors.Len())
		}
	}
}
