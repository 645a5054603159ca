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

// Format reads scenarios. Files of other programs begin with { too: these have one of three keys.
var Format = formats.Format{What: "a scenario of Vadere", Ending: ".scenario", Read: readCrowd, Begins: regexp.MustCompile(`^\s*\{(?s:.*)"(scenario|vadere|processWriters)"\s*:`).Match}

// What scenarios leave to the simulator.
const (
	dt = 1. / 30 // s; Vadere's own steps of 0.4 s are longer than those of a foot
	// Cells of fields are so narrow that people find their way through the narrowest gates, or wider
	// so that all fields have about so many.
	leastCell, cells = 0.05, 4_000_000 // m
	// A note says that people find no way through passages of two cells where these are wider than this.
	wideCell = 0.2 // m
	// People on stairs walk slower by these factors, as RiMEA has them.
	stairsDown, stairsUp = 0.75, 0.5
	// A target or source that is a polygon with slanted sides is filled with so many boxes.
	fineness, mostCorners = 16, 1000
	// A scene has no more than these.
	mostZones, mostExits  = 1000, 100
	mostBytes, mostValues = 64 << 20, 4 << 20
)

// builder makes a crowd of a scenario.
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
		Name: strings.TrimSpace(from.Name), Text: "scenario of Vadere", Seed: max(o.Seed, 1), Dt: dt, Steps: math.Ceil(from.FinishTime / dt),
		Warnings: from.Warnings, Box: from.Bounds, Jams: true,
	}}
	if o.Seed == 0 && from.Seed != nil {
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
	if len(unused) > 0 {
		v.note("not simulated: " + strings.Join(unused, ", "))
	}
	return v.Crowd, nil
}

// note says once what a reader should know of the figures.
func (v *builder) note(text string) {
	if !v.notes[text] {
		v.notes[text] = true
		v.Notes = append(v.Notes, text)
	}
}

// floor makes obstacles, stairs, and what is measured where.
func (v *builder) floor() {
	b, d := v.from.Bounds, v.from.Border
	if d > smallest {
		inner := r2.Box{Min: r2.Vec{X: b.Min.X + d, Y: b.Min.Y + d}, Max: r2.Vec{X: b.Max.X - d, Y: b.Max.Y - d}}
		v.Boxes = append(v.Boxes,
			r2.NewBox(b.Min.X, b.Min.Y, b.Max.X, inner.Min.Y), r2.NewBox(b.Min.X, inner.Max.Y, b.Max.X, b.Max.Y),
			r2.NewBox(b.Min.X, inner.Min.Y, inner.Min.X, inner.Max.Y), r2.NewBox(inner.Max.X, inner.Min.Y, b.Max.X, inner.Max.Y),
		)
	}
	seen := map[string]bool{} // files have some obstacles twice
	for _, o := range v.from.Obstacles {
		key := fmt.Sprint(o)
		if seen[key] {
			continue
		}
		seen[key] = true
		switch o.Kind {
		case Rectangle:
			v.Boxes = append(v.Boxes, o.Box)
		case Polygon:
			v.Polygons = append(v.Polygons, o.Corners)
		case Circle:
			v.Circles = append(v.Circles, formats.Disc{Center: o.Center, Radius: o.Radius})
		}
	}
	v.stairs()
	v.measured()
}

// stairs makes zones of stairs, as far as there may be any.
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

// measured takes over where Vadere measures, as far as that is on the floor.
func (v *builder) measured() {
	within := func(b r2.Box) bool {
		return b.Min.X < v.from.Bounds.Max.X && b.Max.X > v.from.Bounds.Min.X && b.Min.Y < v.from.Bounds.Max.Y && b.Max.Y > v.from.Bounds.Min.Y
	}
	for _, l := range v.from.Lines {
		if within(r2.NewBox(l[0].X, l[0].Y, l[1].X, l[1].Y)) {
			v.Lines = append(v.Lines, measure.MeasurementLine{A: l[0], B: l[1]})
		} else {
			v.note("lines and measurement areas beyond the bounds are left out")
		}
	}
	for _, a := range v.from.Areas {
		switch {
		case !within(a.Box):
			v.note("lines and measurement areas beyond the bounds are left out")
		case a.Kind == Circle, a.Kind == Polygon && len(strips(a.Corners[:min(len(a.Corners), mostCorners)], 2)) != 1:
			v.note(fmt.Sprintf("measurement area %d is no rectangle, and is left out", a.ID))
		case !slices.Contains(v.Areas, a.Box):
			v.Areas = append(v.Areas, a.Box)
		}
	}
}
