package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of a check of a ring, so that no input takes long.
const (
	maxCompared = 1 << 28 // pairs of edges
	maxBeside   = 1 << 24 // pairs of edges whose boxes meet
	maxTouches  = 2000    // corners on edges that do not end there
)

// RingFault returns why a ring of finite corners can't be the outline of something solid, or "".
// A ring must not cross itself, nor go round twice: its inside would be to the left of some edges and
// to the right of others, and what looks at an edge takes one side for all of them. It may touch
// itself in corners, or along edges that lead there and back, such as spikes and cuts to holes.
// Corners may be repeated, and may all be on one line.
func RingFault(ring []r2.Vec) string {
	o := newOutline(ring)
	compared, beside := 0, 0
	for i := range o.spans {
		a := &o.spans[i]
		for k := i + 1; k < len(o.spans) && o.spans[k].low <= a.high; k++ {
			b := &o.spans[k]
			apart := b.left > a.right || b.right < a.left
			if compared++; !apart {
				beside++
			}
			if compared > maxCompared || beside > maxBeside {
				return fmt.Sprintf("has %d corners, too many to find out whether it crosses itself, want fewer", len(ring))
			}
			if apart {
				continue
			}
			if at, crosses := o.meet(a.edge, b.edge); crosses {
				return crossesAt(at)
			}
			if len(o.touches) > maxTouches {
				return fmt.Sprintf("touches itself in more than %d places, want fewer", maxTouches)
			}
		}
	}
	if at, wrong := o.twisted(); wrong {
		return crossesAt(at)
	}
	return ""
}

func crossesAt(at r2.Vec) string {
	return fmt.Sprintf("crosses itself at (%.9g, %.9g), want an outline that does not", at.X, at.Y)
}

// outlineOf is a ring that is being checked.
type outlineOf struct {
	ring    []r2.Vec // without repeated corners
	near    float64  // m, within which points are the same
	spans   []span
	touches []touch
}

// span is how far an edge extends along both axes. Spans are in the order of their low ends.
type span struct {
	low, high, left, right float64
	edge                   int // by its first corner
}

// touch is where a corner is on an edge.
type touch struct {
	edge int
	at   float64 // 0 to 1 along the edge
}

func newOutline(ring []r2.Vec) *outlineOf {
	o := &outlineOf{ring: slices.Compact(slices.Clone(ring))}
	for n := len(o.ring); n > 1 && o.ring[n-1] == o.ring[0]; n-- {
		o.ring = o.ring[:n-1]
	}
	var length r2.Vec // of all edges, along both axes
	for i, p := range o.ring {
		to := vec.Sub(o.corner(i+1), p)
		length = vec.Add(length, r2.Vec{X: math.Abs(to.X), Y: math.Abs(to.Y)})
		o.near = max(o.near, 1e-12*math.Abs(p.X), 1e-12*math.Abs(p.Y))
	}
	for i, p := range o.ring {
		q := o.corner(i + 1)
		if length.Y < length.X { // the axis along which fewer edges are side by side
			p, q = r2.Vec{X: p.Y, Y: p.X}, r2.Vec{X: q.Y, Y: q.X}
		}
		o.spans = append(o.spans, span{min(p.X, q.X) - o.near, max(p.X, q.X) + o.near, min(p.Y, q.Y) - o.near, max(p.Y, q.Y) + o.near, i})
	}
	slices.SortFunc(o.spans, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	return o
}

func (o *outlineOf) corner(i int) r2.Vec { return o.ring[i%len(o.ring)] }

// meet returns where two edges cross, and takes note of where they touch.
func (o *outlineOf) meet(i, k int) (at r2.Vec, crosses bool) {
	a, b, c, d := o.corner(i), o.corner(i+1), o.corner(k), o.corner(k+1)
	e, f := vec.Sub(b, a), vec.Sub(d, c)
	sideA, sideB := vec.Cross(f, vec.Sub(a, c)), vec.Cross(f, vec.Sub(b, c))
	sideC, sideD := vec.Cross(e, vec.Sub(c, a)), vec.Cross(e, vec.Sub(d, a))
	nearE, nearF := o.near*(math.Abs(e.X)+math.Abs(e.Y)), o.near*(math.Abs(f.X)+math.Abs(f.Y))
	switch {
	case min(sideA, sideB) > nearF, max(sideA, sideB) < -nearF, min(sideC, sideD) > nearE, max(sideC, sideD) < -nearE:
		return at, false
	case max(sideA, sideB) > nearF && min(sideA, sideB) < -nearF && max(sideC, sideD) > nearE && min(sideC, sideD) < -nearE:
		return vec.AddScaled(a, sideA/(sideA-sideB), e), true
	}
	n := len(o.ring)
	if (i+1)%n != k { // else they share a corner
		o.touch(k, b)
		o.touch(i, c)
	}
	if (k+1)%n != i {
		o.touch(k, a)
		o.touch(i, d)
	}
	return at, false
}

// touch takes note of a corner that is on an edge.
func (o *outlineOf) touch(edge int, p r2.Vec) {
	a := o.corner(edge)
	along, to := vec.Sub(o.corner(edge+1), a), vec.Sub(p, a)
	at := min(max(vec.Dot(to, along)/vec.Norm2(along), 0), 1)
	if vec.Norm(vec.Sub(to, vec.Scale(at, along))) <= o.near {
		o.touches = append(o.touches, touch{edge, at})
	}
}

// twisted returns a corner in which the ring crosses itself, or from where on it runs over itself. It
// looks at both sides of each piece of an edge that is touched: the ring goes round any place once,
// in the direction in which it goes round as a whole, or not at all.
func (o *outlineOf) twisted() (at r2.Vec, wrong bool) {
	turn, area := 0, 0.
	for i, p := range o.ring {
		area += vec.Cross(vec.Sub(p, o.ring[0]), vec.Sub(o.corner(i+1), o.ring[0]))
	}
	if area != 0 {
		turn = int(math.Copysign(1, area))
	}
	slices.SortFunc(o.touches, func(a, b touch) int { return cmp.Or(cmp.Compare(a.edge, b.edge), cmp.Compare(a.at, b.at)) })
	for i, t := range o.touches {
		a := o.corner(t.edge)
		along := vec.Sub(o.corner(t.edge+1), a)
		aside := vec.WithNorm(vec.Left(along), 1000*o.near)
		from, to := 0., 1. // of the pieces before and behind it
		if i > 0 && o.touches[i-1].edge == t.edge {
			from = o.touches[i-1].at
		}
		if i+1 < len(o.touches) && o.touches[i+1].edge == t.edge {
			to = o.touches[i+1].at
		}
		for _, end := range []float64{from, to} {
			if math.Abs(end-t.at)*vec.Norm(along) <= 1000*o.near {
				continue
			}
			middle := vec.AddScaled(a, (t.at+end)/2, along)
			for _, side := range []r2.Vec{vec.Add(middle, aside), vec.Sub(middle, aside)} {
				if n := o.winding(side); n != 0 && n != turn {
					return vec.AddScaled(a, t.at, along), true
				}
			}
		}
	}
	return at, false
}

// winding returns how often the ring goes round a point, to the left.
func (o *outlineOf) winding(p r2.Vec) (n int) {
	for i, a := range o.ring {
		b := o.corner(i + 1)
		switch side := vec.Cross(vec.Sub(b, a), vec.Sub(p, a)); {
		case a.Y <= p.Y && b.Y > p.Y && side > 0:
			n++
		case a.Y > p.Y && b.Y <= p.Y && side < 0:
			n--
		}
	}
	return n
}
