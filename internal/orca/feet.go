package orca

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Foot is the point of an obstacle that is nearest to somebody.
type Foot struct {
	Away     r2.Vec  // unit vector from there to who looks; zero: that one stands on its middle line
	Distance float64 // m, of who looks from the surface; below 0: within it
}

// AppendFeet appends the nearest point of each obstacle, whose edges follow one another. Who
// is in the inside of an outline does not see it.
func AppendFeet(feet []Foot, p r2.Vec, walls []*Edge) []Foot {
	var last *Edge // with the foot that was appended last
	for _, e := range walls {
		if e.outline != nil && vec.Cross(e.along, vec.Sub(p, e.A)) > 0 {
			continue
		}
		from := e.from(p)
		length := vec.Norm(from)
		f := Foot{vec.Unit(from), length - e.Radius}
		switch {
		case last == nil || !last.neighbors(e):
			feet, last = append(feet, f), e
		case f.Distance < feet[len(feet)-1].Distance:
			feet[len(feet)-1] = f
		}
	}
	return feet
}

// neighbors reports whether two edges are of the same outline.
func (e *Edge) neighbors(o *Edge) bool { return e.outline != nil && e.outline == o.outline }

// from returns the way to p from the nearest point of the middle of a wall.
func (e *Edge) from(p r2.Vec) r2.Vec {
	to := vec.Sub(p, e.A)
	along := min(max(vec.Dot(to, e.along), 0), vec.Dot(vec.Sub(e.B, e.A), e.along))
	return vec.AddScaled(to, -along, e.along)
}
