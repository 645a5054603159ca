package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Cover returns the place nearest to p where an obstacle hides a body from an observer: beyond
// the obstacle as the observer sees it, at a distance between the surfaces of both. Obstacles
// count whose surface is at most reach meters from p. Places that are within another obstacle
// are none, nor are those to which the observer is nearer than p. Of places as near, that of the
// obstacle with the lowest entity id is taken. It returns false if there is none.
func (o *Obstacles) Cover(p, observer r2.Vec, body, distance, reach float64) (place r2.Vec, ok bool) {
	least := math.Inf(1)
	o.index.Within(p, reach, func(i int, _ float64) bool {
		at := beyond(&o.shapes[i], p, observer, body+distance)
		way, theirs := vec.Norm2(vec.Sub(at, p)), vec.Norm2(vec.Sub(at, observer))
		if way < least && way <= theirs && vec.Finite(at) && o.hides(at, observer, body) {
			place, ok, least = at, true, way
		}
		return true
	})
	return place, ok
}

// hides reports whether a place is free, and out of an observer's sight.
func (o *Obstacles) hides(place, observer r2.Vec, body float64) bool {
	if _, touches := o.index.Nearest(place, float64(body*0.999)); touches {
		return false
	}
	way := vec.Sub(place, observer)
	length := vec.Norm(way)
	_, blocked := o.index.Sweep(observer, vec.Unit(way), length, 0)
	return blocked
}

// beyond returns the place beyond a shape as an observer sees it, so far from its surface: on
// the line through its middle, or, of a wall, through the point that is nearest to p.
func beyond(s *space.Shape, p, observer r2.Vec, far float64) r2.Vec {
	middle := s.A
	switch {
	case s.Ring != nil:
		middle = r2.Vec{}
		for _, corner := range s.Ring {
			middle = vec.AddScaled(middle, 1/float64(len(s.Ring)), corner)
		}
	case s.A != s.B:
		span := vec.Sub(s.B, s.A)
		share := vec.Dot(vec.Sub(p, s.A), span) / vec.Norm2(span)
		middle = vec.AddScaled(s.A, max(0, min(share, 1)), span)
	}
	away := vec.Unit(vec.Sub(middle, observer))
	extent := 0.
	if s.Ring != nil {
		for _, corner := range s.Ring {
			extent = max(extent, vec.Dot(vec.Sub(corner, middle), away))
		}
	} else {
		extent = max(extent, vec.Dot(vec.Sub(s.A, middle), away), vec.Dot(vec.Sub(s.B, middle), away))
	}
	return vec.AddScaled(middle, extent+s.Radius+far, away)
}
