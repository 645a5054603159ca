package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
)

// ReadFile reads what writeJSON wrote.
func ReadFile(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w", err)
	}
	f := &File{}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(f); err != nil {
		return nil, fmt.Errorf("--compare: %s was not written by crowd bench --json or --out: %w", name, err)
	}
	if len(f.Results) == 0 {
		return nil, fmt.Errorf("--compare: %s has no results, want what crowd bench --json or --out wrote", name)
	}
	for i := range f.Results {
		r := &f.Results[i]
		bad := slices.ContainsFunc(slices.Concat(r.Samples, r.Yardstick), func(x float64) bool { return !(x > 0) || math.IsInf(x, 0) })
		if r.Agents < 1 || r.Steps < 1 || r.Steps > simulation.MaxSteps || len(r.Samples) == 0 || bad {
			return nil, fmt.Errorf("--compare: %s: result %d (%s): want agents, steps and samples above 0", name, i+1, r.Name)
		}
		r.Summarize()
	}
	return f, nil
}
