package experiment

import (
	"context"
	"math/rand/v2"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Overtake lets somebody who walks 1.5 m/s start 5 m behind somebody who walks 1.0 m/s, in
// an empty corridor of 3 m, and returns how far ahead it is in meters when it has walked
// 60 m, or after 90 s.
func Overtake(ctx context.Context, by scene.Model, seed uint64) (float64, error) {
	const half = 1.5
	r := rand.New(rand.NewPCG(seed, 7))
	s := &scene.Scene{Name: "overtake", Seed: seed, Box: box(-5, -half-1, 110, half+1)}
	s.Obstacles.Boxes = []scene.Box{solid(-5, half, 110, half+0.2), solid(-5, -half-0.2, 110, -half)}
	y := r.Float64() - 0.5
	for _, walker := range []struct {
		name     string
		speed, x float64
	}{{"fast", 1.5, 0}, {"slow", 1, 5}} {
		at := xy(walker.x, y+0.2*(r.Float64()-0.5))
		g := scene.People(walker.name, 1, scene.Place{Points: []r2.Vec{at}}, through(box(100, -half, 101, half)))
		g.MaxSpeed = scene.Same(walker.speed)
		s.Groups = append(s.Groups, g)
	}
	record, err := Record(ctx, by, s, 90)
	if err != nil {
		return 0, err
	}
	fast, slow := &record.People[0], &record.People[1]
	for f := range record.Frames {
		if fast.Place(f).X >= 60 || f == record.Frames-1 {
			return fast.Place(f).X - slow.Place(f).X, nil
		}
	}
	return 0, nil
}
