// Package wkt reads walkable areas from well-known text (WKT), as JuPedSim does: a POLYGON, a MULTIPOLYGON or
// a GEOMETRYCOLLECTION of these, in meters. Polygons are floors, and their holes are obstacles. A file may be
// gzipped.
//
// Source: OGC 06-103r4, "Simple feature access", part 1, section 7.
package wkt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

// These limits bound the time that Parse takes.
const (
	maxBytes    = 16 << 20
	maxPoints   = 100_000
	maxDepth    = 16   // nested parentheses
	maxMeetings = 1000 // pairs of edges of different polygons that may meet
	farthest    = 1e9  // m, of a coordinate
)

// Area is where people can walk: polygons that are apart or touch only at single points.
type Area struct {
	Polygons []Polygon
	Notes    []string // what is ignored
}

// Polygon is a piece of floor. Its rings do not repeat their first point at the end.
type Polygon struct {
	Outline []r2.Vec   // m
	Holes   [][]r2.Vec // m
}

// Rings returns the outlines and holes of all polygons.
func (a *Area) Rings() (all [][]r2.Vec) {
	for _, p := range a.Polygons {
		all = append(append(all, p.Outline), p.Holes...)
	}
	return all
}

// Obstacles returns walls along the outlines of the area, and its holes as polygons.
func (a *Area) Obstacles() (walls [][2]r2.Vec, polygons [][]r2.Vec) {
	for _, p := range a.Polygons {
		for i, corner := range p.Outline {
			walls = append(walls, [2]r2.Vec{corner, p.Outline[(i+1)%len(p.Outline)]})
		}
		polygons = append(polygons, p.Holes...)
	}
	return walls, polygons
}

// Begins reports whether a text begins like the WKT of a geometry, including types that Parse rejects,
// such as POINT.
func Begins(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	n := 0
	for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	switch strings.ToUpper(string(text[:n])) {
	case "POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION", "POINT", "MULTIPOINT", "LINESTRING", "MULTILINESTRING":
		after := bytes.TrimLeft(text[n:], " \t\r\n")
		return len(after) > 0 && (after[0] == '(' || after[0]|0x20 >= 'a' && after[0]|0x20 <= 'z')
	}
	return false
}

// Read reads the area in a file. Errors begin with the path; errors in the text also name the line on
// which the text begins.
func Read(ctx context.Context, path string) (*Area, error) {
	text, err := textio.ReadFile(ctx, path, maxBytes, maxBytes)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a, err := Parse(string(text))
	if err != nil {
		begin := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
		return nil, fmt.Errorf("%s:%d: %w", path, 1+bytes.Count(text[:begin], []byte("\n")), err)
	}
	return a, nil
}

// Parse returns the area that WKT describes. Polygons that overlap or share an edge become one. Parse
// returns an error if the text does not describe an area or exceeds a limit.
func Parse(text string) (*Area, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("the WKT has %d bytes, want at most %d", len(text), maxBytes)
	}
	if n := strings.Count(text, ",") + 1; n > maxPoints {
		return nil, fmt.Errorf("the WKT has %d points, want at most %d", n, maxPoints)
	}
	depth := 0
	for _, c := range []byte(text) {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > maxDepth {
			return nil, fmt.Errorf("the WKT is nested too deeply, want at most %d levels", maxDepth)
		}
	}
	g, err := geom.UnmarshalWKT(text)
	if err != nil {
		return nil, fmt.Errorf("invalid WKT: %w", located(text, err))
	}
	a := &Area{}
	pieces, err := polygons(g)
	if err != nil {
		return nil, err
	}
	if len(pieces) == 0 {
		return nil, errors.New("the geometry is empty, want a POLYGON in which people can walk")
	}
	if g.CoordinatesType().Is3D() {
		a.Notes = append(a.Notes, "heights (Z) are not read: the floor is level")
	}
	if g.CoordinatesType().IsMeasured() {
		a.Notes = append(a.Notes, "measures (M) are not read")
	}
	for _, p := range pieces {
		if err := inReach(p); err != nil {
			return nil, err
		}
	}
	if pieces, err = united(pieces); err != nil {
		return nil, err
	}
	for _, p := range pieces {
		piece := Polygon{Outline: ring(p.ExteriorRing())}
		for i := range p.NumInteriorRings() {
			piece.Holes = append(piece.Holes, ring(p.InteriorRingN(i)))
		}
		a.Polygons = append(a.Polygons, piece)
	}
	return a, nil
}

