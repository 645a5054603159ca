package systems

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// anyNumber draws from all magnitudes, the usual ones more often.
func anyNumber(r *rand.Rand) float64 {
	switch r.IntN(12) {
	case 0:
		return 0
	case 1:
		return []float64{inf, -inf, math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64}[r.IntN(5)]
	case 2, 3:
		return math.Ldexp(r.Float64()-0.5, r.IntN(2140)-1070)
	}
	return 20 * (r.Float64() - 0.5)
}

// The loops of Seek, Arrival and Integration form their rules in line for
// ordinary numbers. They have the same bits as the rules for all numbers.
func TestLoopsAreTheirRules(t *testing.T) {
	const n = 200_000
	r := rand.New(rand.NewPCG(4, 5))
	vector := func() r2.Vec { return xy(anyNumber(r), anyNumber(r)) }
	pos, vel, target, steer := make([]c.Position, n), make([]c.Velocity, n), make([]c.Target, n), make([]c.Steering, n)
	limits, mass := make([]c.Limits, n), make([]c.Mass, n)
	arrival, seeks := make([]c.Arrival, n), make([]c.Seek, n)
	for i := range n {
		pos[i].Vec, vel[i].Vec, target[i].Vec = vector(), vector(), vector()
		limits[i] = c.Limits{MaxSpeed: anyNumber(r), MaxForce: anyNumber(r)}
		mass[i].Kilograms = anyNumber(r)
		arrival[i], seeks[i] = c.Arrival{Gain: 1, SlowingRadius: anyNumber(r)}, c.Seek{Gain: 1}
	}
	slices := []frame.Slice{frame.Over(pos), frame.Over(vel), frame.Over(target), frame.Over(limits), frame.Over(steer), frame.Over(arrival), frame.Over(seeks)}
	check := func(what string, i int, got, want r2.Vec) {
		t.Helper()
		if !samePoint(got, want) {
			t.Fatalf("%s of row %d, %v %v %v %v: got=%v, want=%v", what, i, pos[i], vel[i], target[i], limits[i], got, want)
		}
	}

	seekSystem := &Seek{}
	seekSystem.Run(frame.BatchOf(frame.Clock{}, seekSystem, slices...))
	for i := range n {
		e := seek(pos[i].Vec, vel[i].Vec, target[i].Vec, limits[i].MaxSpeed)
		check("seek", i, steer[i].Vec, vec.AddScaled(r2.Vec{}, 1, e))
		steer[i].Vec = r2.Vec{}
	}
	arrivalSystem := &Arrival{}
	arrivalSystem.Run(frame.BatchOf(frame.Clock{}, arrivalSystem, slices...))
	for i := range n {
		e := arrive(pos[i].Vec, vel[i].Vec, target[i].Vec, limits[i].MaxSpeed, arrival[i].SlowingRadius)
		check("arrival", i, steer[i].Vec, vec.AddScaled(r2.Vec{}, 1, e))
		steer[i].Vec = vector()
	}
	for _, columns := range [][]frame.Slice{{}, {frame.Over(limits)}, {frame.Over(mass)}, {frame.Over(limits), frame.Over(mass)}} {
		oldPos, oldVel := append([]c.Position(nil), pos...), append([]c.Velocity(nil), vel...)
		oldSteer := append([]c.Steering(nil), steer...)
		s := &Integration{}
		s.Run(frame.BatchOf(frame.Clock{Dt: 0.5}, s, append(columns, frame.Over(pos), frame.Over(vel), frame.Over(steer))...))
		for i := range n {
			m, lim := 1., c.Limits{MaxSpeed: inf, MaxForce: inf}
			for _, col := range columns {
				if reflect.DeepEqual(col, frame.Over(mass)) {
					m = mass[i].Kilograms
				} else {
					lim = limits[i]
				}
			}
			p, v := integrate(oldPos[i].Vec, oldVel[i].Vec, oldSteer[i].Vec, m, lim, 0.5)
			if !vec.Finite(p) || !vec.Finite(v) || !(m > 0 && lim.MaxSpeed >= 0 && lim.MaxForce >= 0) {
				p, v = oldPos[i].Vec, oldVel[i].Vec
			}
			check("position", i, pos[i].Vec, p)
			check("velocity", i, vel[i].Vec, v)
		}
		copy(pos, oldPos)
		copy(vel, oldVel)
		copy(steer, oldSteer)
	}
}

// samePoint takes NaN for equal to itself.
func samePoint(a, b r2.Vec) bool {
	same := func(x, y float64) bool { return x == y || x != x && y != y }
	return same(a.X, b.X) && same(a.Y, b.Y)
}
