package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// TwoWays is what was measured of two blocks of people that meet in a corridor.
type TwoWays struct {
	People, Passed int     // passed: past where the others started
	LaneOrder      float64 // of all in the corridor, from when the first is through the other block; NaN if none is
	ContactOrder   float64 // the same from when the blocks meet
	MiddleOrder    float64 // of those in the middle 10 m, from when the first is past it
	Orders         []Order
	Views          []View
}

// Order is the order of lanes at a time.
type Order struct{ Time, Order float64 } // s

// View is where people are at a time, by the way they go.
type View struct {
	Time float64 // s
	At   [2][]r2.Vec
}

// viewed are the times of views, in seconds.
var viewed = []float64{20, 40, 60}

// WalkTwoWays lets two blocks of so many people meet in a corridor of some width and
// length in meters, for up to so many seconds.
func WalkTwoWays(ctx context.Context, by scene.Model, seed uint64, people int, width, length, seconds float64) (TwoWays, error) {
	s, err := twoWaysScene(ctx, seed, people, width, length)
	if err != nil {
		return TwoWays{}, err
	}
	r, err := Record(ctx, by, s, seconds)
	if err != nil {
		return TwoWays{}, err
	}
	deep := length / 2
	all := func(p *Person, f int) bool { return math.Abs(p.Place(f).X) < deep }
	middle := func(p *Person, f int) bool { return math.Abs(p.Place(f).X) < middleHalf }
	t := TwoWays{
		People: len(r.People), Passed: past(r, deep),
		LaneOrder: orderFrom(r, deep, all), ContactOrder: orderFrom(r, 0, all), MiddleOrder: orderFrom(r, middleHalf, middle),
	}
	for f := 0; f < r.Frames; f += frames(0.5) {
		if order := r.LaneOrder(all, f); !math.IsNaN(order) {
			t.Orders = append(t.Orders, Order{float64(f) * r.Dt, order})
		}
	}
	for _, time := range viewed {
		t.Views = append(t.Views, viewAt(r, time))
	}
	return t, nil
}

// past returns how many are past where the others started.
func past(r *Recording, deep float64) (n int) {
	for i := range r.People {
		p := &r.People[i]
		end := p.Place(p.Last()).X
		if p.Group == 0 && end > deep || p.Group == 1 && end < -deep {
			n++
		}
	}
	return n
}

// middleHalf is half the length of the middle of the corridor in meters.
const middleHalf = 5

// orderFrom returns the order of lanes over 40 s from when the first of those that go east is
// past x; NaN if none is.
func orderFrom(r *Recording, x float64, counts func(p *Person, frame int) bool) float64 {
	for f := range r.Frames {
		for i := range r.People {
			if p := &r.People[i]; p.Group == 0 && p.In(f) && p.Place(f).X > x {
				return r.MeanLaneOrder(counts, f, f+frames(40))
			}
		}
	}
	return math.NaN()
}

func viewAt(r *Recording, time float64) View {
	v, f := View{Time: time}, frames(time)
	for i := range r.People {
		if p := &r.People[i]; p.In(f) {
			v.At[p.Group] = append(v.At[p.Group], p.Place(f))
		}
	}
	return v
}

func twoWaysScene(ctx context.Context, seed uint64, people int, width, length float64) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 4))
	half, deep := width/2, length/2
	s := &scene.Scene{Name: "two-ways", Seed: seed, Box: box(-deep-20, -half-1, deep+20, half+1)}
	block := 0.8 * deep
	left, err := crowd(ctx, r, "eastward", people, box(-deep, -half, -deep+block, half), box(deep+2, -half, deep+3, half))
	if err != nil {
		return nil, err
	}
	right, err := crowd(ctx, r, "westward", people, box(deep-block, -half, deep, half), box(-deep-3, -half, -deep-2, half))
	s.Groups = []scene.Group{left, right}
	s.Obstacles.Boxes = []scene.Box{solid(-deep-20, half, deep+20, half+0.2), solid(-deep-20, -half-0.2, deep+20, -half)}
	return s, err
}

