package experiment

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func (r Run) corridor(from, to float64) *stage {
	s := r.stage("corridor", 17, box(from-1, -2, to+1, 2))
	s.along(1+thick, from, to)
	s.along(-1-thick, from, to)
	return s
}

// between returns the time in seconds that each person takes between two lines across the corridor, or NaN if
// the person does not cross both.
func (s *stage) between(from, to, seconds float64) ([]float64, error) {
	r, err := s.record(seconds)
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

// WalkCorridor returns the time in seconds that a person takes to walk through a corridor with zones, at a
// speed in m/s, or NaN if the person does not get to the end. The length is in meters; if it is negative, the
// person walks to the left. The seed is always 1.
func WalkCorridor(run Run, speed, length float64, zones ...systems.Zone) (float64, error) {
	a, b := min(length, 0), max(length, 0)
	run.Seed = 1
	s := run.corridor(a-4, b+4)
	s.Zones = zones
	start, end := xy(-2, 0), box(b+2, -1, b+3, 1)
	if length < 0 {
		start, end = xy(2, 0), box(a-3, -1, a-2, 1)
	}
	s.Groups = []scene.Group{onePerson(speed, start, end)}
	times, err := s.between(0, length, 3*math.Abs(length)/speed+20)
	if err != nil {
		return 0, err
	}
	return times[0], nil
}

// WalkStairs is like WalkCorridor, but on stairs of the given length.
func WalkStairs(run Run, speed, length float64, up bool) (float64, error) {
	if !up {
		return WalkCorridor(run, speed, -length, stairs(box(-length, -1, 0, 1)))
	}
	return WalkCorridor(run, speed, length, stairs(box(0, -1, length, 1)))
}

// WalkAlone returns the speeds in m/s of n people with the given maximum speeds, each in a separate corridor.
// A speed is NaN if the person does not get to the end.
func WalkAlone(run Run, n int, speed scene.Value) ([]float64, error) {
	const width, from, to = 3, 5, 25 // m
	s := run.stage("lanes", 0, box(-1, -2, to+6, float64(width*n)))
	var at, end []r2.Vec
	for i := range n {
		y := float64(width * i)
		at, end = append(at, xy(0, y)), append(end, xy(to+5, y))
		s.along(y+width/2., -1, to+6)
	}
	g := scene.People("people", n, scene.Place{Points: at})
	g.Itineraries, g.Target, g.MaxSpeed = nil, &scene.Place{Points: end}, speed
	s.Groups = []scene.Group{g}
	times, err := s.between(from, to, 60)
	if err != nil {
		return nil, err
	}
	speeds := make([]float64, n)
	for i, t := range times {
		speeds[i] = (to - from) / t
	}
	return speeds, nil
}

// Walk holds the measurements of people walking at a density.
type Walk struct {
	Density float64 // people/m², or people/m in single file
	Speed   float64 // m/s
	Still   int     // people moving less than 5 cm in 30 s
}

// WalkStraight lets people walk along a corridor at a density in people/m². From 10 s on, it measures density
// and speed on a stretch of 4 m, and counts the people standing still on one of 25 m.
func WalkStraight(run Run, density float64) (Walk, error) {
	const begin, half = 10, 2.5 // s, m
	length, ahead, until := 60., 10., 25.
	if density > 1.6 { // a long jam, measured far behind its spreading head
		length, ahead = 90, 50
	}
	if density > 3.5 {
		until = 40
	}
	s := run.stage("corridor", 5, box(-length-5, -half-1, 65, half+1))
	s.sides(-length-5, 65, half)
	s.crowd("people", int(density*2*half*length+0.5), box(-length, -half, 0, half), box(60, -half, 61, half))
	r, err := s.record(40.1)
	if err != nil {
		return Walk{}, err
	}
	m := r.Measure(box(-ahead-4, -half, -ahead, half), frames(begin), frames(until))
	return Walk{m.Density, m.Speed, still(r, frames(begin), -ahead-25, -ahead)}, nil
}

// still returns how many people between two places along x move less than 5 cm in the 30 s after a frame.
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

// Overtake starts a person at 1.5 m/s, 5 m behind a person at 1.0 m/s. It returns the lead of the faster
// person, in meters, after 60 m, or after 90 s if that is earlier.
func Overtake(run Run) (float64, error) {
	const half = 1.5
	s := run.stage("overtake", 7, box(-5, -half-1, 110, half+1))
	s.sides(-5, 110, half)
	y := s.random.Float64() - 0.5
	for _, walker := range []struct {
		name     string
		speed, x float64
	}{{"fast", 1.5, 0}, {"slow", 1, 5}} {
		at := xy(walker.x, y+0.2*(s.random.Float64()-0.5))
		g := scene.People(walker.name, 1, scene.Place{Points: []r2.Vec{at}}, through(box(100, -half, 101, half)))
		g.MaxSpeed = scene.Same(walker.speed)
		s.Groups = append(s.Groups, g)
	}
	record, err := s.record(90)
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

// Safety counts events that must not happen in a built-in scene.
type Safety struct {
	Collisions int // between people overlapping by more than 1 mm
	InWalls    int // person-steps with the center in an obstacle
}

// RunSafety runs a built-in scene to its end, with the seed of the scene.
func RunSafety(run Run, name string) (Safety, error) {
	s, err := scene.Named(name)
	if err != nil {
		return Safety{}, err
	}
	count, err := steps(run.Context, run.By, s, scene.Options{Safety: true}, func(*world.World) {})
	return Safety{count.AgentCollisions.Collisions, count.ObstacleCollisions.CentersInside}, err
}

// WallShare returns the share of people within 35 cm of the walls without doors, in the corridors of the
// built-in scene evacuation, over 60 s. In a recorded corridor, it is 0.01.
func WallShare(run Run) (float64, error) {
	s, err := scene.Named("evacuation")
	if err != nil {
		return 0, err
	}
	s.Seed = run.Seed
	r, err := Record(run.Context, run.By, s, 60)
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

// buckets sorts points into the cells of a grid, where they keep their order.
type buckets struct {
	side          float64 // m, of a cell
	left, low     int     // first column and row
	columns, rows int
	begin         []int // start of each cell in members, and the end of the last
	members       []int
}

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
	next := slices.Clone(b.begin)
	for i, p := range at {
		k := index(p)
		b.members[next[k]] = i
		next[k]++
	}
	return b
}

func (b *buckets) cell(p r2.Vec) (x, y int) {
	return int(math.Floor(p.X / b.side)), int(math.Floor(p.Y / b.side))
}

// in returns the indexes of the points in a cell, if any.
func (b *buckets) in(x, y int) []int {
	x, y = x-b.left, y-b.low
	if x < 0 || y < 0 || x >= b.columns || y >= b.rows {
		return nil
	}
	k := x*b.rows + y
	return b.members[b.begin[k]:b.begin[k+1]]
}
