package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame/frametest"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// One who walks behind a slow one comes up to it without the rule; with it the gap is what
// it covers in the time gap at the speed of the other.
func TestFollowingDistance(t *testing.T) {
	gap := func(timeGap float64) float64 {
		s := newStage(t, 0.1, &sense.Obstacles{}, &sense.Neighbors{}, &Seek{}, &ORCA{}, &Integration{})
		walker := func(x, speed float64) []any {
			return []any{c.Position{Vec: xy(x, 0)}, c.Velocity{Vec: xy(speed, 0)}, c.Radius{Meters: 0.25}, c.Target{Vec: xy(1e6, 0)},
				c.Limits{MaxSpeed: speed, MaxForce: inf}, c.Steering{}, c.Seek{Gain: 2}, c.PreferredVelocity{},
				c.ORCA{Gain: 2, TimeHorizon: 0.5, TimeHorizonObst: 0.5, NeighborDist: 5, MaxNeighbors: 10, Priority: 1}}
		}
		slow := s.Put(append(walker(4, 0.5), c.Agent{ID: 1})...)
		fast := s.Put(append(walker(0, 1.34), c.Agent{ID: 2}, c.FollowingDistance{TimeGap: timeGap})...)
		for range 600 {
			s.Step()
		}
		return r2.Norm(r2.Sub(frametest.Of[c.Position](s, slow).Vec, frametest.Of[c.Position](s, fast).Vec)) - 0.5
	}
	without, with := gap(0), gap(1)
	if !(without < 0.2) || !(with > 0.4 && with < 0.6) {
		t.Errorf("gap: got=%.3f and %.3f m with a time gap of 1 s, want=less than 0.2, and about 0.5", without, with)
	}
}
