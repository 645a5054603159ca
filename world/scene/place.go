package scene

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Place describes the places of a group's agents or targets. At most one of Points, Ring, Grid, Rows,
// Disc, Box and Exits is set. If none is set, places are random in the box of the scene.
type Place struct {
	Points []r2.Vec // m; agent i has Points[i mod len]
	Ring   *Ring    // evenly spaced on a circle
	Grid   *Grid    // in rows and columns
	Rows   r2.Box   // m; a box filled evenly in rows and columns, lowest row first
	Disc   *Disc    // random in a disc, clear of obstacles
	Box    r2.Box   // m; random in a box, clear of obstacles
	Exits  []Exit   // random, clear of obstacles, in a box that each agent draws by weight
	Clear  float64  // m, minimum distance of random places from obstacles, if 256 attempts find such a place
	Jitter float64  // m, maximum random displacement along each axis, of Points, Ring, Grid and Rows
}

// Ring is a circle of evenly spaced places, in counterclockwise order.
type Ring struct {
	Center r2.Vec  // m
	Radius float64 // m
	Turn   float64 // rad, direction of the first place from the center
}

// Grid is a square lattice of places, row by row, lowest row first.
type Grid struct {
	Center  r2.Vec  // m
	Columns int     // 0 means the square root of the number of places, rounded up
	Pitch   float64 // m, spacing
}

// Disc is a round area.
type Disc struct {
	Center r2.Vec  // m
	Radius float64 // m
}

// Exit is one of several boxes in which a group has its places. If no exit has a weight, agents that
// follow a field go to the nearest exit or, with Quickest, to the exit that they reach soonest.
type Exit struct {
	r2.Box         // m
	Weight float64 // relative probability; 0 for all exits means equal probabilities
}

func (p *Place) weights() (sum float64) {
	for i := range p.Exits {
		sum += p.Exits[i].Weight
	}
	return sum
}

// exit returns the index of the exit that an agent draws, or 0 without exits.
func (p *Place) exit(seed, id, visit uint64) int {
	sum, draw := p.weights(), frame.HashFloat(seed, id, visit, 4*useExit)
	if sum == 0 {
		return int(draw * float64(len(p.Exits)))
	}
	at, last := float64(sum*draw), 0
	for i := range p.Exits {
		if w := p.Exits[i].Weight; w > 0 {
			if last = i; at < w {
				break
			}
			at -= w
		}
	}
	return last
}

// maxDraws is the maximum number of draws for a random place.
const maxDraws = 256

// drawsAtOnce is the number of draws between checks for cancellation.
const drawsAtOnce = 16

// Each use has its own random numbers.
const (
	useStart = iota
	useTarget
	useDirection
	usePillar
	useCircle
	useCircleRadius
	useRadius
	useMass
	useMaxSpeed
	useMaxForce
	useGoalRadius
	useDelay
	useExit
	useEvery
)

// at returns the place of the i-th of n agents. Random numbers are hashes of seed, ID, visit and use. Once
// the function over returns true, a random place need not be clear of obstacles.
func (p *Place) at(s *Scene, o *sense.Obstacles, over func() bool, i, n int, id, visit, use uint64) r2.Vec {
	if p.drawn() {
		return p.draw(s, o, over, id, visit, use)
	}
	var at r2.Vec
	switch {
	case len(p.Points) > 0:
		at = p.Points[i%len(p.Points)]
	case p.Ring != nil:
		sin, cos := vec.SinCos(2*math.Pi*float64(i)/float64(n) + p.Ring.Turn)
		at = vec.AddScaled(p.Ring.Center, p.Ring.Radius, r2.Vec{X: cos, Y: sin})
	case p.Grid != nil:
		at = p.Grid.at(i, n)
	default:
		at = rowsAt(p.Rows, i, n)
	}
	if p.Jitter > 0 {
		at.X += float64(p.Jitter * (float64(2*frame.HashFloat(s.Seed, id, visit, 4*use+2)) - 1))
		at.Y += float64(p.Jitter * (float64(2*frame.HashFloat(s.Seed, id, visit, 4*use+3)) - 1))
	}
	return at
}

