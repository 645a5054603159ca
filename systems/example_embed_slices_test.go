package systems_test

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// Soldier is what a game without an ECS keeps for each soldier.
type Soldier struct {
	X, Y   float64 // m
	VX, VY float64 // m/s
	GoalX  float64 // m
	GoalY  float64 // m
}

// platoon steers a slice of soldiers through its own world.
type platoon struct {
	crowd    *world.World
	bodies   generic.Map3[c.Position, c.Velocity, c.Target]
	entities []ecs.Entity // one for each soldier
}

func newPlatoon(config world.Config) (*platoon, error) {
	crowd, err := world.New(config)
	if err != nil {
		return nil, err
	}
	return &platoon{crowd: crowd, bodies: generic.NewMap3[c.Position, c.Velocity, c.Target](crowd.ECS)}, nil
}

// The slice may have grown since the last step; fall removes soldiers that die.
func (p *platoon) step(soldiers []Soldier, dt float64) error {
	if n := len(soldiers) - len(p.entities); n > 0 {
		err := p.crowd.Spawn(n, person(r2.Vec{}), func(r *world.Rows) {
			for i := range n {
				p.entities = append(p.entities, r.Entity(i))
			}
		})
		if err != nil {
			return err
		}
	}
	p.copyIn(soldiers)
	p.crowd.Clock.Dt = dt
	if err := p.crowd.Step(); err != nil {
		return err
	}
	p.copyOut(soldiers)
	return nil
}

func (p *platoon) copyIn(soldiers []Soldier) {
	for i, e := range p.entities {
		s := &soldiers[i]
		position, velocity, target := p.bodies.Get(e)
		position.Vec, velocity.Vec, target.Vec = r2.Vec{X: s.X, Y: s.Y}, r2.Vec{X: s.VX, Y: s.VY}, r2.Vec{X: s.GoalX, Y: s.GoalY}
	}
}

func (p *platoon) copyOut(soldiers []Soldier) {
	for i, e := range p.entities {
		s := &soldiers[i]
		position, velocity, _ := p.bodies.Get(e)
		s.X, s.Y, s.VX, s.VY = position.X, position.Y, velocity.X, velocity.Y
	}
}

// fall removes soldier i; the last soldier takes its place.
func (p *platoon) fall(soldiers []Soldier, i int) []Soldier {
	last := len(soldiers) - 1
	p.crowd.Remove(p.entities[i])
	soldiers[i], p.entities[i] = soldiers[last], p.entities[last]
	p.entities = p.entities[:last]
	return soldiers[:last]
}

// Two ranks of soldiers, which are in a slice, walk through each other.
func Example_plainSlices() {
	config := world.Default()
	config.Dt = 0.1
	p, err := newPlatoon(config)
	check(err)
	defer p.crowd.Close()
	var soldiers []Soldier
	for i := range 10 {
		side := float64(1 - i%2*2)
		soldiers = append(soldiers, Soldier{X: -6 * side, Y: float64(i / 2), GoalX: 6 * side, GoalY: float64(i / 2)})
	}
	least := math.Inf(1)
	for tick := range 150 {
		if tick == 20 {
			soldiers = p.fall(soldiers, 3)
		}
		check(p.step(soldiers, 0.1))
		for i, a := range soldiers {
			for _, b := range soldiers[:i] {
				least = min(least, math.Hypot(a.X-b.X, a.Y-b.Y))
			}
		}
	}
	there := 0
	for _, s := range soldiers {
		if math.Hypot(s.X-s.GoalX, s.Y-s.GoalY) < 0.5 {
			there++
		}
	}
	fmt.Printf("%d of %d are there, and were never less than %.1f m apart\n", there, len(soldiers), least)
	// Output: 9 of 9 are there, and were never less than 0.6 m apart
}

func BenchmarkPlainSlices(b *testing.B) {
	const n, side = 1000, 32
	for _, name := range []string{"copy", "copy and step"} {
		b.Run(name, func(b *testing.B) {
			config := world.Default()
			config.Dt, config.Workers = 0.1, 1
			p, err := newPlatoon(config)
			check(err)
			defer p.crowd.Close()
			soldiers := make([]Soldier, n)
			for i := range soldiers {
				x, y := float64(i%side), float64(i/side)
				soldiers[i] = Soldier{X: x, Y: y, GoalX: side - x, GoalY: side - y}
			}
			for range 20 {
				check(p.step(soldiers, 0.1))
			}
			b.ReportAllocs()
			for b.Loop() {
				if name == "copy" {
					p.copyIn(soldiers)
					p.copyOut(soldiers)
				} else {
					check(p.step(soldiers, 0.1))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/agent")
		})
	}
}
