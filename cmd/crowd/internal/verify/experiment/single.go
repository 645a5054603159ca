package experiment

import (
	"context"
	"math"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// corridor is an empty corridor of 2 m along x.
func corridor(seed uint64, from, to float64) *scene.Scene {
	s := &scene.Scene{Name: "corridor", Seed: seed, Box: box(from-1, -2, to+1, 2)}
	along(s, 1+thick, from, to)
	along(s, -1-thick, from, to)
	return s
}

// between returns how long people take from one line across the corridor to another, in
// seconds, each alone; NaN for who does not get there.
func between(ctx context.Context, by scene.Model, s *scene.Scene, from, to, seconds float64) ([]float64, error) {
	r, err := Record(ctx, by, s, seconds)
	if err != nil {
		return nil, err
	}
	times := make([]float64, len(r.People))
	for i := range times {
		times[i] = math.NaN()
	}
	starts := r.Crossings(xy(from, -1e3), xy(from, 1e3))
	for _, end := range r.Crossings(xy(to, -1e3), xy(to, 1e3)) {
		for _, start := range starts {
			if start.Person == end.Person {
				times[end.Person] = math.Abs(end.Time - start.Time)
			}
		}
	}
	return times, nil
}

// WalkCorridor returns how many seconds somebody takes for a corridor of some length in
// meters at a speed in m/s, in zones if there are any. It walks from the right to the left
// where the length is below zero.
func WalkCorridor(ctx context.Context, by scene.Model, speed, length float64, zones ...systems.Zone) (float64, error) {
	a, b := min(length, 0), max(length, 0)
	s := corridor(1, a-4, b+4)
	s.Zones = zones
	start, end := xy(-2, 0), box(b+2, -1, b+3, 1)
	if length < 0 {
		start, end = xy(2, 0), box(a-3, -1, a-2, 1)
	}
	s.Groups = []scene.Group{somebody(speed, start, end)}
	times, err := between(ctx, by, s, 0, length, 3*math.Abs(length)/speed+20)
	if err != nil {
		return 0, err
	}
	return times[0], nil
}

// WalkStairs is WalkCorridor on stairs of that length, up or down.
func WalkStairs(ctx context.Context, by scene.Model, speed, length float64, up bool) (float64, error) {
	if !up {
		return WalkCorridor(ctx, by, speed, -length, stairs(box(-length, -1, 0, 1)))
	}
	return WalkCorridor(ctx, by, speed, length, stairs(box(0, -1, length, 1)))
}

// WalkAlone returns the speeds in m/s of n people whose greatest speeds are drawn, each in a
// corridor of its own.
func WalkAlone(ctx context.Context, by scene.Model, seed uint64, n int, speed scene.Value) ([]float64, error) {
	const width, from, to = 3, 5, 25 // m
	s := &scene.Scene{Name: "lanes", Seed: seed, Box: box(-1, -2, to+6, float64(width*n))}
	var at, end []r2.Vec
	for i := range n {
		y := float64(width * i)
		at, end = append(at, xy(0, y)), append(end, xy(to+5, y))
		along(s, y+width/2., -1, to+6)
	}
	g := scene.People("people", n, scene.Place{Points: at})
	g.Itineraries, g.Target, g.MaxSpeed = nil, &scene.Place{Points: end}, speed
	s.Groups = []scene.Group{g}
	times, err := between(ctx, by, s, from, to, 60)
	if err != nil {
		return nil, err
	}
	speeds := make([]float64, n)
	for i, t := range times {
		speeds[i] = (to - from) / t
	}
	return speeds, nil
}
