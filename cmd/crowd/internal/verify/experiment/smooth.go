package experiment

import "github.com/8f878440/crowd/internal/vec"

// Smoothness is how smoothly people walk.
type Smoothness struct {
	Wiggle       float64 // length of the way at every frame, divided by that through the places every 0.4 s
	Reversals    float64 // a second, turns of more than 90° between successive moves of 0.4 s
	Acceleration float64 // m/s², mean size, of velocities over 0.4 s
	Seconds      float64 // of people
}

const (
	mark  = 0.4  // s
	moved = 0.02 // m, by which somebody moves who does not stand
)

// Smooth measures people where and when counts says so, for places of a person in a frame.
func (r *Recording) Smooth(counts func(p *Person, frame int) bool) Smoothness {
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
