// Package experiment simulates experiments with people and the tests of guidelines, and measures recorded and
// simulated trajectories.
package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func box(x0, y0, x1, y1 float64) r2.Box { return r2.Box{Min: xy(x0, y0), Max: xy(x1, y1)} }

func bodies(r *rand.Rand, n int) []float64 {
	s := scene.People("", 1, scene.Place{}).Radius.Spread
	radii := make([]float64, n)
	for i := range radii {
		radii[i] = s.Min + (s.Max-s.Min)*r.Float64()
	}
	return radii
}

// Run describes a run of an experiment.
type Run struct {
	Context context.Context
	By      scene.Model // empty means the model of the scene
	Seed    uint64
}

// stage is the scene of a run. It keeps the first error, which record and evacuate return.
type stage struct {
	run Run
	*scene.Scene
	random *rand.Rand
	err    error
}

// stage returns an empty scene. The parameter stream selects one of the random sequences of the seed.
func (r Run) stage(name string, stream uint64, bounds r2.Box) *stage {
	s := &scene.Scene{Name: name, Seed: r.Seed, Box: bounds}
	return &stage{run: r, Scene: s, random: rand.New(rand.NewPCG(r.Seed, stream))}
}

func (s *stage) record(seconds float64) (*Recording, error) {
	if s.err != nil {
		return nil, s.err
	}
	return Record(s.run.Context, s.run.By, s.Scene, seconds)
}

// crowd adds a group of n people at random places in a box, and returns it. If a second box is given, they
// leave there. The result is valid until another group is added.
func (s *stage) crowd(name string, n int, in r2.Box, to ...r2.Box) *scene.Group {
	radii := bodies(s.random, n)
	at, err := spaced(s.run.Context, s.random, hall{in}, radii)
	s.err = cmp.Or(s.err, err)
	g := scene.People(name, n, scene.Place{Points: at})
	g.Radius = scene.Value{Each: radii}
	for _, b := range to {
		g.Way, g.FieldCell, g.Target = scene.Field, 0.05, &scene.Place{Exits: []scene.Exit{{Box: b}}}
	}
	s.Groups = append(s.Groups, g)
	return &s.Groups[len(s.Groups)-1]
}

func (s *stage) solid(x0, y0, x1, y1 float64) {
	s.Obstacles.Boxes = append(s.Obstacles.Boxes, scene.Box{Box: box(x0, y0, x1, y1)})
}

func through(boxes ...r2.Box) []systems.Stop {
	var stops []systems.Stop
	for _, b := range boxes {
		stops = append(stops, systems.Stop{Kind: systems.StopBox, Box: b})
	}
	return stops
}

// Dt is the length of a step in seconds, as in the built-in pedestrian scenes.
const Dt = 1. / 30

func frames(seconds float64) int { return int(seconds / Dt) }

