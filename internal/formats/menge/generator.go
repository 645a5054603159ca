package menge

import (
	"math"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// generator reads where agents of a group are placed.
func (r *reader) generator(g *group, t textio.Tag, kind string) error {
	moved := draw{}
	if _, has := t.Attr("displace_dist"); has {
		var err error
		if moved, err = r.distribution(t, "displace_", anyNumber); err != nil {
			return err
		}
	}
	add := func(at r2.Vec) error {
		if r.agents++; r.agents > r.MaxAgents {
			return r.Fail(t.Line, "too many agents: want at most %d", r.MaxAgents)
		}
		g.starts = append(g.starts, start{at, moved})
		return nil
	}
	var err error
	switch kind {
	case "rect_grid":
		err = r.grid(t, add)
	case "hex_lattice":
		err = r.lattice(t, add)
	}
	if err != nil {
		return err
	}
	return r.Element(t, ignore, func(c textio.Tag) error {
		p, err := r.point(c, "p_x", "p_y")
		if err == nil {
			err = r.Element(c, ignore, nil)
		}
		switch {
		case err != nil:
			return err
		case kind != "explicit":
			return r.Odd(c.Line, `it in type="explicit"`, "<Agent> in <Generator type=%q>", kind)
		}
		return add(p)
	})
}

// turned reads the rotation of a generator, and returns how its places get into the plane.
func (r *reader) turned(t textio.Tag) (anchor r2.Vec, turn func(r2.Vec) r2.Vec, err error) {
	degrees := 0.
	if anchor, err = r.point(t, "anchor_x", "anchor_y"); err == nil {
		err = r.number(&degrees, t, "rotation", anyNumber)
	}
	sin, cos := vec.SinCos(math.Mod(degrees, 360) * (math.Pi / 180))
	return anchor, func(p r2.Vec) r2.Vec { return vec.Rotate(p, cos, sin) }, err
}

// grid places agents in rows and columns.
func (r *reader) grid(t textio.Tag, add func(r2.Vec) error) error {
	anchor, turn, err := r.turned(t)
	if err != nil {
		return err
	}
	offset, err := r.point(t, "offset_x", "offset_y")
	var columns, rows float64
	if err = first(err, r.needed(&columns, t, "count_x", wholeNumber), r.needed(&rows, t, "count_y", wholeNumber)); err != nil {
		return err
	}
	if columns == 0 {
		return nil
	}
	for y := 0.; y < rows; y++ {
		for x := 0.; x < columns; x++ {
			if err := add(r2.Add(anchor, turn(r2.Vec{X: x * offset.X, Y: y * offset.Y}))); err != nil {
				return err
			}
		}
	}
	return nil
}

// lattice places agents in a hexagonal lattice of a density, in as many rows of a width as it
// takes. Rows along x have one place less every other time; those along y are all as long.
func (r *reader) lattice(t textio.Tag, add func(r2.Vec) error) error {
	anchor, turn, err := r.turned(t)
	if err != nil {
		return err
	}
	align, err1 := r.oneOf(t, "alignment", "center", "left", "right")
	along, err2 := r.oneOf(t, "row_direction", "x", "y")
	var density, width, population float64
	if err := first(err1, err2, r.needed(&density, t, "density", aboveZero), r.needed(&width, t, "width", notNegative),
		r.needed(&population, t, "population", wholeNumber)); err != nil {
		return err
	}
	radius := 1 / math.Sqrt(2*density*math.Sqrt(3))
	apart, rank := 2*radius, radius*math.Sqrt(3) // m, between places in a row, and between rows
	if !(math.Abs(anchor.X)+math.Abs(anchor.Y)+width < 1e12) || width/rank > 1e9 {
		return r.Fail(t.Line, "<Generator> width=%v at density=%v: want a width for at most 1000000000 places", width, density)
	}
	var all []r2.Vec
	wide := 0. // m, of what is filled
	if along == "x" {
		full := max(1, math.Floor(width/apart))
		band := 2*full - 1 // places in a long row and a short one
		total := band * (math.Floor(population/band) + 1)
		if total-(full-1) > population {
			total -= full - 1
		}
		wide = (full - 1) * apart
		for i := 0.; i < total && len(all) <= r.MaxAgents; i++ {
			b, k := math.Floor(i/band), math.Mod(i, band)
			at := r2.Vec{X: k * apart, Y: 2 * b * rank}
			if k >= full {
				at = r2.Vec{X: radius + (k-full)*apart, Y: at.Y + rank}
			}
			all = append(all, at)
		}
	} else {
		columns := max(1, math.Floor(width/rank))
		each := math.Floor(population/columns) + 1
		wide = (columns - 1) * rank
		for i := 0.; i < columns*each && len(all) <= r.MaxAgents; i++ {
			column, k := math.Floor(i/each), math.Mod(i, each)
			at := r2.Vec{X: column * rank, Y: k * apart}
			if math.Mod(column, 2) == 1 {
				at.Y += radius
			}
			all = append(all, at)
		}
	}
	left := map[string]float64{"left": 0, "center": wide / 2, "right": wide}[align]
	for _, at := range all {
		at.X -= left
		if err := add(r2.Add(anchor, turn(at))); err != nil {
			return err
		}
	}
	return nil
}
