package scene

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// What maps of movingai.com leave to the simulator. A cell is a meter wide.
const (
	mapDt     = 1. / 30
	mapGroups = 8
	// There is a person for so many cells where people can go, up to the most. Where most
	// passages are so narrow that people that meet hold one another up, it is for so many narrow ones.
	mapCellsEach, mapNarrowCellsEach, mapMostPeople = 12, 48, 4000
	mapMostBoxes                                    = 500_000 // obstacles
	// Fields have cells as wide as a body, or wider so that there are about so many, but not wider
	// than the widest: people round the corners of narrow passages the better the narrower cells are.
	mapLeastCell, mapCells = 0.2, 1_000_000 // m
	// In a passage of one cell there is a row of cells of a field, wherever the passage lies: what
	// is left between the walls, 1 m - 2 × 0.24 m, is wider than a cell.
	mapWidestCell = 0.48 // m
	// Passages may be as narrow as two people, so that they consider walls only just before them.
	mapWallHorizon = 0.05 // s
	// A map has no end: it runs for one and a half times as long as the longest way takes, and
	// for as long as all of a group but one take to pass a door, and half a minute, but not longer than the most.
	mapSlack, mapMostTime = 30, 3600 // s
)

// openMap reads a map of movingai.com, and lets people go through it to places that the seed
// draws.
func openMap(_ io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: a map has obstacles of its own, and takes none from another file", path)
	}
	m, err := movingai.ReadMap(o.context(), path)
	if err != nil {
		return nil, err
	}
	ground, err := newGround(o.context(), m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	people := min(len(ground.part)/ground.cellsEach(), mapMostPeople) / mapGroups
	s := &Scene{
		Name: mapName(path), ColorBy: ColorByGroup, Files: []string{path},
		Text: fmt.Sprintf("people walk through a map of %d × %d cells to eight places: eight fields lead them", m.Width, m.Height),
		Try:  "Draw a wall across a passage with the wall tool: all find another way.", Featured: []string{"max-speed"},
		Notes: ground.notes(),
		Seed:  o.seed(), Dt: mapDt, Box: box(-1, -1, float64(m.Width)+1, float64(m.Height)+1),
	}
	shapes := m.Shapes()
	if len(shapes) > mapMostBoxes {
		return nil, fmt.Errorf("%s: what is blocked makes %d boxes, want at most %d: a smaller map", path, len(shapes), mapMostBoxes)
	}
	for _, shape := range shapes {
		a, b := shape.Ring[0], shape.Ring[2]
		top, bottom := float64(m.Height)-a.Y, float64(m.Height)-b.Y
		s.Obstacles.Boxes = append(s.Obstacles.Boxes, Box{Box: box(a.X, bottom, b.X, top)})
	}
	places, goals := ground.places(s.Seed), ground.goals(s.Seed)
	longest, cell := 0, mapCell(m.Width, m.Height)
	for i, goal := range goals {
		if err := o.context().Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		g := People(fmt.Sprint("to place ", i+1), max(people, 1), Place{})
		for k := i; k < len(places); k += mapGroups {
			g.At.Points = append(g.At.Points, places[k])
		}
		g.Target, g.Way, g.FieldCell, g.Goal.Radius = &Place{Box: goal.box}, Field, cell, Same(2)
		orca, _ := Behavior[c.ORCA](&g)
		orca.TimeHorizonObst = mapWallHorizon
		g.Set(orca)
		s.Groups = append(s.Groups, g)
		longest = max(longest, ground.farthest(goal.cell))
	}
	seconds := 1.5*float64(longest)/s.Groups[0].MaxSpeed.least() + float64(doorSeconds*max(people-1, 0)) + mapSlack
	s.Steps = int(math.Ceil(min(seconds, mapMostTime) / s.Dt))
	return s, nil
}

// mapCell returns how wide the cells of fields are, in m.
func mapCell(width, height int) float64 {
	cell := math.Ceil(100*math.Sqrt(float64(width)*float64(height)/mapCells)) / 100
	return min(max(cell, mapLeastCell), mapWidestCell)
}

// mapName returns the name of a map without folders and endings.
func mapName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".map")
}

// isMap reports whether a file is a map of movingai.com, by its name or how it begins.
func isMap(f io.Reader, path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	for _, ending := range []string{".map", ".xml", ".toml"} {
		if strings.HasSuffix(name, ending) {
			return ending == ".map"
		}
	}
	head := textio.Head(f, 64)
	words := bytes.Fields(head)
	return len(words) > 1 && string(words[0]) == "type" && string(words[1]) == "octile"
}

// isWays reports whether a file is a scenario of movingai.com, by its name.
func isWays(_ io.Reader, path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".scen")
}

// openWays says that a scenario of movingai.com is no crowd: its paths are for single agents.
func openWays(_ io.ReadSeeker, path string, _ OpenOptions) (*Scene, error) {
	return nil, fmt.Errorf("%s: ways on a map of movingai.com, want the map itself (.map), or crowd bench maps for the ways", path)
}

