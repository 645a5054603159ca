package bench

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"github.com/8f878440/crowd/benchmarks"
)

// workloadMemory returns about how many bytes a workload needs.
func workloadMemory(agents int) uint64 { return 500 * uint64(agents) }

// openWorkload opens crowds of a workload.
func openWorkload(w benchmarks.Workload) func(string, int, int) (*subject, error) {
	return func(by string, agents, workers int) (*subject, error) {
		var r benchmarks.Runner
		return &subject{
			cycle: benchmarks.Cycle(agents),
			reset: func() (err error) {
				if r != nil {
					r.Reset()
					return nil
				}
				r, err = w.Start(by, agents, workers)
				return err
			},
			step:  func() error { r.Step(); return nil },
			input: func() string { return runnerSum(r) },
			close: func() {
				if r != nil {
					r.Close()
				}
			},
		}, nil
	}
}

// runnerSum returns a sum over where the agents are and go.
func runnerSum(r benchmarks.Runner) string {
	sum := fnv.New64a()
	positions, velocities := r.State()
	var row [32]byte
	for i, p := range positions {
		for k, x := range []float64{p.X, p.Y, velocities[i].X, velocities[i].Y} {
			binary.LittleEndian.PutUint64(row[8*k:], math.Float64bits(x))
		}
		_, _ = sum.Write(row[:])
	}
	return hex(sum)
}
