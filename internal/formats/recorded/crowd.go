// Package recorded holds where people were, as cameras or other programs saw them, and reads
// the files that say so: lines of a person, a frame, x and y (Petrack, the Pedestrian Dynamics
// Data Archive, PedPy), obsmat.txt of UCY and ETH, the output of Vadere, and what run
// --trajectories writes as text.
package recorded

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crowd is where people were. It does not change.
type Crowd struct {
	Name       string
	Start, End float64 // s, on the clock of the file; Start is the first frame, or 0 where the file has times in place of frames
	Rows       int
	People     []Person // in the order in which they come
	longest    float64  // s, the longest stay
}

// Person is where one of them was.
type Person struct {
	ID    uint64
	Times []float64 // s, rising
	At    []r2.Vec  // m, at these times
}

// LongestGap is how long a person may be out of sight, in seconds: in a longer gap the
// person is absent, unless it comes back where it was.
const LongestGap = 2.

// rounding is by how much of the time between two places a time may miss one of them.
const rounding = 1e-6

// Place returns where the person is at a time, on the straight line between two places of
// the recording; false: it is not there.
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

// near returns the first or last place if a time misses it by rounding alone.
func (p *Person) near(k int, t float64) (r2.Vec, bool) {
	return p.At[k], math.Abs(t-p.Times[k]) <= 1e-9*max(math.Abs(t), 1)
}

// gap reports whether the person is absent before its k-th place, from 1.
func (p *Person) gap(k int) bool {
	return p.Times[k]-p.Times[k-1] > LongestGap && p.At[k] != p.At[k-1]
}

// Stretches returns the times, from one to another, in which the person is there.
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

// Velocity returns the mean velocity of the person in m/s over some seconds around a time,
// fewer at both ends of its way and beside a gap; 0 if it is there at that time only.
func (p *Person) Velocity(t, over float64) r2.Vec {
	from, to, n := t-over/2, t+over/2, len(p.Times)
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

// There returns which people are there at a time, and where.
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

// Box returns the part of the plane in which all people were.
func (c *Crowd) Box() r2.Box {
	box := r2.Box{Min: r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, Max: r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}
	for i := range c.People {
		for _, at := range c.People[i].At {
			box.Min = r2.Vec{X: min(box.Min.X, at.X), Y: min(box.Min.Y, at.Y)}
			box.Max = r2.Vec{X: max(box.Max.X, at.X), Y: max(box.Max.Y, at.Y)}
		}
	}
	return box
}

// Moved returns the crowd turned about the origin, by an angle in radians, and then moved.
func (c *Crowd) Moved(turn float64, by r2.Vec) *Crowd {
	sin, cos := math.Sincos(turn)
	moved := *c
	moved.People = slices.Clone(c.People)
	for i := range moved.People {
		p := &moved.People[i]
		p.At = slices.Clone(p.At)
		for k, at := range p.At {
			p.At[k] = r2.Vec{X: cos*at.X - sin*at.Y + by.X, Y: sin*at.X + cos*at.Y + by.Y}
		}
	}
	return &moved
}

// gathering is the people of a file while it is read.
type gathering struct {
	people []Person
	lines  [][]int32 // of the file, of each place
	index  map[uint64]int
	rows   int
}

// add adds where a person was.
func (g *gathering) add(id uint64, t float64, at r2.Vec, line int) {
	i, known := g.index[id]
	if !known {
		i = len(g.people)
		g.index[id] = i
		g.people, g.lines = append(g.people, Person{ID: id}), append(g.lines, nil)
	}
	p := &g.people[i]
	p.Times, p.At = append(p.Times, t), append(p.At, at)
	g.lines[i] = append(g.lines[i], int32(line))
	g.rows++
}

// crowd returns the people in the order in which they come. The clock of times begins at 0,
// that of frames with the first. Of steps, one begins where and when the one before ends.
func (g *gathering) crowd(name string, times, steps bool) (*Crowd, error) {
	c := &Crowd{Name: name, Rows: g.rows, People: g.people, Start: math.Inf(1), End: math.Inf(-1)}
	for i := range c.People {
		p := &c.People[i]
		if !slices.IsSorted(p.Times) {
			sort.Stable(byTime{p, g.lines[i]})
		}
		n := 0 // kept
		for k := range p.Times {
			if n > 0 && p.Times[k] == p.Times[n-1] {
				if !steps && p.At[k] != p.At[n-1] {
					return nil, fmt.Errorf("%s:%d: person %d is at two places at once, at %v s", name, g.lines[i][k], p.ID, p.Times[k])
				}
				n--
			}
			p.Times[n], p.At[n] = p.Times[k], p.At[k]
			n++
		}
		p.Times, p.At = p.Times[:n], p.At[:n]
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

// byTime sorts the places of a person.
type byTime struct {
	*Person
	lines []int32
}

func (s byTime) Len() int           { return len(s.Times) }
func (s byTime) Less(i, j int) bool { return s.Times[i] < s.Times[j] }
func (s byTime) Swap(i, j int) {
	s.Times[i], s.Times[j] = s.Times[j], s.Times[i]
	s.At[i], s.At[j] = s.At[j], s.At[i]
	s.lines[i], s.lines[j] = s.lines[j], s.lines[i]
}

// fastest is how fast people are at most, as the median of all, in m/s. None runs at it
// for long: a unit, a frame rate or an order of columns must be wrong.
const fastest = 15.

// plausible returns an error if people move faster than people do.
func (c *Crowd) plausible() error {
	var speeds []float64
	for i := range c.People {
		if v, moves := c.People[i].MedianSpeed(); moves {
			speeds = append(speeds, v)
		}
	}
	if v := median(speeds); v > fastest {
		return fmt.Errorf("%s: people move at %.3g m/s (median), want at most %v: see whether unit, frame rate and columns are right (--recording unit=m,frame-rate=25,columns=frame,id,x,y)", c.Name, v, fastest)
	}
	return nil
}

// MedianSpeed returns the median of the speeds of a person from place to place, in m/s;
// false: it has one place only.
func (p *Person) MedianSpeed() (float64, bool) {
	var speeds []float64
	for k := 1; k < len(p.Times); k++ {
		speeds = append(speeds, vec.Norm(vec.Sub(p.At[k], p.At[k-1]))/(p.Times[k]-p.Times[k-1]))
	}
	return median(speeds), len(speeds) > 0
}

// median returns the median of some numbers, which it sorts; 0 of none.
func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[len(of)/2]
}