// TwoSides is what was measured at a door that people pass from both sides.
type TwoSides struct {
	People, Passed int
	Burst          float64      // how many of one side pass in a row, on average
	Times          [2][]float64 // s, at which those of each side pass
}

// WalkTwoSides lets 60 people from each side pass a door of 0.8 m in a wall of 20 cm, for
// up to so many seconds.
func WalkTwoSides(ctx context.Context, by scene.Model, seed uint64, seconds float64) (TwoSides, error) {
	s, err := twoSidesScene(ctx, seed, 60)
	if err != nil {
		return TwoSides{}, err
	}
	r, err := Record(ctx, by, s, seconds)
	if err != nil {
		return TwoSides{}, err
	}
	all := r.Crossings(xy(0, -doorHalf), xy(0, doorHalf))
	t := TwoSides{People: len(r.People), Passed: len(all), Burst: r.Bursts(all)}
	for _, c := range all {
		side := r.People[c.Person].Group
		t.Times[side] = append(t.Times[side], c.Time)
	}
	return t, nil
}

const doorHalf = 0.4 // m, half the width of the door

func twoSidesScene(ctx context.Context, seed uint64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 3))
	s := &scene.Scene{Name: "two-sides", Seed: seed, Box: box(-11, -6, 11, 6)}
	left, err := crowd(ctx, r, "eastward", people, box(-9, -5, -1, 5), box(9, -4, 10, 4))
	if err != nil {
		return nil, err
	}
	right, err := crowd(ctx, r, "westward", people, box(1, -5, 9, 5), box(-10, -4, -9, 4))
	s.Groups = []scene.Group{left, right}
	s.Obstacles.Boxes = []scene.Box{
		solid(-0.1, doorHalf, 0.1, 5.2), solid(-0.1, -5.2, 0.1, -doorHalf),
		solid(-10.2, 5, 10.2, 5.2), solid(-10.2, -5.2, 10.2, -5),
	}
	return s, err
}

// LaneOrder returns how far people of two groups walk in lanes along x in a frame: the
// mean of ((same − opposite)/(same + opposite))² over each person and those within 0.45 m
// beside its way, itself among them. It is 1 where all walk among their own, and
// about 1/n where n people of both groups are mixed evenly; NaN if counts is true of none. Source: Rex, Löwen,
// "Lane formation in oppositely charged colloids driven by an electric field", 2007.
func (r *Recording) LaneOrder(counts func(p *Person, frame int) bool, frame int) float64 {
	sum, n := r.laneOrder(counts, frame)
	return sum / float64(n)
}

// MeanLaneOrder returns the mean of LaneOrder over people and frames, every half second
// from one frame to another.
func (r *Recording) MeanLaneOrder(counts func(p *Person, frame int) bool, from, to int) float64 {
	sum, n := 0., 0
	for f := from; f < min(to, r.Frames); f += r.frames(0.5) {
		s, people := r.laneOrder(counts, f)
		sum, n = sum+s, n+people
	}
	return sum / float64(n)
}

// beside is how far sidewards, in meters, a person is in the way of another.
const beside = 0.45

// laneOrder returns the sum over people, and how many they are.
func (r *Recording) laneOrder(counts func(p *Person, frame int) bool, frame int) (sum float64, people int) {
	var there []*Person
	for i := range r.People {
		if p := &r.People[i]; p.In(frame) && counts(p, frame) {
			there = append(there, p)
		}
	}
	for _, p := range there {
		same, opposite := 0., 0.
		for _, o := range there {
			switch {
			case math.Abs(o.Place(frame).Y-p.Place(frame).Y) > beside:
			case o.Group == p.Group:
				same++
			default:
				opposite++
			}
		}
		order := (same - opposite) / (same + opposite)
		sum += float64(order * order)
	}
	return sum, len(there)
}