// Record runs a scene for the given time, in seconds, or until all people have left, and records their
// trajectories. It sets the time step and the number of steps of s and, if the parameter by is not empty, the
// model.
func Record(ctx context.Context, by scene.Model, s *scene.Scene, seconds float64) (*Recording, error) {
	s.Dt, s.Steps = Dt, frames(seconds)
	out := &Recording{Dt: Dt}
	for g := range s.Groups {
		for range s.Groups[g].Count {
			out.People = append(out.People, Person{ID: uint64(len(out.People) + 1), Group: g})
		}
	}
	agents := generic.NewFilter2[c.Agent, c.Position]()
	_, err := steps(ctx, by, s, scene.Options{}, func(w *world.World) {
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

// steps runs a scene until its end, or until all people have left, and returns its statistics. An empty model
// means that of the scene. steps calls the function look at the start and after each step of the original
// length, even if the model takes shorter steps.
func steps(ctx context.Context, by scene.Model, s *scene.Scene, o scene.Options, look func(*world.World)) (world.Stats, error) {
	n := s.Steps
	if by != "" {
		if err := s.SetModel(by); err != nil {
			return world.Stats{}, err
		}
	}
	parts := max(1, s.Steps/max(n, 1))
	o.Workers, o.Context = 1, ctx
	w, err := s.Build(o)
	if err != nil {
		return world.Stats{}, err
	}
	defer w.Close()
	look(w)
	for range n {
		for range parts {
			if err := cmp.Or(ctx.Err(), w.Step()); err != nil {
				return world.Stats{}, err
			}
		}
		look(w)
		if s.Ends() && w.Departed() == s.Agents() {
			break
		}
	}
	return w.Stats(), nil
}

const thick = 0.1 // m, half the thickness of the walls of a floor plan

// opening is a door: its middle along the wall, and its width, in meters.
type opening struct{ at, width float64 }

// along adds a wall parallel to the x axis. The doors must be in ascending order.
func (s *stage) along(y, from, to float64, doors ...opening) {
	for _, d := range append(doors, opening{to, 0}) {
		if end := d.at - d.width/2; end > from {
			s.solid(from, y-thick, end, y+thick)
		}
		from = d.at + d.width/2
	}
}

// across is like along, for a wall parallel to the y axis.
func (s *stage) across(x, from, to float64, doors ...opening) {
	for _, d := range append(doors, opening{to, 0}) {
		if end := d.at - d.width/2; end > from {
			s.solid(x-thick, from, x+thick, end)
		}
		from = d.at + d.width/2
	}
}

// room adds four walls around a box, with doors in the right wall.
func (s *stage) room(x0, y0, x1, y1 float64, doors ...opening) {
	s.along(y0-thick, x0-2*thick, x1+2*thick)
	s.along(y1+thick, x0-2*thick, x1+2*thick)
	s.across(x0-thick, y0, y1)
	s.across(x1+thick, y0, y1, doors...)
}

func (s *stage) sides(from, to, half float64) {
	s.solid(from, half, to, half+0.2)
	s.solid(from, -half-0.2, to, -half)
}

func byField(g *scene.Group, way scene.Way, exits ...exit) {
	const apart = 0.25 // m, between the points of an exit
	g.Itineraries, g.Way, g.FieldCell = nil, way, 0.15
	g.Goal = &scene.Goal{Radius: scene.Same(0.4), Then: scene.Leave}
	g.Target = &scene.Place{}
	for _, e := range exits {
		for y := -e.length / 2; y <= e.length/2; y += apart {
			g.Target.Points = append(g.Target.Points, r2.Add(e.at, xy(0, y)))
		}
	}
}

type exit struct {
	at     r2.Vec
	length float64 // m
}

func onePerson(speed float64, at r2.Vec, boxes ...r2.Box) scene.Group {
	g := scene.People("", 1, scene.Place{Points: []r2.Vec{at}}, through(boxes...))
	g.MaxSpeed, g.Radius = scene.Same(speed), scene.Same(0.2)
	return g
}

// stairs returns stairs that lead up along the x axis, with RiMEA's speed factors.
func stairs(in r2.Box) systems.Zone {
	return systems.Zone{Box: in, Speed: 0.75, Up: xy(1, 0), SpeedUp: 0.5}
}

// NoRoomError reports that people do not fit where they start.
type NoRoomError struct {
	Density float64 // people per unit of length or area
	Unit    string
	Share   float64 // of the area, or of the length of a single file, that bodies cover
}

func (e NoRoomError) Error() string {
	return fmt.Sprintf("%.1f people per %s do not fit: their bodies would cover %.0f%% of the space", e.Density, e.Unit, 100*e.Share)
}

type floor interface {
	area() float64                          // m²
	draw(r *rand.Rand) r2.Vec               // random point
	inside(p r2.Vec, radius float64) r2.Vec // point nearest to p where a body fits
}

type hall struct{ r2.Box }

func (h hall) area() float64 { return (h.Max.X - h.Min.X) * (h.Max.Y - h.Min.Y) }

func (h hall) draw(r *rand.Rand) r2.Vec {
	size := vec.Sub(h.Max, h.Min)
	return r2.Vec{X: h.Min.X + size.X*r.Float64(), Y: h.Min.Y + size.Y*r.Float64()}
}

func (h hall) inside(p r2.Vec, radius float64) r2.Vec {
	return r2.Vec{X: min(max(p.X, h.Min.X+radius), h.Max.X-radius), Y: min(max(p.Y, h.Min.Y+radius), h.Max.Y-radius)}
}

// spaced places bodies on a floor so that they do not touch, and returns the places. It pushes random points
// apart, at first farther than necessary. If the bodies do not fit, spaced returns a NoRoomError.
func spaced(ctx context.Context, r *rand.Rand, on floor, radii []float64) ([]r2.Vec, error) {
	n := len(radii)
	area, bodies, widest := on.area(), 0., 0.
	at := make([]r2.Vec, n)
	for i := range at {
		at[i] = on.draw(r)
		bodies += math.Pi * radii[i] * radii[i]
		widest = max(widest, radii[i])
	}
	const (
		rounds  = 2000
		close   = 1.001  // times the touching distance
		densest = 0.9069 // largest share of an area that equal disks can cover
	)
	noRoom := NoRoomError{float64(n) / area, "m²", bodies / area}
	if noRoom.Share > densest {
		return nil, noRoom
	}
	wish := 0.7 * math.Sqrt(2/math.Sqrt(3)*area/float64(max(n, 1))) // times the distance in a triangular lattice
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if round > rounds/4 {
			wish = 0
		}
		worst := pushApart(at, radii, wish, close, 2*widest*close)
		for i := range at {
			at[i] = on.inside(at[i], radii[i]*close)
		}
		if worst < 1e-4 && round > rounds/20 {
			return at, nil
		}
	}
	return nil, noRoom
}

// pushApart moves pairs of bodies apart if their centers are nearer than the distance wish, or if the bodies,
// enlarged by factor, touch. The parameter reach must be at least the distance at which any two enlarged
// bodies touch. pushApart returns the largest overlap of enlarged bodies that it found, in meters.
func pushApart(at []r2.Vec, radii []float64, wish, factor, reach float64) (worst float64) {
	b := bucketsOf(at, max(wish, reach)+0.01)
	for i := range at {
		x, y := b.cell(at[i])
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, j := range b.in(x+dx, y+dy) {
					if j <= i {
						continue
					}
					d := vec.Sub(at[j], at[i])
					l, touch := vec.Norm(d), (radii[i]+radii[j])*factor
					if l >= max(wish, touch) {
						continue
					}
					worst = max(worst, touch-l)
					if l == 0 {
						d, l = r2.Vec{X: 1e-3}, 1e-3
					}
					move := vec.Scale(0.5*(max(wish, touch)-l)/l, d)
					at[i], at[j] = vec.Sub(at[i], move), vec.Add(at[j], move)
				}
			}
		}
	}
	return worst
}
