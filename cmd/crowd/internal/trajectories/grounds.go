package trajectories

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/walkable"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	mostGrounds = 100     // that are told apart in a file
	mostVisited = 1 << 16 // places where somebody was that are kept
	margin      = 1.      // m, of ground beyond who leaves the box
)

// grounds are the walkable areas of a run: a new one when an obstacle has changed, an older one
// when all are again as they were. Which part of a ground belongs to the area, and how far it
// reaches, is known when the run has ended: it depends on where people went.
type grounds struct {
	world   *world.World
	box     r2.Box // of the scene
	version uint64 // of the obstacles of the last ground
	last    int64  // its hash
	all     []ground
	shapes  int // in all of them

	people  r2.Box // around all
	visited map[[2]int32]bool
	places  []r2.Vec // one for each of visited
	cell    float64  // m
}

// ground is one state of all obstacles.
type ground struct {
	hash      int64
	obstacles []world.ObstacleShape // without open doors
}

func newGrounds(w *world.World, box r2.Box) *grounds {
	inf := math.Inf(1)
	return &grounds{
		world: w, box: box, visited: map[[2]int32]bool{},
		people: r2.Box{Min: r2.Vec{X: inf, Y: inf}, Max: r2.Vec{X: -inf, Y: -inf}},
		cell:   max(0.5, max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y)/256),
	}
}

// now returns the hash of the ground as it is now. When there are too many, it stays the last.
func (g *grounds) now() int64 {
	version := g.world.Obstacles.Version()
	if len(g.all) > 0 && (version == g.version || len(g.all) == mostGrounds || g.shapes > walkable.Most) {
		return g.last
	}
	var obstacles []world.ObstacleShape
	sum := fnv.New64a()
	g.world.EachObstacle(func(o world.ObstacleShape) {
		if o.Door != nil && o.Door.Open {
			return
		}
		o.Door = nil
		obstacles = append(obstacles, o)
		_ = binary.Write(sum, binary.LittleEndian, []float64{o.A.X, o.A.Y, o.B.X, o.B.Y, o.Radius, float64(len(o.Corners))})
		_ = binary.Write(sum, binary.LittleEndian, o.Corners)
	})
	g.version, g.last = version, int64(sum.Sum64())
	for i := range g.all {
		if g.all[i].hash == g.last {
			return g.last
		}
	}
	g.all = append(g.all, ground{g.last, obstacles})
	g.shapes += len(obstacles)
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
