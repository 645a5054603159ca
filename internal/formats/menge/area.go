package menge

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
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

// stop returns the stop of agents that come from a place and go there until they are within a
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
	return Stop{Stop: systems.Stop{At: at}, Reach: max(within+vec.Norm(r2.Sub(at, edge)), leastReach)}
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

// meshObstacles reads the obstacles of a navigation mesh: after the corners and the edges of
// the mesh, lines with two corners, a node and the next obstacle.
func (r *reader) meshObstacles(t textio.Tag, path string) error {
	m, closed, err := openMesh(r, path)
	if err != nil {
		return fmt.Errorf("%s: <ObstacleSet>: %w", r.Place(t.Line), err)
	}
	defer closed()
	r.p.Files = append(r.p.Files, path)
	var corners []r2.Vec
	for range m.count("corners") {
		at := r2.Vec{X: m.number("x"), Y: m.number("y")}
		if m.err != nil {
			break
		}
		corners = append(corners, at)
	}
	for range m.count("edges") {
		if m.err != nil {
			break
		}
		for _, what := range []string{"corner", "corner", "node", "node"} {
			m.number(what)
		}
	}
	for range m.count("obstacles") {
		a, b := m.index(len(corners)), m.index(len(corners))
		m.number("node")
		if m.number("next obstacle"); m.err != nil {
			break
		}
		if corners[a] != corners[b] {
			r.p.Obstacles = append(r.p.Obstacles, Obstacle{Corners: []r2.Vec{corners[a], corners[b]}})
		}
	}
	return m.err
}

// mesh is a file of numbers between blanks.
type mesh struct {
	path string
	line int
	in   *bufio.Scanner
	err  error // the first
}

func openMesh(r *reader, path string) (*mesh, func() error, error) {
	if err := r.Allowed(path); err != nil {
		return nil, nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > r.Options.MaxBytes {
		return nil, nil, fmt.Errorf("%s: want a regular file of at most %d bytes", path, r.Options.MaxBytes)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	m := &mesh{path: path, line: 1}
	var in io.Reader = file
	if r.Options.Context != nil {
		in = textio.WithContext(r.Options.Context, file)
	}
	m.in = bufio.NewScanner(in)
	m.in.Split(m.words)
	return m, file.Close, nil
}

// words splits at blanks, and counts lines.
func (m *mesh) words(data []byte, end bool) (advance int, word []byte, err error) {
	for advance < len(data) && data[advance] <= ' ' {
		if data[advance] == '\n' {
			m.line++
		}
		advance++
	}
	for i := advance; i < len(data); i++ {
		if data[i] <= ' ' {
			return i, data[advance:i], nil
		}
	}
	if end && advance < len(data) {
		return len(data), data[advance:], nil
	}
	return advance, nil, nil
}

func (m *mesh) number(what string) float64 {
	if m.err != nil {
		return 0
	}
	if !m.in.Scan() {
		if m.err = m.in.Err(); m.err == nil {
			m.err = fmt.Errorf("%s:%d: the file ends, want a number: %s", m.path, m.line, what)
		}
		return 0
	}
	x, wanted := textio.Number(m.in.Text(), anyNumber.ok, "a number: "+what)
	if wanted != "" {
		m.err = fmt.Errorf("%s:%d: %q, want %s", m.path, m.line, textio.Clip(m.in.Text()), wanted)
	}
	return x
}

// count reads how many there are. What follows is read one by one, so that a wrong count
// ends with the file.
func (m *mesh) count(what string) int {
	x := m.number("how many " + what)
	if m.err == nil && !wholeNumber.ok(x) {
		m.err = fmt.Errorf("%s:%d: %s %s, want %s", m.path, m.line, strconv.FormatFloat(x, 'g', -1, 64), what, wholeNumber.want)
	}
	if m.err != nil {
		return 0
	}
	return int(x)
}

func (m *mesh) index(n int) int {
	x := m.number("corner")
	if m.err == nil && !(wholeNumber.ok(x) && int(x) < n) {
		m.err = fmt.Errorf("%s:%d: corner %v, want a whole number below %d", m.path, m.line, x, n)
	}
	if m.err != nil {
		return 0
	}
	return int(x)
}
