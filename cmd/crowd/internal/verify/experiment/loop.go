package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/recording"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// track is a closed loop of two straights and two half circles. Its middle line is a
// distance from the centers of the half circles.
type track struct {
	straight, radius, width float64 // m
	single                  bool    // one walks behind the other
}

// WalkLoop lets people walk round a closed loop 2.4 m wide at a density in people/m².
func WalkLoop(ctx context.Context, seed uint64, density float64) (Walk, error) {
	return track{straight: 20, radius: 5, width: 2.4}.walk(ctx, seed, density)
}

// WalkSingleFile runs test 16 of RiMEA: people walk round a loop one behind the other, at a
// density in people a meter.
func WalkSingleFile(ctx context.Context, seed uint64, density float64) (Walk, error) {
	return track{straight: 4, radius: 4, width: 0.7, single: true}.walk(ctx, seed, density)
}

// walk lets people walk for 60 s, and measures them on 4 m of a straight, without the
// first 10 s. The speed is that along the track, so that whoever goes back counts as that.
func (t track) walk(ctx context.Context, seed uint64, density float64) (Walk, error) {
	const begin, end, stretch = 10., 60., 4. // s, s, m
	s, err := t.scene(seed, density)
	if err != nil {
		return Walk{}, err
	}
	r, err := Record(ctx, s, end)
	if err != nil {
		return Walk{}, err
	}
	area := box(-stretch/2, -t.radius-t.width, stretch/2, -t.radius+t.width)
	sum, n := 0., 0
	for i := range r.People {
		p := &r.People[i]
		for f := frames(begin); f < r.Frames; f++ {
			if !recording.Inside(area, p.Place(f)) {
				continue
			}
			if v, ok := r.Velocity(p, f); ok {
				sum, n = sum+v.X, n+1
			}
		}
	}
	people := float64(n) / float64(r.Frames-frames(begin))
	walk := Walk{Density: people / (stretch * t.width), Speed: sum / float64(n)}
	if t.single {
		walk.Density = people / stretch
	}
	return walk, nil
}

// line returns points every half meter on the track, so far to the left of its middle
// line, and how long that line is.
func (t track) line(left float64) (way []r2.Vec, length float64) {
	const pitch = 0.5 // m
	turn, half := t.radius-left, t.straight/2
	n := int(math.Ceil(t.straight / pitch))
	m := int(math.Ceil(math.Pi * turn / pitch))
	for side := -1.; side <= 1; side += 2 {
		for i := range n {
			along := t.straight*float64(i)/float64(n) - half
			way = append(way, xy(-side*along, side*turn))
		}
		for i := range m {
			a := math.Pi * (float64(i)/float64(m) + side/2)
			way = append(way, xy(-side*half+turn*math.Cos(a), turn*math.Sin(a)))
		}
	}
	return way, 2*t.straight + 2*math.Pi*turn
}

// scene returns people who walk in lanes round the track.
func (t track) scene(seed uint64, density float64) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 6))
	far := t.radius + t.width
	s := &scene.Scene{Name: "loop", Seed: seed, Box: box(-t.straight/2-far, -far, t.straight/2+far, far)}
	lanes := 1
	if !t.single {
		lanes = max(1, int(t.width/0.6))
	}
	for i := range lanes {
		way, length := t.line(t.width * ((float64(i)+0.5)/float64(lanes) - 0.5))
		n := int(density*length*t.width/float64(lanes) + 0.5)
		if t.single {
			n = int(density*length + 0.5)
		}
		s.Paths = append(s.Paths, way)
		if err := t.fill(s, uint32(i), length, density, bodies(r, n)); err != nil {
			return nil, err
		}
	}
	for _, side := range []float64{1, -1} {
		edge, _ := t.line(side * t.width / 2)
		for k := range edge {
			s.Obstacles.Walls = append(s.Obstacles.Walls, scene.Wall{A: edge[k], B: edge[(k+1)%len(edge)]})
		}
	}
	return s, nil
}

// fill places people on a path of the scene, one as far behind the other as the next, each
// a group of its own, for each begins at another waypoint.
func (t track) fill(s *scene.Scene, path uint32, length, density float64, radii []float64) error {
	way, sum := s.Paths[path], 0.
	for _, b := range radii {
		sum += 2 * b
	}
	room := (length - sum) / float64(len(radii))
	if room < 0 {
		unit := "m²"
		if t.single {
			unit = "m"
		}
		return NoRoomError{density, unit, sum / length}
	}
	at := 0.
	for _, radius := range radii {
		at += radius
		u := at / length * float64(len(way))
		j := int(u)
		f := u - float64(j)
		p, q := way[j%len(way)], way[(j+1)%len(way)]
		next := (j + 2) % len(way)
		g := scene.People("", 1, scene.Place{Points: []r2.Vec{xy(p.X+f*(q.X-p.X), p.Y+f*(q.Y-p.Y))}})
		g.Goal, g.Itineraries = nil, nil
		g.Radius = scene.Same(radius)
		g.Target = &scene.Place{Points: []r2.Vec{way[next]}}
		g.Behaviors = append([]any{c.Path{Index: path, Next: uint32(next), Reached: 1.2, Loop: true}}, g.Behaviors...)
		s.Groups = append(s.Groups, g)
		at += radius + room
	}
	return nil
}
