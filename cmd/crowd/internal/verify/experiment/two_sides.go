package experiment

import (
	"context"
	"math/rand/v2"

	"github.com/8f878440/crowd/world/scene"
)

// TwoSides is what was measured at a door that people pass from both sides.
type TwoSides struct {
	People, Passed int
	Burst          float64      // how many of one side pass in a row, on average
	Times          [2][]float64 // s, at which those of each side pass
}

// WalkTwoSides lets 60 people from each side pass a door of 0.8 m in a wall of 20 cm, for
// up to so many seconds.
func WalkTwoSides(ctx context.Context, by scene.Model, seed uint64, seconds float64) (TwoSides, error) {
	s, err := twoSidesScene(ctx, seed, 60)
	if err != nil {
		return TwoSides{}, err
	}
	r, err := Record(ctx, by, s, seconds)
	if err != nil {
		return TwoSides{}, err
	}
	all := r.Crossings(xy(0, -doorHalf), xy(0, doorHalf))
	t := TwoSides{People: len(r.People), Passed: len(all), Burst: r.Bursts(all)}
	for _, c := range all {
		side := r.People[c.Person].Group
		t.Times[side] = append(t.Times[side], c.Time)
	}
	return t, nil
}

const doorHalf = 0.4 // m, half the width of the door

func twoSidesScene(ctx context.Context, seed uint64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	s := &scene.Scene{Name: "two-sides", Seed: seed, Box: box(-11, -6, 11, 6)}
	left, err := crowd(ctx, r, "eastward", people, box(-9, -5, -1, 5), box(9, -4, 10, 4))
	if err != nil {
		return nil, err
	}
	right, err := crowd(ctx, r, "westward", people, box(1, -5, 9, 5), box(-10, -4, -9, 4))
	s.Groups = []scene.Group{left, right}
	s.Obstacles.Boxes = []scene.Box{
		solid(-0.1, doorHalf, 0.1, 5.2), solid(-0.1, -5.2, 0.1, -doorHalf),
		solid(-10.2, 5, 10.2, 5.2), solid(-10.2, -5.2, 10.2, -5),
	}
	return s, err
}
