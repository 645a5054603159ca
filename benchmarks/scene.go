package benchmarks

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// whole is the whole step of a scene.
type whole struct {
	*world.World
	scene   *scene.Scene
	options scene.Options
}

func startScene(w *Workload, agents, workers int) (Runner, error) {
	s, err := scene.Named(w.Scene)
	if err != nil {
		return nil, err
	}
	s.Resize(agents)
	k := &whole{scene: s, options: scene.Options{Workers: workers, Measure: w.Measured}}
	k.World, err = s.Build(k.options)
	return k, err
}

func (k *whole) Step() {
	if err := k.World.Step(); err != nil {
		panic(fmt.Sprintf("crowd: scene %s: %v", k.scene.Name, err)) // a built-in one does not spawn
	}
}

// Reset rebuilds the scene.
func (k *whole) Reset() {
	k.World.Close()
	var err error
	if k.World, err = k.scene.Build(k.options); err != nil {
		panic(fmt.Sprintf("crowd: scene %s: %v", k.scene.Name, err)) // it was built before
	}
}

func (k *whole) State() (positions, velocities []r2.Vec) {
	n := k.scene.Agents()
	positions, velocities = make([]r2.Vec, n), make([]r2.Vec, n)
	agent, position, velocity := ecs.ComponentID[c.Agent](k.ECS), ecs.ComponentID[c.Position](k.ECS), ecs.ComponentID[c.Velocity](k.ECS)
	q := k.ECS.Query(ecs.All(agent, position, velocity))
	for q.Next() {
		i := (*c.Agent)(q.Get(agent)).ID - 1
		positions[i], velocities[i] = (*c.Position)(q.Get(position)).Vec, (*c.Velocity)(q.Get(velocity)).Vec
	}
	return positions, velocities
}
