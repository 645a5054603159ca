package trajectories

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	thin    = 0.005 // m, half the thickness of walls that have less, so that they part what is beside them
	sagitta = 0.01  // m, how far the corners of a circle's polygon let its edges come inside
)

// outlines returns the polygons that an obstacle is made of. Those of circles and of the round
// ends of walls lie within them, so that nobody who touches a wall stands in it.
func outlines(o *world.ObstacleShape) []geom.Geometry {
	if o.Corners == nil {
		return []geom.Geometry{capsule(o.A, o.B, max(o.Radius, thin))}
	}
	var all []geom.Geometry
	if inside := solid(o.Corners); !inside.IsEmpty() {
		all = append(all, inside)
	}
	if o.Radius == 0 && len(all) > 0 {
		return all
	}
	for i, to := range o.Corners {
		from := o.Corners[(i+len(o.Corners)-1)%len(o.Corners)]
		all = append(all, capsule(from, to, max(o.Radius, thin)))
	}
	return all
}

// capsule returns a wall with round ends; a circle, if both ends are the same.
func capsule(a, b r2.Vec, radius float64) geom.Geometry {
	half := 64 // edges of half a circle, at most
	if radius > sagitta {
		half = min(half, max(4, int(math.Ceil(math.Pi/2/math.Acos(1-sagitta/radius)))))
	} else {
		half = 2
	}
	along := math.Atan2(b.Y-a.Y, b.X-a.X)
	ring := make([]r2.Vec, 0, 2*half+2)
	for _, end := range []struct {
		at    r2.Vec
		first float64
	}{{b, along - math.Pi/2}, {a, along + math.Pi/2}} {
		for i := range half + 1 {
			if a == b && i == half {
				break // the other half begins there
			}
			sin, cos := math.Sincos(end.first + math.Pi*float64(i)/float64(half))
			ring = append(ring, vec.AddScaled(end.at, radius, r2.Vec{X: cos, Y: sin}))
		}
	}
	return polygon(ring)
}

// solid returns what lies inside of a ring of corners. One that crosses itself is solid where an
// odd number of its turns are around, as obstacles are: its triangles with the first corner cancel
// one another there and elsewhere.
func solid(corners []r2.Vec) geom.Geometry {
	if len(corners) < 3 {
		return geom.Geometry{}
	}
	if whole := polygon(corners); whole.Validate() == nil {
		return whole
	}
	sum := geom.Geometry{}
	for i := 2; i < len(corners); i++ {
		triangle := polygon([]r2.Vec{corners[0], corners[i-1], corners[i]})
		if triangle.Validate() != nil {
			continue // it has no area
		}
		if both, err := geom.SymmetricDifference(sum, triangle); err == nil {
			sum = both
		}
	}
	return sum
}

// rectangle returns a box as a polygon.
func rectangle(b r2.Box) geom.Geometry {
	return polygon([]r2.Vec{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}})
}

// polygon returns the polygon with the given corners, the first of which is not repeated.
func polygon(corners []r2.Vec) geom.Geometry {
	xy := make([]float64, 0, 2*len(corners)+2)
	for _, p := range corners {
		xy = append(xy, p.X, p.Y)
	}
	xy = append(xy, corners[0].X, corners[0].Y)
	ring := geom.NewLineString(geom.NewSequence(xy, geom.DimXY))
	return geom.NewPolygon([]geom.LineString{ring}).AsGeometry()
}
