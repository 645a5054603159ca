package menge

import (
	"math"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// area is a point, a disc, or a box that may be turned about its center.
type area struct {
	center   r2.Vec
	half     r2.Vec // m, of a box
	radius   float64
	sin, cos float64 // by which a box is turned
}

// distance returns how far a point is from the area; 0 inside.
func (a *area) distance(p r2.Vec) float64 {
	q := vec.Rotate(r2.Sub(p, a.center), a.cos, -a.sin)
	away := r2.Vec{X: max(math.Abs(q.X)-a.half.X, 0), Y: max(math.Abs(q.Y)-a.half.Y, 0)}
	return max(vec.Norm(away)-a.radius, 0)
}

// nearest returns the point of the area that is nearest to p.
func (a *area) nearest(p r2.Vec) r2.Vec {
	q := vec.Rotate(r2.Sub(p, a.center), a.cos, -a.sin)
	if n := vec.Norm(q); a.radius > 0 && n > a.radius {
		q = vec.WithNorm(q, a.radius)
	} else if a.radius == 0 {
		q = r2.Vec{X: min(max(q.X, -a.half.X), a.half.X), Y: min(max(q.Y, -a.half.Y), a.half.Y)}
	}
	return r2.Add(a.center, vec.Rotate(q, a.cos, a.sin))
}

// stop returns the stop of those who come from a place and go there until they are within a
// distance: a point a little inside the area, and how near to it they need come.
func (a *area) stop(from r2.Vec, within float64) Stop {
	edge := a.nearest(from)
	q := vec.Rotate(r2.Sub(edge, a.center), a.cos, -a.sin)
	if a.radius > 0 {
		q = vec.WithNorm(q, min(vec.Norm(q), a.radius-min(a.radius, inward)))
	} else {
		x, y := max(a.half.X-inward, 0), max(a.half.Y-inward, 0)
		q = r2.Vec{X: min(max(q.X, -x), x), Y: min(max(q.Y, -y), y)}
	}
	at := r2.Add(a.center, vec.Rotate(q, a.cos, a.sin))
	return Stop{Kind: Place, At: at, Reach: max(within+vec.Norm(r2.Sub(at, edge)), leastReach)}
}

// somewhere returns a point of the area, drawn by two numbers from 0 to 1.
func (a *area) somewhere(u, v float64) r2.Vec {
	if a.radius > 0 {
		sin, cos := vec.SinCos(6.283185307179586 * v)
		return vec.AddScaled(a.center, a.radius*math.Sqrt(u), r2.Vec{X: cos, Y: sin})
	}
	q := r2.Vec{X: float64((2*u - 1) * a.half.X), Y: float64((2*v - 1) * a.half.Y)}
	return r2.Add(a.center, vec.Rotate(q, a.cos, a.sin))
}

// span returns the part of the way from p to q, from 0 to 1, that is within a distance of the
// area, since that is one part: from what is just within to what is just out again.
func (a *area) span(p, q r2.Vec, within float64) (in, out float64, meets bool) {
	far := func(t float64) float64 { return a.distance(r2.Add(p, r2.Scale(t, r2.Sub(q, p)))) }
	low, high := 0., 1.
	for range 60 {
		left, right := low+(high-low)/3, high-(high-low)/3
		if far(left) <= far(right) {
			high = right
		} else {
			low = left
		}
	}
	nearest := (low + high) / 2
	for _, end := range []float64{0, 1} {
		if far(end) <= far(nearest) {
			nearest = end
		}
	}
	if far(nearest) > within {
		return 0, 0, false
	}
	edge := func(outside float64) (within_, without float64) {
		within_, without = nearest, outside
		if far(outside) <= within {
			return outside, outside
		}
		for range 50 {
			if middle := (within_ + without) / 2; far(middle) <= within {
				within_ = middle
			} else {
				without = middle
			}
		}
		return within_, without
	}
	in, _ = edge(0)
	_, out = edge(1)
	return in, out, true
}

// area reads the attributes of an area; those of conditions have other names than those of
// goals.
func (r *reader) area(t textio.Tag, kind string) (a area, err error) {
	x, y := "x", "y"
	if t.Name == "Condition" {
		x, y = map[string]string{"circle": "center_x", "OBB": "pivot_x"}[kind], map[string]string{"circle": "center_y", "OBB": "pivot_y"}[kind]
	}
	a.cos = 1
	if kind == "AABB" {
		low, err1 := r.point(t, "min_x", "min_y")
		high, err2 := r.point(t, "max_x", "max_y")
		a.center, a.half = r2.Scale(0.5, r2.Add(low, high)), r2.Scale(0.5, r2.Sub(high, low))
		if err = first(err1, err2); err == nil && !(a.half.X >= 0 && a.half.Y >= 0) {
			err = r.Fail(t.Line, "<%s> from (%v, %v) to (%v, %v): want min_x and min_y not above max_x and max_y", t.Name, low.X, low.Y, high.X, high.Y)
		}
		return a, err
	}
	if a.center, err = r.point(t, x, y); err != nil {
		return a, err
	}
	switch kind {
	case "circle":
		err = r.needed(&a.radius, t, "radius", notNegative)
	case "OBB":
		degrees := 0.
		err = first(r.needed(&a.half.X, t, "width", notNegative), r.needed(&a.half.Y, t, "height", notNegative), r.needed(&degrees, t, "angle", anyNumber))
		a.half = r2.Scale(0.5, a.half)
		if degrees = math.Mod(degrees, 360); degrees != 0 {
			a.sin, a.cos = vec.SinCos(degrees * (math.Pi / 180))
		}
	}
	return a, err
}
