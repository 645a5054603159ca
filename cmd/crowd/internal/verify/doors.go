package verify

import (
	"math/rand/v2"

	"github.com/8f878440/crowd/world/scene"
)

// slim is the radius of the slimmest of the people, in meters.
const slim = 0.18

// corridorDoor is the experiment of Jülich: a room, a gate, and after 4 m a corridor of
// 1.8 m, whose middle is at x = 0.
func corridorDoor(seed uint64, width float64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	half := width / 2
	g, err := crowd(r, "people", people, box(-24.2, -4.6, -14.2, 3.4),
		through(box(-9, -max(half-slim, 0.01), -8, max(half-slim, 0.01)), box(-4, -0.7, -3.5, 0.7), box(3.5, -0.7, 4.5, 0.7), box(8, -2, 9, 2)))
	s := &scene.Scene{Name: "juelich", Seed: seed, Box: box(-25, -7, 10, 7), Groups: []scene.Group{g}}
	s.Obstacles.Boxes = []scene.Box{
		solid(-9, half, -8, 5), solid(-9, -5, -8, -half), // the gate
		solid(-4, 0.9, 4, 5), solid(-4, -5, 4, -0.9), // the corridor
		solid(-25, 5, -4, 5.5), solid(-25, -5.5, -4, -5), solid(-25.5, -5.5, -25, 5.5), // the room
	}
	return s, err
}

// door is RiMEA's room of 10 m by 10 m with a door in a wall of 20 cm, at x = 0.
func door(seed uint64, width float64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	half := width / 2
	g, err := crowd(r, "people", people, box(-10, -5, 0, 5), through(box(0, -max(half-slim, 0.01), 1, max(half-slim, 0.01)), box(5, -3, 6, 3)))
	s := &scene.Scene{Name: "door", Seed: seed, Box: box(-11, -6, 7, 6), Groups: []scene.Group{g}}
	s.Obstacles.Boxes = []scene.Box{
		solid(0, half, 0.2, 5.2), solid(0, -5.2, 0.2, -half),
		solid(-10.2, 5, 0, 5.2), solid(-10.2, -5.2, 0, -5), solid(-10.2, -5, -10, 5),
	}
	return s, err
}

// twoSides is a door of 0.8 m in a wall of 20 cm that people pass from both sides.
func twoSides(seed uint64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	const half = 0.4
	s := &scene.Scene{Name: "two-sides", Seed: seed, Box: box(-11, -6, 11, 6)}
	gate := box(-0.1, -half+slim, 0.1, half-slim)
	left, err := crowd(r, "eastward", people, box(-9, -5, -1, 5), through(gate, box(9, -4, 10, 4)))
	if err != nil {
		return nil, err
	}
	right, err := crowd(r, "westward", people, box(1, -5, 9, 5), through(gate, box(-10, -4, -9, 4)))
	s.Groups = []scene.Group{left, right}
	s.Obstacles.Boxes = []scene.Box{
		solid(-0.1, half, 0.1, 5.2), solid(-0.1, -5.2, 0.1, -half),
		solid(-10.2, 5, 10.2, 5.2), solid(-10.2, -5.2, 10.2, -5),
	}
	return s, err
}

// twoWays is a corridor of 5 m in which two blocks of people meet.
func twoWays(seed uint64, people int, width, length float64) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 4))
	half, deep := width/2, length/2
	s := &scene.Scene{Name: "two-ways", Seed: seed, Box: box(-deep-20, -half-1, deep+20, half+1)}
	block := 0.8 * deep
	left, err := crowd(r, "eastward", people, box(-deep, -half, -deep+block, half), through(box(deep+2, -half, deep+3, half)))
	if err != nil {
		return nil, err
	}
	right, err := crowd(r, "westward", people, box(deep-block, -half, deep, half), through(box(-deep-3, -half, -deep-2, half)))
	s.Groups = []scene.Group{left, right}
	s.Obstacles.Boxes = []scene.Box{solid(-deep-20, half, deep+20, half+0.2), solid(-deep-20, -half-0.2, deep+20, -half)}
	return s, err
}

// straight is a corridor of 5 m that people walk at a density.
func straight(seed uint64, density, length float64) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 5))
	const half = 2.5
	n := int(density*2*half*length + 0.5)
	g, err := crowd(r, "people", n, box(-length, -half, 0, half), through(box(60, -half, 61, half)))
	s := &scene.Scene{Name: "corridor", Seed: seed, Box: box(-length-5, -half-1, 65, half+1), Groups: []scene.Group{g}}
	s.Obstacles.Boxes = []scene.Box{solid(-length-5, half, 65, half+0.2), solid(-length-5, -half-0.2, 65, -half)}
	return s, err
}
