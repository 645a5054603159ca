package experiment

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// TwoWays holds the measurements of two blocks of people meeting in a corridor. LaneOrder, ContactOrder and
// MiddleOrder are means over 40 s.
type TwoWays struct {
	Passed       int     // people getting past the starting area of the other block
	LaneOrder    float64 // of all in the corridor, once a person walking east is through the other block; or NaN
	ContactOrder float64 // of all in the corridor, once a person walking east reaches the middle; or NaN
	MiddleOrder  float64 // of those in the middle 10 m, once a person walking east is past it; or NaN
	Orders       []Order // of all in the corridor, every half second
	Views        []View  // after 20, 40 and 60 s
}

// Order is the lane order at a time in seconds.
type Order struct{ Time, Order float64 }

// View holds the positions of people at a time, by group.
type View struct {
	Time float64 // s
	At   [2][]r2.Vec
}

// WalkTwoWays lets two blocks of people meet in a corridor. The width and the length are in meters.
func WalkTwoWays(run Run, people int, width, length, seconds float64) (TwoWays, error) {
	half, deep, block := width/2, length/2, 0.4*length
	s := run.stage("two-ways", 4, box(-deep-20, -half-1, deep+20, half+1))
	s.sides(-deep-20, deep+20, half)
	s.crowd("eastward", people, box(-deep, -half, -deep+block, half), box(deep+2, -half, deep+3, half))
	s.crowd("westward", people, box(deep-block, -half, deep, half), box(-deep-3, -half, -deep-2, half))
	r, err := s.record(seconds)
	if err != nil {
		return TwoWays{}, err
	}
	all := func(p *Person, f int) bool { return math.Abs(p.Place(f).X) < deep }
	middle := func(p *Person, f int) bool { return math.Abs(p.Place(f).X) < middleHalf }
	t := TwoWays{
		Passed:    past(r, deep),
		LaneOrder: orderFrom(r, deep, all), ContactOrder: orderFrom(r, 0, all), MiddleOrder: orderFrom(r, middleHalf, middle),
	}
	for f := 0; f < r.Frames; f += frames(0.5) {
		if order := r.LaneOrder(all, f); !math.IsNaN(order) {
			t.Orders = append(t.Orders, Order{float64(f) * r.Dt, order})
		}
	}
	for _, time := range []float64{20, 40, 60} { // s
		t.Views = append(t.Views, viewAt(r, time))
	}
	return t, nil
}

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

const middleHalf = 5 // m, half the length of the middle part

// orderFrom returns the mean lane order over the 40 s after the first person walking east gets past x, or NaN
// if none gets past x.
func orderFrom(r *Recording, x float64, counts func(p *Person, frame int) bool) float64 {
	for f := range r.Frames {
		for i := range r.People {
			if p := &r.People[i]; p.Group == 0 && p.In(f) && p.Place(f).X > x {
				return r.meanLaneOrder(counts, f, f+frames(40))
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

// TwoSides holds the measurements at a door through which people pass from both sides.
type TwoSides struct {
	Passed int
	Burst  float64      // mean number of successive people from one side
	Times  [2][]float64 // s, for each side
}

// WalkTwoSides lets 60 people from each side pass through a door 0.8 m wide.
func WalkTwoSides(run Run, seconds float64) (TwoSides, error) {
	const half = 0.4 // m, half the width of the door
	s := run.stage("two-sides", 3, box(-11, -6, 11, 6))
	s.solid(-0.1, half, 0.1, 5.2)
	s.solid(-0.1, -5.2, 0.1, -half)
	s.sides(-10.2, 10.2, 5)
	s.crowd("eastward", 60, box(-9, -5, -1, 5), box(9, -4, 10, 4))
	s.crowd("westward", 60, box(1, -5, 9, 5), box(-10, -4, -9, 4))
	r, err := s.record(seconds)
	if err != nil {
		return TwoSides{}, err
	}
	all := r.Crossings(xy(0, -half), xy(0, half))
	t := TwoSides{Passed: len(all), Burst: r.bursts(all)}
	for _, c := range all {
		side := r.People[c.Person].Group
		t.Times[side] = append(t.Times[side], c.Time)
	}
	return t, nil
}

// LaneOrder returns the lane order, in a frame, of two groups that walk along the x axis. People are selected
// by the function counts. The lane order is the mean over people of ((same − opposite)/(same + opposite))²,
// where same and opposite are the numbers of people of the person's own group and of the other group within
// 0.45 m to the side; same includes the person. The mean is 1 in lanes of one group only, about 1/n in random
// lanes of n people, and NaN without people.
//
// Source: Rex, Löwen, "Lane formation in oppositely charged colloids driven by an electric field", 2007.
func (r *Recording) LaneOrder(counts func(p *Person, frame int) bool, frame int) float64 {
	sum, n := r.laneOrder(counts, frame)
	return sum / float64(n)
}

// meanLaneOrder returns the mean of LaneOrder over frames half a second apart, with from ≤ frame < to. It
// weights frames by the number of people.
func (r *Recording) meanLaneOrder(counts func(p *Person, frame int) bool, from, to int) float64 {
	sum, n := 0., 0
	for f := from; f < min(to, r.Frames); f += r.frames(0.5) {
		s, people := r.laneOrder(counts, f)
		sum, n = sum+s, n+people
	}
	return sum / float64(n)
}

const beside = 0.45 // m, sideways distance within which people are in each other's way

// laneOrder returns the sum and the number of the terms in LaneOrder.
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
