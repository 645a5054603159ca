package space

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
)

// number numbers the rows, so that their numbers tell where they are.
func (x *Crowd) number() {
	x.owners = x.owners[:0]
	for i := range x.rows {
		r := &x.rows[i]
		r.number = uint32(len(x.owners) * rowsAtOnce)
		for range (len(r.Position) + rowsAtOnce - 1) / rowsAtOnce {
			x.owners = append(x.owners, uint32(i))
		}
	}
}

// rowAt is where the row of an agent is.
type rowAt struct {
	*Rows
	i uint32
}

// fill deals out what is known of agents to columns. Each worker has a part of the places.
func (x *Crowd) fill(worker int) {
	n, workers := x.agents.Len(), len(x.builders)
	lo, hi := n*worker/workers, n*(worker+1)/workers
	x.agents.deal(lo, hi)
	switch {
	case x.even:
		radius := x.agents.Radius[lo:hi]
		for i := range radius {
			radius[i] = x.builders[0].largest
		}
	case !x.Ways:
		x.agents.dealRadii(lo, hi)
	}
	if x.agents.rows == nil {
		return
	}
	var at [rowsAtOnce]rowAt
	for ; lo < hi; lo += rowsAtOnce {
		rows := at[:min(rowsAtOnce, hi-lo)]
		for k := range rows {
			number := x.agents.rows[lo+k]
			r := &x.rows[x.owners[number/rowsAtOnce]]
			rows[k] = rowAt{r, number - r.number}
		}
		x.agents.fill(lo, rows, !x.even && x.Ways && x.bodies)
	}
}

// deal sets the columns of the agents from one place to another.
func (a *Agents) deal(lo, hi int) {
	records := a.records[lo:hi]
	x, y, vx, vy := a.X[lo:][:len(records)], a.Y[lo:][:len(records)], a.VX[lo:][:len(records)], a.VY[lo:][:len(records)]
	id, entity := a.ID[lo:][:len(records)], a.entities[lo:][:len(records)]
	for i := range records {
		r := &records[i]
		x[i], y[i], vx[i], vy[i] = r.position.X, r.position.Y, r.velocity.X, r.velocity.Y
		id[i], entity[i] = r.id, r.entity
	}
	if a.WayX != nil {
		wayX, wayY := a.WayX[lo:][:len(records)], a.WayY[lo:][:len(records)]
		for i := range records {
			way := vec.Unit(records[i].more)
			wayX[i], wayY[i] = way.X, way.Y
		}
	}
}

// dealRadii sets the radii of agents that have no ways.
func (a *Agents) dealRadii(lo, hi int) {
	records, radius := a.records[lo:hi], a.Radius[lo:hi]
	for i := range records {
		radius[i] = records[i].more.X
	}
}

// fill takes what few agents have from the rows of those from a place on, column after
// column: many reads at a time wait for memory then.
func (a *Agents) fill(place int, rows []rowAt, radii bool) {
	if radii {
		radius := a.Radius[place:][:len(rows)]
		for k, r := range rows {
			if radius[k] = 0; r.Radius != nil {
				radius[k] = r.Radius[r.i].Meters
			}
		}
	}
	if a.Image != nil {
		image := a.Image[place:][:len(rows)]
		for k, r := range rows {
			image[k] = r.Images
		}
	}
	if a.On == nil {
		return
	}
	on, sees := a.On[place:][:len(rows)], a.Sees[place:][:len(rows)]
	for k, r := range rows {
		layers := c.Layers{On: 1, Sees: math.MaxUint32}
		if r.Layers != nil {
			layers = r.Layers[r.i]
		}
		on[k], sees[k] = layers.On, layers.Sees
	}
}
