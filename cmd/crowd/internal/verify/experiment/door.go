package experiment

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Door holds the measurements of people leaving a room through a door.
type Door struct {
	Passed int
	Flow   float64    // people/s, over the middle 80% of the crossings
	Jam    Smoothness // in the room, while the door is full
	Ways   [][]r2.Vec // m, paths over the 5 s after the first quarter of the crossings
}

// WalkDoor runs the part of RiMEA's test 12 on door widths: 100 people leave a room of 10 m by 10 m through a
// door. The width of the door is in meters.
func WalkDoor(run Run, width float64) (Door, error) {
	s := run.stage("door", 2, box(-11, -6, 7, 6))
	s.solid(0, width/2, 0.2, 5.2)
	s.solid(0, -5.2, 0.2, -width/2)
	s.sides(-10.2, 0, 5)
	s.solid(-10.2, -5, -10, 5)
	s.crowd("people", 100, box(-10, -5, 0, 5), box(5, -3, 6, 3))
	r, err := s.record(400)
	if err != nil {
		return Door{}, err
	}
	all := r.Crossings(xy(0.1, -width/2), xy(0.1, width/2))
	full := whileFull(r, all)
	d := Door{Passed: len(all), Flow: Flow(middleOf(all, 0.8))}
	d.Jam = r.smooth(func(p *Person, f int) bool { return p.Place(f).X < 0 && full(f) })
	d.Ways = ways(r, all)
	return d, nil
}

// Jam holds the measurements of the built-in scene bottleneck.
type Jam struct {
	Jam   Smoothness // within 3 m of the door, while it is full
	Notch float64    // m, largest notch at 10, 20, 30 or 50 s
	Side  float64    // share on the emptier side, when half have left
}

// Bottleneck runs the built-in scene bottleneck.
func Bottleneck(run Run) (Jam, error) {
	s, err := scene.Named("bottleneck")
	if err != nil {
		return Jam{}, err
	}
	s.Seed = run.Seed
	r, err := Record(run.Context, run.By, s, float64(s.Steps)*s.Dt)
	if err != nil {
		return Jam{}, err
	}
	all := r.Crossings(s.Lines[0].A, s.Lines[0].B)
	full, inRoom := whileFull(r, all), func(p *Person, f int) bool { return p.In(f) && p.Place(f).X < 0 }
	j := Jam{Notch: math.Inf(-1), Jam: r.smooth(func(p *Person, f int) bool {
		return inRoom(p, f) && r2.Norm(p.Place(f)) < 3 && full(f)
	})}
	for _, t := range []float64{10, 20, 30, 50} {
		j.Notch = max(j.Notch, notch(r, frames(t), inRoom))
	}
	if len(all) > 0 {
		left, right := 0., 0.
		for i, half := 0, int(all[len(all)/2].Time/r.Dt); i < len(r.People); i++ {
			if p := &r.People[i]; inRoom(p, half) && p.Place(half).Y > 0 {
				left++
			} else if inRoom(p, half) {
				right++
			}
		}
		j.Side = min(left, right) / (left + right)
	}
	return j, nil
}

// notch returns how much farther, in meters, the crowd extends from the door at the origin at 10 to 35 degrees
// from its axis than nearer to the axis. For a half disc, it is about 0.
func notch(r *Recording, frame int, counts func(p *Person, f int) bool) float64 {
	var middle, beside float64
	for i := range r.People {
		p := &r.People[i]
		if !counts(p, frame) {
			continue
		}
		at := p.Place(frame)
		switch angle := math.Abs(math.Atan2(at.Y, -at.X)) * 180 / math.Pi; {
		case angle < 10:
			middle = max(middle, r2.Norm(at))
		case angle <= 35:
			beside = max(beside, r2.Norm(at))
		}
	}
	return beside - middle
}

// whileFull returns a function that reports whether a door is full: from 3 s until 60% of all crossings are
// over.
func whileFull(r *Recording, all []Crossing) func(frame int) bool {
	until := 0.
	if len(all) > 0 {
		until = all[len(all)*6/10].Time
	}
	return func(f int) bool { return float64(f)*r.Dt > 3 && float64(f)*r.Dt < until }
}

func ways(r *Recording, all []Crossing) (lines [][]r2.Vec) {
	const seconds = 5
	if len(all) == 0 {
		return nil
	}
	from := int(all[len(all)/4].Time / r.Dt)
	for i := range r.People {
		if p := &r.People[i]; p.In(from) {
			lines = append(lines, p.At[from-p.First:min(from-p.First+frames(seconds), len(p.At))])
		}
	}
	return lines
}

// KolmogorovP returns the p-value of the Kolmogorov–Smirnov test of whether the draws have the given
// distribution, with the approximation of Stephens (1970), or NaN without draws.
func KolmogorovP(draws []float64, cdf func(float64) float64) float64 {
	n := float64(len(draws))
	if n == 0 {
		return math.NaN()
	}
	sorted, distance := slices.Sorted(slices.Values(draws)), 0.
	for i, x := range sorted {
		c := cdf(x)
		distance = max(distance, math.Abs(c-float64(i)/n), math.Abs(c-float64(i+1)/n))
	}
	root := math.Sqrt(n)
	lambda, p := (root+0.12+0.11/root)*distance, 0.
	for k := 1.; k <= 100; k++ {
		p += 2 * math.Pow(-1, k-1) * math.Exp(-2*k*k*lambda*lambda)
	}
	return min(max(p, 0), 1)
}
