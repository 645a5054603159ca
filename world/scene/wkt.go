package scene

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats/wkt"
	"gonum.org/v1/gonum/spatial/r2"
)

// What geometries leave to the simulator.
const (
	areaGroups    = 4
	areaEach      = 3.0 // m², for which there is a person, up to mapMostPeople
	areaLeastCell = 0.1 // m, as wide as the cells of fields are at least
)

// openArea reads a geometry in WKT, the area in which people can walk, and lets people go
// through it to places that the seed draws.
func openArea(_ io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: a geometry has walls of its own, and takes no obstacles from another file", path)
	}
	a, err := wkt.Read(o.context(), path)
	if err != nil {
		return nil, err
	}
	floor, err := newFloor(o.context(), a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	places, goals := floor.starts(o.seed()), floor.goals(o.seed())
	people := min(int(floor.size()/areaEach), len(places), mapMostPeople) / areaGroups
	s := &Scene{
		Name: areaName(path), ColorBy: ColorByGroup, Files: []string{path},
		Text: "people walk through an area to four places: four fields lead them",
		Notes: append([]string{"a geometry has neither people nor goals: the seed draws where they start and where they go"},
			append(floor.notes(), a.Notes...)...),
		Seed: o.seed(), Dt: mapDt, Box: r2.Box{Min: r2.Sub(floor.box.Min, r2.Vec{X: 1, Y: 1}), Max: r2.Add(floor.box.Max, r2.Vec{X: 1, Y: 1})},
	}
	s.Obstacles.around(a)
	longest, cell := 0., max(areaLeastCell, mapCell(int(math.Ceil(floor.box.Max.X-floor.box.Min.X)), int(math.Ceil(floor.box.Max.Y-floor.box.Min.Y)))/2)
	for i, goal := range goals[:areaGroups] {
		if err := o.context().Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		g := People(fmt.Sprint("to place ", i+1), max(people, 1), Place{})
		for k := i; k < max(len(places), areaGroups); k += areaGroups {
			g.At.Points = append(g.At.Points, places[k%len(places)])
		}
		g.Target, g.Way, g.FieldCell = &Place{Box: floor.scaled(goal.box)}, Field, cell
		orca, _ := Behavior[c.ORCA](&g)
		orca.TimeHorizonObst = mapWallHorizon
		g.Set(orca)
		s.Groups = append(s.Groups, g)
		longest = max(longest, float64(floor.pitch*float64(floor.farthest(goal.cell))))
	}
	seconds := 1.5*longest/s.Groups[0].MaxSpeed.least() + float64(doorSeconds*max(people-1, 0)) + mapSlack
	s.Steps = int(math.Ceil(min(seconds, mapMostTime) / s.Dt))
	return s, nil
}

// around adds walls along the outlines of an area, and its holes as polygons.
func (o *Obstacles) around(a *wkt.Area) {
	for _, p := range a.Polygons {
		for i, corner := range p.Outline {
			o.Walls = append(o.Walls, Wall{A: corner, B: p.Outline[(i+1)%len(p.Outline)]})
		}
		o.Polygons = append(o.Polygons, p.Holes...)
	}
}

// areaName returns the name of a geometry without folders and endings.
func areaName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".wkt")
}

// isArea reports whether a file is a geometry in WKT, by its name or how it begins.
func isArea(f io.Reader, path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	for _, ending := range []string{".wkt", ".map", ".xml", ".toml"} {
		if strings.HasSuffix(name, ending) {
			return ending == ".wkt"
		}
	}
	head, _ := unzipped(f).Peek(64) // of what can't be read another reader tells
	return wkt.Begins(head)
}
