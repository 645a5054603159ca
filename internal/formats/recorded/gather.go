package recorded

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

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

// fastest is how fast people are at most, as the median of all, in m/s. Nobody runs at it
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
		return fmt.Errorf("%s: people move at %.3g m/s (median), want at most %v: see whether unit, frame rate and columns are right (--unit, --frame-rate, --columns frame,id,x,y)", c.Name, v, fastest)
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
