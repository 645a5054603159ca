package view

import (
	"math"

	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// crowding is the scale of the colors that tell how close agents are to others.
type crowding struct {
	Radius float64 `json:"radius"` // m, around an agent, in which others are counted
	Top    float64 `json:"top"`    // agents a square meter
}

// crowdingOf returns a scale that suits agents. Bodies count within eight times
// their mean radius, up to half as many as there is room for; where agents are
// points, about ten are within the radius on average, and four times as many are
// the top. For people that comes to 2 m and 2.3 a square meter, beyond which
// Fruin says that people cannot but touch.
func crowdingOf(all *census, box r2.Box) crowding {
	if mean := all.radii / float64(all.bodies); all.bodies > 0 && mean <= math.MaxFloat64 {
		return crowding{8 * mean, twoDigits(1 / (4 * math.Sqrt(3) * mean * mean))}
	}
	agents := float64(max(all.agents, 1))
	area := box.Size().X * box.Size().Y
	if !(area > 0 && area <= math.MaxFloat64) {
		area = agents
	}
	return crowding{math.Sqrt(10 * area / (math.Pi * agents)), twoDigits(4 * agents / area)}
}

// twoDigits rounds to two digits that count.
func twoDigits(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

// around counts those near one agent.
type around struct {
	scale crowding
	id    uint64
	at    r2.Vec
	body  float64 // m, radius
	near  int
	depth float64 // of the deepest overlap, as a share of the smaller body's radius
}

// look looks at all others.
func (a *around) look(n *sense.Neighbors, visit func(sense.Neighbor) bool) {
	a.near, a.depth = 0, 0
	n.Within(a.at, a.scale.Radius, ecs.Entity{}, visit)
}

// meet counts another one, until they are too many to tell apart.
func (a *around) meet(o sense.Neighbor) bool {
	if o.ID == a.id {
		return true
	}
	a.near++
	if least := min(a.body, o.Radius); least > 0 {
		overlap := a.body + o.Radius - r2.Norm(r2.Sub(o.Position, a.at))
		a.depth = max(a.depth, overlap/least)
	}
	return a.near < enough
}

const (
	enough  = 4096
	touches = 0.004 // of a radius: an overlap of less than that is none, about a millimeter of a person
)

// density returns how many are near, from 0 to 255 at the top of the scale.
func (a *around) density() uint8 {
	perArea := float64(a.near) / (math.Pi * a.scale.Radius * a.scale.Radius)
	return uint8(min(perArea/a.scale.Top, 1)*255 + 0.5)
}

// contact returns 0 for nobody, up to 255 for a body that is in another one by the
// radius of the smaller one.
func (a *around) contact() uint8 {
	if a.depth < touches {
		return 0
	}
	return uint8(1 + 254*min(a.depth, 1))
}
