package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestFormationSlots(t *testing.T) {
	at := func(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }
	for _, tc := range []struct {
		name  string
		shape formationShape
		want  []r2.Vec
	}{
		{"line of an even number with the leader", formationShape{spacing: 2}, []r2.Vec{at(0, 4), at(0, 2), at(0, -2), at(0, -4)}},
		{"line of an odd number with the leader", formationShape{spacing: 2}, []r2.Vec{at(0, 4), at(0, 2), at(0, -2)}},
		{"line behind the leader", formationShape{spacing: 2, distance: 3}, []r2.Vec{at(-3, 2), at(-3, 0), at(-3, -2)}},
		{"column", formationShape{spacing: 2, files: 1}, []r2.Vec{at(-2, 0), at(-4, 0), at(-6, 0)}},
		{"column at a distance", formationShape{spacing: 2, files: 1, distance: 1}, []r2.Vec{at(-1, 0), at(-3, 0)}},
		{"wedge", formationShape{spacing: 2, slant: 1}, []r2.Vec{at(-4, 4), at(-2, 2), at(-2, -2), at(-4, -4)}},
		{"wedge the other way round", formationShape{spacing: 1, slant: -1}, []r2.Vec{at(1, 1), at(1, -1)}},
		{"block whose last rank is not full", formationShape{spacing: 1, files: 3, distance: 1}, []r2.Vec{at(-1, 1), at(-1, 0), at(-1, -1), at(-2, 0.5), at(-2, -0.5)}},
		{"block with the leader in the first rank", formationShape{spacing: 1, files: 3}, []r2.Vec{at(0, 1), at(0, -1), at(-1, 1), at(-1, 0), at(-1, -1)}},
		{"more files than members", formationShape{spacing: 1, files: 9, distance: 1}, []r2.Vec{at(-1, 0.5), at(-1, -0.5)}},
		{"one", formationShape{spacing: 1, distance: 2}, []r2.Vec{at(-2, 0)}},
	} {
		for i, want := range tc.want {
			if got := tc.shape.slot(uint32(i+1), uint32(len(tc.want))); vec.Norm(vec.Sub(got, want)) > 1e-12 {
				t.Errorf("%s: place %d: got=%v, want=%v", tc.name, i+1, got, want)
			}
		}
	}
}

// Places are one spacing apart, except behind a leader toward which ranks bend.
func TestFormationSlotsApart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + rnd.Uint32N(40)
		shape := formationShape{spacing: 1, files: rnd.Uint32N(12), slant: 3 * (2*rnd.Float64() - 1), distance: float64(rnd.IntN(2))}
		places := []r2.Vec{{}}
		for k := range n {
			places = append(places, shape.slot(k+1, n))
		}
		for i, p := range places {
			for j, q := range places[:i] {
				if d := vec.Norm(vec.Sub(p, q)); d < 1-1e-9 && !(shape.distance > 0 && j == 0 && shape.slant < 0) {
					t.Fatalf("%+v of %d: places %d and %d are %v m apart, want at least 1", shape, n, i, j, d)
				}
			}
		}
	}
}

func squares(points, slots []r2.Vec, slot []int32) (sum float64) {
	for i, p := range points {
		sum += vec.Norm2(vec.Sub(p, slots[slot[i]]))
	}
	return sum
}

// least returns the minimum sum of squares, by the Hungarian method.
func least(points, slots []r2.Vec) float64 {
	n := len(points)
	cost := func(i, j int) float64 { return vec.Norm2(vec.Sub(points[i-1], slots[j-1])) }
	u, v, p, way := make([]float64, n+1), make([]float64, n+1), make([]int, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		p[0] = i
		j0, slack, used := 0, make([]float64, n+1), make([]bool, n+1)
		for j := range slack {
			slack[j] = math.Inf(1)
		}
		for p[j0] != 0 {
			used[j0] = true
			i0, delta, j1 := p[j0], math.Inf(1), 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if x := cost(i0, j) - u[i0] - v[j]; x < slack[j] {
					slack[j], way[j] = x, j0
				}
				if slack[j] < delta {
					delta, j1 = slack[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if used[j] {
					u[p[j]] += delta
					v[j] -= delta
				} else {
					slack[j] -= delta
				}
			}
			j0 = j1
		}
		for j0 != 0 {
			p[j0] = p[way[j0]]
			j0 = way[j0]
		}
	}
	return -v[0]
}

func TestFormationMatch(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var m matcher
	worst, sum, n := 0., 0., 0
	for range 20 {
		points := make([]r2.Vec, 1+rnd.IntN(250))
		slots := make([]r2.Vec, len(points))
		shape := formationShape{spacing: 1, files: rnd.Uint32N(12), slant: 0.8 * float64(rnd.IntN(2)), distance: 1}
		size := 20 * rnd.Float64()
		for i := range points {
			points[i] = r2.Vec{X: size * rnd.Float64(), Y: 20 * rnd.Float64()}
			slots[i] = shape.slot(uint32(i+1), uint32(len(points)))
		}
		slot := m.match(points, slots)
		taken := make([]bool, len(points))
		for _, k := range slot {
			if taken[k] {
				t.Fatalf("slot %d: got=taken twice, want=once", k)
			}
			taken[k] = true
		}
		// This excludes the part of the sum that does not depend on the assignment.
		var p, s r2.Vec
		for i := range points {
			p, s = vec.AddScaled(p, 1/float64(len(points)), points[i]), vec.AddScaled(s, 1/float64(len(points)), slots[i])
		}
		off := float64(len(points)) * vec.Norm2(vec.Sub(p, s))
		if best := least(points, slots) - off; best > 1e-9 {
			more := (squares(points, slots, slot)-off)/best - 1
			worst, sum, n = max(worst, more), sum+more, n+1
		}
	}
	t.Logf("excess over the minimum sum of squares: %.2f%% on average, %.2f%% at most", 100*sum/float64(n), 100*worst)
	if mean := sum / float64(n); mean > 0.02 || worst > 0.15 {
		t.Errorf("excess over the minimum sum: got=%.2f%% on average and %.2f%% at most, want at most 2%% and 15%%", 100*mean, 100*worst)
	}
}

func TestFormationMatchShifted(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var m matcher
	for _, n := range []int{1, 2, 7, 64, 1000} {
		shape := formationShape{spacing: 1.5, files: 8, slant: 0.3, distance: 2}
		points, slots := make([]r2.Vec, n), make([]r2.Vec, n)
		for i, k := range rnd.Perm(n) {
			slots[i] = shape.slot(uint32(i+1), uint32(n))
			points[k] = vec.Add(slots[i], r2.Vec{X: 300, Y: -50})
		}
		for i, k := range m.match(points, slots) {
			if way := vec.Sub(points[i], slots[k]); vec.Norm(vec.Sub(way, r2.Vec{X: 300, Y: -50})) > 1e-9 {
				t.Fatalf("%d points: offset of point %d: got=%v, want={300 -50}", n, i, way)
			}
		}
	}
}
