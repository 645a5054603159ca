package menge

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// area is a point, a disc, or a box that may be rotated about its center.
type area struct {
	center   r2.Vec  // m
	half     r2.Vec  // m, half the size of a box
	radius   float64 // m, above 0 only for a disc
	sin, cos float64 // of the angle of a box
}

func (a *area) own(p r2.Vec) r2.Vec   { return vec.Rotate(r2.Sub(p, a.center), a.cos, -a.sin) }
func (a *area) plane(q r2.Vec) r2.Vec { return r2.Add(a.center, vec.Rotate(q, a.cos, a.sin)) }

func clamp(q, half r2.Vec) r2.Vec {
	return r2.Vec{X: min(max(q.X, -half.X), half.X), Y: min(max(q.Y, -half.Y), half.Y)}
}

func (a *area) distance(p r2.Vec) float64 {
	q := a.own(p)
	away := r2.Vec{X: max(math.Abs(q.X)-a.half.X, 0), Y: max(math.Abs(q.Y)-a.half.Y, 0)}
	return max(vec.Norm(away)-a.radius, 0)
}

func (a *area) nearest(p r2.Vec) r2.Vec {
	q := a.own(p)
	if n := vec.Norm(q); a.radius > 0 && n > a.radius {
		q = vec.WithNorm(q, a.radius)
	} else if a.radius == 0 {
		q = clamp(q, a.half)
	}
	return a.plane(q)
}

// stop returns the stop of an agent that goes from a place to within a distance of the area: a point
// slightly inside the area.
func (a *area) stop(from r2.Vec, within float64) Stop {
	edge := a.nearest(from)
	q := a.own(edge)
	if a.radius > 0 {
		q = vec.WithNorm(q, min(vec.Norm(q), a.radius-min(a.radius, inward)))
	} else {
		q = clamp(q, r2.Vec{X: max(a.half.X-inward, 0), Y: max(a.half.Y-inward, 0)})
	}
	at := a.plane(q)
	return Stop{Stop: systems.Stop{At: at}, Reach: max(within+vec.Norm(r2.Sub(at, edge)), leastReach)}
}

func (a *area) somewhere(u, v float64) r2.Vec {
	if a.radius > 0 {
		sin, cos := vec.SinCos(6.283185307179586 * v)
		return vec.AddScaled(a.center, a.radius*math.Sqrt(u), r2.Vec{X: cos, Y: sin})
	}
	q := r2.Vec{X: float64((2*u - 1) * a.half.X), Y: float64((2*v - 1) * a.half.Y)}
	return a.plane(q)
}

// span returns the part of the segment from p (0) to q (1) that is within a distance of the area, and
// reports whether there is one. The result out is just beyond the end of the part, or 1.
func (a *area) span(p, q r2.Vec, within float64) (in, out float64, meets bool) {
	far := func(t float64) float64 { return a.distance(vec.AddScaled(p, t, vec.Sub(q, p))) }
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
	edge := func(outside float64) (inner, outer float64) {
		inner, outer = nearest, outside
		if far(outside) <= within {
			return outside, outside
		}
		for range 50 {
			if middle := (inner + outer) / 2; far(middle) <= within {
				inner = middle
			} else {
				outer = middle
			}
		}
		return inner, outer
	}
	in, _ = edge(0)
	_, out = edge(1)
	return in, out, true
}

