package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
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
// seconds, each alone; NaN for people that do not get there.
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

// WalkCorridor returns how many seconds a person takes for a corridor of some length in
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
	s.Groups = []scene.Group{onePerson(speed, start, end)}
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

// Walk is how people walk at a density.
type Walk struct {
	Density float64 // people a square meter, or a meter in single file
	Speed   float64 // m/s
	Still   int     // people that do not move 5 cm in 30 s
}

// WalkStraight lets people walk along a corridor of 5 m at a density in people/m², and
// measures them in a stretch of 4 m, without the first 10 s.
func WalkStraight(ctx context.Context, by scene.Model, seed uint64, density float64) (Walk, error) {
	const begin = 10 // s
	length, ahead, until := 60., 10., 25.
	if density > 1.6 { // a long jam, measured far behind its head, which spreads
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

// still returns how many do not move 5 cm in the 30 s after a frame, of those that are then
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

// Overtake lets a person that walks 1.5 m/s start 5 m behind one that walks 1.0 m/s, in
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

// Safety is what must not happen in a built-in scene.
type Safety struct {
	Collisions int // of people with one another: penetrations of more than 1 mm
	InWalls    int // steps in which the center of a person is in an obstacle
}

// RunSafety runs a built-in scene to its end.
func RunSafety(ctx context.Context, by scene.Model, name string) (Safety, error) {
	s, err := scene.Named(name)
	if err != nil {
		return Safety{}, err
	}
	count, err := steps(ctx, by, s, scene.Options{Safety: true}, func(*world.World) {})
	return Safety{count.AgentCollisions.Collisions, count.ObstacleCollisions.CentersInside}, err
}

// WallShare runs the built-in scene evacuation, and returns the share of people in the corridors that are within
// 35 cm of the wall without doors. A recorded corridor has 0.01.
func WallShare(ctx context.Context, by scene.Model, seed uint64) (float64, error) {
	s, err := scene.Named("evacuation")
	if err != nil {
		return 0, err
	}
	s.Seed = seed
	r, err := Record(ctx, by, s, 60)
	at, all := 0., 0.
	for i := range r.People {
		for _, p := range r.People[i].At {
			far := min(math.Abs(p.Y-12.5), math.Abs(p.Y-15.5)) // m, from the walls of the core
			if p.X > 1 && p.X < 53 && far < 3.9 {
				all++
				if far < 0.35 {
					at++
				}
			}
		}
	}
	return at / max(all, 1), err
}

// buckets are points in the cells of a grid, in their order.
type buckets struct {
	side          float64 // m, of a cell
	left, low     int     // the first column and row
	columns, rows int
	begin         []int // of each cell in members, and the end of the last
	members       []int
}

// bucketsOf sorts points into cells.
func bucketsOf(at []r2.Vec, side float64) *buckets {
	b := &buckets{side: side}
	if len(at) == 0 {
		return b
	}
	b.left, b.low = b.cell(at[0])
	right, high := b.left, b.low
	for _, p := range at {
		x, y := b.cell(p)
		b.left, b.low, right, high = min(b.left, x), min(b.low, y), max(right, x), max(high, y)
	}
	b.columns, b.rows = right-b.left+1, high-b.low+1
	b.begin = make([]int, b.columns*b.rows+1)
	index := func(p r2.Vec) int {
		x, y := b.cell(p)
		return (x-b.left)*b.rows + y - b.low
	}
	for _, p := range at {
		b.begin[index(p)+1]++
	}
	for k := range b.columns * b.rows {
		b.begin[k+1] += b.begin[k]
	}
	b.members = make([]int, len(at))
	next := append([]int{}, b.begin...)
	for i, p := range at {
		k := index(p)
		b.members[next[k]] = i
		next[k]++
	}
	return b
}

// cell returns the column and row of a point.
func (b *buckets) cell(p r2.Vec) (x, y int) {
	return int(math.Floor(p.X / b.side)), int(math.Floor(p.Y / b.side))
}

// in returns the points in a cell, none where there is no such cell.
func (b *buckets) in(x, y int) []int {
	x, y = x-b.left, y-b.low
	if x < 0 || y < 0 || x >= b.columns || y >= b.rows {
		return nil
	}
	k := x*b.rows + y
	return b.members[b.begin[k]:b.begin[k+1]]
}
