package benchmarks

import (
	"fmt"
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// arena is an arche world with the agents and obstacles of a workload.
type arena struct {
	*Workload
	world  ecs.World
	agents int
	alike  ecs.CachedFilter // all agents

	agent, position, velocity, target, preferred ecs.ID

	obstacles
	circleEntities []ecs.Entity
}

func newArena(w *Workload, agents int) (*arena, error) {
	// Every archetype has at least this capacity.
	a := &arena{Workload: w, world: ecs.NewWorld(16), agents: agents}
	config := world.Default()
	config.Dt = w.dt()
	spawner, err := world.Attach(&a.world, config)
	if err != nil {
		return nil, err
	}
	defer spawner.Close()
	a.agent = ecs.ComponentID[c.Agent](&a.world)
	a.position, a.velocity = ecs.ComponentID[c.Position](&a.world), ecs.ComponentID[c.Velocity](&a.world)
	a.target, a.preferred = ecs.ComponentID[c.Target](&a.world), ecs.ComponentID[c.PreferredVelocity](&a.world)
	done := 0
	for k := range w.Archetypes {
		next := (k + 1) * agents / w.Archetypes
		if next == done {
			continue
		}
		if err := spawner.Spawn(next-done, append(w.components(), tags(k)...), nil); err != nil {
			return nil, fmt.Errorf("%s: %w", w.Name, err)
		}
		done = next
	}
	filter := ecs.All(a.agent, a.position, a.velocity)
	a.alike = a.world.Cache().Register(&filter)

	a.obstacles = newObstacles(w)
	for _, o := range a.circles {
		e := a.world.NewEntity()
		systems.Add(&a.world, e, c.Position{Vec: o.at}, c.Obstacle{Radius: o.radius})
		a.circleEntities = append(a.circleEntities, e)
	}
	a.Reset()
	return a, nil
}

func (w *Workload) components() []any {
	if w.Flock {
		return flockComponents()
	}
	switch {
	case w.People:
		return append(walker(), scene.Walking()...)
	case w.Reciprocal:
		return walker()
	}
	all := []any{c.Target{}, c.Limits{MaxSpeed: maxSpeed, MaxForce: maxForce}, c.Mass{Kilograms: 1}}
	if w.Seek {
		all = append(all, c.Seek{Gain: gain})
	} else {
		all = append(all, c.Arrival{Gain: gain, SlowingRadius: slowing})
	}
	if w.Obstacles > 0 {
		all = append(all, c.ThreatScan{LookAhead: lookAhead}, c.Avoidance{MaxForce: avoidance})
	}
	return all
}

// tags returns different zero-sized components for each k.
func tags(k int) (all []any) {
	for bit := 0; k>>bit != 0; bit++ {
		if k>>bit&1 == 1 {
			tag := reflect.ArrayOf(bit+1, reflect.TypeFor[struct{}]())
			all = append(all, reflect.Zero(tag).Interface())
		}
	}
	return all
}

func (a *arena) Reset() {
	q := a.world.Query(&a.alike)
	for q.Next() {
		i := int((*c.Agent)(q.Get(a.agent)).ID - 1)
		(*c.Position)(q.Get(a.position)).Vec, (*c.Velocity)(q.Get(a.velocity)).Vec = a.start(i)
		if !a.Flock {
			(*c.Target)(q.Get(a.target)).Vec = a.Workload.target(i)
		}
		if a.Reciprocal {
			*(*c.PreferredVelocity)(q.Get(a.preferred)) = c.PreferredVelocity{}
		}
	}
	if a.MovingOf > 0 {
		a.obstacles.reset()
		for i := range a.circles {
			a.moved(i)
		}
	}
}

func (a *arena) moved(i int) {
	(*c.Position)(a.world.Get(a.circleEntities[i], a.position)).Vec = a.circles[i].at
}

func (a *arena) State() (positions, velocities []r2.Vec) { return state(&a.world, a.agents) }

// crowd runs this module's systems in an arche world.
type crowd struct {
	*arena
	frame *frame.Frame
	scan  *systems.ThreatScan
}

func startCrowd(w *Workload, agents, workers int) (Runner, error) {
	if w.Scene != "" {
		return startScene(w, agents, workers)
	}
	a, err := newArena(w, agents)
	if err != nil {
		return nil, err
	}
	return newCrowd(a, workers), nil
}

// newCrowd returns a runner with the given number of workers; 0 means one per processor.
func newCrowd(a *arena, workers int) *crowd {
	k := &crowd{arena: a, scan: &systems.ThreatScan{}}
	switch w := a.Workload; {
	case w.Flock:
		k.frame = flockFrame(w)
	case w.Reciprocal:
		k.frame = walking(w.Published)
	case w.Seek:
		k.frame = frame.New(&systems.Seek{}, &systems.Integration{})
	case w.Obstacles == 0:
		k.frame = frame.New(&systems.Arrival{}, &systems.Integration{})
	default:
		k.frame = frame.New(&sense.Obstacles{}, &systems.Arrival{}, k.scan, &systems.Avoidance{}, &systems.Integration{})
	}
	k.frame.Workers = workers
	k.frame.Initialize(&k.world)
	return k
}

// again returns another runner for the same agents. The two runners may take turns if each turn begins with a
// reset.
func (k *crowd) again(workers int) Runner { return newCrowd(k.arena, workers) }

func (k *crowd) Step() {
	k.move(k.moved)
	k.frame.Update(&k.world)
}

func (k *crowd) Close() { k.frame.Finalize(&k.world) }

func (k *crowd) threatened() float64 {
	looked, threats := k.scan.Scanned()
	return float64(threats) / float64(looked)
}