// area reads an area. Its attributes have different names in conditions and in goals.
func (r *reader) area(t textio.Tag, kind string) (a area, err error) {
	x, y := "x", "y"
	if t.Name == "Condition" {
		prefix := map[string]string{"circle": "center_", "OBB": "pivot_"}[kind]
		x, y = prefix+x, prefix+y
	}
	a.cos = 1
	if kind == "AABB" {
		var low, high r2.Vec
		err = cmp.Or(r.Point(&low, t, "min_x", "min_y"), r.Point(&high, t, "max_x", "max_y"))
		a.center, a.half = r2.Scale(0.5, r2.Add(low, high)), r2.Scale(0.5, r2.Sub(high, low))
		if err == nil && !(a.half.X >= 0 && a.half.Y >= 0) {
			err = r.Fail(t.Line, "<%s> from (%v, %v) to (%v, %v): want min_x and min_y not above max_x and max_y", t.Name, low.X, low.Y, high.X, high.Y)
		}
		return a, err
	}
	if err = r.Point(&a.center, t, x, y); err != nil {
		return a, err
	}
	switch kind {
	case "circle":
		err = r.needed(&a.radius, t, "radius", notNegative)
	case "OBB":
		degrees := 0.
		err = cmp.Or(r.needed(&a.half.X, t, "width", notNegative), r.needed(&a.half.Y, t, "height", notNegative), r.needed(&degrees, t, "angle", anyNumber))
		a.half = r2.Scale(0.5, a.half)
		if degrees = math.Mod(degrees, 360); degrees != 0 {
			a.sin, a.cos = vec.SinCos(degrees * (math.Pi / 180))
		}
	}
	return a, err
}

// meshObstacles reads the obstacles from the file of a navigation mesh, where they follow the corners and the
// edges.
func (r *reader) meshObstacles(t textio.Tag, path string) error {
	if err := r.Allowed(path); err != nil {
		return fmt.Errorf("%s: <ObstacleSet>: %w", r.Place(t.Line), err)
	}
	limits := textio.Limits{Bytes: r.Options.MaxBytes, Line: 1 << 20}
	lines, err := textio.OpenLines(r.Options.Context, path, limits)
	if err != nil {
		return fmt.Errorf("%s: <ObstacleSet>: %w", r.Place(t.Line), err)
	}
	defer lines.Close()
	r.p.Files = append(r.p.Files, path)
	m := &mesh{Lines: lines}
	var corners []r2.Vec
	for n := m.whole("number of corners", 1e9); n > 0 && m.err == nil; n-- {
		corners = append(corners, r2.Vec{X: m.number("x"), Y: m.number("y")})
	}
	for n := m.whole("number of edges", 1e9); n > 0 && m.err == nil; n-- {
		for _, what := range []string{"corner", "corner", "node", "node"} {
			m.number(what)
		}
	}
	for n := m.whole("number of obstacles", 1e9); n > 0 && m.err == nil; n-- {
		a, b := m.whole("corner", len(corners)), m.whole("corner", len(corners))
		m.number("node")
		if m.number("next obstacle"); m.err == nil && corners[a] != corners[b] {
			r.p.Obstacles = append(r.p.Obstacles, Obstacle{Corners: []r2.Vec{corners[a], corners[b]}})
		}
	}
	return m.err
}

// mesh reads numbers separated by blanks. After an error, all numbers are 0.
type mesh struct {
	*textio.Lines
	words []string // words left in the line
	err   error
}

func (m *mesh) number(what string) float64 {
	for m.err == nil && len(m.words) == 0 {
		if !m.Next() {
			m.Number-- // the error names the last line
			if m.err = m.Ended(); m.err == nil {
				m.err = m.Failf("the file ends, want a number (%s)", what)
			}
		} else {
			m.words = strings.Fields(m.Text)
		}
	}
	if m.err != nil {
		return 0
	}
	word := m.words[0]
	m.words = m.words[1:]
	x, want := textio.AnyNumber("a number (" + what + ")").Parse(word)
	if want != "" {
		m.err = m.Failf("%q, want %s", textio.Clip(word), want)
	}
	return x
}

func (m *mesh) whole(what string, below int) int {
	x := m.number(what)
	if m.err == nil && !(wholeNumber.OK(x) && int(x) < below) {
		m.err = m.Failf("%s is %v, want a whole number below %d", what, x, below)
	}
	if m.err != nil {
		return 0
	}
	return int(x)
}
