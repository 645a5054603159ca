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

// mostPoints is the maximum number of obstacles in an area; that many take a minute. Once all grounds together
// have more, further grounds are ignored.
const mostPoints = 20_000

// WalkableArea returns a box without its obstacles, as a POLYGON or MULTIPOLYGON in well-known text, in
// meters. Of several parts, it keeps those with people, or the largest if there are no people in any part. It
// returns an error if there are more than 20,000 obstacles, if obstacles leave no area, or if the geometry
// library fails.
func WalkableArea(box r2.Box, obstacles []world.ObstacleShape, people []r2.Vec) (wkt string, err error) {
	if len(obstacles) > mostPoints {
		return "", fmt.Errorf("there are %d obstacles, want at most %d", len(obstacles), mostPoints)
	}
	defer func() {
		if r := recover(); r != nil { // the geometry library panics if points are too close together
			err = fmt.Errorf("computing the area: %v", r)
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
		return "", errors.New("obstacles leave no walkable area")
	}
	if parts = visited(parts, people); len(parts) == 1 {
		return parts[0].AsText(), nil
	}
	return geom.NewMultiPolygon(parts).AsText(), nil
}

func polygons(g geom.Geometry) (parts []geom.Polygon) {
	for _, part := range g.Dump() {
		if p, is := part.AsPolygon(); is && p.Area() > 0 {
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b geom.Polygon) int { return cmp.Compare(b.Area(), a.Area()) })
	return parts
}

func visited(parts []geom.Polygon, people []r2.Vec) []geom.Polygon {
	found := slices.DeleteFunc(slices.Clone(parts), func(part geom.Polygon) bool {
		return !slices.ContainsFunc(people, func(p r2.Vec) bool {
			at := geom.XY{X: p.X, Y: p.Y}
			return part.Envelope().Contains(at) && geom.Intersects(at.AsPoint().AsGeometry(), part.AsGeometry())
		})
	})
	if len(found) == 0 {
		return parts[:1]
	}
	return found
}

const (
	thin    = 0.005 // m, minimum radius of a wall, to keep its sides apart
	sagitta = 0.01  // m, maximum gap between a circle and its polygon, for radii up to 33 m
)

// outlines returns the polygons of an obstacle. They approximate circles from the inside, so an agent that
// touches a wall is not in the polygon.
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

// capsule returns a wall with round ends, or a circle if a equals b.
func capsule(a, b r2.Vec, radius float64) geom.Geometry {
	half := 2 // edges of a half circle
	if radius > sagitta {
		half = min(64, max(4, int(math.Ceil(math.Pi/2/math.Acos(1-sagitta/radius)))))
	}
	along := math.Atan2(b.Y-a.Y, b.X-a.X)
	ring := make([]r2.Vec, 0, 2*half+2)
	for _, end := range []struct {
		at    r2.Vec
		first float64
	}{{b, along - math.Pi/2}, {a, along + math.Pi/2}} {
		for i := range half + 1 {
			if a == b && i == half {
				break // the other half starts at this point
			}
			sin, cos := math.Sincos(end.first + math.Pi*float64(i)/float64(half))
			ring = append(ring, vec.AddScaled(end.at, radius, r2.Vec{X: cos, Y: sin}))
		}
	}
	return polygon(ring)
}

// solid returns the inside of a ring of corners. If the ring crosses itself, the even-odd rule applies, as it
// does to obstacles: the inside is the symmetric difference of the triangles between the first corner and
// each edge.
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
			continue // no area
		}
		if both, err := geom.SymmetricDifference(sum, triangle); err == nil {
			sum = both
		}
	}
	return sum
}

func rectangle(b r2.Box) geom.Geometry {
	return polygon([]r2.Vec{b.Min, {X: b.Max.X, Y: b.Min.Y}, b.Max, {X: b.Min.X, Y: b.Max.Y}})
}

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
	mostGrounds = 100     // maximum number of different grounds per file
	mostVisited = 1 << 16 // maximum number of places that grounds keeps
	margin      = 1.      // m, added on sides that agents reach or, without a box, on all sides
)

// Ground holds the obstacles of a world at one time, without open doors.
type Ground struct {
	hash      int64
	obstacles []world.ObstacleShape
}

type watch struct {
	world   *world.World
	version uint64 // of the obstacles in the last ground
	found   groundSet
}

// changed returns the ground if it is the first or has changed, and otherwise nil. Once g.found is full, it
// always returns nil.
func (g *watch) changed() *Ground {
	version := g.world.Obstacles.Version()
	if len(g.found.known) > 0 && version == g.version || g.found.full() {
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

type groundSet struct {
	known  map[int64]bool // by hash
	shapes int
}

func (s *groundSet) full() bool { return len(s.known) == mostGrounds || s.shapes > mostPoints }

func (s *groundSet) add(g *Ground) bool {
	if s.known[g.hash] {
		return false
	}
	s.known[g.hash] = true
	s.shapes += len(g.obstacles)
	return true
}

// grounds collects the different grounds of a run. Areas depend on all visited places, so they are computed
// at the end.
type grounds struct {
	box   r2.Box
	last  int64 // hash of the last ground
	all   []*Ground
	found groundSet

	people  r2.Box // bounding box of all people
	visited map[[2]int32]bool
	places  []r2.Vec // one per visited cell
	cell    float64  // m, side of a cell
}

func newGrounds(box r2.Box) *grounds {
	inf := math.Inf(1)
	return &grounds{
		box: box, visited: map[[2]int32]bool{}, found: groundSet{known: map[int64]bool{}},
		people: r2.Box{Min: r2.Vec{X: inf, Y: inf}, Max: r2.Vec{X: -inf, Y: -inf}},
		cell:   max(0.5, max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y)/256),
	}
}

// now adds a changed ground, if any, and returns the hash of the current ground. Once g.found is full, the
// last ground stays current.
func (g *grounds) now(changed *Ground) int64 {
	if changed == nil || g.found.full() {
		return g.last
	}
	if g.last = changed.hash; g.found.add(changed) {
		g.all = append(g.all, changed)
	}
	return g.last
}

func (g *grounds) visit(step []Sample) {
	for i := range step {
		p := r2.Vec{X: step[i].X, Y: step[i].Y}
		if !(max(math.Abs(p.X), math.Abs(p.Y)) < 1e9) {
			continue // diverged
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

// bounds returns the box of the scene, enlarged on sides that people reached. Without a box, it returns one
// around people and obstacles, with a margin.
func (g *grounds) bounds() r2.Box {
	box := g.box
	if box == (r2.Box{}) {
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
