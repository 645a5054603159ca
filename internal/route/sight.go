package route

import (
	"math"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

const sectors = 512

// sight holds, for each direction from a viewpoint, a wall that hides everything behind it. A few walls hide
// most corners, so one or two cross products reject these without a query.
type sight struct {
	at     r2.Vec
	margin float64 // m, how far crossing paths stay away from the ends of a wall
	walls  []hiding
	wall   [sectors]int32   // one per sector; -1 means none
	hidden [sectors]float64 // m², squared distance beyond which the whole sector is hidden
	open   int              // a sector that was not hidden at the last query
}

// hiding is a wall, relative to the viewpoint. End b is to the left of a.
type hiding struct{ a, b r2.Vec }

// rays are the directions that separate the sectors.
var rays = func() (all [sectors + 1]r2.Vec) {
	for i := range all {
		t := float64(float64(i) / (sectors / 4))
		quarter, part := int(t)%4, t-math.Floor(t)
		v := r2.Vec{X: 1 - part, Y: part}
		for range quarter {
			v = vec.Left(v)
		}
		all[i] = v
	}
	return all
}()

func sectorOf(v r2.Vec) int {
	x, y := math.Abs(v.X), math.Abs(v.Y)
	var t float64 // grows with the angle, from 0 to 4
	switch {
	case v.Y >= 0 && v.X > 0:
		t = y / (x + y)
	case v.X <= 0 && v.Y > 0:
		t = 1 + x/(x+y)
	case v.Y <= 0 && v.X < 0:
		t = 2 + y/(x+y)
	default:
		t = 3 + x/(x+y)
	}
	return int(t*(sectors/4)) & (sectors - 1)
}

// begin moves s to a new viewpoint, without walls. If own, the corner there, is not nil, only directions in
// which a path touches its obstacle matter.
func (s *sight) begin(at r2.Vec, own *corner, margin float64) {
	s.at, s.margin, s.walls, s.open = at, margin, s.walls[:0], 0
	for i := range s.wall {
		s.wall[i], s.hidden[i] = -1, math.Inf(1)
	}
	if own == nil {
		return
	}
	was := own.side(rays[0])
	for i := range s.hidden {
		next := own.side(rays[i+1])
		if was == next && was != 0 {
			s.hidden[i] = 0
		}
		was = next
	}
}

func (s *sight) hides(way r2.Vec, length float64) bool {
	i := sectorOf(way)
	if length*length > s.hidden[i] {
		return true
	}
	k := s.wall[i]
	return k >= 0 && s.walls[k].crosses(way, s.margin*length, s.margin)
}

// crosses reports whether a wall crosses a straight path from the viewpoint, away from the ends of both.
func (w *hiding) crosses(way r2.Vec, least, margin float64) bool {
	if !(vec.Cross(w.a, way) > least && vec.Cross(way, w.b) > least) {
		return false
	}
	along := vec.Sub(w.b, w.a)
	return vec.Cross(along, vec.Sub(way, w.a)) < -margin*(math.Abs(along.X)+math.Abs(along.Y))
}

func (s *sight) add(from, to r2.Vec) {
	w := hiding{vec.Sub(from, s.at), vec.Sub(to, s.at)}
	area := vec.Cross(w.a, w.b)
	if area < 0 {
		w.a, w.b, area = w.b, w.a, -area
	}
	along := vec.Sub(w.b, w.a)
	if !(area > s.margin*(math.Abs(along.X)+math.Abs(along.Y))) {
		return // seen end-on, or a point
	}
	k := int32(len(s.walls))
	s.walls = append(s.walls, w)
	first, last := sectorOf(w.a), sectorOf(w.b)
	for _, i := range [2]int{first, last} {
		if math.IsInf(s.hidden[i], 1) {
			s.wall[i] = k
		}
	}
	if first == last {
		return
	}
	i := (first + 1) & (sectors - 1)
	near := distance(area, along, i)
	for i != last {
		next := (i + 1) & (sectors - 1)
		far := distance(area, along, next)
		if most := max(near, far); most < s.hidden[i] {
			s.hidden[i], s.wall[i] = most, k
		}
		i, near = next, far
	}
}

// distance returns the squared distance, slightly enlarged, at which a wall in the direction along meets the
// ray that begins sector i. area is twice the area of the triangle of the wall and the viewpoint.
func distance(area float64, along r2.Vec, i int) float64 {
	ray := rays[i]
	t := area / vec.Cross(ray, along)
	if !(t > 0) {
		return math.Inf(1)
	}
	return t * t * vec.Norm2(ray) * (1 + 1e-9)
}

// over reports whether everything beyond a distance is hidden.
func (s *sight) over(distance float64) bool {
	for range s.hidden {
		if !(s.hidden[s.open] <= distance*distance) {
			return false
		}
		s.open = (s.open + 1) & (sectors - 1)
	}
	return true
}

func (s *sight) hit(shape *space.Shape, contact r2.Vec) {
	if shape.Ring == nil {
		a, b := shape.A, shape.B
		if a == b { // a circle: the chord across it
			across := vec.Scale(shape.Radius, vec.Left(vec.Unit(vec.Sub(a, s.at))))
			a, b = vec.Sub(shape.A, across), vec.Add(shape.A, across)
		}
		s.add(a, b)
		return
	}
	best, least := 0, math.Inf(1)
	for i, p := range shape.Ring {
		next := shape.Ring[(i+1)%len(shape.Ring)]
		// The detour by way of the contact is smallest for the edge that was hit.
		detour := vec.Norm(vec.Sub(contact, p)) + vec.Norm(vec.Sub(next, contact)) - vec.Norm(vec.Sub(next, p))
		if detour < least {
			best, least = i, detour
		}
	}
	s.add(shape.Ring[best], shape.Ring[(best+1)%len(shape.Ring)])
}
