package scene

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats/vadere"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// What scenarios of Vadere leave to the simulator.
const (
	vadereDt = 1. / 30 // s; Vadere's own steps of 0.4 s are longer than those of a foot
	// Cells of fields are so narrow that people find their way through the narrowest gates, or wider
	// so that all fields have about so many.
	vadereLeastCell, vadereCells = 0.05, 4_000_000 // m
	// People on stairs walk slower by these factors, as RiMEA has them.
	stairsDown, stairsUp = 0.75, 0.5
	// A target or source that is a polygon with slanted sides is filled with so many boxes.
	vadereStrips, vadereMostCorners = 16, 1000
)

// vadereScene is a scene that is made of a scenario.
type vadereScene struct {
	*Scene
	from  *vadere.Scenario
	path  string
	notes map[string]bool
}

// openVadere reads a scenario of Vadere.
func openVadere(f io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: a scenario of Vadere has obstacles of its own, and takes none from another file", path)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := unpack(o.context(), f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	from, err := vadere.Read(path, data, vadere.Options{Lenient: o.Lenient, Context: o.Context})
	if err != nil {
		return nil, err
	}
	v := &vadereScene{from: from, path: path, notes: map[string]bool{}, Scene: &Scene{
		Name: vadereName(from.Name, path), Text: "scenario of Vadere", Seed: 1, Dt: vadereDt, Files: []string{path},
		Warnings: from.Warnings, Box: from.Bounds, ColorBy: ColorByGroup,
	}}
	switch {
	case o.Seed != 0:
		v.Seed = o.Seed
	case from.Seed != nil:
		v.Seed = uint64(*from.Seed) & math.MaxInt64
	}
	v.Steps = int(min(max(1, math.Ceil(from.FinishTime/v.Dt)), maxSteps))
	v.floor()
	if err := v.people(o.Model); err != nil {
		return nil, err
	}
	if n := v.Agents(); n == 0 || n > world.MaxAgents {
		return nil, fmt.Errorf("%s: there are %d people in topography.sources and topography.dynamicElements, want 1 to %d", path, n, world.MaxAgents)
	}
	v.unused()
	return v.Scene, nil
}

// vadereName returns the name of a scenario, or else of its file.
func vadereName(name, path string) string {
	if name = strings.TrimSpace(name); name != "" {
		return name
	}
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".scenario")
}

// note says once what a reader should know of the figures.
func (v *vadereScene) note(text string) {
	if !v.notes[text] {
		v.notes[text] = true
		v.Notes = append(v.Notes, text)
	}
}

// unused says what the file has that is not simulated.
func (v *vadereScene) unused() {
	var all []string
	for _, u := range v.from.Unused {
		all = append(all, fmt.Sprintf("%s (%d, line %d)", u.Key, u.N, u.Line))
	}
	if len(all) > 0 {
		v.note("not simulated: " + strings.Join(all, ", "))
	}
}

// floor makes obstacles, stairs, and what is measured where.
func (v *vadereScene) floor() {
	b, d := v.from.Bounds, v.from.Border
	if d > smallest {
		inner := r2.Box{Min: r2.Vec{X: b.Min.X + d, Y: b.Min.Y + d}, Max: r2.Vec{X: b.Max.X - d, Y: b.Max.Y - d}}
		for _, wall := range []r2.Box{
			box(b.Min.X, b.Min.Y, b.Max.X, inner.Min.Y), box(b.Min.X, inner.Max.Y, b.Max.X, b.Max.Y),
			box(b.Min.X, inner.Min.Y, inner.Min.X, inner.Max.Y), box(inner.Max.X, inner.Min.Y, b.Max.X, inner.Max.Y),
		} {
			v.Obstacles.Boxes = append(v.Obstacles.Boxes, Box{Box: wall})
		}
	}
	seen := map[string]bool{} // files have some obstacles twice
	for _, o := range v.from.Obstacles {
		key, into := fmt.Sprint(o), &v.Obstacles
		if seen[key] {
			continue
		}
		seen[key] = true
		switch o.Kind {
		case vadere.Rectangle:
			into.Boxes = append(into.Boxes, Box{Box: o.Box})
		case vadere.Polygon:
			into.Polygons = append(into.Polygons, o.Corners)
		case vadere.Circle:
			into.Circles = append(into.Circles, Circle{o.Center, o.Radius})
		}
	}
	v.stairs()
	v.measured()
}

// stairs makes zones of stairs, as far as there may be any.
func (v *vadereScene) stairs() {
	for i := range v.from.Stairs {
		s := &v.from.Stairs[i]
		boxes := []r2.Box{s.Box}
		if s.Kind == vadere.Polygon && len(s.Corners) <= vadereMostCorners {
			boxes = strips(s.Corners, vadereStrips)
		}
		zone := systems.Zone{Speed: stairsDown}
		if s.Up != (r2.Vec{}) {
			zone.Up, zone.SpeedUp = s.Up, stairsUp
		}
		for _, zone.Box = range boxes[:min(len(boxes), maxZones-len(v.Zones))] {
			v.Zones = append(v.Zones, zone)
		}
	}
}

