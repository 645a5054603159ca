package scene

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"gonum.org/v1/gonum/spatial/r2"
)

// What maps of movingai.com leave to the simulator. A cell is a meter wide.
const (
	mapDt     = 1. / 30
	mapGroups = 8
	// There is a person for so many cells where people can go, up to the most. Where most
	// passages are so narrow that people who meet hold one another up, it is for so many narrow ones.
	mapCellsEach, mapNarrowCellsEach, mapMostPeople = 12, 48, 4000
	mapMostBoxes                                    = 500_000 // obstacles
	// Fields have cells as wide as a body, or wider so that there are about so many, but not wider
	// than the widest: people round the corners of narrow passages the better the narrower cells are.
	mapLeastCell, mapCells = 0.2, 1_000_000 // m
	// In a passage of one cell there is a row of cells of a field, wherever the passage lies: what
	// is left between the walls, 1 m - 2 × 0.24 m, is wider than a cell.
	mapWidestCell = 0.48 // m
	// Passages may be as narrow as two people, so that they heed walls only just before them.
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
		Try:  "Draw a wall across a passage with the wall tool: everybody finds another way.", Featured: []string{"max-speed"},
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
	head, _ := unzipped(f).Peek(64) // of what can't be read another reader tells
	words := bytes.Fields(bytes.TrimPrefix(head, utf8BOM))
	return len(words) > 1 && string(words[0]) == "type" && string(words[1]) == "octile"
}

// isWays reports whether a file is a scenario of movingai.com, by its name.
func isWays(_ io.Reader, path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".scen")
}

// openWays says that a scenario of movingai.com is no crowd: its ways are for whoever is alone.
func openWays(_ io.ReadSeeker, path string, _ OpenOptions) (*Scene, error) {
	return nil, fmt.Errorf("%s: ways on a map of movingai.com, want the map itself (.map), or crowd route for the ways", path)
}

// notes say what a reader of figures should know of a map.
func (g *ground) notes() []string {
	notes := []string{"a map has neither people nor goals: the seed draws where they start and where they go"}
	if g.wide > 1 {
		notes = append(notes, fmt.Sprintf("people take passages of %d cells and more, because the map has so many cells", g.wide))
	}
	if n := g.free - len(g.part); n > 0 && g.wide == 1 {
		notes = append(notes, fmt.Sprintf("nobody is in %d of %d free cells, which no way joins with the others", n, g.free))
	}
	return notes
}

// mapGoal is where a group goes.
type mapGoal struct {
	box  r2.Box // m
	cell int    // one of its cells
}
