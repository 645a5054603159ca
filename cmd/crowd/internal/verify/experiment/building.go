package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// WalkCorner sends people round a corner of two corridors of 2 m, 12 m and 10 m long.
func WalkCorner(ctx context.Context, by scene.Model, seed uint64, people int) (Evacuation, error) {
	s := &scene.Scene{Name: "corner", Seed: seed, Box: box(-1, -1, 13, 12)}
	along(s, 0, 0, 12)
	along(s, 2, 0, 10)
	across(s, 0, 0, 2)
	across(s, 12, 0, 12)
	across(s, 10, 2, 12)
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 8)), "people", people, box(0.1, 0.1, 6, 1.9))
	byField(&g, scene.Field, exit{xy(11, 11.5), 0.5})
	s.Groups = []scene.Group{g}
	if err != nil {
		return Evacuation{}, err
	}
	return Evacuate(ctx, by, s, 90)
}

// LeaveRoom lets people leave a room whose start is delayed by delay.
func LeaveRoom(ctx context.Context, by scene.Model, seed uint64, people int, delay scene.Value, seconds float64) (Evacuation, error) {
	s := &scene.Scene{Name: "room", Seed: seed, Box: box(-9, -4, 3, 4)}
	room(s, -8, -2.5, 0, 2.5, opening{0, 1})
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 9)), "people", people, box(-7.9, -2.4, -0.1, 2.4), box(1.5, -2, 3, 2))
	if err != nil {
		return Evacuation{}, err
	}
	g.Delay = delay
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, seconds)
}

// room adds four walls around a box, with doors in the right one.
func room(s *scene.Scene, x0, y0, x1, y1 float64, doors ...opening) {
	along(s, y0-thick, x0-2*thick, x1+2*thick)
	along(s, y1+thick, x0-2*thick, x1+2*thick)
	across(s, x0-thick, y0, y1)
	across(s, x1+thick, y0, y1, doors...)
}

// Doors of the hall of LeaveHall, 1 m wide, along its left and its right side.
var hallDoors = []float64{-6, 6}

// LeaveHall lets people leave a hall of 30 m by 20 m by two doors of 1 m, or by four.
func LeaveHall(ctx context.Context, by scene.Model, seed uint64, people, doors int) (Evacuation, error) {
	s := &scene.Scene{Name: "hall", Seed: seed, Box: box(-18, -12, 18, 12)}
	along(s, -10-thick, -15.2, 15.2)
	along(s, 10+thick, -15.2, 15.2)
	var right, left []opening
	var exits []exit
	for _, y := range hallDoors {
		right, exits = append(right, opening{y, 1}), append(exits, exit{xy(16.2, y), 1})
		if doors == 4 {
			left, exits = append(left, opening{y, 1}), append(exits, exit{xy(-16.2, y), 1})
		}
	}
	across(s, 15+thick, -10, 10, right...)
	across(s, -15-thick, -10, 10, left...)
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 10)), "people", people, box(-14.9, -9.9, 14.9, 9.9))
	if err != nil {
		return Evacuation{}, err
	}
	byField(&g, scene.Field, exits...)
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, 600)
}

// Places of the exits of LeaveCabins.
var mainExit, sideExit = xy(-1.5, 0), xy(26.5, 0)

// LeaveCabins lets 23 people leave twelve rooms on both sides of a corridor of 2 m, by the
// exits at its two ends to which they are assigned: those of eight rooms by the main one. The
// first group of the evacuation are those, the second one the others.
func LeaveCabins(ctx context.Context, by scene.Model, seed uint64) (Evacuation, error) {
	const rooms, wide, deep = 6, 4., 5. // on each side, m
	s := &scene.Scene{Name: "cabins", Seed: seed, Box: box(-4, -7, 29, 7)}
	long := rooms * wide
	for _, side := range []float64{-1, 1} {
		var doors []opening
		for k := range rooms {
			doors = append(doors, opening{wide*float64(k) + wide/2, 0.9})
		}
		along(s, side*(1+thick), -2, long+3, doors...)
		along(s, side*(1+deep), 0, long)
		for k := range rooms + 1 {
			lo, hi := min(side, side*(1+deep)), max(side, side*(1+deep))
			across(s, wide*float64(k), lo, hi)
		}
	}
	r := rand.New(rand.NewPCG(seed, 11))
	var at [2][]r2.Vec
	for i := range 23 {
		k, side := i%rooms, float64(1-2*(i/rooms%2))
		by := 0
		if k >= 4 { // the rooms 5, 6, 11 and 12
			by = 1
		}
		x := wide*float64(k) + wide/2 + (float64(i/(2*rooms))-0.5)*1.6
		at[by] = append(at[by], xy(x, side*(3+2*r.Float64())))
	}
	for k, to := range []r2.Vec{mainExit, sideExit} {
		g := scene.People([]string{"main", "side"}[k], len(at[k]), scene.Place{Points: at[k]})
		byField(&g, scene.Field, exit{to, 1})
		s.Groups = append(s.Groups, g)
	}
	return Evacuate(ctx, by, s, 120)
}