// measured takes over where Vadere measures, as far as that is on the floor.
func (v *vadereScene) measured() {
	within := func(b r2.Box) bool {
		return b.Min.X < v.from.Bounds.Max.X && b.Max.X > v.from.Bounds.Min.X && b.Min.Y < v.from.Bounds.Max.Y && b.Max.Y > v.from.Bounds.Min.Y
	}
	for _, l := range v.from.Lines {
		b := r2.Box{Min: r2.Vec{X: min(l[0].X, l[1].X), Y: min(l[0].Y, l[1].Y)}, Max: r2.Vec{X: max(l[0].X, l[1].X), Y: max(l[0].Y, l[1].Y)}}
		if within(b) {
			v.Lines = append(v.Lines, measure.MeasurementLine{A: l[0], B: l[1]})
		} else {
			v.note("lines and measurement areas beyond the bounds are left out")
		}
	}
	for _, a := range v.from.Areas {
		switch {
		case !within(a.Box):
			v.note("lines and measurement areas beyond the bounds are left out")
		case a.Kind == vadere.Circle, a.Kind == vadere.Polygon && len(strips(a.Corners[:min(len(a.Corners), vadereMostCorners)], 2)) != 1:
			v.note(fmt.Sprintf("measurement area %d is no rectangle, and is left out", a.ID))
		case !slices.Contains(v.Areas, a.Box):
			v.Areas = append(v.Areas, a.Box)
		}
	}
}

// isVadere reports whether a file is a scenario of Vadere, by its name or how it begins.
func isVadere(f io.Reader, path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	switch filepath.Ext(name) {
	case ".scenario":
		return true
	case ".map", ".xml", ".toml":
		return false
	}
	head := textio.Head(f, 512)
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
}

// smallest is half the width of the smallest box in a polygon, in m.
const smallest = 0.0005

// strips returns boxes that fill a polygon, one above the other and side by side, n of them at
// least or one that is as large as the polygon. Where it is so slim that no box fits, it is a
// small one in the middle. There is one at least.
func strips(corners []r2.Vec, n int) (boxes []r2.Box) {
	var levels []float64
	for _, p := range corners {
		levels = append(levels, p.Y)
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	low, high := levels[0], levels[len(levels)-1]
	for i, y := range levels[:len(levels)-1] {
		thick := levels[i+1] - y
		parts := 1
		if slanted(corners, y, levels[i+1]) {
			parts = max(1, int(math.Ceil(float64(n)*thick/(high-low))))
		}
		for k := range parts {
			next := levels[i+1]
			if k < parts-1 {
				next = levels[i] + thick*float64(k+1)/float64(parts)
			}
			boxes = append(boxes, slab(corners, y, next)...)
			y = next
		}
	}
	if len(boxes) == 0 { // all corners are on a line
		boxes = append(boxes, small(vec.Scale(0.5, vec.Add(corners[0], corners[1]))))
	}
	return boxes
}

// small returns a small box around a place.
func small(at r2.Vec) r2.Box {
	half := r2.Vec{X: smallest, Y: smallest}
	return r2.Box{Min: vec.Sub(at, half), Max: vec.Add(at, half)}
}

// slanted reports whether an edge between two levels is not upright.
func slanted(corners []r2.Vec, low, high float64) bool {
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		if a.X != b.X && min(a.Y, b.Y) < high && max(a.Y, b.Y) > low {
			return true
		}
	}
	return false
}

// slab returns the boxes in a polygon between two levels, with no corner between them.
func slab(corners []r2.Vec, low, high float64) (boxes []r2.Box) {
	var edges []r2.Vec // where an edge is at the two levels
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		if a.Y > b.Y {
			a, b = b, a
		}
		if a.Y <= low && b.Y >= high && a.Y < b.Y {
			at := func(y float64) float64 { return a.X + float64((b.X-a.X)*((y-a.Y)/(b.Y-a.Y))) }
			edges = append(edges, r2.Vec{X: at(low), Y: at(high)})
		}
	}
	slices.SortFunc(edges, func(a, b r2.Vec) int { return cmp.Compare(a.X+a.Y, b.X+b.Y) })
	for i := 1; i < len(edges); i += 2 {
		b := r2.Box{Min: r2.Vec{X: max(edges[i-1].X, edges[i-1].Y), Y: low}, Max: r2.Vec{X: min(edges[i].X, edges[i].Y), Y: high}}
		if b.Max.X-b.Min.X < 2*smallest || high-low < 2*smallest {
			b = small(vec.Scale(0.25, r2.Vec{X: edges[i-1].X + edges[i-1].Y + edges[i].X + edges[i].Y, Y: 2 * (low + high)}))
		}
		boxes = append(boxes, b)
	}
	return boxes
}
