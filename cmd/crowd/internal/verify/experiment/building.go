package experiment

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// WalkCorner sends people around the corner between two corridors.
func WalkCorner(run Run, people int) (Evacuation, error) {
	s := run.stage("corner", 8, box(-1, -1, 13, 12))
	s.along(-thick, 0, 12)
	s.along(2+thick, 0, 10)
	s.across(-thick, 0, 2)
	s.across(12+thick, 0, 12)
	s.across(10-thick, 2, 12)
	byField(s.crowd("people", people, box(0.1, 0.1, 6, 1.9)), scene.Field, exit{xy(11, 11.5), 0.5})
	return s.evacuate(90)
}

// LeaveRoom lets people leave a room of 8 m by 5 m. Each person starts after a delay in seconds.
func LeaveRoom(run Run, people int, delay scene.Value, seconds float64) (Evacuation, error) {
	s := run.stage("room", 9, box(-9, -4, 3, 4))
	s.room(-8, -2.5, 0, 2.5, opening{0, 1})
	s.crowd("people", people, box(-7.9, -2.4, -0.1, 2.4), box(1.5, -2, 3, 2)).Delay = delay
	return s.evacuate(seconds)
}

// LeaveHall lets people leave a hall of 30 m by 20 m through two or four doors.
func LeaveHall(run Run, people, doors int) (Evacuation, error) {
	s := run.stage("hall", 10, box(-18, -12, 18, 12))
	s.along(-10-thick, -15.2, 15.2)
	s.along(10+thick, -15.2, 15.2)
	var right, left []opening
	var exits []exit
	for _, y := range []float64{-6, 6} {
		right, exits = append(right, opening{y, 1}), append(exits, exit{xy(16.2, y), 1})
		if doors == 4 {
			left, exits = append(left, opening{y, 1}), append(exits, exit{xy(-16.2, y), 1})
		}
	}
	s.across(15+thick, -10, 10, right...)
	s.across(-15-thick, -10, 10, left...)
	byField(s.crowd("people", people, box(-14.9, -9.9, 14.9, 9.9)), scene.Field, exits...)
	return s.evacuate(600)
}

var mainExit, sideExit = xy(-1.5, 0), xy(26.5, 0)

// LeaveCabins lets 23 people leave twelve rooms along a corridor: the first group, from eight rooms, by the
// main exit, and the second group by the side exit.
func LeaveCabins(run Run) (Evacuation, error) {
	const rooms, wide, deep = 6, 4., 5. // rooms on each side, and their size in m
	s := run.stage("cabins", 11, box(-4, -7, 29, 7))
	long := rooms * wide
	for _, side := range []float64{-1, 1} {
		var doors []opening
		for k := range rooms {
			doors = append(doors, opening{wide*float64(k) + wide/2, 0.9})
		}
		s.along(side*(1+thick), -2, long+3, doors...)
		s.along(side*(1+deep), 0, long)
		for k := range rooms + 1 {
			lo, hi := min(side, side*(1+deep)), max(side, side*(1+deep))
			s.across(wide*float64(k), lo, hi)
		}
	}
	var at [2][]r2.Vec
	for i := range 23 {
		k, side := i%rooms, float64(1-2*(i/rooms%2))
		by := 0
		if k >= 4 { // rooms 5, 6, 11 and 12
			by = 1
		}
		x := wide*float64(k) + wide/2 + (float64(i/(2*rooms))-0.5)*1.6
		at[by] = append(at[by], xy(x, side*(3+2*s.random.Float64())))
	}
	for k, to := range []r2.Vec{mainExit, sideExit} {
		g := scene.People([]string{"main", "side"}[k], len(at[k]), scene.Place{Points: at[k]})
		byField(&g, scene.Field, exit{to, 1})
		s.Groups = append(s.Groups, g)
	}
	return s.evacuate(120)
}

// Assigned returns how many people left by their assigned exits in LeaveCabins.
func Assigned(e *Evacuation) int { return e.by(0, mainExit) + e.by(1, sideExit) }

var nearExit, farExit = xy(11.2, -4), xy(11.2, 4)

