package experiment

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crossing is a person who passes a line for the first time.
type Crossing struct {
	Time   float64 // s, interpolated between two frames
	Person int     // index in People
}

// Crossings returns who passes the line from a to b, in the order of time.
func (r *Recording) Crossings(a, b r2.Vec) []Crossing {
	var all []Crossing
	along := vec.Sub(b, a)
	for i := range r.People {
		p := &r.People[i]
		for k := 1; k < len(p.At); k++ {
			d0, d1 := vec.Cross(along, vec.Sub(p.At[k-1], a)), vec.Cross(along, vec.Sub(p.At[k], a))
			if (d0 >= 0) == (d1 >= 0) {
				continue
			}
			share := d0 / (d0 - d1)
			at := vec.AddScaled(p.At[k-1], share, vec.Sub(p.At[k], p.At[k-1]))
			if u := vec.Dot(vec.Sub(at, a), along); u < 0 || u > vec.Norm2(along) {
				continue
			}
			all = append(all, Crossing{(float64(p.First+k-1) + share) * r.Dt, i})
			break
		}
	}
	slices.SortFunc(all, func(x, y Crossing) int {
		switch {
		case x.Time < y.Time:
			return -1
		case x.Time > y.Time:
			return 1
		}
		return x.Person - y.Person
	})
	return all
}

// Middle returns the crossings in the middle of all, such as the middle 0.8.
func Middle(all []Crossing, share float64) []Crossing {
	cut := int(math.Round(float64(len(all)) * (1 - share) / 2))
	return all[cut : len(all)-cut]
}

// Flow returns how many pass a second, (N − 1)/Δt; NaN for fewer than two.
func Flow(all []Crossing) float64 {
	if len(all) < 2 {
		return math.NaN()
	}
	return float64(len(all)-1) / (all[len(all)-1].Time - all[0].Time)
}

// TimeGaps returns the times in seconds between one crossing and the next.
func TimeGaps(all []Crossing) []float64 {
	var gaps []float64
	for i := 1; i < len(all); i++ {
		gaps = append(gaps, all[i].Time-all[i-1].Time)
	}
	return gaps
}

// Bursts returns how many people of one group pass in a row, on average.
func (r *Recording) Bursts(all []Crossing) float64 {
	if len(all) == 0 {
		return math.NaN()
	}
	runs := 1
	for i := 1; i < len(all); i++ {
		if r.People[all[i].Person].Group != r.People[all[i-1].Person].Group {
			runs++
		}
	}
	return float64(len(all)) / float64(runs)
}
