package trajectories

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"github.com/peterstace/simplefeatures/geom"
	"gonum.org/v1/gonum/spatial/r2"
)

// mostPoints is how many obstacles an area has at most: so many take a minute.
const mostPoints = 20_000

// WalkableArea returns what is free in a box as Well-Known Text: a POLYGON with holes where obstacles are,
// without the parts in which no agent was. It is a MULTIPOLYGON if people were in parts between which
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

const (
	thin    = 0.005 // m, half the thickness of walls that have less, so that they part what is beside them
	sagitta = 0.01  // m, how far the corners of a circle's polygon let its edges come inside
)

// outlines returns the polygons that an obstacle is made of. Those of circles and of the round
// ends of walls lie within them, so that no agent that touches a wall stands in it.
func outlines(o *world.ObstacleShape) []geom.Geometry {
	if o.Corners == nil {
		return []geom.Geometry{capsule(o.A, o.B, max(o.Radius, thin))}
	}
	var all []geom.Geometry
	if inside := solid(o.Corners); !inside.IsEmpty() {
		all = append(all, inside)
	}
	if o.Radius == 0 && len(all) > 0 {
		return all
	}
	for i, to := range o.Corners {
		from := o.Corners[(i+len(o.Corners)-1)%len(o.Corners)]
		all = append(all, capsule(from, to, max(o.Radius, thin)))
	}
	return all
}

// capsule returns a wall with round ends; a circle, if both ends are the same.
func capsule(a, b r2.Vec, radius float64) geom.Geometry {
	half := 64 // edges of half a circle, at most
	if radius > sagitta {
		half = min(half, max(4, int(math.Ceil(math.Pi/2/math.Acos(1-sagitta/radius)))))
	} else {
		half = 2
	}
	along := math.Atan2(b.Y-a.Y, b.X-a.X)
	ring := make([]r2.Vec, 0, 2*half+2)
	for _, end := range []struct {
		at    r2.Vec
		first float64
	}{{b, along - math.Pi/2}, {a, along + math.Pi/2}} {
		for i := range half + 1 {
			if a == b && i == half {
				break // the other half begins there
			}
			sin, cos := math.Sincos(end.first + math.Pi*float64(i)/float64(half))
			ring = append(ring, vec.AddScaled(end.at, radius, r2.Vec{X: cos, Y: sin}))
		}
	}
	return polygon(ring)
}

// solid returns what lies inside of a ring of corners. One that crosses itself is solid where an
// odd number of its turns are around, as obstacles are: its triangles with the first corner cancel
// one another there and elsewhere.
func solid(corners []r2.Vec) geom.Geometry {
	if len(corners) < 3 {
		return geom.Geometry{}
	}
	if whole := polygon(corners); whole.Validate() == nil {
		return whole
	}
	sum := geom.Geometry{}
	for i := 2; i < len(corners); i++ {
		triangle := polygon([]r2.Vec{corners[0], corners[i-1], corners[i]})
		if triangle.Validate() != nil {
			continue // it has no area
		}
		if both, err := geom.SymmetricDifference(sum, triangle); err == nil {
			sum = both
		}
	}
	return sum
}

// rectangle returns a box as a polygon.
func rectangle(b r2.Box) geom.Geometry {
	return polygon([]r2.Vec{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}})
}

// polygon returns the polygon with the given corners, the first of which is not repeated.
func polygon(corners []r2.Vec) geom.Geometry {
	xy := make([]float64, 0, 2*len(corners)+2)
	for _, p := range corners {
		xy = append(xy, p.X, p.Y)
	}
	xy = append(xy, corners[0].X, corners[0].Y)
	ring := geom.NewLineString(geom.NewSequence(xy, geom.DimXY))
	return geom.NewPolygon([]geom.LineString{ring}).AsGeometry()
}

const (
	mostGrounds = 100     // that are told apart in a file
	mostVisited = 1 << 16 // visited places that are kept
	margin      = 1.      // m, of ground beyond agents that leave the box
)

// A Ground is one state of all obstacles, without open doors.
type Ground struct {
	hash      int64
	obstacles []world.ObstacleShape
}

// watch finds the grounds of a world.
type watch struct {
	world   *world.World
	version uint64 // of the obstacles of the last ground
	found   enough
}

