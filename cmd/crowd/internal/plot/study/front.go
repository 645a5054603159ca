package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Candidate is a point in the plane of two figures.
type Candidate struct {
	At   []int // which value of each axis; -1: it has none, or is a mean over them
	X, Y float64
	Best bool // no other is better in one figure and no worse in the other
}

// Tasks returns the axes that say what a crowd is to do rather than how: scene and agents, as far
// as they vary and each of their combinations goes with each of the others.
func (s *Study) Tasks() (axes []int) {
	for i, a := range s.Axes {
		if len(a.Values) > 1 && (a.Name == "scene" || a.Name == "agents") && s.crossed(append(slices.Clone(axes), i)) {
			axes = append(axes, i)
		}
	}
	return axes
}

// Candidates returns the means of two figures over seeds, and over some axes. Points that lack one
// of the figures anywhere on these axes are left out, and counted: their means would be of easier
// tasks. The axes must go with all others.
func (s *Study) Candidates(x, y Goal, over []int) (all []Candidate, left int, err error) {
	if !s.crossed(over) {
		return nil, 0, fmt.Errorf("--over %s: not each of its values goes with each point of the other axes, so that means are of different tasks", s.names(over))
	}
	type sum struct {
		at   []int
		x, y []float64
	}
	groups, order := map[string]*sum{}, []*sum(nil)
	for _, p := range s.Points {
		_, rest := s.split(p, over)
		g := groups[rest]
		if g == nil {
			g = &sum{at: slices.Clone(p.At)}
			for _, i := range over {
				g.at[i] = -1
			}
			groups[rest], order = g, append(order, g)
		}
		g.x, g.y = append(g.x, s.meanOf(p, x.Figure)), append(g.y, s.meanOf(p, y.Figure))
	}
	for _, g := range order {
		c := Candidate{At: g.at, X: mean(g.x), Y: mean(g.y)}
		if math.IsNaN(c.X) || math.IsNaN(c.Y) {
			left++
			continue
		}
		all = append(all, c)
	}
	markBest(all, x.More, y.More)
	return all, left, nil
}

// names returns the names of axes.
func (s *Study) names(axes []int) (text string) {
	for i, axis := range axes {
		if i > 0 {
			text += ","
		}
		text += s.Axes[axis].Name
	}
	return text
}

// markBest sorts candidates by their first figure, the best first, and marks those that no other
// beats: from the best on, each that is better in the second figure than all before.
func markBest(all []Candidate, moreX, moreY bool) {
	loss := func(x float64, more bool) float64 {
		if more {
			return -x
		}
		return x
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(loss(a.X, moreX), loss(b.X, moreX)), cmp.Compare(loss(a.Y, moreY), loss(b.Y, moreY)))
	})
	least, at := math.Inf(1), math.Inf(1) // in the second figure, and where in the first
	for i := range all {
		x, y := loss(all[i].X, moreX), loss(all[i].Y, moreY)
		all[i].Best = y < least || y == least && x == at // equal ones beat not each other
		if y < least {
			least, at = y, x
		}
	}
}
