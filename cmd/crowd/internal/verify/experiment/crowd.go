package experiment

import (
	"context"
	"math/rand/v2"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func box(x0, y0, x1, y1 float64) r2.Box { return r2.Box{Min: xy(x0, y0), Max: xy(x1, y1)} }

func solid(x0, y0, x1, y1 float64) scene.Box { return scene.Box{Box: box(x0, y0, x1, y1)} }

// bodies draws the radii of n people.
func bodies(r *rand.Rand, n int) []float64 {
	s := scene.People("", 1, scene.Place{}).Radius.Spread
	radii := make([]float64, n)
	for i := range radii {
		radii[i] = s.Min + (s.Max-s.Min)*r.Float64()
	}
	return radii
}

// crowd returns n people at random places in a box that go to another one by a field, if it is given, and leave there.
func crowd(ctx context.Context, r *rand.Rand, name string, n int, in r2.Box, to ...r2.Box) (scene.Group, error) {
	radii := bodies(r, n)
	at, err := spaced(ctx, r, hall{in}, radii)
	g := scene.People(name, n, scene.Place{Points: at})
	g.Radius = scene.Value{Each: radii}
	for _, b := range to {
		g.Way, g.FieldCell, g.Target = scene.Field, 0.05, &scene.Place{Exits: []scene.Exit{{Box: b}}}
	}
	return g, err
}

// through is a way through boxes.
func through(boxes ...r2.Box) []systems.Stop {
	var stops []systems.Stop
	for _, b := range boxes {
		stops = append(stops, systems.Stop{Kind: systems.StopBox, Box: b})
	}
	return stops
}
