package run

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/8f878440/crowd/world/scene"
)

// Period is how often a run is saved: a simulated time such as 10s, or a number of steps.
type Period string

// UsualPeriod returns how often runs of a scene are saved that do not say it.
func UsualPeriod(s *scene.Scene) Period {
	const longStep = 0.1 // s, of scenes in which a step is the unit of time
	if s.Dt > longStep {
		return "3600"
	}
	return "60s"
}

// UnmarshalText reads a time or a number of steps.
func (p *Period) UnmarshalText(text []byte) error {
	*p = Period(text)
	_, err := p.Steps(1)
	return err
}

// Steps returns the number of steps for a time step in seconds: one at least.
func (p Period) Steps(dt float64) (int, error) {
	if n, err := strconv.Atoi(string(p)); err == nil && n > 0 {
		return n, nil
	}
	d, err := time.ParseDuration(string(p))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no simulated time such as 10s or 5m, and no number of steps", string(p))
	}
	return max(1, int(math.Round(math.Min(d.Seconds()/dt, math.MaxInt32)))), nil
}
