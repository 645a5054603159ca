package trajectories

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	mostGrounds = 100     // that are told apart in a file
	mostVisited = 1 << 16 // places where somebody was that are kept
	margin      = 1.      // m, of ground beyond who leaves the box
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
	g.world.EachObstacle(func(o world.ObstacleShape) {
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
