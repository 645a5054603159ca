package experiment

import (
	"cmp"
	"context"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
)

// Dt is the length of a step in seconds, as in the built-in scenes of people.
const Dt = 1. / 30

// frames returns how many steps a time in seconds is.
func frames(seconds float64) int { return int(seconds / Dt) }

// Record runs a scene by a model for so many seconds, or until all are out, and records
// where they were.
func Record(ctx context.Context, by scene.Model, s *scene.Scene, seconds float64) (*Recording, error) {
	s.Dt, s.Steps = Dt, frames(seconds)
	out := &Recording{Dt: Dt}
	for g := range s.Groups {
		for range s.Groups[g].Count {
			out.People = append(out.People, Person{ID: uint64(len(out.People) + 1), Group: g})
		}
	}
	agents := generic.NewFilter2[c.Agent, c.Position]()
	_, err := steps(ctx, by, s, scene.Options{}, func(w *world.World) {
		query := agents.Query(w.ECS)
		for query.Next() {
			a, p := query.Get()
			of := &out.People[a.ID-1]
			if len(of.At) == 0 {
				of.First = out.Frames
			}
			of.At = append(of.At, p.Vec)
		}
		out.Frames++
	})
	return out, err
}

// steps runs a scene by a model to its end, or until all are out, and returns what the crowd
// counted; without a model as the scene is. It looks at the beginning, and after each step of
// the scene, which is several steps of a model that needs shorter ones.
func steps(ctx context.Context, by scene.Model, s *scene.Scene, o scene.Options, look func(*world.World)) (world.Stats, error) {
	n := s.Steps
	if by != "" {
		if err := s.SetModel(by); err != nil {
			return world.Stats{}, err
		}
	}
	parts := max(1, s.Steps/max(n, 1))
	o.Workers, o.Context = 1, ctx
	w, err := s.Build(o)
	if err != nil {
		return world.Stats{}, err
	}
	defer w.Close()
	look(w)
	for range n {
		for range parts {
			if err := cmp.Or(ctx.Err(), w.Step()); err != nil {
				return world.Stats{}, err
			}
		}
		look(w)
		if s.Ends() && w.Left() == s.Agents() {
			break
		}
	}
	return w.Stats(), nil
}
