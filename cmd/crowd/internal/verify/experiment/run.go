package experiment

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/recording"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
)

// Dt is the length of a step in seconds, as in the built-in scenes of people.
const Dt = 1. / 30

// frames returns how many steps a time in seconds is.
func frames(seconds float64) int { return int(seconds / Dt) }

// Record runs a scene for so many seconds, or until all are out, and records where they
// were.
func Record(ctx context.Context, s *scene.Scene, seconds float64) (*recording.Recording, error) {
	s.Dt, s.Steps = Dt, frames(seconds)
	out := &recording.Recording{Dt: Dt}
	for g := range s.Groups {
		for range s.Groups[g].Count {
			out.People = append(out.People, recording.Person{ID: uint64(len(out.People) + 1), Group: g})
		}
	}
	agents := generic.NewFilter2[c.Agent, c.Position]()
	_, err := steps(ctx, s, scene.Options{}, func(w *world.World) {
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

// steps runs a scene to its end, or until all are out, looks at its beginning and after
// each step, and returns what the crowd counted.
func steps(ctx context.Context, s *scene.Scene, o scene.Options, look func(*world.World)) (world.Stats, error) {
	o.Workers, o.Context = 1, ctx
	w, err := s.Build(o)
	if err != nil {
		return world.Stats{}, err
	}
	defer w.Close()
	look(w)
	for range s.Steps {
		if err := ctx.Err(); err != nil {
			return world.Stats{}, err
		}
		if err := w.Step(); err != nil {
			return world.Stats{}, err
		}
		look(w)
		if s.Ends() && w.Left() == s.Agents() {
			break
		}
	}
	return w.Stats(), nil
}
