package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/world"
)

// parseSizes reads numbers of agents, each once.
func parseSizes(texts []string) ([]int, error) {
	var sizes []int
	for _, text := range texts {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || x != float64(int(x)) || x < 1 || x > world.MaxAgents {
			return nil, fmt.Errorf("--agents has %q, want whole numbers from 1 to %d, such as 1000,1e6", text, world.MaxAgents)
		}
		if !slices.Contains(sizes, int(x)) {
			sizes = append(sizes, int(x))
		}
	}
	return sizes, nil
}

// maxWorkers bounds what a slip of the finger can ask for.
const maxWorkers = 1024

// workerCounts returns the numbers of workers to measure, in order and each once.
func workerCounts(asked []int) ([]int, error) {
	for _, n := range asked {
		if n < 1 || n > maxWorkers {
			return nil, fmt.Errorf("--workers has %d, want 1 to %d", n, maxWorkers)
		}
	}
	counts := slices.Clone(asked)
	if len(counts) == 0 {
		counts = []int{1, runtime.GOMAXPROCS(0)}
	}
	slices.Sort(counts)
	return slices.Compact(counts), nil
}
