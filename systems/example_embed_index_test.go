package systems_test

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// Senses is what a bat knows about obstacles.
type Senses struct {
	Echo  float64 // m, free distance ahead; -1 if over 50
	Close float64 // m, distance to the nearest surface; -1 if over 50
	Count int     // obstacles within 10 m
}

// The snapshot of obstacles is read-only and safe for all workers.
type sonar struct {
	obstacles *sense.Obstacles

	pos     frame.In[c.Position]
	heading frame.In[c.Heading]
	senses  frame.Out[Senses]
}

func (s *sonar) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.heading)
	n.Write(&s.senses)
}

func (s *sonar) Run(b *frame.Batch) {
	pos, heading, senses := s.pos.Of(b), s.heading.Of(b), s.senses.Of(b)
	for i := range pos {
		p := pos[i].Vec
		senses[i] = Senses{Echo: -1, Close: -1}
		if hit, ok := s.obstacles.Ray(p, heading[i].Vec, 50); ok {
			senses[i].Echo = hit.Distance
		}
		if hit, ok := s.obstacles.Nearest(p, 50); ok {
			senses[i].Close = hit.Distance
		}
		s.obstacles.Within(p, 10, func(ecs.Entity, float64) bool {
			senses[i].Count++
			return true
		})
	}
}

// A system of the game queries the obstacle index.
func Example_obstacleIndex() {
	w := ecs.NewWorld()
	pillars := generic.NewMap2[c.Position, c.Obstacle](&w)
	pillars.NewWith(&c.Position{Vec: r2.Vec{X: 20}}, &c.Obstacle{Radius: 2})
	pillars.NewWith(&c.Position{Vec: r2.Vec{Y: 6}}, &c.Obstacle{Radius: 1})
	pillars.NewWith(&c.Position{Vec: r2.Vec{Y: -9}}, &c.Obstacle{Radius: 1})
	bats := generic.NewMap3[c.Position, c.Heading, Senses](&w)
	bat := bats.NewWith(&c.Position{}, &c.Heading{Vec: r2.Vec{X: 1}}, &Senses{})

	obstacles := &sense.Obstacles{}
	f := frame.New(obstacles, &sonar{obstacles: obstacles})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)

	_, _, senses := bats.Get(bat)
	fmt.Println(senses.Echo, "m free ahead,", senses.Close, "m to the nearest of", senses.Count)
	// Output: 18 m free ahead, 5 m to the nearest of 2
}
