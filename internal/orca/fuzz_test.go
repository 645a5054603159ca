package orca

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func FuzzVelocity(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 1e-320, 1e-160, 1e-9, 1e9, 1e155, 1e308, math.MaxFloat64, math.Inf(1), math.NaN()} {
		f.Add(0., 0., 1., 0., x, 0.5, 2., 0.1, x, 1., 0.5, 0.5, uint8(0))
		f.Add(x, 0., -x, x, 1., x, 2., x, 1., x, 0.5, 1., uint8(1))
		f.Add(1., x, 2., 0., 1., 1., x, 0.1, 0., 0., x, x, uint8(2))
		f.Add(x, x, x, x, x, x, x, x, x, x, x, x, uint8(3))
		f.Add(0., 0., 1., x, 0.25, x, 1.5, 0.1, 1., 0., 0.5, x, uint8(1))
	}
	f.Fuzz(func(t *testing.T, px, py, vx, vy, radius, horizon, speed, dt, qx, qy, size, share float64, kind uint8) {
		p, q, v := xy(px, py), xy(qx, qy), xy(vx, vy)
		a := Agent{Position: p, Velocity: v, Preferred: vec.Sub(q, p), Radius: radius, MaxSpeed: speed, Rule: Rule{Horizon: horizon, ObstacleHorizon: share, Side: float64(kind%3) * size, Firm: kind%2 == 0}}
		if kind%7 < 5 {
			a.Way, a.Yield, a.Keep = vec.Unit(a.Preferred), kind%4 < 2, size
		}
		others := []Other{
			{ID: 1, Position: q, Velocity: v, Radius: size, Way: a.Way, Share: share},
			{ID: 2, Position: p, Velocity: v, Radius: radius, Way: vec.Unit(v), Share: 0.5},
			{ID: 3, Position: xy(qy, px), Velocity: xy(vy, qx), Radius: size, Way: vec.Scale(-1, a.Way), Share: 1},
			{ID: 4, Position: vec.Add(p, xy(size, 0)), Velocity: q, Radius: radius, Share: 0.5},
		}
		walls := append(Ring(nil, []r2.Vec{p, q, v, xy(size, speed)}, 0), Wall(q, v, size), Wall(q, q, 0))
		walls = Room(walls, []r2.Vec{xy(qx, py), q, xy(size, share)}, radius)
		var s Alone
		got, _ := s.Velocity(&a, others[kind%5:], walls[int(kind/5)%len(walls):], dt)
		limit := max(speed, 0)
		if limit != limit {
			limit = 0
		}
		if !vec.Finite(got) || vec.Norm(got) > limit*(1+1e-8)+1e-300 {
			t.Errorf("%+v, %v, %v, %v: got=%v, want=finite and at most %v m/s", a, others, walls, dt, got, limit)
		}
	})
}
