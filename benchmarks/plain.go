package benchmarks

import (
	"math"
	"runtime"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// plain is a hand-written crowd: a slice per quantity, and one pass over the agents that keeps each agent in
// registers.
//
// Per-agent parameters of crowd are constants here, and forces are not stored, so in W2, plain reads 48 bytes
// per agent, and crowd 104.
//
// Conversions round every product before an addition, as in this module's systems, because the compiler would
// otherwise fuse the two on some processors.
type plain struct {
	*Workload
	pos, vel, target []r2.Vec
	obstacles
	grid  grid
	birds flockGrid
	step  func()
}

func startPlain(w *Workload, agents, _ int) (Runner, error) {
	k := &plain{
		Workload: w, obstacles: newObstacles(w),
		pos: column.Huge(make([]r2.Vec, agents)), vel: column.Huge(make([]r2.Vec, agents)), target: column.Huge(make([]r2.Vec, agents)),
	}
	switch {
	case w.Flock:
		k.step = k.flock
	case w.Seek:
		k.step = k.seek
	case w.Obstacles == 0:
		k.step = k.arrive
	default:
		k.step = k.avoid
	}
	k.Reset()
	return k, nil
}

func (k *plain) Reset() {
	for i := range k.pos {
		k.pos[i], k.vel[i] = k.start(i)
		k.target[i] = k.Workload.target(i)
	}
	k.obstacles.reset()
	k.grid.build(k.circles)
}

func (k *plain) Step() { k.step() }

func (k *plain) State() (positions, velocities []r2.Vec) {
	return slices.Clone(k.pos), slices.Clone(k.vel)
}

func (k *plain) Close() {}

func (k *plain) seek() {
	vel, target := k.vel[:len(k.pos)], k.target[:len(k.pos)]
	for i, p := range k.pos {
		force := seek(p, vel[i], target[i], maxSpeed, gain)
		v := limit(along(vel[i], dt, limit(force, maxForce)), maxSpeed)
		k.pos[i], vel[i] = along(p, dt, v), v
	}
}

func (k *plain) arrive() {
	vel, target := k.vel[:len(k.pos)], k.target[:len(k.pos)]
	for i, p := range k.pos {
		force := arrival(p, vel[i], target[i], maxSpeed, slowing, gain)
		v := limit(along(vel[i], dt, limit(force, maxForce)), maxSpeed)
		k.pos[i], vel[i] = along(p, dt, v), v
	}
}

func (k *plain) avoid() {
	if k.obstacles.move(nil) {
		k.grid.build(k.circles)
	}
	vel, target := k.vel[:len(k.pos)], k.target[:len(k.pos)]
	for i, p := range k.pos {
		force := arrival(p, vel[i], target[i], maxSpeed, slowing, gain)
		if away, ok := k.grid.away(p, vel[i]); ok {
			force = along(force, avoidance, away)
		}
		v := limit(along(vel[i], dt, limit(force, maxForce)), maxSpeed)
		k.pos[i], vel[i] = along(p, dt, v), v
	}
}

// seek returns gain·(u-v), where u is the velocity at maxSpeed from p toward target, or 0 at the target.
func seek(p, v, target r2.Vec, maxSpeed, gain float64) r2.Vec {
	x, y, k := target.X-p.X, target.Y-p.Y, 0.
	if d2 := float64(x*x) + float64(y*y); d2 > 0 {
		k = maxSpeed / math.Sqrt(d2)
	}
	return r2.Vec{X: float64(gain * (float64(k*x) - v.X)), Y: float64(gain * (float64(k*y) - v.Y))}
}

// arrival is like seek, but u shrinks linearly to 0 within the radius slowing of the target.
func arrival(p, v, target r2.Vec, maxSpeed, slowing, gain float64) r2.Vec {
	x, y, k := target.X-p.X, target.Y-p.Y, maxSpeed/slowing
	if d2 := float64(x*x) + float64(y*y); d2 >= slowing*slowing {
		k = maxSpeed / math.Sqrt(d2)
	}
	return r2.Vec{X: float64(gain * (float64(k*x) - v.X)), Y: float64(gain * (float64(k*y) - v.Y))}
}

func limit(v r2.Vec, length float64) r2.Vec {
	if n2 := float64(v.X*v.X) + float64(v.Y*v.Y); n2 > length*length {
		k := length / math.Sqrt(n2)
		v.X *= k
		v.Y *= k
	}
	return v
}

func along(p r2.Vec, f float64, v r2.Vec) r2.Vec {
	return r2.Vec{X: p.X + float64(f*v.X), Y: p.Y + float64(f*v.Y)}
}

// query steps a world like that of crowd, entity by entity with arche's queries. The arithmetic and the grid
// are those of plain.
type query struct {
	*arena
	grid   grid
	seek   *generic.Filter6[c.Position, c.Velocity, c.Target, c.Limits, c.Mass, c.Seek]
	arrive *generic.Filter6[c.Position, c.Velocity, c.Target, c.Limits, c.Mass, c.Arrival]
	avoid  *generic.Filter7[c.Position, c.Velocity, c.Target, c.Limits, c.Mass, c.Arrival, c.Avoidance]
}

func startQuery(w *Workload, agents, _ int) (Runner, error) {
	a, err := newArena(w, agents)
	if err != nil {
		return nil, err
	}
	k := &query{
		arena:  a,
		seek:   generic.NewFilter6[c.Position, c.Velocity, c.Target, c.Limits, c.Mass, c.Seek](),
		arrive: generic.NewFilter6[c.Position, c.Velocity, c.Target, c.Limits, c.Mass, c.Arrival](),
		avoid:  generic.NewFilter7[c.Position, c.Velocity, c.Target, c.Limits, c.Mass, c.Arrival, c.Avoidance](),
	}
	k.seek.Register(&a.world)
	k.arrive.Register(&a.world)
	k.avoid.Register(&a.world)
	k.grid.build(k.circles)
	return k, nil
}

func (k *query) Reset() {
	k.arena.Reset()
	k.grid.build(k.circles)
}

func (k *query) Step() {
	if k.move(k.moved) {
		k.grid.build(k.circles)
	}
	switch {
	case k.Seek:
		q := k.seek.Query(&k.world)
		for q.Next() {
			p, v, target, limits, mass, par := q.Get()
			force := seek(p.Vec, v.Vec, target.Vec, limits.MaxSpeed, par.Gain)
			v.Vec = limit(along(v.Vec, dt/mass.Kilograms, limit(force, limits.MaxForce)), limits.MaxSpeed)
			p.Vec = along(p.Vec, dt, v.Vec)
		}
	case k.Obstacles == 0:
		q := k.arrive.Query(&k.world)
		for q.Next() {
			p, v, target, limits, mass, par := q.Get()
			force := arrival(p.Vec, v.Vec, target.Vec, limits.MaxSpeed, par.SlowingRadius, par.Gain)
			v.Vec = limit(along(v.Vec, dt/mass.Kilograms, limit(force, limits.MaxForce)), limits.MaxSpeed)
			p.Vec = along(p.Vec, dt, v.Vec)
		}
	default:
		q := k.avoid.Query(&k.world)
		for q.Next() {
			p, v, target, limits, mass, par, avoid := q.Get()
			force := arrival(p.Vec, v.Vec, target.Vec, limits.MaxSpeed, par.SlowingRadius, par.Gain)
			if away, ok := k.grid.away(p.Vec, v.Vec); ok {
				force = along(force, avoid.MaxForce, away)
			}
			v.Vec = limit(along(v.Vec, dt/mass.Kilograms, limit(force, limits.MaxForce)), limits.MaxSpeed)
			p.Vec = along(p.Vec, dt, v.Vec)
		}
	}
}

func (k *query) Close() {
	k.seek.Unregister(&k.world)
	k.arrive.Unregister(&k.world)
	k.avoid.Unregister(&k.world)
}

// heap returns the bytes in use on the heap, without garbage.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // for finalizers and pools
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// mallocs returns the number of allocations by f. It first runs f once, because after a collection the
// runtime reallocates its caches for waiting goroutines.
func mallocs(f func()) float64 {
	var before, after runtime.MemStats
	runtime.GC() // makes it unlikely that a collection starts while f runs
	f()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs)
}
