package ground

import (
	"bytes"
	"fmt"
	"math"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"gonum.org/v1/gonum/spatial/r2"
)

// Map reads maps of movingai.com, with cells one meter wide. People walk to places drawn from the seed.
var Map = formats.Format{What: "a movingai.com map", Ending: ".map", Read: readMap, Begins: func(head []byte) bool {
	words := bytes.Fields(head[:min(len(head), 64)])
	return len(words) > 1 && string(words[0]) == "type" && string(words[1]) == "octile"
}}

// Ways refuses scenarios of movingai.com, which contain paths of single agents and no crowd.
var Ways = formats.Format{Ending: ".scen", Obstacles: true, Begins: func([]byte) bool { return false },
	Read: func(path string, _ *formats.Options) (*formats.Crowd, error) {
		return nil, fmt.Errorf("%s: contains paths on a movingai.com map, want the map itself (.map); for the paths, use crowd bench maps", path)
	}}

const (
	mapGroups = 8
	// Cells per person. narrowCellsEach applies if more than three quarters of the cells are in passages
	// so narrow that people block one another.
	cellsEach, narrowCellsEach = 12, 48
	mostBoxes                  = 500_000 // obstacles
)

func readMap(path string, o *formats.Options) (*formats.Crowd, error) {
	m, err := movingai.ReadMap(o.Context, path)
	if err != nil {
		return nil, err
	}
	g, err := newGround(o.Context, m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	shapes := m.Shapes()
	if len(shapes) > mostBoxes {
		return nil, fmt.Errorf("%s: the blocked cells make %d boxes, want at most %d: use a smaller map", path, len(shapes), mostBoxes)
	}
	seed := o.SeedOr(1)
	goals := g.goals(seed)
	people := min(len(g.part)/g.cellsEach(), mostPeople)
	group := formats.Group{FieldCell: fieldCell(m.Width, m.Height), Reach: []float64{2}}
	f, err := crowd(o.Context, people, mapGroups, g.places(seed), group, func(i int) (r2.Box, float64) {
		return goals[i].box, float64(g.farthest(goals[i].cell))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.Text = fmt.Sprintf("people walk through a map of %d × %d cells to eight places: eight fields lead them", m.Width, m.Height)
	f.Try, f.Featured = "Draw a wall across a passage with the wall tool: everyone takes another path.", []string{"max-speed"}
	f.Notes, f.Seed, f.Box = g.notes(), seed, r2.NewBox(-1, -1, float64(m.Width)+1, float64(m.Height)+1)
	for _, shape := range shapes {
		a, b := shape.Ring[0], shape.Ring[2]
		f.Boxes = append(f.Boxes, r2.NewBox(a.X, float64(m.Height)-b.Y, b.X, float64(m.Height)-a.Y))
	}
	return f, nil
}

// fieldCell returns the width of the cells of fields, in m, for a map of the given size in m.
func fieldCell(width, height int) float64 {
	cell := math.Ceil(100*math.Sqrt(float64(width)*float64(height)/fieldCells)) / 100
	return min(max(cell, leastCell), widestCell)
}

func (g *ground) notes() []string {
	notes := []string{"a map has neither people nor goals: the seed determines both"}
	if g.wide > 1 {
		notes = append(notes, fmt.Sprintf("people take only passages at least %d cells wide, because the map has so many cells", g.wide))
	}
	if n := g.free - len(g.part); n > 0 && g.wide == 1 {
		notes = append(notes, fmt.Sprintf("no path connects %d of %d free cells to the rest, so no agents start there", n, g.free))
	}
	return notes
}

func (g *ground) cellsEach() int {
	narrow := 0
	for _, cell := range g.part {
		if g.room[cell] == 1 {
			narrow++
		}
	}
	if 4*narrow > 3*len(g.part) {
		return narrowCellsEach
	}
	return cellsEach
}
