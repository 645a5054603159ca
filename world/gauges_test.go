package world

import (
	"context"
	"math"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestLinesAndAreas verifies that a world measures where it is told to, agents that
// leave included, and that this alone is enough to have it measure.
func TestLinesAndAreas(t *testing.T) {
	w := newWorld(t, func(c *Config) {
		c.Dt = 0.5
		c.Lines = []measure.MeasurementLine{{A: r2.Vec{X: 2.5, Y: -1}, B: r2.Vec{X: 2.5, Y: 1}}}
		c.Areas = []r2.Box{{Min: r2.Vec{X: 1.75, Y: -1}, Max: r2.Vec{X: 3.25, Y: 1}}}
	})
	comps := []any{c.Target{Vec: r2.Vec{X: 4}}, c.Limits{MaxSpeed: 1, MaxForce: 9}, c.KinematicSeek{Gain: 1}, c.Goal{Radius: 0.01, Remove: true}}
	err := w.Spawn(2, comps, func(r *Rows) { Column[c.Position](r)[1].X = 1 })
	must(t, err)
	must(t, w.Run(context.Background(), 10))
	st := w.Stats()
	if want := (measure.LineCount{Passed: 2, First: 1.5, Last: 2.5, Speed: 1}); len(st.Lines) != 1 || st.Lines[0] != want {
		t.Errorf("line: got=%+v, want=%+v", st.Lines, want)
	}
	if len(st.Areas) != 1 || st.Areas[0].Steps != 6 || st.Areas[0].Time != 2.5 || st.Areas[0].Speed != 1 {
		t.Errorf("area: got=%+v", st.Areas)
	}
}

func TestGaugesThatAreNone(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		set  func(*Config)
		want string
	}{
		{func(c *Config) { c.Lines = make([]measure.MeasurementLine, 65) }, "lines are 65, want at most 64"},
		{func(c *Config) { c.Lines = make([]measure.MeasurementLine, 1) }, "line 0 is from (0, 0) to (0, 0), want two"},
		{func(c *Config) { c.Lines = []measure.MeasurementLine{{A: r2.Vec{X: nan}}} }, "line 0 is from (NaN, 0)"},
		{func(c *Config) { c.Areas = make([]r2.Box, 2) }, "area 0 is"},
	} {
		config := Default()
		test.set(&config)
		if err := config.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got=%v, want=%q", err, test.want)
		}
	}
}
