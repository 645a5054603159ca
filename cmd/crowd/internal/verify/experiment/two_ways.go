package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// TwoWays is what was measured of two blocks of people who meet in a corridor.
type TwoWays struct {
	People, Passed int     // passed: past where the others started
	LaneOrder      float64 // of all in the corridor, from when the first is through the other block; NaN if nobody is
	ContactOrder   float64 // the same from when the blocks meet
	MiddleOrder    float64 // of those in the middle 10 m, from when the first is past it
	Orders         []Order
	Views          []View
}

// Order is the order of lanes at a time.
type Order struct{ Time, Order float64 } // s

// View is where people are at a time, those who go each way apart.
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

// orderFrom returns the order of lanes over 40 s from when the first of those who go east is
// past x; NaN if nobody is.
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
