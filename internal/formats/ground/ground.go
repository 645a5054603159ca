// Package ground reads maps of movingai.com and areas in WKT, and puts people on them.
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

const (
	dt         = 1. / 30
	mostPeople = 4000
	// A field of a map has about fieldCells cells, unless these would be narrower than leastCell or wider
	// than widestCell. The narrower the cells, the better people round the corners of narrow passages.
	leastCell, fieldCells = 0.2, 1_000_000 // m, number of cells
	// A passage that is one cell of the map wide has room for a row of cells of a field: 1 m - 2 × 0.24 m
	// is wider than such a cell.
	widestCell = 0.48      // m
	mostCells  = 5_000_000 // of a field
	// Passages may be as narrow as two people, so people consider only the walls just ahead.
	wallHorizon = 0.05 // s
	slowest     = 1.2  // m/s, of the default people
	// A run takes 1.5 times as long as the slowest people take for the longest path, plus doorSeconds
	// for each member of a group after the first, plus slack, but at most mostTime.
	doorSeconds, slack, mostTime = 1, 30, 3600 // s
)

// crowd returns a crowd of n copies of group, each with max(all/n, 1) people. Each group walks from its share
// of the starts to its goal. The function goal returns the goal of group i and the length of the longest path
// there, in m.
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
	// mostPlaces is the maximum number of starts.
	mostPlaces = 100_000
	// The side of a goal is at most 1/goalShare of the shorter side of the map and at most mostGoal
	// cells, but at least the width of passages: see roomy.
	goalShare, mostGoal = 24, 12
	// Each goal is the one of goalDraws random places that is farthest from the earlier goals.
	goalDraws = 64
	// Starts keep this distance from walls. Bodies have a radius of up to 0.23 m.
	clearance = 0.25 // m
)

type place struct {
	box  r2.Box // m
	cell int
}

const (
	usePlace = iota + 1
	useGoal
	useFloor
)

// ground is where people can walk on a map. A cell of part is the upper-left one of wide × wide free
// cells.
type ground struct {
	Width, Height int // cells
	Passable      func(x, y int) bool

	wide int     // cells, minimum width of passages
	free int     // number of passable cells
	room []uint8 // per cell, side of the largest free square whose upper-left cell it is, up to mostGoal
	part []int32 // cells of the largest connected part
}

func newGround(ctx context.Context, m *movingai.Map) (*ground, error) {
	g := &ground{Width: m.Width, Height: m.Height, Passable: m.Passable, wide: passage(m.Width, m.Height, mostCells)}
	g.measure()
	if g.free == 0 {
		return nil, fmt.Errorf("all %d cells are blocked, want at least one free cell (., G or S)", m.Width*m.Height)
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

// passage returns the minimum width, in cells of the map, of passages through which a field of at most
// the given number of cells leads. The centers of the field's cells must be at least half such a cell away
// from the walls.
func passage(width, height, most int) int {
	cell := max(widestCell, math.Sqrt(float64(width+2)*float64(height+2)/float64(most)))
	return int(math.Ceil(2 * cell))
}

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

func (g *ground) fits(cell int) bool { return int(g.room[cell]) >= g.wide }

// reach appends a cell and all cells connected to it, the nearest first, to an empty slice, and returns the
// slice. It marks these cells in seen. Unless far is nil, it calls far with each number of steps from the
// first cell.
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

func (g *ground) farthest(to int) (most int) {
	g.reach(to, make([]bool, len(g.room)), make([]int32, 0, len(g.part)), func(steps int) { most = steps })
	return most
}

// at returns the place in the scene, in m, at the given distances to the right of and below the
// upper-left corner of a cell.
func (g *ground) at(cell int, right, down float64) r2.Vec {
	return r2.Vec{X: float64(cell%g.Width) + right, Y: float64(g.Height-cell/g.Width) - down}
}

// places returns starts in random order. Each cell of the part has four starts, half a meter apart, so
// bodies do not touch.
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

// shuffled returns n distinct numbers from 0 to all-1, in random order.
func shuffled(seed, use uint64, all, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		moved := map[int]int{} // numbers that shuffling has moved, by position
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

// roomy returns the side of goals, in cells, and the cells that can be the upper-left one of a goal.
// These are at least an eighth of those in part, so goals are rarely all in the same hall.
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
