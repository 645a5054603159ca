package trajectories

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/8f878440/crowd/world"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

// mostPoints is how many obstacles an area has at most: so many take a minute.
const mostPoints = 20_000

// WalkableArea returns what is free in a box as Well-Known Text: a POLYGON with holes where obstacles are,
// without the parts in which nobody was. It is a MULTIPOLYGON if people were in parts between which
// there is no way, and the largest part if they were in none. The error says why there is no area.
func WalkableArea(box r2.Box, obstacles []world.ObstacleShape, people []r2.Vec) (wkt string, err error) {
	if len(obstacles) > mostPoints {
		return "", fmt.Errorf("%d obstacles are too many, want at most %d", len(obstacles), mostPoints)
	}
	defer func() {
		if r := recover(); r != nil { // so the library speaks of numbers that are too close
			err = fmt.Errorf("the area cannot be worked out: %v", r)
		}
	}()
	ground := rectangle(box)
	var solids []geom.Geometry
	for i := range obstacles {
		for _, g := range outlines(&obstacles[i]) {
			if g.Envelope().Intersects(ground.Envelope()) {
				solids = append(solids, g)
			}
		}
	}
	all, err := geom.UnionMany(solids)
	if err != nil {
		return "", err
	}
	free, err := geom.Difference(ground, all)
	if err != nil {
		return "", err
	}
	parts := polygons(free)
	if len(parts) == 0 {
		return "", errors.New("obstacles leave nothing free")
	}
	if parts = visited(parts, people); len(parts) == 1 {
		return parts[0].AsText(), nil
	}
	return geom.NewMultiPolygon(parts).AsText(), nil
}

// WalkableRectangle returns a box as Well-Known Text.
func WalkableRectangle(box r2.Box) string { return rectangle(box).AsText() }

// polygons returns the parts of an area, the largest first.
func polygons(g geom.Geometry) (parts []geom.Polygon) {
	for _, part := range g.Dump() {
		if p, is := part.AsPolygon(); is && p.Area() > 0 {
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b geom.Polygon) int { return cmp.Compare(b.Area(), a.Area()) })
	return parts
}

// visited returns the parts in which some of the people are, or the first if there are none.
func visited(parts []geom.Polygon, people []r2.Vec) (found []geom.Polygon) {
	if len(parts) == 1 {
		return parts
	}
	rest := slices.Clone(parts)
	for _, p := range people {
		at := geom.XY{X: p.X, Y: p.Y}
		if i := slices.IndexFunc(rest, func(part geom.Polygon) bool {
			return part.Envelope().Contains(at) && geom.Intersects(at.AsPoint().AsGeometry(), part.AsGeometry())
		}); i >= 0 {
			found = append(found, rest[i])
			rest = slices.Delete(rest, i, i+1)
		}
	}
	if found == nil {
		found = parts[:1]
	}
	slices.SortStableFunc(found, func(a, b geom.Polygon) int { return cmp.Compare(b.Area(), a.Area()) })
	return found
}
