// Package benchmarks runs workloads of known size with this module's systems and with hand-written loops.
//
//	go test -bench . ./benchmarks
//	go test -bench 'W2/by=(crowd|plain)/agents=100000$' -count 10 ./benchmarks | benchstat -col /by -
//
// Unless stated otherwise, agents start at random places in a square with sides of 1000 m, with static
// targets, top speed 10 m/s, force limit 5 N, mass 1 kg, gain 2 kg/s, slowing radius 50 m, and dt 1/60 s.
// They start at top speed in random directions. Every step steers the agents, limits their force and speed,
// and moves them.
//
//	W1       seek
//	W2       arrival
//	W3       W2 and obstacle avoidance among circles of radius 3 to 7 m, with a look-ahead
//	         of 20 m; W3/obstacles=64 has 64 circles
//	W4       a flock: separation, alignment and cohesion within 4 m, each with gain 1 kg/s;
//	         0.3 agents/m² in a square that wraps around, 15 neighbors on average; no targets
//	W5       ORCA, and arrival at targets: 0.15 agents/m² of radius 0.3 m, top speed
//	         1.3 m/s, up to 10 neighbors within 4 m (7.5 on average), horizon
//	         2 s, slowing radius 1 m, dt 0.1 s; no force limit and no obstacles. In
//	         W5/people, agents walk like people; W5/published uses only the published rule
//	plaza    the complete step of the built-in scene plaza; other scenes, such as boids,
//	         have workloads too
//
// Names of variants state the difference: W2/archetypes=100 spreads the agents over 100 archetypes;
// W3/obstacles=64/side=250 has a smaller square, with the same density of obstacles as 1,024 in the usual
// square; in W3/obstacles=1024/moving=1%, 1% of the obstacles move in every step; in
// W5/obstacles=5000/side=40, walkers are among overlapping circles; in W4/point and W5/point, all agents
// start at one point.
//
// The baselines (see Contenders) give the same results as crowd, bit for bit, or to within 1e-6 in W4.
// Benchmarks run contenders one after another. In crowd bench and crowd bench targets, contenders take turns,
// so ratios are more reliable. The state is reset, untimed, after every 200 steps (20 for a million agents or
// more; often fewer in the targets), because agents that have arrived cost less.
//
// The C programs in the folder limits do the same work on the same layout; limits/run shows how close crowd
// comes to the limit of the machine. peers/run compares crowd with other libraries, if they are checked out.
//
// With -short, there are at most 10,000 agents.
package benchmarks

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Parameters of agents, unless their workload has others.
const (
	dt        = 1. / 60 // s
	maxSpeed  = 10.     // m/s
	maxForce  = 5.      // N
	slowing   = 50.     // m
	gain      = 2.      // kg/s
	lookAhead = 20.     // m
	avoidance = 5.      // N, maximum force of obstacle avoidance
)

const (
	seedAgents    = 1
	seedObstacles = 2
)

// place returns a random point of the square for agent or circle i, from the draws numbered use and use+1.
func (w *Workload) place(seed, i, use uint64) r2.Vec {
	return r2.Vec{X: w.Side * frame.HashFloat(seed, i, 0, use), Y: w.Side * frame.HashFloat(seed, i, 0, use+1)}
}

func (w *Workload) start(i int) (position, velocity r2.Vec) {
	sin, cos := vec.SinCos(2 * math.Pi * frame.HashFloat(seedAgents, uint64(i), 0, 4))
	position = w.place(seedAgents, uint64(i), 0)
	if w.Point {
		position = r2.Vec{X: w.Side / 2, Y: w.Side / 2}
	}
	return position, r2.Vec{X: w.speed() * cos, Y: w.speed() * sin}
}

func (w *Workload) target(i int) r2.Vec { return w.place(seedAgents, uint64(i), 2) }

type circle struct {
	at     r2.Vec  // m
	radius float64 // m
}

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

func (o *obstacles) reset() {
	o.steps = 0
	for i := range o.circles {
		o.circles[i] = circle{o.place(seedObstacles, uint64(i), 0), 3 + float64(4*frame.HashFloat(seedObstacles, uint64(i), 0, 2))}
	}
}

// move moves every MovingOf-th obstacle back and forth along x. It calls visit, if not nil, with the index
// of each moved obstacle, and reports whether any moved.
func (o *obstacles) move(visit func(i int)) bool {
	const speed, turn = 2., 120 // m/s; steps between turns
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

// blocks is plain with three loops over a block of agents, one per square root, so the processor detects
// mispredicted branches in limit sooner. It supports only W1 and W2.
type blocks struct {
	*plain
	velocities [blockSize]r2.Vec // of a block: first its forces, then its velocities before the speed limit
}

const blockSize = 64

func startBlocks(w *Workload, agents, workers int) (Runner, error) {
	if w.Obstacles > 0 {
		return nil, fmt.Errorf("%s: blocks supports only W1 and W2", w.Name)
	}
	k, err := startPlain(w, agents, workers)
	return &blocks{plain: k.(*plain)}, err
}

func (k *blocks) Step() {
	for lo := 0; lo < len(k.pos); lo += blockSize {
		hi := min(lo+blockSize, len(k.pos))
		k.block(k.pos[lo:hi], k.vel[lo:hi], k.target[lo:hi])
	}
}

func (k *blocks) block(pos, vel, target []r2.Vec) {
	v := k.velocities[:len(pos)]
	vel, target = vel[:len(pos)], target[:len(pos)]
	if k.Seek {
		for i, p := range pos {
			v[i] = seek(p, vel[i], target[i], maxSpeed, gain)
		}
	} else {
		for i, p := range pos {
			v[i] = arrival(p, vel[i], target[i], maxSpeed, slowing, gain)
		}
	}
	for i := range v {
		v[i] = along(vel[i], dt, limit(v[i], maxForce))
	}
	for i := range v {
		vel[i] = limit(v[i], maxSpeed)
		pos[i] = along(pos[i], dt, vel[i])
	}
}
