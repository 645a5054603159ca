package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Recording holds the trajectories of people.
type Recording struct {
	Dt     float64 // s, between frames
	Frames int
	People []Person
}

// Person is the trajectory of a person.
type Person struct {
	ID    uint64
	Group int      // index in the scene
	First int      // frame of the first position
	At    []r2.Vec // m, from frame First on
}

// Last returns the last frame of the person.
func (p *Person) Last() int { return p.First + len(p.At) - 1 }

// In reports whether the person is present in a frame.
func (p *Person) In(frame int) bool { return frame >= p.First && frame <= p.Last() }

// Place returns the position in a frame, in which the person must be present.
func (p *Person) Place(frame int) r2.Vec { return p.At[frame-p.First] }

func (r *Recording) frames(seconds float64) int { return max(1, int(math.Round(seconds/r.Dt))) }

// Velocity returns a person's velocity in m/s, as a central difference over the given number of seconds, or
// over less time near either end of the trajectory. It returns false for a trajectory of one frame.
func (r *Recording) Velocity(p *Person, frame int, seconds float64) (r2.Vec, bool) {
	half := max(1, r.frames(seconds)/2)
	lo, hi := max(frame-half, p.First), min(frame+half, p.Last())
	if hi <= lo {
		return r2.Vec{}, false
	}
	return vec.Scale(1/(float64(hi-lo)*r.Dt), vec.Sub(p.Place(hi), p.Place(lo))), true
}

// Resampled returns the recording with a frame every dt seconds, with linearly interpolated positions. It
// drops people present only between two of these frames.
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

// Within holds measurements in an area over a range of frames, by PedPy's classic method.
type Within struct {
	Density float64 // people/m²
	Speed   float64 // m/s; NaN if the area was empty
}

// Measure returns the density and the mean speed in an area, over all frames with from ≤ frame < to.
func (r *Recording) Measure(area r2.Box, from, to int) Within {
	from, to = max(from, 0), min(to, r.Frames)
	n, speed := 0, 0.
	for i := range r.People {
		p := &r.People[i]
		for f := max(from, p.First); f < to && f <= p.Last(); f++ {
			if !Inside(area, p.Place(f)) {
				continue
			}
			if v, ok := r.Velocity(p, f, 1); ok {
				n++
				speed += vec.Norm(v)
			}
		}
	}
	size := vec.Sub(area.Max, area.Min)
	return Within{Density: float64(n) / float64(max(to-from, 1)) / (size.X * size.Y), Speed: speed / float64(n)}
}

// Inside reports whether p is in b, excluding the upper and right edges.
func Inside(b r2.Box, p r2.Vec) bool {
	return p.X >= b.Min.X && p.X < b.Max.X && p.Y >= b.Min.Y && p.Y < b.Max.Y
}

// recordingFrom returns a crowd as a recording with a frame every dt seconds. After an absence, a person
// becomes another person with the same ID.
func recordingFrom(c *recorded.Crowd, dt float64) *Recording {
	const rounding = 1e-6
	r := &Recording{Dt: dt}
	for i := range c.People {
		p := &c.People[i]
		for _, there := range p.Stretches() {
			of := Person{ID: p.ID, First: int(math.Ceil((there[0]-c.Start)/dt - rounding))}
			for f := of.First; float64(f) <= (there[1]-c.Start)/dt+rounding; f++ {
				at, _ := p.Place(min(max(c.Start+float64(f)*dt, there[0]), there[1]))
				of.At = append(of.At, at)
			}
			if len(of.At) > 0 {
				r.People = append(r.People, of)
				r.Frames = max(r.Frames, of.Last()+1)
			}
		}
	}
	slices.SortStableFunc(r.People, func(a, b Person) int { return cmp.Compare(a.ID, b.ID) })
	return r
}

// OpenJuelich opens a file in a folder of recordings, or in its subfolder juelich. The caller must close it.
func OpenJuelich(folder, name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(filepath.Join(folder, "juelich", name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--data is %s, want a folder that contains %s, directly or in its subfolder juelich", folder, name)
	}
	return f, err
}

// Smoothness describes how smoothly people walk.
type Smoothness struct {
	Wiggle       float64 // length of the path ÷ that of straight segments between positions 0.4 s apart
	Reversals    float64 // 1/s, turns of more than 90° between successive moves of 0.4 s
	Acceleration float64 // m/s², mean magnitude, from velocities over 0.4 s
	Seconds      float64 // s, summed over people
}

const (
	mark  = 0.4  // s, of a move
	moved = 0.02 // m; a shorter move counts as standing
)

// smooth measures people in the frames selected by the function counts.
func (r *Recording) smooth(counts func(p *Person, frame int) bool) Smoothness {
	n := r.frames(mark)
	h := float64(n) * r.Dt
	way, chord, turns, seconds, change, changes := 0., 0., 0, 0., 0., 0
	for i := range r.People {
		p := &r.People[i]
		for k := 0; k+n < len(p.At); k += n {
			if !counts(p, p.First+k) || !counts(p, p.First+k+n) {
				continue
			}
			for j := k; j < k+n; j++ {
				way += vec.Norm(vec.Sub(p.At[j+1], p.At[j]))
			}
			move := vec.Sub(p.At[k+n], p.At[k])
			chord += vec.Norm(move)
			seconds += h
			if k < n || !counts(p, p.First+k-n) {
				continue
			}
			before := vec.Sub(p.At[k], p.At[k-n])
			change += vec.Norm(vec.Sub(move, before)) / (h * h)
			changes++
			if vec.Norm(move) > moved && vec.Norm(before) > moved && vec.Dot(move, before) < 0 {
				turns++
			}
		}
	}
	return Smoothness{Wiggle: way / chord, Reversals: float64(turns) / seconds, Acceleration: change / float64(changes), Seconds: seconds}
}
