package picture

import (
	"image"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/spatial/r2"
)

// farthest is the maximum absolute coordinate or length that is drawn, in m. Its sums and squares do not
// overflow.
const farthest = 1e12

func usable(v r2.Vec) bool {
	return math.Abs(v.X) <= farthest && math.Abs(v.Y) <= farthest
}

// length returns x if it can be drawn, and 0 otherwise.
func length(x float64) float64 {
	if x >= 0 && x <= farthest {
		return x
	}
	return 0
}

// viewport maps the world, in which y points up, to a rectangle of an image, in which y points down.
type viewport struct {
	bounds image.Rectangle
	center r2.Vec  // m, in the middle of bounds
	scale  float64 // pixels per meter
}

// newFrame returns a viewport that shows view in the middle of bounds, as large as possible. If exact is set,
// the viewport omits the rest of bounds; otherwise, the rest shows more of the world.
func newFrame(view r2.Box, bounds image.Rectangle, exact bool) viewport {
	size := view.Size()
	f := viewport{
		bounds: bounds,
		center: view.Center(),
		scale:  min(float64(bounds.Dx())/size.X, float64(bounds.Dy())/size.Y),
	}
	if exact {
		w := min(max(int(math.Round(size.X*f.scale)), 1), bounds.Dx())
		h := min(max(int(math.Round(size.Y*f.scale)), 1), bounds.Dy())
		at := bounds.Min.Add(image.Pt((bounds.Dx()-w)/2, (bounds.Dy()-h)/2))
		f.bounds = image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
	}
	return f
}

func (f viewport) at(p r2.Vec) r2.Vec {
	return r2.Vec{
		X: float64(f.bounds.Min.X+f.bounds.Max.X)/2 + (p.X-f.center.X)*f.scale,
		Y: float64(f.bounds.Min.Y+f.bounds.Max.Y)/2 - (p.Y-f.center.Y)*f.scale,
	}
}

func (f viewport) from(p r2.Vec) r2.Vec {
	return r2.Vec{
		X: f.center.X + (p.X-float64(f.bounds.Min.X+f.bounds.Max.X)/2)/f.scale,
		Y: f.center.Y - (p.Y-float64(f.bounds.Min.Y+f.bounds.Max.Y)/2)/f.scale,
	}
}

func shown(b r2.Box) bool {
	const least = 1e-6 // m
	size := b.Size()
	return usable(b.Min) && usable(b.Max) && size.X >= least && size.Y >= least
}

// shows reports whether the square around a disc, in pixels, overlaps f.bounds.
func (f viewport) shows(p r2.Vec, r float64) bool {
	return p.X+r > float64(f.bounds.Min.X) && p.X-r < float64(f.bounds.Max.X) &&
		p.Y+r > float64(f.bounds.Min.Y) && p.Y-r < float64(f.bounds.Max.Y)
}

// fitCrowd returns the box around all agents, trails and obstacles, with a margin. If there are none, it uses
// the targets or, without targets, a box of 10 m by 10 m. Among a hundred or more agents, it ignores strays,
// which would shrink the rest to a dot. Strays are outside the core by more than half of its longer side; the
// core is the box around the obstacles and the inner 98% of the agents in x and in y.
func fitCrowd(c *Crowd) r2.Box {
	b := around(nil)
	for _, o := range c.Obstacles {
		b = union(b, o.box())
	}
	b = union(b, agentsBox(c.Agents, b))
	for _, way := range c.Trails {
		b = union(b, around(way))
	}
	if empty(b) {
		b = around(c.Targets)
	}
	if empty(b) {
		b = r2.NewBox(0, 0, 10, 10)
	}
	widest := 0.0
	for i := range c.Agents {
		widest = max(widest, length(c.Agents[i].Radius))
	}
	size := b.Size()
	margin := max(0.03*max(size.X, size.Y), 0.5*widest)
	if max(size.X, size.Y) < 1e-3 {
		margin = 5
	} else if max(size.X, size.Y) <= 2*widest { // one agent
		margin = 8 * widest
	}
	return grow(b, margin)
}

func agentsBox(agents []Agent, obstacles r2.Box) r2.Box {
	xs := make([]float64, 0, len(agents))
	ys := make([]float64, 0, len(agents))
	for i := range agents {
		if p := agents[i].Position; usable(p) {
			xs, ys = append(xs, p.X), append(ys, p.Y)
		}
	}
	if len(xs) == 0 {
		return around(nil)
	}
	slices.Sort(xs)
	slices.Sort(ys)
	lo := len(xs) / 100
	hi := len(xs) - 1 - lo
	core := union(r2.Box{Min: r2.Vec{X: xs[lo], Y: ys[lo]}, Max: r2.Vec{X: xs[hi], Y: ys[hi]}}, obstacles)
	size := core.Size()
	fence := grow(core, max(size.X, size.Y)/2)

	b := around(nil)
	for i := range agents {
		p, r := agents[i].Position, length(agents[i].Radius)
		if usable(p) && (lo == 0 || fence.Contains(p)) {
			b = union(b, grow(r2.Box{Min: p, Max: p}, r))
		}
	}
	return b
}

// around returns the box around the usable points, or an empty box if there are none.
func around(points []r2.Vec) r2.Box {
	b := r2.Box{Min: r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, Max: r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}
	for _, p := range points {
		if usable(p) {
			b = union(b, r2.Box{Min: p, Max: p})
		}
	}
	return b
}

// empty reports whether b contains no point. gonum's Empty and Union also treat a box without area as empty.
func empty(b r2.Box) bool { return !(b.Min.X <= b.Max.X && b.Min.Y <= b.Max.Y) }

func union(a, b r2.Box) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y)},
		Max: r2.Vec{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y)},
	}
}

func grow(b r2.Box, d float64) r2.Box {
	v := r2.Vec{X: d, Y: d}
	return r2.Box{Min: r2.Sub(b.Min, v), Max: r2.Add(b.Max, v)}
}

// RoundBelow returns the largest of …, 0.5, 1, 2, 5, 10, … that is at most x, which must be positive.
func RoundBelow(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, d := range [2]float64{5, 2} {
		if d*p <= x*(1+1e-9) {
			return d * p
		}
	}
	return p
}

// roundAbove returns the smallest of …, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, … that is at least x, or 1 if x is not
// above 0.
func roundAbove(x float64) float64 {
	if !(x > 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, d := range [...]float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if x <= d*p*(1+1e-9) {
			return d * p
		}
	}
	return 10 * p
}

// Length formats a length in the unit of the scale bar of c or, for 1,000 m or more, in kilometers.
func Length(m float64, c *Crowd) string {
	switch {
	case c.Pixels:
		return numberLabel(m) + " px"
	case c.Cells && m == 1:
		return "1 cell"
	case c.Cells:
		return numberLabel(m) + " cells"
	}
	if m >= 1000 {
		return numberLabel(m/1000) + " km"
	}
	return numberLabel(m) + " m"
}

// numberLabel formats x with at most six significant digits, to hide rounding errors.
func numberLabel(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