func (p *Place) drawn() bool {
	return len(p.Points) == 0 && p.Ring == nil && p.Grid == nil && p.Rows == r2.Box{}
}

func (p *Place) draw(s *Scene, o *sense.Obstacles, over func() bool, id, visit, use uint64) r2.Vec {
	box := p.Box
	switch {
	case len(p.Exits) > 0:
		box = p.Exits[p.exit(s.Seed, id, visit)].Box
	case box == (r2.Box{}):
		box = s.Box
	}
	size := vec.Sub(box.Max, box.Min)
	var at r2.Vec
	for draw := range uint64(maxDraws) {
		u := frame.HashFloat(s.Seed, id, visit*maxDraws+draw, 4*use)
		v := frame.HashFloat(s.Seed, id, visit*maxDraws+draw, 4*use+1)
		if d := p.Disc; d != nil {
			sin, cos := vec.SinCos(2 * math.Pi * v)
			at = vec.AddScaled(d.Center, d.Radius*math.Sqrt(u), r2.Vec{X: cos, Y: sin})
		} else {
			at = r2.Vec{X: box.Min.X + float64(size.X*u), Y: box.Min.Y + float64(size.Y*v)}
		}
		if _, near := o.Nearest(at, p.Clear); !near || draw%drawsAtOnce == drawsAtOnce-1 && over() {
			break
		}
	}
	return at
}

func (g *Grid) at(i, n int) r2.Vec {
	columns := g.Columns
	if columns == 0 {
		columns = int(math.Ceil(math.Sqrt(float64(n))))
	}
	rows := (n + columns - 1) / columns
	return vec.AddScaled(g.Center, g.Pitch, r2.Vec{
		X: float64(i%columns) - float64(float64(columns-1)/2),
		Y: float64(i/columns) - float64(float64(rows-1)/2),
	})
}

func rowsAt(box r2.Box, i, n int) r2.Vec {
	size, columns := vec.Sub(box.Max, box.Min), 1
	if x := math.Ceil(math.Sqrt(float64(n) * size.X / size.Y)); x > 1 {
		columns = int(min(x, float64(n)))
	}
	rows := (n + columns - 1) / columns
	return r2.Vec{
		X: box.Min.X + float64(size.X*(float64(i%columns)+0.5))/float64(columns),
		Y: box.Min.Y + float64(size.Y*(float64(i/columns)+0.5))/float64(rows),
	}
}

func placeKeys(p *Place) []key {
	return []key{
		bind("points", &p.Points, points, "m, agent i has point i; the list repeats for further agents"),
		maybe("ring", &p.Ring, tableOf(func(r *Ring) []key {
			return []key{
				may("center", &r.Center, vector, r2.Vec{}, "m"),
				must("radius", &r.Radius, length, "m"),
				may("turn", &r.Turn, coordinate, 0, "rad, shift of all places along the circle"),
			}
		}), "at equal distances on a circle"),
		maybe("grid", &p.Grid, tableOf(func(g *Grid) []key {
			return []key{
				may("center", &g.Center, vector, r2.Vec{}, "m"),
				may("columns", &g.Columns, integer[int](0, math.MaxInt32), 0, "number of places per row; 0 means as many as make the grid a square"),
				must("pitch", &g.Pitch, length, "m, distance between neighboring places"),
			}
		}), "in rows and columns, the lowest row first"),
		bind("rows", &p.Rows, area, "m, in rows and columns that fill a box evenly, the lowest row first"),
		maybe("disc", &p.Disc, tableOf(func(d *Disc) []key {
			return []key{
				may("center", &d.Center, vector, r2.Vec{}, "m"),
				must("radius", &d.Radius, length, "m"),
			}
		}), "at random in a disc"),
		bind("rectangle", &p.Box, area, "m, at random in a box, by default the box of the scene"),
		bind("exits", &p.Exits, listOf(1, maxExits, tableOf(exitKeys), "a list of 1 to 100 exits, each {box = [[x0, y0], [x1, y1]], weight = w}"), "boxes: each agent draws one or, if they have no weights and way is field or quickest, goes to the best one"),
		may("clear", &p.Clear, length, 0, "m, minimum distance of random places from every obstacle"),
		may("jitter", &p.Jitter, length, 0, "m, maximum random displacement along each axis, for points, ring, grid and rows"),
	}
}

