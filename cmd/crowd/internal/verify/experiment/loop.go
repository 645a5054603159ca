package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

type track struct {
	straight, radius, width float64 // m; radius is that of the middle line
	single                  bool    // in single file
}

// WalkLoop lets people walk around a closed loop at a density in people/m².
func WalkLoop(run Run, density float64) (Walk, error) {
	return track{straight: 20, radius: 5, width: 2.4}.walk(run, density)
}

// WalkSingleFile runs RiMEA's test 16: people walk in single file at a density in people/m.
func WalkSingleFile(run Run, density float64) (Walk, error) {
	return track{straight: 4, radius: 4, width: 0.7, single: true}.walk(run, density)
}

// walk measures people on 4 m of a straight, from 10 s to 60 s. Speeds of people walking backward count as
// negative.
func (t track) walk(run Run, density float64) (Walk, error) {
	const begin, end, stretch = 10., 60., 4. // s, s, m
	r, err := t.stage(run, density).record(end)
	if err != nil {
		return Walk{}, err
	}
	area := box(-stretch/2, -t.radius-t.width, stretch/2, -t.radius+t.width)
	sum, n := 0., 0
	for i := range r.People {
		p := &r.People[i]
		for f := frames(begin); f < r.Frames; f++ {
			if !Inside(area, p.Place(f)) {
				continue
			}
			if v, ok := r.Velocity(p, f, 1); ok {
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

// line returns a closed line at the given distance to the left of the middle line, and its length. The points
// of the line are at most half a meter apart.
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

// foot returns the nearest point of the middle line, and the direction to the left of the walking direction
// there.
func (t track) foot(p r2.Vec) (at, left r2.Vec) {
	half := t.straight / 2
	if math.Abs(p.X) <= half {
		side := math.Copysign(1, p.Y)
		return xy(p.X, side*t.radius), xy(0, -side)
	}
	center := xy(math.Copysign(half, p.X), 0)
	out := vec.Unit(vec.Sub(p, center))
	return vec.AddScaled(center, t.radius, out), vec.Scale(-1, out)
}

func (t track) area() float64 { return (2*t.straight + 2*math.Pi*t.radius) * t.width }

func (t track) draw(r *rand.Rand) r2.Vec {
	half, far := t.straight/2, t.radius+t.width/2
	for {
		p := xy((2*r.Float64()-1)*(half+far), (2*r.Float64()-1)*far)
		if foot, _ := t.foot(p); vec.Norm(vec.Sub(p, foot)) < t.width/2 {
			return p
		}
	}
}

func (t track) inside(p r2.Vec, radius float64) r2.Vec {
	foot, left := t.foot(p)
	room := t.width/2 - radius
	return vec.AddScaled(foot, min(max(vec.Dot(vec.Sub(p, foot), left), -room), room), left)
}

// stage returns a scene in which people walk along their starting lanes.
func (t track) stage(run Run, density float64) *stage {
	far := t.radius + t.width
	s := run.stage("loop", 6, box(-t.straight/2-far, -far, t.straight/2+far, far))
	lanes, place := 5, t.scattered
	if t.single {
		lanes, place = 1, t.filed
	}
	for i := range lanes {
		way, _ := t.line(t.width * ((float64(i)+0.5)/float64(lanes) - 0.5))
		s.Paths = append(s.Paths, way)
	}
	radii, places, err := place(run.Context, s.random, density)
	s.err = err
	for i, p := range places {
		foot, left := t.foot(p)
		beside := vec.Dot(vec.Sub(p, foot), left)/t.width + 0.5
		s.Groups = append(s.Groups, walker(s.Scene, min(max(int(beside*float64(lanes)), 0), lanes-1), p, radii[i]))
	}
	for _, side := range []float64{1, -1} {
		edge, _ := t.line(side * t.width / 2)
		for k := range edge {
			s.Obstacles.Walls = append(s.Obstacles.Walls, scene.Wall{A: edge[k], B: edge[(k+1)%len(edge)]})
		}
	}
	return s
}

// scattered returns bodies at random places on the track, at a density in people/m².
func (t track) scattered(ctx context.Context, r *rand.Rand, density float64) (radii []float64, places []r2.Vec, err error) {
	radii = bodies(r, int(density*t.area()+0.5))
	places, err = spaced(ctx, r, t, radii)
	return radii, places, err
}

// filed returns bodies on the middle line with equal gaps, at a density in people/m.
func (t track) filed(_ context.Context, r *rand.Rand, density float64) (radii []float64, places []r2.Vec, err error) {
	way, length := t.line(0)
	radii = bodies(r, int(density*length+0.5))
	sum := 0.
	for _, radius := range radii {
		sum += 2 * radius
	}
	room := (length - sum) / float64(len(radii))
	if room < 0 {
		return nil, nil, NoRoomError{density, "m", sum / length}
	}
	at := 0.
	for _, radius := range radii {
		at += radius
		u := at / length * float64(len(way))
		j := int(u)
		p, q := way[j%len(way)], way[(j+1)%len(way)]
		places = append(places, vec.AddScaled(p, u-float64(j), vec.Sub(q, p)))
		at += radius + room
	}
	return radii, places, nil
}

// walker returns a group of one person that walks along a path, from the second waypoint after the nearest.
func walker(s *scene.Scene, path int, at r2.Vec, radius float64) scene.Group {
	way, nearest := s.Paths[path], 0
	for k, p := range way {
		if vec.Norm(vec.Sub(p, at)) < vec.Norm(vec.Sub(way[nearest], at)) {
			nearest = k
		}
	}
	next := (nearest + 2) % len(way)
	g := scene.People("", 1, scene.Place{Points: []r2.Vec{at}})
	g.Goal, g.Itineraries = nil, nil
	g.Radius = scene.Same(radius)
	g.Target = &scene.Place{Points: []r2.Vec{way[next]}}
	g.Set(c.Path{Index: uint32(path), Next: uint32(next), Reached: 1.2, Loop: true})
	return g
}
