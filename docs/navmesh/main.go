// Command navmesh plans the paths of a crowd with Recast and Detour. Three hundred people walk from a hall
// with pillars to the next room. While they walk, the door that they use closes, and the other one opens.
package main

import (
	"fmt"
	"log"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	people = 300
	radius = 0.25 // m, of each body
	change = 9    // s, time at which the doors change
)

var (
	floor = r2.NewBox(0, 0, 40, 20)
	walls = []r2.Box{
		r2.NewBox(0, 0, 40, 0.3), r2.NewBox(0, 19.7, 40, 20), r2.NewBox(0, 0, 0.3, 20), r2.NewBox(39.7, 0, 40, 20), // outer walls
		r2.NewBox(24, 0, 24.3, 3), r2.NewBox(24, 6, 24.3, 14), r2.NewBox(24, 17, 24.3, 20), // between the rooms, with two doors
		r2.NewBox(10, 5, 11, 6), r2.NewBox(16, 5, 17, 6), r2.NewBox(10, 14, 11, 15), r2.NewBox(16, 14, 17, 15), // pillars
		r2.NewBox(18, 9, 22, 11), // a bar
	}
	south, north = r2.NewBox(24, 3, 24.3, 6), r2.NewBox(24, 14, 24.3, 17) // the doors
)

type Game struct {
	World  *world.World
	Mesh   Mesh
	closed ecs.Entity // the closed door
}

func NewGame() (*Game, error) {
	g := &Game{Mesh: Mesh{Radius: radius}}
	config := world.Default()
	config.Planner = &g.Mesh
	w, err := world.New(config)
	if err != nil {
		return nil, err
	}
	g.World = w
	for _, wall := range walls {
		if _, err := w.AddPolygon(wall.Vertices()); err != nil {
			return nil, err
		}
	}
	if err := g.Close(north); err != nil {
		return nil, err
	}
	return g, w.Spawn(people, []any{
		c.Radius{Meters: radius}, c.Limits{MaxSpeed: 1.4, MaxForce: 8},
		c.Target{}, c.Destination{}, c.Route{}, // the planner plans the path to the destination
		c.Seek{Gain: 2}, c.Solid{Push: 0.5}, c.Goal{Radius: 0.5, Remove: true},
		c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 0.5, NeighborDist: 3, MaxNeighbors: 10},
	}, func(r *world.Rows) {
		at, to := world.Column[c.Position](r), world.Column[c.Destination](r)
		for i := range at {
			column, row := float64(i/15), float64(i%15)
			at[i].Vec = r2.Vec{X: 1 + 0.4*column, Y: 3 + row}
			to[i].Vec = r2.Vec{X: 26 + 0.65*column, Y: 3 + row}
		}
	})
}

// Close closes a door, for bodies and paths, and opens the door that was closed, if any.
func (g *Game) Close(door r2.Box) error {
	if !g.closed.IsZero() {
		if err := g.World.RemoveObstacle(g.closed); err != nil {
			return err
		}
	}
	var err error
	if g.closed, err = g.World.AddPolygon(door.Vertices()); err != nil {
		return err
	}
	return g.Mesh.Build(floor, append([]r2.Box{door}, walls...))
}

func (g *Game) Step() error {
	if clock := g.World.Clock; clock.Time < change && clock.Time+clock.Dt >= change {
		if err := g.Close(south); err != nil {
			return err
		}
	}
	return g.World.Step()
}

func main() {
	g, err := NewGame()
	for err == nil && g.World.Stats().Arrived < people && g.World.Clock.Time < 300 {
		err = g.Step()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d of %d people arrived in %.0f s; the mesh planned %d paths of up to %.0f m\n",
		g.World.Stats().Arrived, people, g.World.Clock.Time, g.Mesh.Ways, g.Mesh.Longest)
}
