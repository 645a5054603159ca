package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// sumsOf returns the sums from a loop over all agents, the sums of the magnitudes of the terms, and the
// number of very near agents.
func sumsOf(x *Crowd, place uint32, radius, near float64) (f, size Sums, veryNear int) {
	a, p := x.Agents(), x.agents.Position(place)
	least := max(squared(near), vec.MinNorm2)
	add := func(sum, size *r2.Vec, v r2.Vec) {
		*sum, *size = vec.Add(*sum, v), r2.Vec{X: size.X + math.Abs(v.X), Y: size.Y + math.Abs(v.Y)}
	}
	for i := range uint32(x.Len()) {
		to := vec.Sub(p, a.Position(i))
		d2 := vec.Norm2(to)
		if i == place || !(d2 <= squared(radius)) {
			continue
		}
		f.N++
		add(&f.Away, &size.Away, to)
		add(&f.Velocity, &size.Velocity, a.Velocity(i))
		switch {
		case d2 > least:
			add(&f.Repel, &size.Repel, vec.Scale(1/d2, to))
		default:
			veryNear++
			way := a.Asunder(place, i)
			if to != (r2.Vec{}) {
				way = vec.Unit(to)
			}
			add(&f.Repel, &size.Repel, vec.Scale(PerMeter(near), way))
			size.Repel = vec.Add(size.Repel, r2.Vec{X: PerMeter(near), Y: PerMeter(near)}) // agents at the same position
		}
	}
	if f.N > 0 {
		f.Velocity = vec.Scale(1/float64(f.N), f.Velocity)
	}
	return f, size, veryNear
}

func TestSumIsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 6))
	asked, veryNear := 0, 0
	layouts := append(crowdLayouts[:len(crowdLayouts):len(crowdLayouts)], struct {
		name  string
		place func(*rand.Rand, int) r2.Vec
	}{"heaps", func(r *rand.Rand, _ int) r2.Vec {
		return r2.Vec{X: 3*float64(r.IntN(4)) + 1e-3*float64(r.IntN(3)), Y: float64(r.IntN(2)) * 1e-170}
	}})
	for _, l := range layouts {
		for _, n := range []int{1, 2, 9, 120, 500} {
			people := peopleIn(l.place, r, n)
			rows := rowsOf(people, n)
			for i := range rows {
				rows[i].Layers = nil
			}
			var x Crowd
			var g Gatherer
			x.Build(rows, 4*(1+2*margin))
			for place := range uint32(x.Len()) {
				radius := []float64{4, 4, 4, 2, 1e-200, 0}[r.IntN(6)]
				near := radius * []float64{0x1p-10, 0x1p-10, 0.5, 1}[r.IntN(4)]
				var some [3]Sums
				if !x.Sums(&g, place, radius, near, some[:min(len(some), x.Len()-int(place))]) {
					t.Fatalf("%s: Sums for a radius of %v: got=false, want=true", l.name, radius)
				}
				at := r.IntN(min(len(some), x.Len()-int(place)))
				got := some[at]
				var alone Gatherer
				var one [1]Sums
				if x.Sums(&alone, place+uint32(at), radius, near, one[:]); one[0] != got {
					t.Fatalf("%s: place %d: got=%+v, want=%+v as alone", l.name, int(place)+at, got, one[0])
				}
				want, size, very := sumsOf(&x, place+uint32(at), radius, near)
				close := func(a, b, size r2.Vec) bool {
					return math.Abs(a.X-b.X) <= 1e-12*size.X && math.Abs(a.Y-b.Y) <= 1e-12*size.Y
				}
				if got.N != want.N || !close(got.Repel, want.Repel, size.Repel) || !close(got.Away, want.Away, size.Away) ||
					!close(got.Velocity, want.Velocity, size.Velocity) {
					t.Fatalf("%s, %d agents, radius %v: got=%+v, want=%+v", l.name, n, radius, got, want)
				}
				if asked++; very > 0 {
					veryNear++
				}
			}
		}
	}
	if veryNear < asked/20 {
		t.Errorf("queries with very near agents: got=%d of %d, want=a twentieth or more", veryNear, asked)
	}
}
