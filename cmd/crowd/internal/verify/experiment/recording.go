package experiment

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Recording is where people were, frame by frame.
type Recording struct {
	Dt     float64 // s, from frame to frame
	Frames int
	People []Person
}

// Person is where one of them was.
type Person struct {
	ID    uint64
	Group int      // of the scene
	First int      // the frame of the first place
	At    []r2.Vec // m, in this and the following frames
}

// Last returns the frame of the last place.
func (p *Person) Last() int { return p.First + len(p.At) - 1 }

// In reports whether the person is there in a frame.
func (p *Person) In(frame int) bool { return frame >= p.First && frame <= p.Last() }

// Place returns where the person is in a frame in which it is there.
func (p *Person) Place(frame int) r2.Vec { return p.At[frame-p.First] }

// frames returns how many frames a time is, at least one.
func (r *Recording) frames(seconds float64) int { return max(1, int(math.Round(seconds/r.Dt))) }

// Velocity returns the velocity of a person in a frame by the central difference over a
// second, less at both ends of its way; false: it is there in that frame only.
func (r *Recording) Velocity(p *Person, frame int) (r2.Vec, bool) {
	return r.VelocityOver(p, frame, 1)
}

// VelocityOver is Velocity with the difference over another time in seconds.
func (r *Recording) VelocityOver(p *Person, frame int, seconds float64) (r2.Vec, bool) {
	half := max(1, r.frames(seconds)/2)
	lo, hi := max(frame-half, p.First), min(frame+half, p.Last())
	if hi <= lo {
		return r2.Vec{}, false
	}
	return vec.Scale(1/(float64(hi-lo)*r.Dt), vec.Sub(p.Place(hi), p.Place(lo))), true
}

// Resampled returns the recording with frames every dt seconds, from the first one on:
// places on the straight line between two of its own. Who is there between two frames
// only is left out.
func (r *Recording) Resampled(dt float64) *Recording {
	const rounding = 1e-9
	out := &Recording{Dt: dt}
	for i := range r.People {
		p := &r.People[i]
		of := Person{ID: p.ID, Group: p.Group, First: int(math.Ceil(float64(p.First)*r.Dt/dt - rounding))}
		for f := of.First; ; f++ {
			at := max(float64(f)*dt/r.Dt-float64(p.First), 0)
			k := int(at + rounding)
			if k > len(p.At)-1 || k == len(p.At)-1 && at-float64(k) > rounding {
				break
			}
			next := p.At[min(k+1, len(p.At)-1)]
			of.At = append(of.At, vec.AddScaled(p.At[k], max(at-float64(k), 0), vec.Sub(next, p.At[k])))
		}
		if len(of.At) > 0 {
			out.People = append(out.People, of)
			out.Frames = max(out.Frames, of.Last()+1)
		}
	}
	return out
}

// Within is what was measured in an area over some frames: PedPy's classic density and
// mean speed.
type Within struct {
	Density float64 // people a square meter
	Speed   float64 // m/s; NaN: nobody was there
	Samples int
}

// Measure measures an area from one frame to another.
func (r *Recording) Measure(area r2.Box, from, to int) Within {
	from, to = max(from, 0), min(to, r.Frames)
	n, speed := 0, 0.
	for i := range r.People {
		p := &r.People[i]
		for f := max(from, p.First); f < to && f <= p.Last(); f++ {
			if !Inside(area, p.Place(f)) {
				continue
			}
			if v, ok := r.Velocity(p, f); ok {
				n++
				speed += vec.Norm(v)
			}
		}
	}
	size := vec.Sub(area.Max, area.Min)
	return Within{Density: float64(n) / float64(max(to-from, 1)) / (size.X * size.Y), Speed: speed / float64(n), Samples: n}
}

// Inside reports whether a point is in a box, its upper and right edges excluded.
func Inside(b r2.Box, p r2.Vec) bool {
	return p.X >= b.Min.X && p.X < b.Max.X && p.Y >= b.Min.Y && p.Y < b.Max.Y
}
