package orca

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestHalfPlaneKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1e-310, 1e-170, -1e170, 1e308, math.Inf(1), math.Inf(-1), math.NaN()}
	number := func(share int) float64 {
		if r.IntN(share) == 0 {
			return odd[r.IntN(len(odd))]
		}
		return 4*r.Float64() - 2
	}
	pair := func(share int) r2.Vec { return xy(number(share), number(share)) }
	marked, hindered := 0, 0
	for n := range 1500 {
		share := []int{1 << 30, 40, 8}[n%3]
		var agents []Agent
		var others [][]Other
		for range 1 + r.IntN(4) {
			a := Agent{ID: uint64(r.IntN(9)), Position: pair(share), Velocity: pair(share), Preferred: pair(share), Radius: math.Abs(number(share)) / 4, MaxSpeed: 1.5, Way: vec.Unit(pair(1 << 30)), Rule: Rule{Horizon: number(share) + 2, Side: number(share), Yield: r.IntN(4) > 0}}
			var list []Other
			for range r.IntN(21) {
				o := Other{ID: uint64(r.IntN(9)), Position: pair(share), Velocity: pair(share), Radius: number(share) / 4, Way: vec.Unit(pair(9)), Share: 0.5}
				if r.IntN(8) == 0 {
					o.Share = number(3)
				}
				if r.IntN(30) == 0 {
					o.Position, o.Velocity = a.Position, a.Velocity
				}
				list = append(list, o)
			}
			agents, others = append(agents, a), append(others, list)
		}
		planes := func(w kernel.Width) (all []string) {
			defer kernel.Use(kernel.Use(w))
			var s Solver
			var crowd Crowd
			s.Reset(&crowd, 0.1)
			for i, a := range agents {
				self := uint32(len(crowd.X))
				crowd.add(&Other{ID: a.ID, Position: a.Position, Velocity: a.Velocity, Radius: a.Radius, Way: a.Way})
				var of []uint32
				var shares []float64
				for _, o := range others[i] {
					of, shares = append(of, uint32(len(crowd.X))), append(shares, o.Share)
					crowd.add(&o)
				}
				s.Add(self, of, shares)
				s.Follow(i, &a.Rule, a.MaxSpeed)
				s.Prefer(i, vec.Truncate(a.Preferred, a.MaxSpeed), 0)
			}
			s.HalfPlanes()
			p := &s.pairs
			for agent, b := range s.prefer {
				for i := b.From; i < b.To; i++ {
					plane := "limits nothing, as the choice below shows"
					if p.c[i] > math.Inf(-1) {
						plane = fmt.Sprintf("%x %x %x", bitsOf(p.nx[i]), bitsOf(p.ny[i]), bitsOf(p.c[i]))
					}
					all = append(all, plane)
				}
				if s.look(&s.choices[agent], &s.prefer[agent]); b.Hindering == 0 && s.choices[agent].worst >= 0 {
					t.Fatalf("case %d, %v, agent %d, which is hindered: got=not marked, want=marked", n, w, agent)
				}
				marked += int(min(b.Hindering, 1))
				hindered += AsInt(s.choices[agent].worst >= 0)
				all = append(all, fmt.Sprint(s.Choose(agent, 1)))
			}
			return all
		}
		want := planes(kernel.Off)
		for _, w := range []kernel.Width{kernel.AVX2, kernel.AVX512} {
			for i, got := range planes(w) {
				if got != want[i] {
					t.Fatalf("case %d, %v, pair %d of %d: got=%v, want=%v", n, w, i, len(want), got, want[i])
				}
			}
		}
	}
	if kernel.Use(kernel.Used()) != kernel.Off && 3*marked > 5*hindered {
		t.Errorf("agents marked as hindered: got=%d, want=at most 5/3 of the %d that are", marked, hindered)
	}
}

// bitsOf returns the bits of a number, the same for any NaN.
func bitsOf(f float64) uint64 {
	if f != f {
		return 1
	}
	return math.Float64bits(f)
}

