package world

import (
	"encoding/binary"
	"math"
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// reference is a field of a component that names a row of a table, or a time of the clock:
// what is another one in another world. Entities are found by their type.
type reference struct {
	component any
	field     string
	table     func(*tables) int // how many rows it has
	fromOne   bool              // 0 is none
}

// references are all of them.
func references() []reference {
	paths := func(t *tables) int { return len(t.paths) }
	itineraries := func(t *tables) int { return len(t.itineraries) }
	polygons := func(t *tables) int { return len(t.polygons) }
	fields := func(t *tables) int { return len(t.fields) }
	ways := func(t *tables) int { return t.ways.Len() }
	return []reference{
		{c.Path{}, "Index", paths, false}, {c.Itinerary{}, "Index", itineraries, false}, {c.FlowField{}, "Index", fields, false},
		{c.Obstacle{}, "Polygon", polygons, true}, {c.Route{}, "Way", ways, true},
	}
}

// times are the fields of components that are times of the clock, in s: those called Since, and this one. Those of
// doors are others: see shiftDoors.
func times() []reference {
	all := []reference{{component: c.FreeSpeed{}, field: "Start"}}
	for _, component := range systems.Components() {
		all = append(all, reference{component: component, field: "Since"})
	}
	return all
}

// rewrite makes all that was read fit a world with tables of its own, whose clock is some
// seconds ahead: the references in components, and the entities.
func (p *people) rewrite(now *tables, ahead float64, entity func(ecs.Entity) ecs.Entity) {
	for _, r := range references() {
		by := r.table(now)
		p.each(r, func(field []byte) {
			if index := here.Uint32(field); index > 0 || !r.fromOne {
				here.PutUint32(field, shifted(index, by))
			}
		})
	}
	for _, r := range times() {
		p.each(r, func(field []byte) { putFloat(field, floatOf(field)+ahead) })
	}
	p.shiftDoors(ahead)
	one := archive.NewEntities(1)
	for n, t := range p.types {
		for _, leaf := range column.Leaves(t.host) {
			if leaf.Kind == reflect.Struct {
				p.eachOf(n, leaf, func(field []byte) {
					e := entity(one.Set(0, here.Uint32(field), here.Uint32(field[4:])))
					here.PutUint32(field, e.ID())
					here.PutUint32(field[4:], e.Generation())
				})
			}
		}
	}
}

// shiftDoors makes the times of doors those of a clock that is some seconds ahead. Times are 0 or more: of one that
// comes again, and would be earlier, the first that is not.
func (p *people) shiftDoors(ahead float64) {
	var periods []float64
	p.each(reference{component: c.Door{}, field: "Period"}, func(field []byte) { periods = append(periods, floatOf(field)) })
	for _, name := range []string{"Opens", "Closes"} {
		door := 0
		p.each(reference{component: c.Door{}, field: name}, func(field []byte) {
			at, period := floatOf(field)+ahead, periods[door]
			if at < 0 && period > 0 {
				at += float64(math.Ceil(-at/period) * period)
			}
			putFloat(field, at)
			door++
		})
	}
}

var here = binary.NativeEndian

func floatOf(field []byte) float64 { return math.Float64frombits(here.Uint64(field)) }

func putFloat(field []byte, x float64) { here.PutUint64(field, math.Float64bits(x)) }

// each visits a field of a component of ours in all rows that were read.
func (p *people) each(r reference, visit func(field []byte)) {
	t := reflect.TypeOf(r.component)
	if n := p.component(t); n >= 0 {
		for _, leaf := range column.Leaves(t) {
			if leaf.Path == r.field {
				p.eachOf(n, leaf, visit)
			}
		}
	}
}

// eachOf visits a leaf of a component in all rows.
func (p *people) eachOf(component int, leaf column.Leaf, visit func(field []byte)) {
	for run := range p.runs {
		rows, ok := p.column(component, run)
		if !ok {
			continue
		}
		memory, size := column.Memory(rows), int(rows.Type().Elem().Size())
		for i := range rows.Len() {
			visit(memory[i*size+int(leaf.Offset):])
		}
	}
}