// ChooseExit lets people in the lower half of a hall leave by the near or the far exit. If closes is true,
// the near exit closes after 1 s, before people can reach it. If share is positive, people start all over the
// hall, each assigned to the near exit with that probability.
func ChooseExit(run Run, people int, closes bool, share float64) (Evacuation, error) {
	s := run.stage("exits", 12, box(-11, -6, 13, 6))
	s.room(-10, -5, 10, 5, opening{nearExit.Y, 1}, opening{farExit.Y, 1})
	in := box(-9.9, -4.9, 9.9, 0)
	if closes {
		in.Max.X = 7
	}
	if share > 0 {
		in.Max.Y = 4.9
	}
	g := s.crowd("people", people, in)
	byField(g, scene.Quickest, exit{nearExit, 1}, exit{farExit, 1})
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
	return s.evacuate(600)
}

// Far returns how many people left by the far exit in ChooseExit.
func Far(e *Evacuation) float64 { return float64(e.by(-1, farExit)) }

// LeaveByNeck sends 150 people from one room to another through a bottleneck of the given length in meters,
// and out through a door of the same width. Evacuation.Mean contains the mean numbers of people in areas of
// 3 m by 6 m in front of the bottleneck and in front of the door.
func LeaveByNeck(run Run, length float64) (Evacuation, error) {
	s := run.stage("neck", 13, box(-11, -6, length+14, 6))
	s.room(-10, -5, 0, 5, opening{0, 1})
	s.along(0.5+thick, 0, length)
	s.along(-0.5-thick, 0, length)
	x := length + 2*thick
	s.across(x, -5, 5, opening{0, 1})
	s.along(-5-thick, x, x+10)
	s.along(5+thick, x, x+10)
	s.across(x+10+thick, -5, 5, opening{0, 1})
	byField(s.crowd("people", 150, box(-9.9, -4.9, -0.1, 4.9)), scene.Field, exit{xy(x+11.5, 0), 2})
	return s.evacuate(300, box(-3, -3, 0, 3), box(length+7, -3, length+10, 3))
}

// WalkBend lets people walk around the corner of a corridor (kind bend), or straight on for the length of its
// inner or outer side (kind inner or outer).
func WalkBend(run Run, people int, kind string) (Evacuation, error) {
	const leg, width, start = 20., 2., 60. // m: after the corner, across, before the corner
	s := run.stage(kind, 14, box(-start-1, -3, leg+6, leg+6))
	var to exit
	switch kind {
	case "bend":
		s.along(-thick, -start, width)
		s.along(width+thick, -start, 0)
		s.across(-thick, width, leg+4)
		s.across(width+thick, 0, leg+4)
		to = exit{xy(width/2, leg), 1}
	default:
		length := leg - width
		if kind == "outer" {
			length = leg + width
		}
		s.along(-thick, -start, length+4)
		s.along(width+thick, -start, length+4)
		to = exit{xy(length, width/2), 1}
	}
	byField(s.crowd("people", people, box(-start, 0.05, -1, width-0.05)), scene.Field, to)
	return s.evacuate(400)
}

// WalkCounterflow lets 100 people walk through a corridor from one room to another, against the given number
// of people.
func WalkCounterflow(run Run, against int) (Evacuation, error) {
	s := run.stage("counterflow", 15, box(-16, -6, 16, 6))
	for _, side := range []float64{-1, 1} {
		s.across(side*(15+thick), -5, 5)
		s.across(side*(5+thick), -5, 5, opening{0, 2})
		for _, y := range []float64{-1, 1} {
			lo, hi := min(side*5, side*15), max(side*5, side*15)
			s.along(y*(5+thick), lo-2*thick, hi+2*thick)
		}
	}
	s.along(1+thick, -5, 5)
	s.along(-1-thick, -5, 5)
	s.crowd("eastward", 100, box(-14.5, -4.8, -6, 4.8), box(13, -5, 15, 5))
	if against > 0 {
		s.crowd("westward", against, box(6, -4.8, 14.5, 4.8), box(-15, -5, -13, 5))
	}
	return s.evacuate(600)
}

