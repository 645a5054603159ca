package experiment

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Door is what was measured of people that leave a room by a door.
type Door struct {
	People, Passed int
	Flow           float64    // people a second, over the middle 80 % of them
	Jam            Smoothness // in the room, while the door is full
	Ways           [][]r2.Vec // m, of those in the room, for some seconds while the door is full
}

// WalkDoor runs test 12 of RiMEA: 100 people leave a room of 10 m by 10 m by a door of
// some width in meters, in a wall of 20 cm.
func WalkDoor(ctx context.Context, by scene.Model, seed uint64, width float64) (Door, error) {
	s, err := doorScene(ctx, seed, width, 100)
	if err != nil {
		return Door{}, err
	}
	r, err := Record(ctx, by, s, 400)
	if err != nil {
		return Door{}, err
	}
	all := r.Crossings(xy(0.1, -width/2), xy(0.1, width/2))
	full := whileFull(r, all)
	d := Door{People: len(r.People), Passed: len(all), Flow: Flow(Middle(all, 0.8))}
	d.Jam = r.Smooth(func(p *Person, f int) bool { return p.Place(f).X < 0 && full(f) })
	d.Ways = ways(r, all)
	return d, nil
}

// Jam is how people stand and walk before the door of the built-in scene bottleneck.
type Jam struct {
	Jam   Smoothness // within 3 m of the middle of the door, while it is full
	Notch float64    // m, the most of NotchTimes
	Side  float64    // the share of people in the room that are on the emptier side when half are out
}

// NotchTimes are when the shape of the crowd is measured, in seconds.
var NotchTimes = []float64{10, 20, 30, 50}

// Bottleneck runs the built-in scene.
func Bottleneck(ctx context.Context, by scene.Model, seed uint64) (Jam, error) {
	s, err := scene.Named("bottleneck")
	if err != nil {
		return Jam{}, err
	}
	s.Seed = seed
	r, err := Record(ctx, by, s, float64(s.Steps)*s.Dt)
	if err != nil {
		return Jam{}, err
	}
	all := r.Crossings(s.Lines[0].A, s.Lines[0].B)
	full, inRoom := whileFull(r, all), func(p *Person, f int) bool { return p.In(f) && p.Place(f).X < 0 }
	j := Jam{Notch: math.Inf(-1), Jam: r.Smooth(func(p *Person, f int) bool {
		return inRoom(p, f) && r2.Norm(p.Place(f)) < 3 && full(f)
	})}
	for _, t := range NotchTimes {
		j.Notch = max(j.Notch, notch(r, frames(t), inRoom))
	}
	if len(all) > 0 {
		left, right := 0., 0.
		for i, half := 0, int(all[len(all)/2].Time/r.Dt); i < len(r.People); i++ {
			if p := &r.People[i]; inRoom(p, half) && p.Place(half).Y > 0 {
				left++
			} else if inRoom(p, half) {
				right++
			}
		}
		j.Side = min(left, right) / (left + right)
	}
	return j, nil
}

// notch returns by how much farther back a crowd before a door reaches at 10 to 35 degrees from straight before it than
// in the middle, in m: none or less for a half disc.
func notch(r *Recording, frame int, counts func(p *Person, f int) bool) float64 {
	var middle, beside float64
	for i := range r.People {
		p := &r.People[i]
		if !counts(p, frame) {
			continue
		}
		at := p.Place(frame)
		switch angle := math.Abs(math.Atan2(at.Y, -at.X)) * 180 / math.Pi; {
		case angle < 10:
			middle = max(middle, r2.Norm(at))
		case angle <= 35:
			beside = max(beside, r2.Norm(at))
		}
	}
	return beside - middle
}

// whileFull tells of frames whether a door is full in them: after 3 s, until 60 % have
// passed.
func whileFull(r *Recording, all []Crossing) func(frame int) bool {
	until := 0.
	if len(all) > 0 {
		until = all[len(all)*6/10].Time
	}
	return func(f int) bool { return float64(f)*r.Dt > 3 && float64(f)*r.Dt < until }
}

// ways returns the ways of people for some seconds from when a quarter of them have passed.
func ways(r *Recording, all []Crossing) (lines [][]r2.Vec) {
	const seconds = 5
	if len(all) == 0 {
		return nil
	}
	from := int(all[len(all)/4].Time / r.Dt)
	for i := range r.People {
		if p := &r.People[i]; p.In(from) {
			lines = append(lines, p.At[from-p.First:min(from-p.First+frames(seconds), len(p.At))])
		}
	}
	return lines
}

func doorScene(ctx context.Context, seed uint64, width float64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	half := width / 2
	g, err := crowd(ctx, r, "people", people, box(-10, -5, 0, 5), box(5, -3, 6, 3))
	s := &scene.Scene{Name: "door", Seed: seed, Box: box(-11, -6, 7, 6), Groups: []scene.Group{g}}
	s.Obstacles.Boxes = []scene.Box{
		solid(0, half, 0.2, 5.2), solid(0, -5.2, 0.2, -half),
		solid(-10.2, 5, 0, 5.2), solid(-10.2, -5.2, 0, -5), solid(-10.2, -5, -10, 5),
	}
	return s, err
}

// Assigned returns how many of LeaveCabins left by the exit to which they were assigned.
func Assigned(e *Evacuation) int { return e.By(0, mainExit) + e.By(1, sideExit) }

// Far returns how many of ChooseExit left by the far exit.
func Far(e *Evacuation) float64 { return float64(e.By(-1, farExit)) }

// LeaveToCorridor lets 100 people leave a room of 8 m by 5 m by a door of 1 m into a corridor
// of 2 m that leads to a door as wide. Mean is how many are within 2 m before the first door, and
// before the second one.
func LeaveToCorridor(ctx context.Context, by scene.Model, seed uint64) (Evacuation, error) {
	s := &scene.Scene{Name: "room and corridor", Seed: seed, Box: box(-9, -4, 18, 4)}
	room(s, -8, -2.5, 0, 2.5, opening{0, 1})
	along(s, 1+thick, 2*thick, 15)
	along(s, -1-thick, 2*thick, 15)
	across(s, 15+thick, -1.2, 1.2, opening{0, 1})
	g, err := crowd(ctx, rand.New(rand.NewPCG(seed, 18)), "people", 100, box(-7.9, -2.4, -0.1, 2.4))
	if err != nil {
		return Evacuation{}, err
	}
	byField(&g, scene.Field, exit{xy(16.5, 0), 1})
	s.Groups = []scene.Group{g}
	return Evacuate(ctx, by, s, 200, box(-2, -2.5, 0, 2.5), box(13, -1, 15, 1))
}

// KolmogorovP returns the chance that draws of a distribution are as far from it as these are,
// or farther: the test of Kolmogorov and Smirnov. It is NaN without draws.
func KolmogorovP(draws []float64, cdf func(float64) float64) float64 {
	n := float64(len(draws))
	if n == 0 {
		return math.NaN()
	}
	sorted, distance := slices.Sorted(slices.Values(draws)), 0.
	for i, x := range sorted {
		c := cdf(x)
		distance = max(distance, math.Abs(c-float64(i)/n), math.Abs(c-float64(i+1)/n))
	}
	root := math.Sqrt(n)
	lambda, p := (root+0.12+0.11/root)*distance, 0.
	for k := 1.; k <= 100; k++ {
		p += 2 * math.Pow(-1, k-1) * math.Exp(-2*k*k*lambda*lambda)
	}
	return min(max(p, 0), 1)
}