func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 1e-310, 1e-170, 1e170, -1e308}
	marked, hindered := 0, 0
	for n := range 1500 {
		share := []int{1 << 30, 40, 6}[n%3]
		number := func() float64 {
			if r.IntN(share) == 0 {
				return odd[r.IntN(len(odd))]
			}
			if n%2 == 0 {
				return float64(r.IntN(9) - 4) // makes some agents equally near
			}
			return 8*r.Float64() - 4
		}
		var crowd Crowd
		for range 1 + r.IntN(60) {
			crowd.add(&Other{ID: r.Uint64N(40), Position: xy(number(), number()), Velocity: xy(number(), number()), Radius: math.Abs(number()) / 8, Way: vec.Unit(xy(number(), number()))})
		}
		size := len(crowd.X)
		for _, c := range []*[]float64{&crowd.X, &crowd.Y, &crowd.VX, &crowd.VY, &crowd.Radius, &crowd.DirX, &crowd.DirY} {
			for range kernel.Lanes {
				*c = append(*c, number())
			}
			*c = (*c)[:size]
		}
		var parts []kernel.Part
		for lo := uint32(0); int(lo) < size; {
			hi := min(lo+1+r.Uint32N(20), uint32(size))
			parts = append(parts, kernel.Part{Lo: lo, Hi: hi})
			lo = hi + r.Uint32N(3)
		}
		self, most, radius := r.Uint32N(uint32(size)), 1+r.IntN(20), 5*r.Float64()
		speed, preferred := 2*r.Float64(), xy(number(), number())

		pairs := func(w kernel.Width) (all []string, of []uint32) {
			defer kernel.Use(kernel.Use(w))
			var s Solver
			s.Reset(&crowd, 0.1)
			first := max(self, 1) - 1
			k := int(self - first)
			found := s.Near(first, min(size-int(first), 3), parts, radius*radius, most)[k]
			s.Follow(k, &Rule{Horizon: 1, Firm: true}, speed)
			s.Prefer(k, vec.Truncate(preferred, speed), 0)
			p, c := &s.pairs, &s.choices[k]
			for i := c.from; i < c.to; i++ {
				all = append(all, fmt.Sprintf("%x %x %x %x %x %x %v", bitsOf(p.dx[i]), bitsOf(p.dy[i]), bitsOf(p.ux[i]), bitsOf(p.uy[i]), bitsOf(p.reach[i]), bitsOf(p.share[i]), p.of[i]))
				of = append(of, uint32(p.of[i]))
			}
			s.HalfPlanes()
			_, free := s.Free(k)
			s.look(c, &s.prefer[k])
			if free && c.worst >= 0 {
				t.Fatalf("case %d, %v: Free: got=true, want=false: half-plane %d of %d hinders the agent", n, w, c.worst, s.program.len())
			} else if c.worst >= 0 {
				hindered++
			}
			if !free {
				marked++
			}
			return append(all, fmt.Sprint(s.planes, found, c.worst)), of
		}
		want, of := pairs(kernel.Off)
		for _, w := range []kernel.Width{kernel.AVX2, kernel.AVX512} {
			if got, _ := pairs(w); !slices.Equal(got, want) {
				t.Fatalf("case %d, %v: got=%v, want=%v", n, w, got, want)
			}
		}

		square := func(i uint32) float64 {
			return vec.Norm2(vec.Sub(xy(crowd.X[i], crowd.Y[i]), xy(crowd.X[self], crowd.Y[self])))
		}
		nearest := func(i, j uint32) int {
			return cmp.Or(cmp.Compare(square(i), square(j)), cmp.Compare(crowd.ID[i], crowd.ID[j]))
		}
		var near []uint32
		for _, part := range parts {
			for i := part.Lo; i < part.Hi; i++ {
				if i != self && square(i) <= radius*radius {
					near = append(near, i)
				}
			}
		}
		slices.SortStableFunc(near, nearest)
		slices.SortStableFunc(of, nearest)
		if near = near[:min(len(near), most)]; len(near) != len(of) {
			t.Fatalf("case %d: got=%d others, want=%d", n, len(of), len(near))
		}
		for i := range near {
			if nearest(near[i], of[i]) != 0 {
				t.Fatalf("case %d: others: got=%v, want=%v", n, of, near)
			}
		}
	}
	if kernel.Use(kernel.Used()) == kernel.AVX512 && 2*(marked-3000) > 3*hindered {
		t.Errorf("agents marked as hindered: got=%d, want=at most 3000, plus 3/2 of the %d that are", marked, hindered)
	}
}
