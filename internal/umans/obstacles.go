package umans

import "gonum.org/v1/gonum/spatial/r2"

// obstacles reads a block of outlines. Its Offset, wherever it stands in the
// block, is where the origin of the agents lies for these points: it is taken
// off them, as UMANS does.
func (r *reader) obstacles(t tag) error {
	first := len(r.sim.Obstacles)
	var offset r2.Vec
	moved := false
	err := r.element(t, r.noFile(t), func(c tag) (err error) {
		switch {
		case c.name == "Obstacle":
			err = r.obstacle(c)
		case moved:
			err = errSecond
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

// obstacle reads one outline, and merges points that coincide with the one
// before; the last point counts as before the first. A wall may be thin: two
// points stay, and so do any that lie on a line.
func (r *reader) obstacle(t tag) error {
	var outline []r2.Vec
	err := r.element(t, nil, func(c tag) error {
		p, err := r.point(c)
		if n := len(outline); n == 0 || outline[n-1] != p {
			outline = append(outline, p)
		}
		return err
	})
	if err != nil {
		return err
	}
	for n := len(outline); n > 1 && outline[n-1] == outline[0]; n-- {
		outline = outline[:n-1]
	}
	if len(outline) < 2 {
		return r.odd(t.line, "at least 2 that differ", "<Obstacle> with too few points")
	}
	r.sim.Obstacles = append(r.sim.Obstacles, outline)
	return nil
}