// Places of the exits of ChooseExit.
var nearExit, farExit = xy(11.2, -4), xy(11.2, 4)

// ChooseExit lets people leave a hall of 20 m by 10 m in whose lower part they stand, by the
// exit that is near or by the far one. One that closes does so after a second; people that are
// assigned by weights go to the near one with the chance share, if that is above zero.
func ChooseExit(ctx context.Context, by scene.Model, seed uint64, people int, closes bool, share float64) (Evacuation, error) {
	s := &scene.Scene{Name: "exits", Seed: seed, Box: box(-11, -6, 13, 6)}
	room(s, -10, -5, 10, 5, opening{nearExit.Y, 1}, opening{farExit.Y, 1})
	in := box(-9.9, -4.9, 9.9, 0)
	if share > 0 {
		in = box(-9.9, -4.9, 9.9, 4.9)
	}
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 12)), "people", people, in)
	if err != nil {
		return Evacuation{}, err
	}
	byField(&g, scene.Quickest, exit{nearExit, 1}, exit{farExit, 1})
	if share > 0 {
		around := func(p r2.Vec) r2.Box { return box(p.X-0.2, p.Y-0.5, p.X+0.2, p.Y+0.5) }
		g.Way = scene.Field
		g.Target = &scene.Place{Exits: []scene.Exit{{Box: around(nearExit), Weight: share}, {Box: around(farExit), Weight: 1 - share}}}
	}
	if closes {
		door := scene.Door{A: xy(10.1, nearExit.Y-0.5), B: xy(10.1, nearExit.Y+0.5), Radius: thick}
		door.Open, door.Closes = true, 1
		s.Obstacles.Doors = []scene.Door{door}
	}
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, 600)
}

// necks returns the two places of LeaveByNeck where people may queue: before the bottleneck, and
// before the exit of the second room.
func necks(length float64) []r2.Box {
	return []r2.Box{box(-3, -3, 0, 3), box(length+7, -3, length+10, 3)}
}

// LeaveByNeck sends 150 people from a room of 10 m by 10 m through a bottleneck of 1 m and
// of some length in meters into another such room, and out of that by a door of 1 m. Mean is
// how many are before the bottleneck, and before the door.
func LeaveByNeck(ctx context.Context, by scene.Model, seed uint64, length float64) (Evacuation, error) {
	s := &scene.Scene{Name: "neck", Seed: seed, Box: box(-11, -6, length+14, 6)}
	room(s, -10, -5, 0, 5, opening{0, 1})
	along(s, 0.5+thick, 0, length)
	along(s, -0.5-thick, 0, length)
	x := length + 2*thick
	across(s, x, -5, 5, opening{0, 1})
	along(s, -5-thick, x, x+10)
	along(s, 5+thick, x, x+10)
	across(s, x+10+thick, -5, 5, opening{0, 1})
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 13)), "people", 150, box(-9.9, -4.9, -0.1, 4.9))
	if err != nil {
		return Evacuation{}, err
	}
	byField(&g, scene.Field, exit{xy(x+11.5, 0), 2})
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, 300, necks(length)...)
}

