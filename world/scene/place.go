package scene

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// Place says where the agents of a group, or their targets, are. With Points
// agent i has point i; with Ring they stand on a circle at equal distances;
// otherwise each is drawn at random in Box, clear of obstacles.
type Place struct {
	Points []r2.Vec // m; where agents outnumber them they are used again
	Ring   *Ring
	Box    r2.Box  // m; empty: the box of the scene
	Clear  float64 // m, from the surface of every obstacle
}

// Ring is a circle on which agents stand. Turn moves each along the circle.
type Ring struct {
	Centre r2.Vec  // m
	Radius float64 // m
	Turn   float64 // rad
}

// maxDraws is how often a place is drawn before one that is not clear of
// obstacles is taken.
const maxDraws = 256

// uses of random draws, so that no two draw the same numbers.
const (
	useStart = iota
	useTarget
	useDirection
	usePillar
)

// at returns the place of the i-th of n agents. Random places are drawn as a
// hash of the seed, the agent's id, and the visit.
func (p *Place) at(s *Scene, o *systems.Obstacles, i, n int, id, visit, use uint64) r2.Vec {
	switch {
	case len(p.Points) > 0:
		return p.Points[i%len(p.Points)]
	case p.Ring != nil:
		sin, cos := vec.SinCos(2*math.Pi*float64(i)/float64(n) + p.Ring.Turn)
		return vec.AddScaled(p.Ring.Centre, p.Ring.Radius, r2.Vec{X: cos, Y: sin})
	}
	box := p.Box
	if box == (r2.Box{}) {
		box = s.Box
	}
	size := vec.Sub(box.Max, box.Min)
	var at r2.Vec
	for draw := range uint64(maxDraws) {
		at = r2.Vec{
			X: box.Min.X + float64(size.X*systems.Draw(s.Seed, id, visit*maxDraws+draw, 4*use)),
			Y: box.Min.Y + float64(size.Y*systems.Draw(s.Seed, id, visit*maxDraws+draw, 4*use+1)),
		}
		if _, near := o.Nearest(at, p.Clear); !near {
			break
		}
	}
	return at
}