func located(text string, err error) error {
	g, broken := geom.UnmarshalWKT(text, geom.NoValidate{})
	if broken != nil {
		return err
	}
	all, _ := polygons(g)
	for _, p := range all {
		for _, line := range p.DumpRings() {
			if fault := space.RingFault(ring(line)); fault != "" {
				return fmt.Errorf("a ring %s", fault)
			}
		}
	}
	return err
}

// polygons returns the nonempty polygons of a geometry, which must have no parts of other types.
func polygons(g geom.Geometry) (all []geom.Polygon, err error) {
	switch g.Type() {
	case geom.TypePolygon:
		if !g.IsEmpty() {
			all = append(all, g.MustAsPolygon())
		}
	case geom.TypeMultiPolygon, geom.TypeGeometryCollection:
		for _, part := range g.Dump() {
			more, err := polygons(part)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
	default:
		return nil, fmt.Errorf("the geometry is a %s, want a POLYGON, a MULTIPOLYGON, or a GEOMETRYCOLLECTION of these", strings.ToUpper(g.Type().String()))
	}
	return all, nil
}

func inReach(p geom.Polygon) error {
	low, high, _ := p.Envelope().MinMaxXYs()
	for _, x := range []float64{low.X, low.Y, high.X, high.Y} {
		if !(math.Abs(x) <= farthest) {
			return fmt.Errorf("a coordinate is %v m, want %.0e to %.0e m", x, -farthest, farthest)
		}
	}
	return nil
}

// united joins the pieces that overlap or share an edge, as JuPedSim does. Otherwise there would be
// walls between them.
func united(pieces []geom.Polygon) ([]geom.Polygon, error) {
	switch n := meetings(pieces); {
	case n == 0:
		return pieces, nil
	case n > maxMeetings:
		return nil, fmt.Errorf("more than %d pairs of edges of different polygons may meet, want fewer: merge the polygons, or move them apart", maxMeetings)
	}
	var all []geom.Geometry
	for _, p := range pieces {
		all = append(all, p.Force2D().AsGeometry())
	}
	whole, err := geom.UnionMany(all)
	if err != nil {
		return nil, fmt.Errorf("cannot join the polygons: %w", err)
	}
	return polygons(whole)
}

// meetings returns the number of pairs of edges of different polygons that may meet, because their boxes do,
// plus the number of pairs of polygons of which one may contain the other. It returns a number above
// maxMeetings if there are more such pairs, or if counting takes too long.
func meetings(pieces []geom.Polygon) (n int) {
	boxes := make([]r2.Box, len(pieces))
	edges := make([][]r2.Box, len(pieces))
	for i, p := range pieces {
		low, high, _ := p.Envelope().MinMaxXYs()
		boxes[i] = r2.Box{Min: r2.Vec(low), Max: r2.Vec(high)}
		for _, line := range p.DumpRings() {
			points := ring(line)
			for k, a := range points {
				edges[i] = append(edges[i], textio.Bounds([]r2.Vec{a, points[(k+1)%len(points)]}))
			}
		}
	}
	tried := 0
	for i := range pieces {
		for k := range i {
			if tried++; !textio.Meet(boxes[i], boxes[k]) {
				continue
			}
			for _, a := range edges[i] {
				if !textio.Meet(a, boxes[k]) {
					continue
				}
				for _, b := range edges[k] {
					if tried++; textio.Meet(a, b) {
						n++
					}
				}
				if n > maxMeetings || tried > 1000*maxPoints {
					return maxMeetings + 1
				}
			}
			if within(boxes[i], boxes[k]) || within(boxes[k], boxes[i]) {
				n++ // one may be inside the other
			}
		}
	}
	return n
}

func within(a, b r2.Box) bool {
	return a.Min.X >= b.Min.X && a.Max.X <= b.Max.X && a.Min.Y >= b.Min.Y && a.Max.Y <= b.Max.Y
}

func ring(line geom.LineString) []r2.Vec {
	points := line.Coordinates()
	all := make([]r2.Vec, 0, points.Length())
	for i := range points.Length() - 1 {
		if at := r2.Vec(points.GetXY(i)); len(all) == 0 || all[len(all)-1] != at {
			all = append(all, at)
		}
	}
	return all
}