// WalkBend lets people walk round a corner of a corridor of 2 m, or straight on for as long as
// the way at the inner side of that corner is, or at the outer one: bend, inner or outer.
func WalkBend(ctx context.Context, by scene.Model, seed uint64, people int, kind string) (Evacuation, error) {
	const leg, width, start = 20., 2., 60. // m, from the corner to the end, m, m
	r := rand.New(rand.NewPCG(seed, 14))
	s := &scene.Scene{Name: kind, Seed: seed, Box: box(-start-1, -3, leg+6, leg+6)}
	var to exit
	switch kind {
	case "bend":
		along(s, -thick, -start, width)
		along(s, width+thick, -start, 0)
		across(s, -thick, width, leg+4)
		across(s, width+thick, 0, leg+4)
		to = exit{xy(width/2, leg), 1}
	default:
		length := leg - width // along the inner side
		if kind == "outer" {
			length = leg + width
		}
		along(s, -thick, -start, length+4)
		along(s, width+thick, -start, length+4)
		to = exit{xy(length, width/2), 1}
	}
	g, err := crowd(ctx, r, "people", people, box(-start, 0.05, -1, width-0.05))
	if err != nil {
		return Evacuation{}, err
	}
	byField(&g, scene.Field, to)
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, 400)
}

// WalkCounterflow lets 100 people walk from one room of 10 m by 10 m to another, through a
// corridor of 10 m by 2 m, against so many that come the other way, for up to 600 s.
func WalkCounterflow(ctx context.Context, by scene.Model, seed uint64, against int) (Evacuation, error) {
	s := &scene.Scene{Name: "counterflow", Seed: seed, Box: box(-16, -6, 16, 6)}
	for _, side := range []float64{-1, 1} {
		across(s, side*(15+thick), -5, 5)
		across(s, side*(5+thick), -5, 5, opening{0, 2})
		for _, y := range []float64{-1, 1} {
			lo, hi := min(side*5, side*15), max(side*5, side*15)
			along(s, y*(5+thick), lo-2*thick, hi+2*thick)
		}
	}
	along(s, 1+thick, -5, 5)
	along(s, -1-thick, -5, 5)
	r := rand.New(rand.NewPCG(seed, 15))
	east, err := crowd(ctx, r, "eastward", 100, box(-14.5, -4.8, -6, 4.8), box(13, -5, 15, 5))
	if err != nil {
		return Evacuation{}, err
	}
	s.Groups = []scene.Group{east}
	if against > 0 {
		west, err := crowd(ctx, r, "westward", against, box(6, -4.8, 14.5, 4.8), box(-15, -5, -13, 5))
		if err != nil {
			return Evacuation{}, err
		}
		s.Groups = append(s.Groups, west)
	}
	return Evacuate(ctx, by, s, 600)
}

// LeaveWithSlow lets 24 people leave a room of 5 m by 4 m by a door of 0.9 m, all alike, or
// one of them slow and large.
func LeaveWithSlow(ctx context.Context, by scene.Model, seed uint64, slow bool) (Evacuation, error) {
	s := &scene.Scene{Name: "slow", Seed: seed, Box: box(-6, -3, 8, 3)}
	room(s, -5, -2, 0, 2, opening{0, 0.9})
	out := box(6, -2, 7, 2)
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 16)), "people", 24, box(-4.9, -1.9, -0.8, 1.9), out)
	if err != nil {
		return Evacuation{}, err
	}
	s.Groups = []scene.Group{g}
	if slow {
		with := g
		g.Count, g.At.Points = 23, g.At.Points[:23]
		with.Name = "slow and large"
		with.Count, with.At = 1, scene.Place{Points: []r2.Vec{xy(-0.45, 1.4)}}
		with.Radius, with.MaxSpeed = scene.Same(0.38), scene.Same(0.4)
		s.Groups = []scene.Group{g, with}
	}
	return Evacuate(ctx, by, s, 200)
}

// WalkOnStairs returns the mean speeds in m/s of people on stairs of 10 m by 2 m, at a density
// in people a square meter, up or down.
func WalkOnStairs(ctx context.Context, by scene.Model, seed uint64, density float64, up bool) (float64, error) {
	const length = 40.
	s := corridor(seed, -length-5, 65)
	s.Zones = []systems.Zone{stairs(box(-length-5, -1, 65, 1))}
	if !up {
		s.Zones[0].Up = xy(-1, 0)
	}
	n := int(math.Round(density * 2 * length))
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 17)), "people", n, box(-length, -0.9, 0, 0.9), box(60, -1, 61, 1))
	if err != nil {
		return 0, err
	}
	s.Groups = []scene.Group{g}
	r, err := Record(ctx, by, s, 25)
	if err != nil {
		return 0, err
	}
	return r.Measure(box(-14, -1, -4, 1), frames(5), frames(20)).Speed, nil
}

