package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/8f878440/crowd/world/scene"
)

// Assigned returns how many of LeaveCabins left by the exit to which they were assigned.
func Assigned(e *Evacuation) int { return e.By(0, mainExit) + e.By(1, sideExit) }

// Far returns how many of ChooseExit left by the far exit.
func Far(e *Evacuation) float64 { return float64(e.By(-1, farExit)) }

// LeaveToCorridor lets 100 people leave a room of 8 m by 5 m by a door of 1 m into a corridor
// of 2 m that leads to a door as wide. Mean is how many are within 2 m before the first door, and
// before the second one.
func LeaveToCorridor(ctx context.Context, by scene.Model, seed uint64) (Evacuation, error) {
	s := &scene.Scene{Name: "room and corridor", Seed: seed, Box: box(-9, -4, 18, 4)}
	room(s, -8, -2.5, 0, 2.5, opening{0, 1})
	along(s, 1+thick, 2*thick, 15)
	along(s, -1-thick, 2*thick, 15)
	across(s, 15+thick, -1.2, 1.2, opening{0, 1})
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 18)), "people", 100, box(-7.9, -2.4, -0.1, 2.4))
	if err != nil {
		return Evacuation{}, err
	}
	byField(&g, scene.Field, exit{xy(16.5, 0), 1})
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, 200, box(-2, -2.5, 0, 2.5), box(13, -1, 15, 1))
}

// KolmogorovP returns the chance that draws of a distribution are as far from it as these are,
// or farther: the test of Kolmogorov and Smirnov. It is NaN without draws.
func KolmogorovP(draws []float64, cdf func(float64) float64) float64 {
	n := float64(len(draws))
	if n == 0 {
		return math.NaN()
	}
	sorted, distance := slices.Sorted(slices.Values(draws)), 0.
	for i, x := range sorted {
		c := cdf(x)
		distance = max(distance, math.Abs(c-float64(i)/n), math.Abs(c-float64(i+1)/n))
	}
	root := math.Sqrt(n)
	lambda, p := (root+0.12+0.11/root)*distance, 0.
	for k := 1.; k <= 100; k++ {
		p += 2 * math.Pow(-1, k-1) * math.Exp(-2*k*k*lambda*lambda)
	}
	return min(max(p, 0), 1)
}
