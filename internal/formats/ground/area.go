package ground

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/formats/wkt"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Area reads geometries in WKT. People walk through the area to places drawn from the seed.
var Area = formats.Format{What: "a WKT geometry", Ending: ".wkt", Begins: wkt.Begins, Read: readArea}

const (
	areaGroups    = 4
	areaEach      = 3.0 // m² per person
	areaLeastCell = 0.1 // m, minimum width of the cells of fields
)

func readArea(path string, o *formats.Options) (*formats.Crowd, error) {
	a, err := wkt.Read(o.Context, path)
	if err != nil {
		return nil, err
	}
	floor, err := newFloor(o.Context, a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	seed, size := o.SeedOr(1), floor.box.Size()
	places, goals := floor.starts(seed), floor.goals(seed)
	people := min(int(floor.size()/areaEach), len(places), mostPeople)
	group := formats.Group{FieldCell: max(areaLeastCell, fieldCell(int(math.Ceil(size.X)), int(math.Ceil(size.Y)))/2)}
	f, err := crowd(o.Context, people, areaGroups, places, group, func(i int) (r2.Box, float64) {
		return floor.scaled(goals[i].box), float64(floor.pitch * float64(floor.farthest(goals[i].cell)))
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.Text = "people walk through an area to four places: four fields lead them"
	note := "a geometry has neither people nor goals: the seed determines both"
	f.Notes = slices.Concat([]string{note}, floor.notes(), a.Notes)
	f.Seed, f.Box = seed, r2.NewBox(floor.box.Min.X-1, floor.box.Min.Y-1, floor.box.Max.X+1, floor.box.Max.Y+1)
	f.Walls, f.Polygons = a.Obstacles()
	return f, nil
}

const (
	floorPitch = 0.25      // m, minimum width of the cells of a floor
	floorMost  = 1_000_000 // approximate maximum number of cells of a floor
	floorApart = 0.5       // m, minimum distance between starts
)

// floor is the ground of an area. A cell is passable if its center is in the area and clear of walls.
type floor struct {
	ground
	box    r2.Box  // m
	pitch  float64 // m, width of a cell
	inside []bool
}

func newFloor(ctx context.Context, a *wkt.Area) (*floor, error) {
	f := &floor{box: textio.Bounds(slices.Concat(a.Rings()...))}
	size := f.box.Size()
	f.pitch = max(floorPitch, math.Sqrt(size.X*size.Y/floorMost), max(size.X, size.Y)/floorMost)
	f.Width, f.Height = 1+int(size.X/f.pitch), 1+int(size.Y/f.pitch)
	f.wide, f.inside = 1, make([]bool, f.Width*f.Height)
	f.Passable = func(x, y int) bool { return f.inside[y*f.Width+x] }
	if err := f.fill(ctx, a.Rings()); err != nil {
		return nil, err
	}
	f.measure()
	if f.join(); len(f.part) == 0 {
		return nil, fmt.Errorf("every place in the area is less than %v m from a wall, want room for a person", clearance)
	}
	return f, ctx.Err()
}

func (f *floor) where(x, y int) r2.Vec {
	return r2.Vec{X: f.box.Min.X + float64(f.pitch*(float64(x)+0.5)), Y: f.box.Max.Y - float64(f.pitch*(float64(y)+0.5))}
}

func (f *floor) scaled(b r2.Box) r2.Box {
	at := func(p r2.Vec) r2.Vec {
		return r2.Vec{X: f.box.Min.X + float64(f.pitch*p.X), Y: f.box.Max.Y - float64(f.pitch*(float64(f.Height)-p.Y))}
	}
	return r2.Box{Min: at(b.Min), Max: at(b.Max)}
}

// size returns the area of the part with people, in m².
func (f *floor) size() float64 { return float64(len(f.part)) * f.pitch * f.pitch }

// fill sets inside for cells whose centers are in an odd number of rings and clear of the edges of all rings.
func (f *floor) fill(ctx context.Context, rings [][]r2.Vec) error {
	rows := make([][]float64, f.Height) // for each row, every x, in m, at which an edge crosses the middle of the row
	var edges []space.Shape
	for _, ring := range rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if a.Y > b.Y {
				a, b = b, a
			}
			for y := max(0, int((f.box.Max.Y-b.Y)/f.pitch)-1); y < f.Height; y++ {
				middle := f.where(0, y).Y
				if middle < a.Y {
					break
				}
				if middle < b.Y {
					rows[y] = append(rows[y], a.X+float64((b.X-a.X)*(middle-a.Y))/(b.Y-a.Y))
				}
			}
			edges = append(edges, space.Shape{ID: uint32(len(edges)), A: a, B: b})
			if len(edges)%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	var walls space.Index
	walls.Build(edges, clearance, 0)
	for y, crossings := range rows {
		slices.Sort(crossings)
		for x, k := 0, 0; x < f.Width; x++ {
			at := f.where(x, y)
			for k < len(crossings) && crossings[k] <= at.X {
				k++
			}
			_, near := walls.Nearest(at, clearance)
			f.inside[y*f.Width+x] = k%2 == 1 && !near
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (f *floor) starts(seed uint64) []r2.Vec {
	apart, all := int(math.Ceil(floorApart/f.pitch)), []int32(nil)
	for _, cell := range f.part {
		if x, y := int(cell)%f.Width, int(cell)/f.Width; x%apart == 0 && y%apart == 0 {
			all = append(all, cell)
		}
	}
	if len(all) == 0 {
		all = f.part[:1]
	}
	places := make([]r2.Vec, 0, min(len(all), mostPlaces))
	for i := range shuffled(seed, useFloor, len(all), cap(places)) {
		places = append(places, f.where(int(all[i])%f.Width, int(all[i])/f.Width))
	}
	return places
}

func (f *floor) notes() []string {
	if left := f.free - len(f.part); 50*left > f.free {
		return []string{fmt.Sprintf("no path connects %.3g m² of %.3g m² to the rest, so no agents start there", float64(left)*f.pitch*f.pitch, float64(f.free)*f.pitch*f.pitch)}
	}
	return nil
}