// maxExits limits the number of exits, because each may have its own field.
const maxExits = 100

func exitKeys(e *Exit) []key {
	return []key{
		must("box", &e.Box, area, "m"),
		may("weight", &e.Weight, notNegative, 0, "relative probability that an agent draws the exit"),
	}
}

var place = codec[Place]{
	read: func(r *reader, n *node) Place {
		if n.kind == isList {
			return Place{Points: []r2.Vec{vector.read(r, n)}}
		}
		p := tableOf(placeKeys).read(r, n)
		kinds := 0
		for _, has := range []bool{len(p.Points) > 0, p.Ring != nil, p.Grid != nil, p.Rows != r2.Box{}, p.Disc != nil, p.Box != r2.Box{}, len(p.Exits) > 0} {
			if has {
				kinds++
			}
		}
		if kinds > 1 {
			r.fault(n.offset, "%s has %d kinds of places, want at most one of points, ring, grid, rows, disc, rectangle, exits", r.at(), kinds)
		}
		return p
	},
	write: func(w *writer, p Place) {
		if len(p.Points) == 1 && written(places, p) == written(places, Place{Points: p.Points}) {
			vector.write(w, p.Points[0])
			return
		}
		places.write(w, p)
	},
	schema: func() schema { return schema{"$ref": "#/$defs/place"} },
	keys:   places.keys,
}

var places = tableOf(placeKeys)

func placeSchema() schema { return anyOf(vector.schema(), tableSchema(places.keys())) }

type aim struct {
	place   *Place
	pointer bool
	group   string
}

var aims = codec[aim]{
	read: func(r *reader, n *node) aim {
		if n.kind == isText {
			return named(n.text)
		}
		p := place.read(r, n)
		return aim{place: &p}
	},
	write: func(w *writer, a aim) {
		if a.place != nil {
			place.write(w, *a.place)
			return
		}
		w.WriteString(quote(a.name()))
	},
	schema: func() schema { return anyOf(text.schema(), place.schema()) },
	keys:   places.keys,
}

func named(name string) aim {
	if name == pointerName {
		return aim{pointer: true}
	}
	return aim{group: name}
}

func (a aim) name() string { return either(a.pointer, pointerName, a.group) }

func (g *Group) targetKey() key {
	var a aim
	k := bind("target", &a, aims, "targets of the agents: a place, \"pointer\", or the name of the group that they follow")
	set := func() { g.Target, g.TargetPointer, g.TargetGroup = a.place, a.pointer, a.group }
	get := func() { a = g.target() }
	k.read = func(r *reader, n *node) { a = aims.read(r, n); set() }
	k.reset = func() { a = aim{}; set() }
	k.isReset = func() bool { get(); return a == aim{} }
	k.write = func(w *writer) { get(); aims.write(w, a) }
	return k
}

func (g *Group) target() aim { return aim{g.Target, g.TargetPointer, g.TargetGroup} }

// inDegrees returns the codec of an angle, in degrees in a file and in radians in memory.
func inDegrees(number codec[float64]) codec[float64] {
	c := number
	c.read = func(r *reader, n *node) float64 {
		before := r.count()
		x := number.read(r, n)
		if r.count() > before {
			return x
		}
		if exact, err := vec.ParseDegrees(n.text); err == nil {
			return exact
		}
		return vec.Radians(x) // not a decimal number
	}
	c.write = func(w *writer, x float64) {
		if math.IsInf(x, 0) {
			number.write(w, x)
			return
		}
		w.WriteString(vec.DegreesText(x))
	}
	c.binding = func(at *float64) *binding {
		d := number.binding(at)
		d.get = func() float64 { return vec.Degrees(*at) }
		d.set = func(x float64) { *at = vec.Radians(x) }
		return d
	}
	return c
}
