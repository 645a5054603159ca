package vadere

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

// Format reads scenarios: JSON files with the key scenario, vadere or processWriters.
var Format = formats.Format{What: "a Vadere scenario", Ending: ".scenario", Read: readCrowd, Begins: regexp.MustCompile(`^\s*\{(?s:.*)"(scenario|vadere|processWriters)"\s*:`).Match}

const (
	dt = 1. / 30 // s; Vadere's own step of 0.4 s is too long
	// Cells of flow fields are leastCell wide, to fit the narrowest gates, or wider if all fields
	// together would otherwise have more than 4 million cells.
	leastCell, cells = 0.05, 4_000_000 // m, number of cells
	// With cells wider than this, people find no path through narrow passages.
	wideCell = 0.2 // m
	// Speed factors on stairs, from RiMEA.
	stairsDown, stairsUp = 0.75, 0.5
	// About fineness rows of boxes fill a polygon with slanted sides, which has at most mostCorners corners.
	fineness, mostCorners = 16, 1000
	// Limits: zones of a scene and boxes of a place; bytes and values of a file.
	mostZones, mostExits  = 1000, 100
	mostBytes, mostValues = 64 << 20, 4 << 20
)

type builder struct {
	*formats.Crowd
	from  *Scenario
	path  string
	notes map[string]bool
}

func readCrowd(path string, o *formats.Options) (*formats.Crowd, error) {
	data, err := textio.ReadFile(o.Context, path, mostBytes, mostValues)
	if err != nil {
		return nil, err
	}
	from, err := Read(path, data, *o)
	if err != nil {
		return nil, err
	}
	v := &builder{from: from, path: path, notes: map[string]bool{}, Crowd: &formats.Crowd{
		Name: strings.TrimSpace(from.Name), Text: "scenario of Vadere", Seed: o.SeedOr(1), Dt: dt, Steps: math.Ceil(from.FinishTime / dt),
		Warnings: from.Warnings, Box: from.Bounds, Jams: true,
	}}
	if o.Seed == nil && from.Seed != nil {
		v.Seed = uint64(*from.Seed) & math.MaxInt64
	}
	v.floor()
	if err := v.people(); err != nil {
		return nil, err
	}
	var unused []string
	for _, u := range from.Unused {
		unused = append(unused, fmt.Sprintf("%s (%d, line %d)", u.Key, u.N, u.Line))
	}
	if unused != nil {
		v.note("not simulated: " + strings.Join(unused, ", "))
	}
	return v.Crowd, nil
}

func (v *builder) note(text string) {
	if !v.notes[text] {
		v.notes[text] = true
		v.Notes = append(v.Notes, text)
	}
}

func (v *builder) floor() {
	b, d := v.from.Bounds, v.from.Border
	if d > smallest {
		inner := inset(b, d)
		v.Boxes = append(v.Boxes,
			r2.NewBox(b.Min.X, b.Min.Y, b.Max.X, inner.Min.Y), r2.NewBox(b.Min.X, inner.Max.Y, b.Max.X, b.Max.Y),
			r2.NewBox(b.Min.X, inner.Min.Y, inner.Min.X, inner.Max.Y), r2.NewBox(inner.Max.X, inner.Min.Y, b.Max.X, inner.Max.Y),
		)
	}
	seen := map[string]bool{} // some files contain an obstacle twice
	for _, o := range v.from.Obstacles {
		key := fmt.Sprint(o)
		switch {
		case seen[key]:
		case o.Kind == Rectangle:
			v.Boxes = append(v.Boxes, o.Box)
		case o.Kind == Polygon:
			v.Polygons = append(v.Polygons, o.Corners)
		default:
			v.Circles = append(v.Circles, formats.Disc{Center: o.Center, Radius: o.Radius})
		}
		seen[key] = true
	}
	v.stairs()
	v.measured()
}

func inset(b r2.Box, by float64) r2.Box {
	return r2.NewBox(b.Min.X+by, b.Min.Y+by, b.Max.X-by, b.Max.Y-by)
}

func (v *builder) stairs() {
	for i := range v.from.Stairs {
		s := &v.from.Stairs[i]
		boxes := []r2.Box{s.Box}
		if s.Kind == Polygon && len(s.Corners) <= mostCorners {
			boxes = strips(s.Corners, fineness)
		}
		zone := systems.Zone{Speed: stairsDown}
		if s.Up != (r2.Vec{}) {
			zone.Up, zone.SpeedUp = s.Up, stairsUp
		}
		for _, zone.Box = range boxes[:min(len(boxes), mostZones-len(v.Zones))] {
			v.Zones = append(v.Zones, zone)
		}
	}
}

func (v *builder) measured() {
	within := func(b r2.Box) bool {
		floor := v.from.Bounds
		in := b.Min.X < floor.Max.X && b.Max.X > floor.Min.X && b.Min.Y < floor.Max.Y && b.Max.Y > floor.Min.Y
		if !in {
			v.note("lines and measurement areas beyond the bounds are left out")
		}
		return in
	}
	for _, l := range v.from.Lines {
		if within(r2.NewBox(l[0].X, l[0].Y, l[1].X, l[1].Y)) {
			v.Lines = append(v.Lines, measure.MeasurementLine{A: l[0], B: l[1]})
		}
	}
	for _, a := range v.from.Areas {
		switch {
		case !within(a.Box):
		case a.Kind == Circle, a.Kind == Polygon && len(strips(a.Corners[:min(len(a.Corners), mostCorners)], 2)) != 1:
			v.note(fmt.Sprintf("measurement area %d is not a rectangle and is left out", a.ID))
		case !slices.Contains(v.Areas, a.Box):
			v.Areas = append(v.Areas, a.Box)
		}
	}
}
