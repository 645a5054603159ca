package orca

import "testing"

// TestScenes holds that crowds arrive, without a penetration, in less time than
// it took when the limits were set, by a tenth.
func TestScenes(t *testing.T) {
	kind := Agent{Radius: 0.3, MaxSpeed: 1.3, Horizon: 3, ObstacleHorizon: 1, Firm: true}
	small := circle(20, 5, kind)
	small.speed, small.near, small.most, small.dt, small.sidestep = 1, 5, 10, 0.1, true
	paper := circle(20, 5, kind)
	paper.speed, paper.near, paper.most, paper.dt, paper.sidestep = 1, 5, 10, 0.1, true
	for i := range paper.agents {
		paper.agents[i].Firm = false
	}
	large := antipodal(0)
	squares := blocks(Agent{Radius: 2, MaxSpeed: 2, Horizon: 5, ObstacleHorizon: 5, Firm: true})
	squares.speed, squares.near, squares.most, squares.dt, squares.sidestep = 1, 15, 10, 0.25, true
	for _, tt := range []struct {
		name   string
		crowd  *crowd
		within float64
		steps  int
		deep   float64
		long   bool
	}{
		{"20 on a circle", small, 0.1, 200, 1e-8, false},
		{"20 on a circle, not firm", paper, 0.1, 200, 0.01, false},
		{"rvo-circle", large, 1.5, 2100, 1e-8, true},
		{"rvo-blocks", squares, 20, 2500, 1e-8, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && testing.Short() {
				t.Skip("thousands of steps")
			}
			t.Parallel()
			c := tt.crowd
			ok := c.run(tt.within, tt.steps)
			t.Logf("%d of %d arrived after %d steps, penetration %.2g", c.arrived(tt.within), len(c.agents), c.steps, c.deepest)
			if !ok || c.deepest > tt.deep {
				t.Errorf("%d of %d arrived after %d steps, penetration %v; want=all after %d, %v", c.arrived(tt.within), len(c.agents), c.steps, c.deepest, tt.steps, tt.deep)
			}
		})
	}
}
