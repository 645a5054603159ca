package benchmarks

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// What all agents have in common.
const (
	dt        = 1. / 60 // s
	maxSpeed  = 10.     // m/s
	maxForce  = 5.      // N
	slowing   = 50.     // m
	gain      = 2.      // kg/s
	lookAhead = 20.     // m
	avoidance = 5.      // N, how hard an agent is pushed away from an obstacle
)

const (
	seedAgents    = 1
	seedObstacles = 2
)

// place returns a random point of the workload's square.
func (w *Workload) place(seed, i, use uint64) r2.Vec {
	return r2.Vec{X: w.Side * frame.HashFloat(seed, i, 0, use), Y: w.Side * frame.HashFloat(seed, i, 0, use+1)}
}

// start returns where agent i starts, and its velocity there.
func (w *Workload) start(i int) (position, velocity r2.Vec) {
	sin, cos := vec.SinCos(2 * math.Pi * frame.HashFloat(seedAgents, uint64(i), 0, 4))
	position = w.place(seedAgents, uint64(i), 0)
	if w.Point {
		position = r2.Vec{X: w.Side / 2, Y: w.Side / 2}
	}
	return position, r2.Vec{X: w.speed() * cos, Y: w.speed() * sin}
}

// target returns where agent i goes.
func (w *Workload) target(i int) r2.Vec { return w.place(seedAgents, uint64(i), 2) }

// circle is an obstacle.
type circle struct {
	at     r2.Vec  // m
	radius float64 // m
}

// obstacles are the circles of a workload after a number of steps.
type obstacles struct {
	*Workload
	circles []circle
	steps   int
}

func newObstacles(w *Workload) obstacles {
	o := obstacles{Workload: w, circles: make([]circle, w.Obstacles)}
	o.reset()
	return o
}

// reset puts the obstacles back to where they start.
func (o *obstacles) reset() {
	o.steps = 0
	for i := range o.circles {
		o.circles[i] = circle{o.place(seedObstacles, uint64(i), 0), 3 + float64(4*frame.HashFloat(seedObstacles, uint64(i), 0, 2))}
	}
}

// move moves those that do so, to and fro along x, and calls visit for each if
// it is not nil. It reports whether any moved.
func (o *obstacles) move(visit func(i int)) bool {
	const speed, turn = 2., 120 // m/s, steps from one turn to the next
	if o.MovingOf == 0 {
		return false
	}
	stride := speed * dt
	if o.steps/turn%2 == 1 {
		stride = -stride
	}
	o.steps++
	for i := 0; i < len(o.circles); i += o.MovingOf {
		o.circles[i].at.X += stride
		if visit != nil {
			visit(i)
		}
	}
	return true
}
