package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// boundaryBody is a body that looks at the obstacles around it. It rolls along them in its mind,
// as a disc that touches them: so obstacles with gaps between them in which it does not fit are
// one.
type boundaryBody struct {
	obstacles *sense.Obstacles
	radius    float64 // m, of the disc
	gap       float64 // m, by which it stays away from what it touches
	step      float64 // m, how far it rolls at once
	sight     float64 // m, how far it sees
}

// The disc is a little larger than the body, so that the body gets along where the disc rolls.
// It is no smaller than a part of what it sees, so that it does not roll for ever.
const (
	boundaryRoom  = 1.05
	boundaryTight = 1.002
	boundaryBerth = 0.3  // of the radius, by which the body stays away from the boundary where there is room
	boundarySight = 0.97 // of the radius, with which the body sees its marker
	boundaryLeast = 1. / 200
)

// bodyFor returns the body of an agent with this radius, that is to have so much room.
func bodyFor(obstacles *sense.Obstacles, radius, room, sight float64) boundaryBody {
	r := max(float64(room*radius), float64(boundaryLeast*sight))
	return boundaryBody{obstacles, r, 1e-3 * r, 0.5 * r, sight}
}

// roll returns where the disc is when it has rolled on by a step, or up to the next obstacle
// that it touches; to the left as seen from the obstacle's surface, with the obstacle to its
// right. It returns false if nothing is there to roll on.
//
// The way of a step is half a radius, so that the point which was touched is still below the
// disc: it never goes over a gap in which it fits. Where another obstacle is before it, steps are
// shorter: on its way round a corner the disc swings out, and would touch what it passes.
func (d *boundaryBody) roll(from c.BoundaryPoint, left bool) (to c.BoundaryPoint, ok bool) {
	way := vec.Right(from.Normal)
	if left {
		way = vec.Left(from.Normal)
	}
	way = vec.Scale(-1, way) // who faces the obstacle has its normal behind
	step := d.step
	if hit, ok := d.obstacles.Sweep(from.At, way, step, d.radius); ok {
		short := step / 8
		if hit.Distance <= short {
			return d.touch(from, vec.AddScaled(from.At, hit.Distance, way), hit.Normal), true
		}
		step = max(short, hit.Distance/2)
	}
	at := vec.AddScaled(from.At, step, way)
	down := vec.Scale(-1, from.Normal)
	hit, ok := d.obstacles.Sweep(at, down, d.radius, d.radius)
	if !ok {
		return from, false
	}
	return d.touch(from, vec.AddScaled(at, hit.Distance, down), hit.Normal), true
}

// touch returns the point at which the disc touches an obstacle, coming from another point.
func (d *boundaryBody) touch(from c.BoundaryPoint, at, normal r2.Vec) c.BoundaryPoint {
	at = vec.AddScaled(at, d.gap, normal)
	return c.BoundaryPoint{At: at, Normal: normal, Along: from.Along + vec.Norm(vec.Sub(at, from.At)), Known: from.Known}
}

// beside returns the place beside a point of the boundary to which the body goes: some way off, and
// in the middle of a gap that is narrow.
func (d *boundaryBody) beside(x *c.BoundaryPoint) r2.Vec {
	berth := float64(boundaryBerth * d.radius)
	if hit, ok := d.obstacles.Sweep(x.At, x.Normal, 2*berth, d.radius); ok {
		berth = hit.Distance / 2
	}
	return vec.AddScaled(x.At, berth, x.Normal)
}

// lookAhead is what a look from a place to another one finds.
type lookAhead struct {
	free  bool            // the disc gets there, or so near that the rest is not worth a detour
	rest  float64         // m, between the other place and where the disc gets
	first c.BoundaryPoint // where it gets, if it is not free
}

// ahead looks from a place at which the disc fits.
func (d *boundaryBody) ahead(from, to r2.Vec) lookAhead {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	dir := vec.Unit(way)
	hit, ok := d.obstacles.Sweep(from, dir, min(length, d.sight), d.radius)
	if !ok {
		return lookAhead{free: true, rest: max(length-d.sight, 0)}
	}
	at := vec.AddScaled(from, hit.Distance, dir)
	// Two bodies fit between here and a place that is behind an obstacle.
	if rest := length - hit.Distance; rest < 2*d.radius {
		return lookAhead{free: true}
	}
	first := d.touch(c.BoundaryPoint{At: at}, at, hit.Normal)
	first.Along = 0
	return lookAhead{rest: vec.Norm(vec.Sub(to, first.At)), first: first}
}

// sees reports whether a disc gets straight from one place to another, with a share of the radius.
func (d *boundaryBody) sees(from, to r2.Vec, share float64) bool {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	_, hit := d.obstacles.Sweep(from, vec.Unit(way), length, share*d.radius)
	return !hit
}

// fit returns a place beside p at which the disc fits, as near as it finds one; false if it
// finds none.
func (d *boundaryBody) fit(p, to r2.Vec) (r2.Vec, bool) {
	near, ok := d.obstacles.Nearest(p, d.radius)
	if !ok {
		return p, true
	}
	q := p
	for range 3 {
		move := d.radius + d.gap - near.Distance
		if near.Distance > 0 && d.blocked(q, near.Normal, move) {
			break
		}
		q = vec.AddScaled(q, move, near.Normal)
		if near, ok = d.obstacles.Nearest(q, d.radius); !ok {
			return q, true
		}
	}
	back := vec.Unit(vec.Sub(p, to))
	const half = math.Sqrt2 / 2
	for _, far := range [...]float64{1, 2} {
		for _, turn := range [...]r2.Vec{{X: 1}, {X: half, Y: half}, {X: half, Y: -half}, {Y: 1}, {Y: -1}, {X: -half, Y: half}, {X: -half, Y: -half}, {X: -1}} {
			dir := vec.Rotate(back, turn.X, turn.Y)
			if q := vec.AddScaled(p, float64(far*d.radius), dir); !d.blocked(p, dir, far*d.radius) {
				if _, ok := d.obstacles.Nearest(q, d.radius); !ok {
					return q, true
				}
			}
		}
	}
	return p, false
}

// blocked reports whether an obstacle is between a place and another one.
func (d *boundaryBody) blocked(p, dir r2.Vec, length float64) bool {
	_, hit := d.obstacles.Ray(p, dir, length)
	return hit
}
