package scene

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func (g *Group) followsField() bool { return (g.Way == Field || g.Way == Quickest) && g.Target != nil }

// drawsExit reports whether agents draw an exit by weight, and follow the field to it.
func (g *Group) drawsExit() bool { return g.followsField() && g.Target.weights() > 0 }

func (g *Group) fields() int {
	switch {
	case g.Count == 0 || !g.followsField():
		return 0
	case g.drawsExit():
		return len(g.Target.Exits)
	}
	return 1
}

// FlowFields returns the number of fields that groups follow. A group with agents, a Target, and the Way
// Field or Quickest follows one or, if its agents choose exits by weight, one per exit.
func (s *Scene) FlowFields() (n int) {
	for i := range s.Groups {
		n += s.Groups[i].fields()
	}
	return n
}

const mostCells, mostGivenCells = 250_000, 5_000_000

// renewedEvery is the time between updates of the fields of quickest paths, in s.
const renewedEvery = 2

func (s *crowd) flowFields(w *world.World) error {
	for i := range s.Groups {
		g := &s.Groups[i]
		if g.Count == 0 || !g.followsField() {
			continue
		}
		radius := s.fieldRadius(i)
		field := sense.FlowField{Radius: radius, Cell: g.fieldCell(radius), Most: g.mostCells()}
		if g.Way == Quickest {
			field.Every = renewedEvery
		}
		for k, goals := range g.goals(s, w) {
			field.Goals = goals
			index, err := w.AddFlowField(field)
			if err != nil {
				return fmt.Errorf("groups[%d]: %w", i, err)
			}
			if k == 0 {
				s.fields[i] = index
			}
		}
	}
	return nil
}

func (s *crowd) fieldOf(group int, id, visit uint64) uint32 {
	g := &s.Groups[group]
	if !g.drawsExit() {
		return s.fields[group]
	}
	return s.fields[group] + uint32(g.Target.exit(s.Seed, id, visit))
}

// fieldRadius returns the largest body radius of a group, in m, rounded up.
func (s *crowd) fieldRadius(group int) float64 {
	const step = 0.01 // m; radii are rounded, so fields of similar groups share data about obstacles
	return step * math.Ceil(s.Groups[group].greatestRadius(s.Seed, s.FirstIDs()[group])/step)
}

// fieldCell returns the cell width of a group's field, in m. By default, it is half the radius, because the
// flow through a door depends on the door's place in wider cells. In fields of quickest paths, it is the
// radius, because these fields also hold the speed of people in each cell.
func (g *Group) fieldCell(radius float64) float64 {
	switch {
	case g.FieldCell > 0:
		return g.FieldCell
	case g.Way == Quickest:
		return radius
	}
	return radius / 2
}

func (g *Group) mostCells() int {
	if g.FieldCell > 0 {
		return mostGivenCells
	}
	return mostCells
}

func (s *Scene) cells(g *Group) int {
	size, cell := r2.Sub(s.Box.Max, s.Box.Min), g.fieldCell(g.greatestRadius(s.Seed, 1))
	if n := size.X * size.Y / (cell * cell); n < float64(g.mostCells()) {
		return int(n)
	}
	return g.mostCells()
}

func (g *Group) greatestRadius(seed, first uint64) (radius float64) {
	if g.Radius.Zero() {
		return 0
	}
	for i := range g.Count {
		radius = max(radius, g.Radius.of(seed, first+uint64(i), useRadius, i))
	}
	return radius
}

// goals returns the goals of each field. The goal for a disc is the largest square in the disc.
func (g *Group) goals(s *crowd, w *world.World) (fields [][]r2.Box) {
	p := g.Target
	switch {
	case len(p.Exits) > 0:
		var all []r2.Box
		for _, e := range p.Exits {
			all = append(all, e.Box)
		}
		if !g.drawsExit() {
			return [][]r2.Box{all}
		}
		for i := range all {
			fields = append(fields, all[i:i+1])
		}
		return fields
	case p.drawn() && p.Disc != nil:
		r := r2.Vec{X: p.Disc.Radius / math.Sqrt2, Y: p.Disc.Radius / math.Sqrt2}
		return [][]r2.Box{{{Min: r2.Sub(p.Disc.Center, r), Max: r2.Add(p.Disc.Center, r)}}}
	case p.drawn() && p.Box != (r2.Box{}):
		return [][]r2.Box{{p.Box}}
	case p.drawn():
		return [][]r2.Box{{s.Box}}
	}
	var all []r2.Box
	seen := map[r2.Vec]bool{}
	for i := range g.Count {
		if at := s.place(w, p, i, g.Count, 0, 0, useTarget); !seen[at] {
			seen[at] = true
			all = append(all, r2.Box{Min: at, Max: at})
		}
	}
	return [][]r2.Box{all}
}
