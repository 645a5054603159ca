// Package ground lets people walk through maps of movingai.com and areas in WKT, which say where they can walk and nothing else.
package ground

import (
	"context"
	"fmt"
	"iter"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"github.com/8f878440/crowd/internal/hash"
	"gonum.org/v1/gonum/spatial/r2"
)

// What maps and areas leave to the simulator.
const (
	dt         = 1. / 30
	mostPeople = 4000
	// Cells of fields are wider than the least so that there are about so many, but not wider than
	// the widest: people round the corners of narrow passages the better the narrower cells are.
	leastCell, fieldCells = 0.2, 1_000_000 // m
	// In a passage of one cell there is a row of cells of a field, wherever the passage lies: what
	// is left between the walls, 1 m - 2 × 0.24 m, is wider than a cell.
	widestCell = 0.48 // m
	// A field has at most so many cells where its width is given.
	mostCells = 5_000_000
	// Passages may be as narrow as two people, so that they consider walls only just before them.
	wallHorizon = 0.05 // s
	slowest     = 1.2  // m/s, of the people that the simulator makes
	// There is no end: it runs for one and a half times as long as the longest way takes, and for as
	// long as all of a group but one take to pass a door, and half a minute, but not longer than the most.
	doorSeconds, slack, mostTime = 1, 30, 3600 // s
)

// crowd returns people that go to n places, each group from its share of the starts, and how long the longest way is.
func crowd(ctx context.Context, all, n int, starts []r2.Vec, group formats.Group, goal func(i int) (r2.Box, float64)) (*formats.Crowd, error) {
	people := max(all/n, 1)
	f := &formats.Crowd{Own: true, Dt: dt}
	longest := 0.
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to, far := goal(i)
		next := group
		next.Name, next.Count, next.Target, next.Then = fmt.Sprint("to place ", i+1), people, &formats.Place{Box: to}, formats.Leave
		next.ORCA = func(o *c.ORCA) { o.TimeHorizonObst = wallHorizon }
		for k := i; k < max(len(starts), n); k += n {
			next.At.Points = append(next.At.Points, starts[k%len(starts)])
		}
		f.Groups = append(f.Groups, next)
		longest = max(longest, far)
	}
	seconds := 1.5*longest/slowest + float64(doorSeconds*max(all/n-1, 0)) + slack
	f.Steps = math.Ceil(min(seconds, mostTime) / dt)
	return f, nil
}

const (
	// Where people may start, at most: beyond that many they share places.
	mostPlaces = 100_000
	// The goal of a group is a square of a 24th of the map, if there is room for it, but of not more cells in a row.
	goalShare, mostGoal = 24, 12
	// A goal is the one of so many draws that is the farthest from the goals before.
	goalDraws = 64
	// So near to a wall no agent starts: bodies have a radius of up to 0.23 m.
	clearance = 0.25 // m
)

// place is where a group goes.
type place struct {
	box  r2.Box // m
	cell int    // one of its cells
}

// Uses of the draws.
const (
	usePlace = iota + 1
	useGoal
	useFloor
)

// ground is where people can go on a map. A cell stands for the square of wide × wide cells
// of which it is the upper left one.
type ground struct {
	Width, Height int                 // cells
	Passable      func(x, y int) bool // whether a cell of the map can be walked on

	wide int     // cells, in a row: how wide passages must be, so that fields lead through them
	free int     // how many cells are passable
	room []uint8 // how wide the greatest free square is of which a cell is the upper left one; mostGoal at most
	part []int32 // the cells between which there are ways: of all such parts the largest
}

