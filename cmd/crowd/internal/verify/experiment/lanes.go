package experiment

import "math"

// LaneOrder returns how far people of two groups walk in lanes along x in a frame: the
// mean of ((same − opposite)/(same + opposite))² over each person and those within 0.45 m
// beside its way, itself among them. It is 1 where everybody walks among their own, and
// about 1/n where n people of both groups are mixed evenly; NaN if counts is true of nobody. Source: Rex, Löwen,
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

// beside is how far sidewards, in meters, somebody is in the way of another.
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
