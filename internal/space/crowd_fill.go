package space

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
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

// fill takes what is known of agents from their rows. Each worker has a part of the places.
func (x *Crowd) fill(worker int) {
	var at [rowsAtOnce]rowAt
	n, workers := x.agents.Len(), len(x.builders)
	end := n * (worker + 1) / workers
	for lo := n * worker / workers; lo < end; lo += rowsAtOnce {
		rows := at[:min(rowsAtOnce, end-lo)]
		who := x.agents.who[lo:][:len(rows)]
		for k := range who {
			number := who[k].number
			who[k].number = 0
			r := &x.rows[x.owners[number/rowsAtOnce]]
			rows[k] = rowAt{r, number - r.number}
		}
		x.agents.fill(lo, rows)
	}
}

// fill takes what is known of the agents from a place on from their rows, column after
// column: many reads at a time wait for memory then.
func (a *Agents) fill(place int, rows []rowAt) {
	x, y := a.X[place:][:len(rows)], a.Y[place:][:len(rows)]
	for k, r := range rows {
		p := r.Position[r.i]
		x[k], y[k] = p.X, p.Y
	}
	x, y = a.VX[place:][:len(rows)], a.VY[place:][:len(rows)]
	for k, r := range rows {
		v := r2.Vec{}
		if r.Velocity != nil {
			v = r.Velocity[r.i].Vec
		}
		x[k], y[k] = v.X, v.Y
	}
	radius := a.Radius[place:][:len(rows)]
	for k, r := range rows {
		if radius[k] = 0; r.Radius != nil {
			radius[k] = r.Radius[r.i].Meters
		}
	}
	id := a.ID[place:][:len(rows)]
	for k, r := range rows {
		if r.Agent != nil {
			id[k] = r.Agent[r.i].ID
		} else {
			id[k] = c.IDOf(nil, a.who[place+k].entity)
		}
	}
	if a.WayX != nil {
		x, y = a.WayX[place:][:len(rows)], a.WayY[place:][:len(rows)]
		for k, r := range rows {
			way := r2.Vec{}
			if r.Prefer != nil {
				way = vec.Unit(r.Prefer[r.i].Vec)
			}
			x[k], y[k] = way.X, way.Y
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