// notes say what a reader of figures should know of a map.
func (g *ground) notes() []string {
	notes := []string{"a map has neither people nor goals: the seed draws where they start and where they go"}
	if g.wide > 1 {
		notes = append(notes, fmt.Sprintf("people take passages of %d cells and more, because the map has so many cells", g.wide))
	}
	if n := g.free - len(g.part); n > 0 && g.wide == 1 {
		notes = append(notes, fmt.Sprintf("no agent is in %d of %d free cells, which no way joins with the others", n, g.free))
	}
	return notes
}

// mapGoal is where a group goes.
type mapGoal struct {
	box  r2.Box // m
	cell int    // one of its cells
}

const (
	// Where people may start, at most: beyond that many they share places.
	mapMostPlaces = 100_000
	// The goal of a group is a square of a 24th of the map, if there is room for it, but of not more cells in a row.
	mapGoalShare, mapMostGoal = 24, 12
	// A goal is the one of so many draws that is the farthest from the goals before.
	mapGoalDraws = 64
	// So near to a wall no agent starts: bodies have a radius of up to 0.23 m.
	mapClear = 0.25 // m
)

// Uses of the draws for a map.
const (
	useMapPlace = iota + 1
	useMapGoal
	useFloor
)

// ground is where people can go on a map. A cell stands for the square of wide × wide cells
// of which it is the upper left one.
type ground struct {
	Width, Height int                 // cells
	Passable      func(x, y int) bool // whether a cell of the map can be walked on

	wide int     // cells, in a row: how wide passages must be, so that fields lead through them
	free int     // how many cells are passable
	room []uint8 // how wide the greatest free square is of which a cell is the upper left one; mapMostGoal at most
	part []int32 // the cells between which there are ways: of all such parts the largest
}

// newGround finds out where people can go.
func newGround(ctx context.Context, m *movingai.Map) (*ground, error) {
	g := &ground{Width: m.Width, Height: m.Height, Passable: m.Passable, wide: passage(m.Width, m.Height, mostGivenCells)}
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
	cell := max(mapWidestCell, math.Sqrt(float64(width+2)*float64(height+2)/float64(most)))
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
			g.room[i] = min(beside+1, mapMostGoal)
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
	places := make([]r2.Vec, 0, min(4*len(g.part), mapMostPlaces))
	for place := range shuffled(seed, useMapPlace, 4*len(g.part), cap(places)) {
		right, down := float64(float64(g.wide)/2)-mapClear, float64(float64(g.wide)/2)-mapClear
		right += float64(2 * mapClear * float64(place%2))
		down += float64(2 * mapClear * float64(place/2%2))
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
			k := i + int(draw(seed, use, uint64(i))%uint64(all-i))
			number := what(k)
			moved[k] = what(i)
			if !yield(number) {
				return
			}
		}
	}
}

// draw returns a random number.
func draw(seed, use, i uint64) uint64 { return hash.Mix(hash.Mix(hash.Mix(seed)+use) + i) }

// goals returns where groups go: squares that are far from one another.
func (g *ground) goals(seed uint64) (goals [mapGroups]mapGoal) {
	side, wide := g.roomy()
	for i := range goals {
		best := -1.
		for k := range uint64(mapGoalDraws) {
			cell := int(wide[draw(seed, useMapGoal, uint64(i)*mapGoalDraws+k)%uint64(len(wide))])
			apart := math.Inf(1)
			for _, other := range goals[:i] {
				x, y := cell%g.Width-other.cell%g.Width, cell/g.Width-other.cell/g.Width
				apart = min(apart, float64(x*x+y*y))
			}
			if apart > best {
				best, goals[i].cell = apart, cell
			}
		}
		low, high := g.at(goals[i].cell, mapClear, float64(side)-mapClear), g.at(goals[i].cell, float64(side)-mapClear, mapClear)
		goals[i].box = r2.Box{Min: low, Max: high}
	}
	return goals
}

// roomy returns how wide goals are, in cells, and where they can be: in every eighth cell of
// the part, or more of them, so that they are not all in the same hall.
func (g *ground) roomy() (side int, cells []int32) {
	count := [mapMostGoal + 1]int{}
	for _, cell := range g.part {
		count[g.room[cell]]++
	}
	side = mapMostGoal
	for n := count[side]; side > g.wide && (8*n < len(g.part) || mapGoalShare*side > min(g.Width, g.Height)); n += count[side] {
		side--
	}
	for _, cell := range g.part {
		if int(g.room[cell]) >= side {
			cells = append(cells, cell)
		}
	}
	return side, cells
}

// cellsEach returns for how many cells there is a person.
func (g *ground) cellsEach() int {
	narrow := 0
	for _, cell := range g.part {
		if g.room[cell] == 1 {
			narrow++
		}
	}
	if 4*narrow > 3*len(g.part) {
		return mapNarrowCellsEach
	}
	return mapCellsEach
}
