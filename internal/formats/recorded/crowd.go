// Package recorded reads trajectories of people filmed or simulated elsewhere: the formats of PeTrack, the
// Pedestrian Dynamics Data Archive and PedPy, obsmat.txt of UCY and ETH, the output of Vadere, and the text
// that crowd run --trajectories writes. Each row contains a person, a frame or a time, x and y.
package recorded

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crowd holds the trajectories of people.
type Crowd struct {
	Name       string
	Start, End float64  // s, first and last time; Start is at most 0 if the file has times instead of frames
	People     []Person // in order of appearance; at least one
	longest    float64  // s, longest time from the first to the last place of a person
}

// Person is the trajectory of a person.
type Person struct {
	ID    uint64
	Times []float64 // s, ascending
	At    []r2.Vec  // m
}

// longestGap is the longest gap, in seconds, during which a person counts as present. During a longer
// gap, a person counts as present only if the places before and after it are equal.
const longestGap = 2.

// rounding is the rounding error of a time, as a fraction of the time between successive places.
const rounding = 1e-6

// Place returns the position of the person at time t, in s, by linear interpolation, and reports whether
// the person is present then.
func (p *Person) Place(t float64) (r2.Vec, bool) {
	k := sort.SearchFloat64s(p.Times, t)
	switch {
	case k < len(p.Times) && p.Times[k] == t:
		return p.At[k], true
	case k == 0:
		return p.near(0, t)
	case k == len(p.Times):
		return p.near(k-1, t)
	}
	share := (t - p.Times[k-1]) / (p.Times[k] - p.Times[k-1])
	switch {
	case share < rounding:
		return p.At[k-1], true
	case share > 1-rounding:
		return p.At[k], true
	case p.gap(k):
		return r2.Vec{}, false
	}
	return vec.AddScaled(p.At[k-1], share, vec.Sub(p.At[k], p.At[k-1])), true
}

// near returns the k-th place, and reports whether t differs from its time only by rounding.
func (p *Person) near(k int, t float64) (r2.Vec, bool) {
	return p.At[k], math.Abs(t-p.Times[k]) <= 1e-9*max(math.Abs(t), 1)
}

func (p *Person) gap(k int) bool {
	return p.Times[k]-p.Times[k-1] > longestGap && p.At[k] != p.At[k-1]
}

// Stretches returns the intervals, in seconds, during which the person is present.
func (p *Person) Stretches() (all [][2]float64) {
	from := p.Times[0]
	for k := 1; k < len(p.Times); k++ {
		if p.gap(k) {
			all = append(all, [2]float64{from, p.Times[k-1]})
			from = p.Times[k]
		}
	}
	return append(all, [2]float64{from, p.Times[len(p.Times)-1]})
}

// Velocity returns the mean velocity of the person, in m/s, in an interval centered on time t. The parameter
// over is the length of the interval; both are in s. The ends of the trajectory and gaps cut the interval
// short. If nothing is left, the velocity is 0.
func (p *Person) Velocity(t, over float64) r2.Vec {
	from, to, n := t-float64(over/2), t+float64(over/2), len(p.Times)
	k := sort.SearchFloat64s(p.Times, t)
	for j := min(k, n-1); j > 0 && p.Times[j] > from; j-- {
		if p.gap(j) {
			from = p.Times[j]
		}
	}
	if k == n || k > 0 && p.Times[k] != t {
		k--
	}
	for j := k; j+1 < n && p.Times[j] < to; j++ {
		if p.gap(j + 1) {
			to = p.Times[j]
		}
	}
	from, to = max(from, p.Times[0]), min(to, p.Times[len(p.Times)-1])
	a, wasThere := p.Place(from)
	b, isThere := p.Place(to)
	if !(to > from) || !wasThere || !isThere {
		return r2.Vec{}
	}
	return vec.Scale(1/(to-from), vec.Sub(b, a))
}

// There returns an iterator over the people present at time t, in s, and their positions, in m.
func (c *Crowd) There(t float64) iter.Seq2[*Person, r2.Vec] {
	return func(yield func(*Person, r2.Vec) bool) {
		come := sort.Search(len(c.People), func(i int) bool { return c.People[i].Times[0] > t+1e-6 })
		for i := come - 1; i >= 0 && c.People[i].Times[0]+c.longest >= t-1e-6; i-- {
			if at, is := c.People[i].Place(t); is && !yield(&c.People[i], at) {
				return
			}
		}
	}
}

