package scene

import c "github.com/8f878440/crowd/components"

// Memory returns about how many bytes Build and the steps of its world need: a
// little more than they take, rather than less. It is for scenes that Build takes;
// for others it is no more than a number.
func (s *Scene) Memory(o Options) uint64 {
	config := s.config(&o)
	memory := config.NewMemory()
	crowd, orca := &crowd{Scene: s}, false
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Count > 0 {
			memory.Agents(g.Count, g.components(crowd))
			orca = orca || has[c.ORCA](g)
			if g.followsField() {
				fields := 1
				if g.Way == Quickest { // the next one, and how slow the cells are
					fields = 3
				}
				memory.Field(fields * s.cells(g))
			}
		}
	}
	single, polygons, corners := s.Obstacles.count()
	memory.Obstacles(single, polygons, corners)
	memory.Edges(single+corners, orca, s.FlowFields() > 0)
	return memory.Bytes()
}

// count returns how many obstacles there are: circles and walls, and polygons with
// their corners.
func (o *Obstacles) count() (single, polygons, corners int) {
	single = len(o.Circles) + len(o.Walls)
	if p := o.Pillars; p != nil && p.Columns > 0 && p.Rows > 0 && p.Columns <= maxObstacles/p.Rows {
		single += p.Columns * p.Rows
	}
	for i := range o.Random {
		single += min(max(o.Random[i].Count, 0), maxRandom)
	}
	for _, ring := range o.Polygons {
		corners += len(ring)
	}
	return single, len(o.Polygons) + len(o.Boxes), corners + 4*len(o.Boxes)
}
