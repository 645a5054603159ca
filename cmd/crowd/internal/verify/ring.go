package verify

import (
	"math"
	"math/rand/v2"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// loop returns points every half meter on a loop of two straights and two half circles,
// so far to the left of its middle line.
func loop(straight, radius, left float64) []r2.Vec {
	var way []r2.Vec
	turn := radius - left
	half := straight / 2
	const pitch = 0.5
	n := int(math.Ceil(straight / pitch))
	for i := range n {
		way = append(way, xy(-half+straight*float64(i)/float64(n), -turn))
	}
	m := int(math.Ceil(math.Pi * turn / pitch))
	for i := range m {
		a := math.Pi * (float64(i)/float64(m) - 0.5)
		way = append(way, xy(half+turn*math.Cos(a), turn*math.Sin(a)))
	}
	for i := range n {
		way = append(way, xy(half-straight*float64(i)/float64(n), turn))
	}
	for i := range m {
		a := math.Pi * (float64(i)/float64(m) + 0.5)
		way = append(way, xy(-half+turn*math.Cos(a), turn*math.Sin(a)))
	}
	return way
}

// ring is a closed loop of some width that people walk round and round, as many a square
// meter as density says, or a meter for a single file.
func ring(seed uint64, density, straight, radius, width float64, single bool) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 6))
	s := &scene.Scene{Name: "ring", Seed: seed, Box: box(-straight/2-radius-width, -radius-width, straight/2+radius+width, radius+width)}
	lanes := 1
	if !single {
		lanes = max(1, int(width/0.6))
	}
	for i := range lanes {
		left := width * ((float64(i)+0.5)/float64(lanes) - 0.5)
		way := loop(straight, radius, left)
		s.Paths = append(s.Paths, way)
		length := 2*straight + 2*math.Pi*(radius-left)
		n := int(density*length*width/float64(lanes) + 0.5)
		if single {
			n = int(density*length + 0.5)
		}
		radii := bodies(r, n)
		sum := 0.
		for _, b := range radii {
			sum += 2 * b
		}
		room := (length - sum) / float64(n)
		g := scene.People("", n, scene.Place{}, nil...)
		g.Radius = scene.Value{Each: radii}
		g.Goal, g.Itineraries = nil, nil
		at := 0.
		var places []r2.Vec
		var next []uint32
		for k := range n {
			at += radii[k]
			u := at / length * float64(len(way))
			j := int(u)
			f := u - float64(j)
			p, q := way[j%len(way)], way[(j+1)%len(way)]
			places = append(places, xy(p.X+f*(q.X-p.X), p.Y+f*(q.Y-p.Y)))
			next = append(next, uint32((j+2)%len(way)))
			at += radii[k] + room
		}
		// one group for each waypoint to begin at
		for k := range places {
			one := g
			one.Count, one.At = 1, scene.Place{Points: []r2.Vec{places[k]}}
			one.Radius = scene.Same(radii[k])
			one.Target = &scene.Place{Points: []r2.Vec{way[next[k]]}}
			one.Behaviors = append([]any{c.Path{Index: uint32(i), Next: next[k], Reached: 1.2, Loop: true}}, g.Behaviors...)
			s.Groups = append(s.Groups, one)
		}
	}
	for _, side := range []float64{1, -1} {
		edge := loop(straight, radius, side*width/2)
		for k := range edge {
			s.Obstacles.Walls = append(s.Obstacles.Walls, scene.Wall{A: edge[k], B: edge[(k+1)%len(edge)]})
		}
	}
	return s, nil
}