// Box returns the box around all places, in m.
func (c *Crowd) Box() r2.Box {
	var corners []r2.Vec
	for i := range c.People {
		b := textio.Bounds(c.People[i].At)
		corners = append(corners, b.Min, b.Max)
	}
	return textio.Bounds(corners)
}

// Moved returns a copy of the crowd, first rotated about the origin by an angle in radians, and then
// moved by a vector in m.
func (c *Crowd) Moved(turn float64, by r2.Vec) *Crowd {
	sin, cos := math.Sincos(turn)
	moved := *c
	moved.People = slices.Clone(c.People)
	for i := range moved.People {
		p := &moved.People[i]
		p.At = slices.Clone(p.At)
		for k, at := range p.At {
			p.At[k] = vec.Add(vec.Rotate(at, cos, sin), by)
		}
	}
	return &moved
}

type gathering struct {
	ids     []uint64
	samples [][]sample
	index   map[uint64]int
	rows    int
}

type sample struct {
	time float64 // s
	at   r2.Vec  // m
	line int32
}

func (g *gathering) add(id uint64, t float64, at r2.Vec, line int) {
	i, known := g.index[id]
	if !known {
		i = len(g.ids)
		g.index[id] = i
		g.ids, g.samples = append(g.ids, id), append(g.samples, nil)
	}
	g.samples[i] = append(g.samples[i], sample{t, at, int32(line)})
	g.rows++
}

// crowd returns the people in order of appearance. The parameter times is true if the file has times instead
// of frames. If steps is true, one step may end when the next begins: then the later place counts. Otherwise,
// no person may be in two places at once.
func (g *gathering) crowd(name string, times, steps bool) (*Crowd, error) {
	c := &Crowd{Name: name, Start: math.Inf(1), End: math.Inf(-1)}
	for i, samples := range g.samples {
		slices.SortStableFunc(samples, func(a, b sample) int { return cmp.Compare(a.time, b.time) })
		p := Person{ID: g.ids[i], Times: make([]float64, 0, len(samples)), At: make([]r2.Vec, 0, len(samples))}
		for _, s := range samples {
			switch n := len(p.Times); {
			case n == 0 || p.Times[n-1] != s.time:
				p.Times, p.At = append(p.Times, s.time), append(p.At, s.at)
			case !steps && p.At[n-1] != s.at:
				return nil, fmt.Errorf("%s:%d: person %d is in two places at the same time, at %v s", name, s.line, p.ID, s.time)
			default:
				p.At[n-1] = s.at
			}
		}
		g.samples[i] = nil // frees memory
		c.People = append(c.People, p)
		first, last := p.Times[0], p.Times[len(p.Times)-1]
		c.Start, c.End, c.longest = min(c.Start, first), max(c.End, last), max(c.longest, last-first)
	}
	if times {
		c.Start = min(c.Start, 0)
	}
	slices.SortFunc(c.People, func(a, b Person) int {
		return cmp.Or(cmp.Compare(a.Times[0], b.Times[0]), cmp.Compare(a.ID, b.ID))
	})
	return c, c.plausible()
}

// fastest is the largest plausible median of speeds, in m/s. Above it, the unit, the frame rate or the
// order of the columns is wrong.
const fastest = 15.

func (c *Crowd) plausible() error {
	var speeds []float64
	for i := range c.People {
		if v, moves := c.People[i].medianSpeed(); moves {
			speeds = append(speeds, v)
		}
	}
	if v := median(speeds); v > fastest {
		return fmt.Errorf("%s: people move at %.3g m/s (median), want at most %v: check the unit, the frame rate and the columns (--recording unit=m,frame-rate=25,columns=frame,id,x,y)", c.Name, v, fastest)
	}
	return nil
}

func (p *Person) medianSpeed() (float64, bool) {
	var speeds []float64
	for k := 1; k < len(p.Times); k++ {
		speeds = append(speeds, vec.Norm(vec.Sub(p.At[k], p.At[k-1]))/(p.Times[k]-p.Times[k-1]))
	}
	return median(speeds), len(speeds) > 0
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}