// changed returns the ground as it is now, nil if it is the last one. When there are too many,
// it stays the last.
func (g *watch) changed() *Ground {
	version := g.world.Obstacles.Version()
	if g.found.begun() && version == g.version || g.found.full() {
		return nil
	}
	now := &Ground{}
	sum := fnv.New64a()
	g.world.Inspect().EachObstacle(func(o world.ObstacleShape) {
		if o.Door != nil && o.Door.Open {
			return
		}
		o.Door = nil
		now.obstacles = append(now.obstacles, o)
		_ = binary.Write(sum, binary.LittleEndian, []float64{o.A.X, o.A.Y, o.B.X, o.B.Y, o.Radius, float64(len(o.Corners))})
		_ = binary.Write(sum, binary.LittleEndian, o.Corners)
	})
	g.version, now.hash = version, int64(sum.Sum64())
	g.found.add(now)
	return now
}

// enough says whether there are enough different grounds for a file.
type enough struct {
	known  map[int64]bool // by their hashes
	shapes int            // in all of them
}

func (e *enough) begun() bool { return len(e.known) > 0 }

func (e *enough) full() bool { return len(e.known) == mostGrounds || e.shapes > mostPoints }

// add reports whether the ground is another one than all before.
func (e *enough) add(g *Ground) bool {
	if e.known == nil {
		e.known = map[int64]bool{}
	}
	if e.known[g.hash] {
		return false
	}
	e.known[g.hash] = true
	e.shapes += len(g.obstacles)
	return true
}

// grounds are the walkable areas of a run: a new one when an obstacle has changed, an older one
// when all are again as they were. Which part of a ground belongs to the area, and how far it
// reaches, is known when the run has ended: it depends on where people went.
type grounds struct {
	box   r2.Box // of the scene
	last  int64  // hash of the last ground
	all   []*Ground
	found enough

	people  r2.Box // around all
	visited map[[2]int32]bool
	places  []r2.Vec // one for each of visited
	cell    float64  // m
}

func newGrounds(box r2.Box) *grounds {
	inf := math.Inf(1)
	return &grounds{
		box: box, visited: map[[2]int32]bool{},
		people: r2.Box{Min: r2.Vec{X: inf, Y: inf}, Max: r2.Vec{X: -inf, Y: -inf}},
		cell:   max(0.5, max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y)/256),
	}
}

// now returns the hash of the ground, which is another one if one is given. When there are too
// many, it stays the last.
func (g *grounds) now(changed *Ground) int64 {
	if changed == nil || g.found.full() {
		return g.last
	}
	if g.last = changed.hash; g.found.add(changed) {
		g.all = append(g.all, changed)
	}
	return g.last
}

// visit notes where people are.
func (g *grounds) visit(step []Sample) {
	for i := range step {
		p := r2.Vec{X: step[i].X, Y: step[i].Y}
		if !(max(math.Abs(p.X), math.Abs(p.Y)) < 1e9) {
			continue // it flew away
		}
		key := [2]int32{int32(math.Floor(p.X / g.cell)), int32(math.Floor(p.Y / g.cell))}
		g.people.Min = r2.Vec{X: min(g.people.Min.X, p.X), Y: min(g.people.Min.Y, p.Y)}
		g.people.Max = r2.Vec{X: max(g.people.Max.X, p.X), Y: max(g.people.Max.Y, p.Y)}
		if !g.visited[key] && len(g.places) < mostVisited {
			g.visited[key] = true
			g.places = append(g.places, p)
		}
	}
}

// bounds returns the box of the scene, larger where people left it; without one, a box around
// people and obstacles.
func (g *grounds) bounds() r2.Box {
	box := g.box
	if box == (r2.Box{}) { // the scene has none
		box = g.people
		for i := range g.all {
			for _, o := range g.all[i].obstacles {
				for _, p := range append([]r2.Vec{o.A, o.B}, o.Corners...) {
					box.Min = r2.Vec{X: min(box.Min.X, p.X-o.Radius), Y: min(box.Min.Y, p.Y-o.Radius)}
					box.Max = r2.Vec{X: max(box.Max.X, p.X+o.Radius), Y: max(box.Max.Y, p.Y+o.Radius)}
				}
			}
		}
		if box.Min.X > box.Max.X {
			box = r2.Box{}
		}
		m := r2.Vec{X: margin, Y: margin}
		return r2.Box{Min: r2.Sub(box.Min, m), Max: r2.Add(box.Max, m)}
	}
	if g.people.Min.X <= box.Min.X {
		box.Min.X = g.people.Min.X - margin
	}
	if g.people.Min.Y <= box.Min.Y {
		box.Min.Y = g.people.Min.Y - margin
	}
	if g.people.Max.X >= box.Max.X {
		box.Max.X = g.people.Max.X + margin
	}
	if g.people.Max.Y >= box.Max.Y {
		box.Max.Y = g.people.Max.Y + margin
	}
	return box
}
