package benchmarks

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	side     = 1000.
	dt       = 1. / 60
	maxSpeed = 10.
	maxForce = 5.
	slowing  = 50.
	gain     = 2.
	// cycle is after how many steps the state is set again, so that agents do
	// not all end at their targets.
	cycle = 200
)

// place returns the start and the target of agent i.
func place(i uint64) (p, target r2.Vec) {
	d := func(use uint64) float64 { return side * systems.Draw(1, i, 0, use) }
	return r2.Vec{X: d(0), Y: d(1)}, r2.Vec{X: d(2), Y: d(3)}
}

// start returns the velocity of agent i at the start.
func start(i uint64) r2.Vec {
	sin, cos := vec.SinCos(2 * math.Pi * systems.Draw(1, i, 0, 4))
	return r2.Vec{X: maxSpeed * cos, Y: maxSpeed * sin}
}

// crowd is a workload in an arche world.
type crowd struct {
	ecs   ecs.World
	frame *systems.Frame
	size  int
}

// newCrowd spawns agents with the given behaviours, and the frame that moves them.
func newCrowd(b *testing.B, agents, workers int, behaviours []any, list ...any) *crowd {
	b.Helper()
	k := &crowd{ecs: ecs.NewWorld(64), size: agents}
	config := world.Default()
	config.Dt = dt
	w, err := world.Attach(&k.ecs, config) // for its spawning only
	if err != nil {
		b.Fatal(err)
	}
	all := append([]any{c.Target{}, c.Limits{MaxSpeed: maxSpeed, MaxForce: maxForce}, c.Mass{Kilograms: 1}}, behaviours...)
	err = w.Spawn(agents, all, func(r *world.Rows) {
		target := world.Column[c.Target](r)
		for i := range target {
			_, target[i].Vec = place(uint64(i))
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	w.Close()
	k.frame = systems.NewFrame(list...)
	k.frame.Workers = workers
	k.frame.Initialize(&k.ecs)
	b.Cleanup(func() { k.frame.Finalize(&k.ecs) })
	k.reset()
	return k
}

// reset puts all agents back to their starts.
func (k *crowd) reset() {
	q := k.ecs.Query(ecs.All(ecs.ComponentID[c.Agent](&k.ecs), ecs.ComponentID[c.Velocity](&k.ecs)))
	agent, pos, vel := ecs.ComponentID[c.Agent](&k.ecs), ecs.ComponentID[c.Position](&k.ecs), ecs.ComponentID[c.Velocity](&k.ecs)
	for q.Next() {
		i := (*c.Agent)(q.Get(agent)).ID - 1
		p, _ := place(i)
		(*c.Position)(q.Get(pos)).Vec, (*c.Velocity)(q.Get(vel)).Vec = p, start(i)
	}
}

// measure runs steps and reports them per agent.
func measure(b *testing.B, agents int, reset, step func()) {
	b.Helper()
	step() // columns and goroutines are made in the first step
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n++; n%cycle == 0 {
			b.StopTimer()
			reset()
			b.StartTimer()
		}
		step()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(agents), "ns/agent")
}

// sizes are the numbers of agents to measure.
func sizes() []int {
	if testing.Short() {
		return []int{100, 10_000}
	}
	return []int{100, 10_000, 100_000, 1_000_000}
}

// workerCounts are the numbers of workers to measure.
func workerCounts() []int {
	if n := runtime.GOMAXPROCS(0); n > 1 {
		return []int{1, n}
	}
	return []int{1}
}

func each(b *testing.B, run func(b *testing.B, agents, workers int)) {
	for _, agents := range sizes() {
		for _, workers := range workerCounts() {
			b.Run(fmt.Sprintf("agents=%d/workers=%d", agents, workers), func(b *testing.B) { run(b, agents, workers) })
		}
	}
}

// BenchmarkW1 is seek.
func BenchmarkW1(b *testing.B) {
	each(b, func(b *testing.B, agents, workers int) {
		k := newCrowd(b, agents, workers, []any{c.Seek{Gain: gain}}, &systems.Seek{}, &systems.Integration{})
		measure(b, agents, k.reset, func() { k.frame.Update(&k.ecs) })
	})
}

// BenchmarkW2 is arrival.
func BenchmarkW2(b *testing.B) {
	each(b, func(b *testing.B, agents, workers int) {
		k := newCrowd(b, agents, workers, []any{c.Arrival{Gain: gain, SlowingRadius: slowing}}, &systems.Arrival{}, &systems.Integration{})
		measure(b, agents, k.reset, func() { k.frame.Update(&k.ecs) })
	})
}

// BenchmarkW3 is arrival among static circles, with a look-ahead of 20.
func BenchmarkW3(b *testing.B) {
	for _, m := range []int{64, 1024} {
		b.Run(fmt.Sprintf("obstacles=%d", m), func(b *testing.B) {
			each(b, func(b *testing.B, agents, workers int) {
				obstacles := &systems.Obstacles{}
				behaviours := []any{
					c.Arrival{Gain: gain, SlowingRadius: slowing},
					c.ThreatScan{LookAhead: 20}, c.Avoidance{MaxForce: maxForce},
				}
				k := newCrowd(b, agents, workers, behaviours,
					obstacles, &systems.Arrival{}, &systems.ThreatScan{Obstacles: obstacles}, &systems.Avoidance{}, &systems.Integration{})
				for i := range uint64(m) {
					d := func(use uint64) float64 { return systems.Draw(2, i, 0, use) }
					systems.Add(&k.ecs, k.ecs.NewEntity(),
						c.Position{Vec: r2.Vec{X: side * d(0), Y: side * d(1)}}, c.Obstacle{Radius: 3 + 4*d(2)})
				}
				measure(b, agents, k.reset, func() { k.frame.Update(&k.ecs) })
			})
		})
	}
}

// BenchmarkW2Plain is W2 as one fused loop over plain slices.
func BenchmarkW2Plain(b *testing.B) {
	for _, agents := range sizes() {
		b.Run(fmt.Sprintf("agents=%d/workers=1", agents), func(b *testing.B) {
			pos, vel, target := make([]r2.Vec, agents), make([]r2.Vec, agents), make([]r2.Vec, agents)
			reset := func() {
				for i := range pos {
					pos[i], target[i] = place(uint64(i))
					vel[i] = start(uint64(i))
				}
			}
			reset()
			measure(b, agents, reset, func() {
				for i := range pos {
					to, desired := vec.Sub(target[i], pos[i]), r2.Vec{}
					if vec.Norm2(to) < slowing*slowing {
						desired = vec.Scale(maxSpeed/slowing, to)
					} else {
						desired = vec.WithNorm(to, maxSpeed)
					}
					force := vec.Truncate(vec.Scale(gain, vec.Sub(desired, vel[i])), maxForce)
					vel[i] = vec.Truncate(vec.AddScaled(vel[i], dt, force), maxSpeed)
					pos[i] = vec.AddScaled(pos[i], dt, vel[i])
				}
			})
		})
	}
}