// LeaveWithSlow lets 24 people leave a room. If slow is true, one of them is slow and large.
func LeaveWithSlow(run Run, slow bool) (Evacuation, error) {
	s := run.stage("slow", 16, box(-6, -3, 8, 3))
	s.room(-5, -2, 0, 2, opening{0, 0.9})
	g := s.crowd("people", 24, box(-4.9, -1.9, -0.8, 1.9), box(6, -2, 7, 2))
	if slow && s.err == nil {
		with := *g
		g.Count, g.At.Points = 23, g.At.Points[:23]
		with.Name = "slow and large"
		with.Count, with.At = 1, scene.Place{Points: []r2.Vec{xy(-0.45, 1.4)}}
		with.Radius, with.MaxSpeed = scene.Same(0.38), scene.Same(0.4)
		s.Groups = append(s.Groups, with)
	}
	return s.evacuate(200)
}

// LeaveToCorridor lets 100 people leave a room through a door into a corridor with an equal door at its end.
// Evacuation.Mean contains the mean numbers of people in the 2 m in front of each door.
func LeaveToCorridor(run Run) (Evacuation, error) {
	s := run.stage("room and corridor", 18, box(-9, -4, 18, 4))
	s.room(-8, -2.5, 0, 2.5, opening{0, 1})
	s.along(1+thick, 2*thick, 15)
	s.along(-1-thick, 2*thick, 15)
	s.across(15+thick, -1.2, 1.2, opening{0, 1})
	byField(s.crowd("people", 100, box(-7.9, -2.4, -0.1, 2.4)), scene.Field, exit{xy(16.5, 0), 1})
	return s.evacuate(200, box(-2, -2.5, 0, 2.5), box(13, -1, 15, 1))
}

// WalkOnStairs returns the mean walking speed in m/s, up or down stairs, at a density in people/m².
func WalkOnStairs(run Run, density float64, up bool) (float64, error) {
	const length = 40.
	s := run.corridor(-length-5, 65)
	s.Zones = []systems.Zone{stairs(box(-length-5, -1, 65, 1))}
	if !up {
		s.Zones[0].Up = xy(-1, 0)
	}
	s.crowd("people", int(math.Round(density*2*length)), box(-length, -0.9, 0, 0.9), box(60, -1, 61, 1))
	r, err := s.record(25)
	if err != nil {
		return 0, err
	}
	return r.Measure(box(-14, -1, -4, 1), frames(5), frames(20)).Speed, nil
}

// Delays returns the delays of n people, in seconds.
func Delays(run Run, n int, delay scene.Value) ([]float64, error) {
	run.By = ""
	s := run.stage("delays", 0, box(0, 0, 100, 100))
	s.Groups = []scene.Group{{Name: "people", Count: n, MaxSpeed: scene.Same(1), MaxForce: scene.Same(1), Delay: delay}}
	e, err := s.evacuate(Dt)
	return e.Start, err
}

// Evacuation records when and where people left a building.
type Evacuation struct {
	Groups  []int     // of each person
	Out     []float64 // s; NaN means never
	At      []r2.Vec  // m, last position
	Start   []float64 // s, planned
	Moved   []float64 // s, when each person began to move; NaN means never
	Mean    []float64 // mean number of people in each area, until half of all have left
	InWalls int       // person-steps with the center in an obstacle
}

// evacuate runs the scene until all people have left, but at most for the given time, and counts the people
// in the given areas.
func (s *stage) evacuate(seconds float64, areas ...r2.Box) (Evacuation, error) {
	if s.err != nil {
		return Evacuation{}, s.err
	}
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
	stats, err := steps(s.run.Context, s.run.By, s.Scene, scene.Options{Measure: true}, func(w *world.World) {
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

// All returns the time in seconds when the last person left, or NaN if any person did not leave.
func (e *Evacuation) All() (last float64) {
	for _, t := range e.Out {
		last = max(last, t) // NaN if t is NaN
	}
	return last
}

// Left returns how many people left.
func (e *Evacuation) Left() (n int) {
	for _, t := range e.Out {
		if !math.IsNaN(t) {
			n++
		}
	}
	return n
}

// by returns how many people of a group left within 2 m of a place. A negative group means all groups.
func (e *Evacuation) by(group int, place r2.Vec) (n int) {
	const near = 2
	for i, t := range e.Out {
		if (group < 0 || e.Groups[i] == group) && !math.IsNaN(t) && r2.Norm(r2.Sub(e.At[i], place)) < near {
			n++
		}
	}
	return n
}