// newGround finds out where people can go.
func newGround(ctx context.Context, m *movingai.Map) (*ground, error) {
	g := &ground{Width: m.Width, Height: m.Height, Passable: m.Passable, wide: passage(m.Width, m.Height, mostCells)}
	g.measure()
	if g.free == 0 {
		return nil, fmt.Errorf("all %d cells are blocked, want some that are not: one of . G S", m.Width*m.Height)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	g.join()
	if len(g.part) == 0 {
		return nil, fmt.Errorf("the map has %d × %d cells and no free square of %d × %d, want one, or fewer cells: fields of large maps have wide cells",
			m.Width, m.Height, g.wide, g.wide)
	}
	return g, ctx.Err()
}

// passage returns how many cells wide a passage must be, so that fields of at most so many cells of a map of this
// size lead through it, wherever it lies: there is a row of cells of the field between the
// walls, whose middles are half a cell of the field away from them.
func passage(width, height, most int) int {
	cell := max(widestCell, math.Sqrt(float64(width+2)*float64(height+2)/float64(most)))
	return int(math.Ceil(2 * cell))
}

// measure finds out how much room there is at each cell.
func (g *ground) measure() {
	g.room = make([]uint8, g.Width*g.Height)
	for y := g.Height - 1; y >= 0; y-- {
		for x := g.Width - 1; x >= 0; x-- {
			if !g.Passable(x, y) {
				continue
			}
			g.free++
			i, beside := y*g.Width+x, uint8(0)
			if x+1 < g.Width && y+1 < g.Height {
				beside = min(g.room[i+1], g.room[i+g.Width], g.room[i+g.Width+1])
			}
			g.room[i] = min(beside+1, mostGoal)
		}
	}
}

// join finds the largest part.
func (g *ground) join() {
	seen, part := make([]bool, len(g.room)), []int32(nil)
	for i := range g.room {
		if !seen[i] && g.fits(i) {
			if part = g.reach(i, seen, part[:0], nil); len(part) > len(g.part) {
				part, g.part = g.part, part
			}
		}
	}
}

// fits reports whether people in a cell have room to go on.
func (g *ground) fits(cell int) bool { return int(g.room[cell]) >= g.wide }

// reach appends the cells that are reached from one, the nearest first, and says of each that
// it was seen. If far is not nil it is called with each, and how many steps it is away.
func (g *ground) reach(from int, seen []bool, all []int32, far func(steps int)) []int32 {
	seen[from] = true
	all = append(all, int32(from))
	for steps, first, end := 0, 0, len(all); first < end; steps, end = steps+1, len(all) {
		if far != nil {
			far(steps)
		}
		for ; first < end; first++ {
			cell := int(all[first])
			x := cell % g.Width
			for _, next := range [4]struct {
				in bool
				i  int
			}{{x > 0, cell - 1}, {x < g.Width-1, cell + 1}, {cell >= g.Width, cell - g.Width}, {cell < len(g.room)-g.Width, cell + g.Width}} {
				if next.in && !seen[next.i] && g.fits(next.i) {
					seen[next.i] = true
					all = append(all, int32(next.i))
				}
			}
		}
	}
	return all
}

// farthest returns how many steps from cell to cell the longest way to one takes.
func (g *ground) farthest(to int) (most int) {
	g.reach(to, make([]bool, len(g.room)), make([]int32, 0, len(g.part)), func(steps int) { most = steps })
	return most
}

// at returns a place on the map in the scene, in m, by cells from the upper left corner.
func (g *ground) at(cell int, right, down float64) r2.Vec {
	return r2.Vec{X: float64(cell%g.Width) + right, Y: float64(g.Height-cell/g.Width) - down}
}

// places returns where people start, in the order in which places are taken. There are four for
// each cell, half a meter apart, so that bodies do not touch.
func (g *ground) places(seed uint64) []r2.Vec {
	places := make([]r2.Vec, 0, min(4*len(g.part), mostPlaces))
	for place := range shuffled(seed, usePlace, 4*len(g.part), cap(places)) {
		right, down := float64(float64(g.wide)/2)-clearance, float64(float64(g.wide)/2)-clearance
		right += float64(2 * clearance * float64(place%2))
		down += float64(2 * clearance * float64(place/2%2))
		places = append(places, g.at(int(g.part[place/4]), right, down))
	}
	return places
}

// shuffled yields n of the numbers below all, in an order that the seed draws.
func shuffled(seed, use uint64, all, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		moved := map[int]int{} // as in a list that is shuffled
		what := func(i int) int {
			if to, is := moved[i]; is {
				return to
			}
			return i
		}
		for i := range n {
			k := i + int(hash.Draw(seed, use, uint64(i))%uint64(all-i))
			number := what(k)
			moved[k] = what(i)
			if !yield(number) {
				return
			}
		}
	}
}

// goals returns where groups go: squares that are far from one another.
func (g *ground) goals(seed uint64) (goals [mapGroups]place) {
	side, wide := g.roomy()
	for i := range goals {
		best := -1.
		for k := range uint64(goalDraws) {
			cell := int(wide[hash.Draw(seed, useGoal, uint64(i)*goalDraws+k)%uint64(len(wide))])
			apart := math.Inf(1)
			for _, other := range goals[:i] {
				x, y := cell%g.Width-other.cell%g.Width, cell/g.Width-other.cell/g.Width
				apart = min(apart, float64(x*x+y*y))
			}
			if apart > best {
				best, goals[i].cell = apart, cell
			}
		}
		low, high := g.at(goals[i].cell, clearance, float64(side)-clearance), g.at(goals[i].cell, float64(side)-clearance, clearance)
		goals[i].box = r2.Box{Min: low, Max: high}
	}
	return goals
}

// roomy returns how wide goals are, in cells, and where they can be: in every eighth cell of
// the part, or more of them, so that they are not all in the same hall.
func (g *ground) roomy() (side int, cells []int32) {
	count := [mostGoal + 1]int{}
	for _, cell := range g.part {
		count[g.room[cell]]++
	}
	side = mostGoal
	for n := count[side]; side > g.wide && (8*n < len(g.part) || goalShare*side > min(g.Width, g.Height)); n += count[side] {
		side--
	}
	for _, cell := range g.part {
		if int(g.room[cell]) >= side {
			cells = append(cells, cell)
		}
	}
	return side, cells
}
