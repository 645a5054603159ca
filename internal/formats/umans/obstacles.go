package umans

import (
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// obstacles reads a block of outlines. Its Offset, wherever it stands in the
// block, is where the origin of the agents lies for these points: it is taken
// off them, as UMANS does.
func (r *reader) obstacles(t textio.Tag) error {
	first := len(r.sim.Obstacles)
	var offset r2.Vec
	moved := false
	err := r.Element(t, r.noFile(t), func(c textio.Tag) (err error) {
		switch {
		case c.Name == "Obstacle":
			err = r.obstacle(c)
		case moved:
			err = textio.ErrSecond
		default:
			moved = true
			offset, err = r.point(c)
		}
		return err
	})
	for _, outline := range r.sim.Obstacles[first:] {
		for i, p := range outline {
			outline[i] = r2.Sub(p, offset)
		}
	}
	return err
}

// obstacle reads one outline, and merges points that coincide. A wall may be
// thin: two points stay, and so do any that lie on a line.
func (r *reader) obstacle(t textio.Tag) error {
	var points []r2.Vec
	err := r.Element(t, nil, func(c textio.Tag) error {
		p, err := r.point(c)
		points = append(points, p)
		return err
	})
	if err != nil {
		return err
	}
	outline := textio.Outline(points)
	if len(outline) < 2 {
		return r.Odd(t.Line, "at least 2 that differ", "<Obstacle> with too few points")
	}
	solid, err := r.Solid(t, outline)
	if solid {
		r.sim.Obstacles = append(r.sim.Obstacles, outline)
	}
	return err
}
