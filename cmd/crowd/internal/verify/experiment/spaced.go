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

// spaced returns places for bodies in a box: drawn at random, then pushed apart until
// they keep as much distance as their number allows, and at least do not touch. The error
// is a NoRoomError if they do not fit.
func spaced(ctx context.Context, r *rand.Rand, box r2.Box, radii []float64) ([]r2.Vec, error) {
	size := vec.Sub(box.Max, box.Min)
	n := len(radii)
	area, bodies, widest := size.X*size.Y, 0., 0.
	at := make([]r2.Vec, n)
	for i := range at {
		at[i] = r2.Vec{X: box.Min.X + size.X*r.Float64(), Y: box.Min.Y + size.Y*r.Float64()}
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
			m := radii[i] * close
			at[i].X = min(max(at[i].X, box.Min.X+m), box.Max.X-m)
			at[i].Y = min(max(at[i].Y, box.Min.Y+m), box.Max.Y-m)
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
