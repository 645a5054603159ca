package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// detour returns what the agent is to prefer in place of goal, of which walls
// forbid a part: to go, as fast, past an end of the nearest edge that is in the
// way and has one. An edge has an end where it can be passed; where another one stands in
// front, or is as near and has an end of its own, it has none. Of several the one
// counts over which the way to the agent's goal is shorter. Without any it is goal.
// A disc, or the free end of a wall that is not between the agent and its goal, it
// passes on the side to which it turns less.
//
// If the nearest point is a corner, both edges there count, so that agents do not
// turn back when they come from one to the next.
func (s *Solver) detour(a *Agent, limit float64, goal r2.Vec) r2.Vec {
	speed, slack := vec.Norm(goal), float64(limit*rounding)
	if !(speed > 0) {
		return goal
	}
	straight := vec.Unit(goal)
	var nearest *sight
	for _, list := range [2][]sight{s.seen, s.inside} {
		for i := range list {
			w := &list[i]
			near := nearest == nil || w.distance-w.reach < nearest.distance-nearest.reach
			if near && w.h.violation(goal) > slack && (w.left().passable(w) || w.right().passable(w)) {
				nearest = w
			}
		}
	}
	if nearest == nil {
		return goal
	}
	if nearest.free() && !nearest.between(a, straight) {
		return vec.Scale(speed, nearest.round(straight))
	}
	best, least := straight, math.Inf(1)
	for _, list := range [2][]sight{s.seen, s.inside} {
		for i := range list {
			w := &list[i]
			if w != nearest && w.foot != nearest.foot {
				continue
			}
			for _, e := range [2]end{w.right(), w.left()} {
				if !e.passable(w) {
					continue
				}
				past := e.past(w)
				if !vec.Finite(past) {
					continue // it stands on the end
				}
				if way := e.way(w, a, straight); way < least {
					best, least = past, way
				}
			}
		}
	}
	return vec.Scale(speed, best)
}

// end is one end of an edge, as an agent sees it.
type end struct {
	at       r2.Vec  // m, from the agent
	neighbor r2.Vec  // normal of the edge that is joined there; zero: none
	side     float64 // 1: it is the left one; -1: the right one
	gap      float64 // m, from here to the next edge
}

func (w *view) left() end  { return end{w.a, w.before, 1, w.gapA} }
func (w *view) right() end { return end{w.b, w.after, -1, w.gapB} }

// passable tells whether the agent gets past the edge at this end.
func (e end) passable(w *sight) bool {
	switch {
	case e.gap < 2*(w.reach-w.of.Radius):
		return false
	case e.neighbor == r2.Vec{}:
		return true
	case float64(e.side*vec.Cross(e.neighbor, w.normal)) < 0:
		return false // the neighbor stands in front
	}
	return e.at != w.foot || vec.Dot(e.neighbor, e.at) >= 0 // or the neighbor is as near
}

// past returns the direction in which the agent just gets past the edge on the side
// of the end, a unit vector.
func (e end) past(w *sight) r2.Vec {
	a, b := tangent(w.a, w.reach, e.side), tangent(w.b, w.reach, e.side)
	if float64(e.side*vec.Cross(a, b)) > 0 {
		a = b
	}
	return vec.Scale(-e.side, vec.Left(vec.Unit(a)))
}

// free tells whether the nearest point of the edge is an end where nothing is joined, as of
// a disc.
func (w *sight) free() bool {
	return w.foot == w.a && w.before == (r2.Vec{}) || w.foot == w.b && w.after == (r2.Vec{})
}

// between tells whether the edge stands between the agent and its goal.
func (w *sight) between(a *Agent, straight r2.Vec) bool {
	beyond := vec.Dot(straight, w.normal)
	if a.Ahead > 0 && a.Ahead <= math.MaxFloat64 {
		beyond = float64(a.Ahead*beyond) + w.away
	}
	return beyond < 0 && float64(vec.Cross(straight, w.a)*vec.Cross(straight, w.b)) < 0
}

// round returns the direction in which the agent just gets past the nearest point on the
// side to which it turns less, or straight if it gets past on none.
func (w *sight) round(straight r2.Vec) r2.Vec {
	best, most := straight, math.Inf(-1)
	for _, e := range [2]end{w.right(), w.left()} {
		if e.at == w.foot && !e.passable(w) {
			continue
		}
		past := vec.Scale(-e.side, vec.Left(vec.Unit(tangent(w.foot, w.reach, e.side))))
		if along := vec.Dot(past, straight); along > most { // not if it stands on the end
			best, most = past, along
		}
	}
	return best
}

// mostCorners bounds how far an agent follows an outline in its mind.
const mostCorners = 16

// way returns how long the way to the goal is over the end, and along the outline
// from there as long as that is between; or if the goal is far, by how much longer
// than the straight way.
func (e end) way(w *sight, a *Agent, straight r2.Vec) float64 {
	far := !(a.Ahead > 0 && a.Ahead <= math.MaxFloat64)
	goal := vec.Scale(a.Ahead, straight)
	at, normal := e.at, e.neighbor
	ring, corner, step := w.of.ring, w.of.corner, -1
	if e.side < 0 {
		corner, step = corner+1, 1
	}
	if ring != nil && w.foot != e.at && (w.foot == w.a || w.foot == w.b) { // first it goes round that corner
		at, normal = w.foot, w.normal
		corner -= step
	}
	length := vec.Norm(at)
	for range min(len(ring), mostCorners) {
		to := straight
		if !far {
			to = vec.Sub(goal, at)
		}
		if vec.Dot(normal, to) >= 0 {
			break
		}
		corner += step
		next := vec.Sub(ring[cyclic(corner, len(ring))], a.Position)
		beyond := vec.Sub(ring[cyclic(corner+step, len(ring))], a.Position)
		length += vec.Norm(vec.Sub(next, at))
		at, normal = next, vec.Scale(-e.side, vec.Right(vec.Sub(beyond, next)))
	}
	if far {
		return length - vec.Dot(at, straight)
	}
	return length + vec.Norm(vec.Sub(goal, at))
}

// cyclic returns the index i of a list of n that goes round.
func cyclic(i, n int) int { return (i%n + n) % n }
