package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// NoRoomError says that people do not fit where they are to be.
type NoRoomError struct {
	Density float64 // people a unit of length or area
	Unit    string
	Share   float64 // of the area that bodies cover, or of the length of their file
}

func (e NoRoomError) Error() string {
	return fmt.Sprintf("%.1f people a %s do not fit: their bodies cover %.0f %%", e.Density, e.Unit, 100*e.Share)
}

// floor is where people stand.
type floor interface {
	area() float64                          // m²
	draw(r *rand.Rand) r2.Vec               // any point of it
	inside(p r2.Vec, radius float64) r2.Vec // the point next to p where a body of a radius is on it
}

// hall is a floor between four walls.
type hall struct{ r2.Box }

func (h hall) area() float64 { return (h.Max.X - h.Min.X) * (h.Max.Y - h.Min.Y) }

func (h hall) draw(r *rand.Rand) r2.Vec {
	size := vec.Sub(h.Max, h.Min)
	return r2.Vec{X: h.Min.X + size.X*r.Float64(), Y: h.Min.Y + size.Y*r.Float64()}
}

func (h hall) inside(p r2.Vec, radius float64) r2.Vec {
	return r2.Vec{X: min(max(p.X, h.Min.X+radius), h.Max.X-radius), Y: min(max(p.Y, h.Min.Y+radius), h.Max.Y-radius)}
}

// spaced returns places for bodies on a floor: drawn at random, then pushed apart until
// they keep as much distance as their number allows, and at least do not touch. The error
// is a NoRoomError if they do not fit.
func spaced(ctx context.Context, r *rand.Rand, on floor, radii []float64) ([]r2.Vec, error) {
	n := len(radii)
	area, bodies, widest := on.area(), 0., 0.
	at := make([]r2.Vec, n)
	for i := range at {
		at[i] = on.draw(r)
		bodies += math.Pi * radii[i] * radii[i]
		widest = max(widest, radii[i])
	}
	const (
		rounds  = 2000
		close   = 1.001  // of the distance at which bodies touch
		densest = 0.9069 // share of the area that disks of one size cover at most
	)
	noRoom := NoRoomError{float64(n) / area, "m²", bodies / area}
	if noRoom.Share > densest {
		return nil, noRoom
	}
	wish := 0.7 * math.Sqrt(2/math.Sqrt(3)*area/float64(max(n, 1))) // of the distance in a lattice of triangles
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if round > rounds/4 {
			wish = 0
		}
		worst := pushApart(at, radii, wish, close, 2*widest*close)
		for i := range at {
			at[i] = on.inside(at[i], radii[i]*close)
		}
		if worst < 1e-4 && round > rounds/20 {
			return at, nil
		}
	}
	return nil, noRoom
}

// pushApart moves those away from one another that are nearer than they wish, or than
// their bodies allow, which are taken as larger by a factor; no two of those need more
// than a reach. It returns how much too near bodies were, in meters.
func pushApart(at []r2.Vec, radii []float64, wish, factor, reach float64) (worst float64) {
	b := bucketsOf(at, max(wish, reach)+0.01)
	for i := range at {
		x, y := b.cell(at[i])
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, j := range b.in(x+dx, y+dy) {
					if j <= i {
						continue
					}
					d := vec.Sub(at[j], at[i])
					l, touch := vec.Norm(d), (radii[i]+radii[j])*factor
					if l >= max(wish, touch) {
						continue
					}
					worst = max(worst, touch-l)
					if l == 0 {
						d, l = r2.Vec{X: 1e-3}, 1e-3
					}
					move := vec.Scale(0.5*(max(wish, touch)-l)/l, d)
					at[i], at[j] = vec.Sub(at[i], move), vec.Add(at[j], move)
				}
			}
		}
	}
	return worst
}
