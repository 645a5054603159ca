package verify

import (
	"context"
	"math/rand/v2"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/recording"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// dt is the length of a step in seconds, as in the built-in scenes of people.
const dt = 1. / 30

// experiment is a scene of people, and how to tell when it is over.
type experiment struct {
	scene *scene.Scene
	over  func(w int, left int) bool
}

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

// crowd returns n people at random places in a box who go through stops and leave.
func crowd(r *rand.Rand, name string, n int, in r2.Box, stops ...[]systems.Stop) (scene.Group, error) {
	radii := bodies(r, n)
	at, err := spaced(r, in, radii)
	g := scene.People(name, n, scene.Place{Points: at}, stops...)
	g.Radius = scene.Value{Each: radii}
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

// run records a scene for so many seconds, or until all are out.
func run(ctx context.Context, s *scene.Scene, seconds float64) (*recording.Recording, error) {
	s.Dt, s.Steps = dt, int(seconds/dt)
	w, err := s.Build(scene.Options{Workers: 1, Context: ctx})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	out := &recording.Recording{Dt: dt, People: make([]recording.Person, s.Agents())}
	id := 0
	for g := range s.Groups {
		for range s.Groups[g].Count {
			out.People[id] = recording.Person{ID: uint64(id + 1), Group: g}
			id++
		}
	}
	agents := generic.NewFilter2[c.Agent, c.Position]()
	look := func() {
		query := agents.Query(w.ECS)
		for query.Next() {
			a, p := query.Get()
			if a.ID == 0 || int(a.ID) > len(out.People) {
				continue
			}
			of := &out.People[a.ID-1]
			of.At = append(of.At, p.Vec)
		}
		out.Frames++
	}
	look()
	for range s.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.Step(); err != nil {
			return nil, err
		}
		look()
		if s.Ends() && w.Left() == s.Agents() {
			break
		}
	}
	return out, nil
}
