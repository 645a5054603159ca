package scene

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

func placeKeys(p *Place) []key {
	return []key{
		bind("points", &p.Points, points, "m, agent i has point i; where agents outnumber them they are used again"),
		maybe("ring", &p.Ring, tableOf(func(r *Ring) []key {
			return []key{
				may("center", &r.Center, vector, r2.Vec{}, "m"),
				must("radius", &r.Radius, length, "m"),
				may("turn", &r.Turn, coordinate, 0, "rad, by which all are moved along the circle"),
			}
		}), "at equal distances on a circle"),
		maybe("grid", &p.Grid, tableOf(func(g *Grid) []key {
			return []key{
				may("center", &g.Center, vector, r2.Vec{}, "m"),
				may("columns", &g.Columns, integer[int](0, math.MaxInt32), 0, "places side by side; 0: as many as make the grid a square"),
				must("pitch", &g.Pitch, length, "m, from one place to the next"),
			}
		}), "in rows and columns, the lowest row first"),
		bind("rows", &p.Rows, area, "m, in rows and columns that fill a box evenly, the lowest row first"),
		maybe("disc", &p.Disc, tableOf(func(d *Disc) []key {
			return []key{
				may("center", &d.Center, vector, r2.Vec{}, "m"),
				must("radius", &d.Radius, length, "m"),
			}
		}), "at random in a disc"),
		bind("rectangle", &p.Box, area, "m, at random in a box; with no other place, in the box of the scene"),
		bind("exits", &p.Exits, listOf(1, maxExits, tableOf(exitKeys), "a list of up to 100 exits, each {box = [[x0, y0], [x1, y1]], weight = w}"), "boxes of which each agent draws one"),
		may("nearest", &p.Nearest, boolean, false, "with exits: a field leads to the nearest of them, in place of the one that is drawn"),
		may("clear", &p.Clear, length, 0, "m, from the surface of every obstacle, where places are drawn at random"),
		may("jitter", &p.Jitter, length, 0, "m, each of points, ring, grid and rows is moved by up to this along both axes"),
	}
}

// maxExits bounds the exits of a group: each may have a field of its own.
const maxExits = 100

func exitKeys(e *Exit) []key {
	return []key{
		must("box", &e.Box, area, "m"),
		may("weight", &e.Weight, notNegative, 1, "the chance with which it is drawn, in proportion to those of the others"),
	}
}

// place is a table, or one point.
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
		if p.Nearest && len(p.Exits) == 0 {
			r.fault(n.offset, "%s.nearest is true without exits, want exits, of which one is the nearest", r.at())
		}
		if weight := 0.; len(p.Exits) > 0 {
			for _, e := range p.Exits {
				weight += e.Weight
			}
			if weight == 0 {
				r.fault(n.offset, "%s.exits have no weight, want one above 0 at least", r.at())
			}
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

// aim is what a target can be: a place, the pointer, or the agents of a group.
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
	if name == PointerName {
		return aim{pointer: true}
	}
	return aim{group: name}
}

func (a aim) name() string { return either(a.pointer, PointerName, a.group) }

// targetKey is the key target, which is about three fields.
func (g *Group) targetKey() key {
	var a aim
	k := bind("target", &a, aims, "where their targets are: a place, or \"pointer\", or the name of the group that they follow")
	set := func() { g.Target, g.TargetPointer, g.TargetGroup = a.place, a.pointer, a.group }
	get := func() { a = g.target() }
	k.read = func(r *reader, n *node) { a = aims.read(r, n); set() }
	k.reset = func() { a = aim{}; set() }
	k.isReset = func() bool { get(); return a == aim{} }
	k.write = func(w *writer) { get(); aims.write(w, a) }
	return k
}

// target returns what the target of the group is.
func (g *Group) target() aim { return aim{g.Target, g.TargetPointer, g.TargetGroup} }
