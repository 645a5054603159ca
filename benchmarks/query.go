package benchmarks

import (
	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/generic"
)

// query is a loop over arche's query, entity by entity, over the same world and
// the same components as our systems: all of a step in one go, with the
// arithmetic and the grid of plain.
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