// Delays returns the delays in seconds of n people, drawn from a distribution. None walks.
func Delays(ctx context.Context, seed uint64, n int, delay scene.Value) ([]float64, error) {
	s := &scene.Scene{Name: "delays", Seed: seed, Box: box(0, 0, 100, 100)}
	s.Groups = []scene.Group{{Name: "people", Count: n, MaxSpeed: scene.Same(1), MaxForce: scene.Same(1), Delay: delay}}
	e, err := Evacuate(ctx, "", s, Dt)
	return e.Start, err
}

// Evacuation is when people got out of a building, and where.
type Evacuation struct {
	Groups  []int     // of each person
	Out     []float64 // s, when each got out; NaN: it did not
	At      []r2.Vec  // m, where each was last
	Start   []float64 // s, when each was to start; 0: at once
	Moved   []float64 // s, when each began to move; NaN: it never did
	Mean    []float64 // of each area: people in it, on average over the time until half are out
	InWalls int       // steps in which the center of a person is in an obstacle
}

// Evacuate runs a scene until all are out, for up to so many seconds, and counts how many are in
// some areas.
func Evacuate(ctx context.Context, by scene.Model, s *scene.Scene, seconds float64, areas ...r2.Box) (Evacuation, error) {
	s.Dt, s.Steps = Dt, frames(seconds)
	n := s.Agents()
	e := Evacuation{Out: make([]float64, n), At: make([]r2.Vec, n), Start: make([]float64, n), Moved: make([]float64, n), Mean: make([]float64, len(areas))}
	for g := range s.Groups {
		for range s.Groups[g].Count {
			e.Groups = append(e.Groups, g)
		}
	}
	for i := range n {
		e.Out[i], e.Moved[i] = math.NaN(), math.NaN()
	}
	from, last := make([]r2.Vec, n), make([]int, n)
	agents := generic.NewFilter2[c.Agent, c.Position]()
	frame, counted := 0, 0
	var free ecs.ID
	stats, err := steps(ctx, by, s, scene.Options{Measure: true}, func(w *world.World) {
		if frame == 0 {
			free = ecs.ComponentID[c.FreeSpeed](w.ECS)
		}
		frame++
		early := w.Departed() < n/2
		if early {
			counted++
		}
		query := agents.Query(w.ECS)
		for query.Next() {
			a, p := query.Get()
			i := a.ID - 1
			if last[i] == 0 {
				from[i] = p.Vec
				if query.Has(free) {
					e.Start[i] = (*c.FreeSpeed)(query.Query.Get(free)).Start
				}
			}
			last[i], e.At[i] = frame, p.Vec
			const moved = 0.01 // m
			if math.IsNaN(e.Moved[i]) && r2.Norm(r2.Sub(p.Vec, from[i])) > moved {
				e.Moved[i] = w.Clock.Time
			}
			for k, area := range areas {
				if early && Inside(area, p.Vec) {
					e.Mean[k]++
				}
			}
		}
	})
	for i := range n {
		if last[i] < frame {
			e.Out[i] = float64(last[i]) * Dt
		}
	}
	for k := range e.Mean {
		e.Mean[k] /= float64(max(counted, 1))
	}
	e.InWalls = stats.ObstacleCollisions.CentersInside
	return e, err
}

// All returns when the last one got out, in seconds; NaN if not all did.
func (e *Evacuation) All() (last float64) {
	for _, t := range e.Out {
		last = max(last, t) // which is NaN if one is
	}
	return last
}

// Left returns how many got out.
func (e *Evacuation) Left() (n int) {
	for _, t := range e.Out {
		if !math.IsNaN(t) {
			n++
		}
	}
	return n
}

// By returns how many of a group, or of all if that is below zero, got out within 2 m of a
// place.
func (e *Evacuation) By(group int, place r2.Vec) (n int) {
	const near = 2
	for i, t := range e.Out {
		if (group < 0 || e.Groups[i] == group) && !math.IsNaN(t) && r2.Norm(r2.Sub(e.At[i], place)) < near {
			n++
		}
	}
	return n
}
