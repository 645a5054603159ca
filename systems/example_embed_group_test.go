package systems_test

import (
	"fmt"
	"math/rand/v2"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Strategy is a game in which groups go where the player clicks, among buildings that appear and
// disappear.
type Strategy struct {
	*world.World
	Groups    [][]ecs.Entity // the units of each group
	Buildings []ecs.Entity   // oldest first
	size      r2.Vec         // m
	draw      *rand.Rand
}

// NewStrategy returns a game on a map of the given size, in m. A group has as many units as each says,
// and its own flow field. The caller must close the game.
func NewStrategy(size r2.Vec, groups, each int) (*Strategy, error) {
	config := world.Default()
	config.Dt = 1. / 30
	config.Bounds, config.Box = systems.BoundsClamp, r2.Box{Max: size}
	w, err := world.New(config)
	if err != nil {
		return nil, err
	}
	s := &Strategy{World: w, size: size, draw: rand.New(rand.NewPCG(1, 2))}
	for group := range groups {
		field, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Max: size}}, Radius: 0.9, Cell: 0.5, Every: 2})
		if err != nil {
			return nil, err
		}
		var units []ecs.Entity
		first := w.NextID()
		if err := w.Spawn(each, []any{
			c.FlowField{Index: field}, c.Target{}, c.Radius{}, c.Limits{MaxSpeed: 4, MaxForce: 20}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Solid{Push: 0.8},
			c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10},
		}, func(r *world.Rows) {
			at, radius := world.Column[c.Position](r), world.Column[c.Radius](r)
			for i := range at {
				at[i].Vec = r2.Add(s.place(group, false), r2.Vec{X: 1.9 * float64(i%10-5), Y: 1.9 * float64(i/10-each/20)})
				radius[i].Meters = []float64{0.3, 0.5, 0.9}[i%3]
			}
		}); err != nil {
			return nil, err
		}
		for id := first; id < w.NextID(); id++ {
			unit, _ := w.Entity(id)
			units = append(units, unit)
		}
		s.Groups = append(s.Groups, units)
	}
	return s, nil
}

// place returns the start of a group or its end, on the other side.
func (s *Strategy) place(group int, end bool) r2.Vec {
	const apart = 20 // m, between rows of groups
	p := r2.Vec{X: 15 + 25*float64(group%2), Y: apart * (float64(group/2) + 0.5)}
	if end {
		p = r2.Sub(s.size, p)
	}
	return p
}

// Click sends a group to a point.
func (s *Strategy) Click(group int, to r2.Vec) error { return s.SendGroup(s.Groups[group], to) }

// Build adds a building at a random place. If there are more than twelve, it removes the oldest.
func (s *Strategy) Build() error {
	at := r2.Vec{X: s.size.X * (0.35 + 0.3*s.draw.Float64()), Y: s.size.Y * 0.95 * s.draw.Float64()}
	building, err := s.AddPolygon(r2.NewBox(at.X, at.Y, at.X+6, at.Y+4).Vertices())
	if err != nil {
		return err
	}
	if s.Buildings = append(s.Buildings, building); len(s.Buildings) > 12 {
		err = s.RemoveObstacle(s.Buildings[0])
		s.Buildings = s.Buildings[1:]
	}
	return err
}

// Clear removes all buildings.
func (s *Strategy) Clear() error {
	for ; len(s.Buildings) > 0; s.Buildings = s.Buildings[1:] {
		if err := s.RemoveObstacle(s.Buildings[0]); err != nil {
			return err
		}
	}
	return nil
}

// Play runs the game, and adds a building every build steps, or none if build is 0.
func (s *Strategy) Play(seconds float64, build int) error {
	for step := 1; step <= int(seconds*30); step++ {
		if build > 0 && step%build == 0 {
			if err := s.Build(); err != nil {
				return err
			}
		}
		if err := s.Step(); err != nil {
			return err
		}
	}
	return nil
}

// SendGroup sends a group to a place, where it comes to rest.
func Example_groups() {
	s, err := NewStrategy(r2.Vec{X: 120, Y: 40}, 4, 20)
	check(err)
	defer s.Close()
	check(s.Play(1, 10))
	for group := range s.Groups {
		check(s.Click(group, s.place(group, true)))
	}
	steps := 0
	for ; steps == 0 || !s.Fields.UpToDate(0); steps++ {
		check(s.Step())
	}
	fmt.Println("the first group has its way within a second:", steps <= 30)
	check(s.Play(40, 60))
	check(s.Clear())
	check(s.Play(40, 0))
	fast, overlaps, inside := unrest(s.World)
	fmt.Printf("%d arrived; %d move, %d overlap, %d are in buildings\n", s.Stats().ArrivedOnce, fast, overlaps, inside)
	// Output:
	// the first group has its way within a second: true
	// 80 arrived; 0 move, 0 overlap, 0 are in buildings
}
