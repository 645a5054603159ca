package crowdtest

import (
	"math/rand/v2"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Draw draws what differs from agent to agent and from crowd to crowd. Take all that is a
// place or a direction from Point and Vector, and multiply lengths and speeds by Scale: a law
// is tested with crowds that are moved, turned, mirrored, and of another size.
type Draw struct {
	*rand.Rand
	Scale  float64 // 1, but for the law catalog.Finite
	motion motion
}

// Point returns a place, at most size meters from the origin along each axis, where Scale is
// 1 and the crowd is where it was drawn.
func (d *Draw) Point(size float64) r2.Vec { return d.motion.point(d.within(size)) }

// Vector returns a vector, of at most size along each axis, where Scale is 1 and the crowd is
// not turned.
func (d *Draw) Vector(size float64) r2.Vec { return d.motion.turn(d.within(size)) }

// Direction returns a unit vector.
func (d *Draw) Direction() r2.Vec { return d.motion.turn(vec.Unit(d.square())) }

func (d *Draw) within(size float64) r2.Vec { return vec.Scale(d.Scale*size, d.square()) }

func (d *Draw) square() r2.Vec { return r2.Vec{X: 2*d.Float64() - 1, Y: 2*d.Float64() - 1} }

// motion maps a crowd to another one that is to move alike.
type motion struct {
	point func(r2.Vec) r2.Vec
	turn  func(r2.Vec) r2.Vec // of what has a direction and no place
}

var identity = motion{func(p r2.Vec) r2.Vec { return p }, func(v r2.Vec) r2.Vec { return v }}

// linear returns a motion that leaves the origin where it is.
func linear(turn func(r2.Vec) r2.Vec) motion { return motion{turn, turn} }
