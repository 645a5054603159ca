package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/8f878440/crowd/world/scene"
)

// Walk is how people walk at a density.
type Walk struct {
	Density float64 // people a square meter, or a meter in single file
	Speed   float64 // m/s
	Still   int     // people who do not move 5 cm in 30 s
}

// WalkStraight lets people walk along a corridor of 5 m at a density in people/m², and
// measures them in a stretch of 4 m, without the first 10 s.
func WalkStraight(ctx context.Context, by scene.Model, seed uint64, density float64) (Walk, error) {
	const begin = 10 // s
	length, ahead, until := 60., 10., 25.
	if density > 1.6 { // a long throng, measured far behind its head, which spreads
		length, ahead = 90, 50
	}
	if density > 3.5 {
		until = 40
	}
	s, err := straightScene(ctx, seed, density, length)
	if err != nil {
		return Walk{}, err
	}
	r, err := Record(ctx, by, s, 40.1)
	if err != nil {
		return Walk{}, err
	}
	m := r.Measure(box(-ahead-4, -straightHalf, -ahead, straightHalf), frames(begin), frames(until))
	return Walk{m.Density, m.Speed, still(r, frames(begin), -ahead-25, -ahead)}, nil
}

// still returns how many do not move 5 cm in the 30 s after a frame, of those who are then
// between two places along x.
func still(r *Recording, frame int, from, to float64) (n int) {
	end := frame + frames(30)
	for i := range r.People {
		p := &r.People[i]
		if p.Last() < end || p.Place(frame).X < from || p.Place(frame).X > to {
			continue
		}
		a, b := p.Place(frame), p.Place(end)
		if math.Hypot(a.X-b.X, a.Y-b.Y) < 0.05 {
			n++
		}
	}
	return n
}

const straightHalf = 2.5 // m, half the width of the corridor

func straightScene(ctx context.Context, seed uint64, density, length float64) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 5))
	n := int(density*2*straightHalf*length + 0.5)
	g, err := crowd(ctx, r, "people", n, box(-length, -straightHalf, 0, straightHalf), box(60, -straightHalf, 61, straightHalf))
	s := &scene.Scene{Name: "corridor", Seed: seed, Box: box(-length-5, -straightHalf-1, 65, straightHalf+1), Groups: []scene.Group{g}}
	s.Obstacles.Boxes = []scene.Box{
		solid(-length-5, straightHalf, 65, straightHalf+0.2), solid(-length-5, -straightHalf-0.2, 65, -straightHalf),
	}
	return s, err
}
