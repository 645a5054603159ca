package systems

import (
	"math"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestZoneFactors(t *testing.T) {
	stairs := Zone{Box: r2.NewBox(0, 0, 4, 2), Speed: 0.75, Up: xy(3, 0), SpeedUp: 0.5}
	smoke := Zone{Box: r2.NewBox(2, 0, 8, 2), Speed: 1, Smoke: 4}
	belt := Zone{Box: r2.NewBox(10, 0, 12, 2), Speed: 1.5}
	zones := Zones{stairs, smoke, belt, {Box: r2.NewBox(20, 0, 21, 2), Speed: 1, Smoke: 100}}
	const inSmoke = 1 - 4*0.057/0.706
	for _, test := range []struct {
		name      string
		p, course r2.Vec
		want      float64
	}{
		{"nowhere", xy(-1, 1), xy(1, 0), 1},
		{"down", xy(1, 1), xy(-1, 5), 0.75},
		{"up", xy(1, 1), xy(0.001, -9), 0.5},
		{"along the stairs", xy(1, 1), xy(0, 1), 0.75},
		{"standing", xy(1, 1), xy(0, 0), 0.75},
		{"on the edge", xy(0, 2), xy(1, 0), 0.5},
		{"smoke", xy(5, 1), xy(1, 0), inSmoke},
		{"smoke on stairs", xy(3, 1), xy(1, 0), 0.5 * inSmoke},
		{"a moving walkway", xy(11, 1), xy(-1, 0), 1.5},
		{"nothing to be seen", xy(20.5, 1), xy(1, 0), 0.1},
	} {
		testkit.Near(t, zones.Factor(test.p, test.course), test.want, 1e-15, "%s", test.name)
	}
	testkit.Equal(t, (Zones)(nil).Factor(xy(1, 1), xy(1, 1)), 1, "no zones")
}

func TestFreeSpeed(t *testing.T) {
	stage := testkit.NewStage(t, 0.5, &FreeSpeed{})
	ecs.AddResource(stage.World, &Zones{{Box: r2.NewBox(0, 0, 1, 1), Speed: 0.5, Up: xy(1, 0), SpeedUp: 0.25}})
	agent := func(at, velocity r2.Vec, start float64, more ...any) ecs.Entity {
		return stage.Put(append(more, c.FreeSpeed{Speed: 2, Start: start}, c.Position{Vec: at}, c.Velocity{Vec: velocity}, c.Limits{MaxSpeed: 9})...)
	}
	for _, test := range []struct {
		name string
		e    ecs.Entity
		want [3]float64 // its maximum speed in three steps
	}{
		{"at once", agent(xy(5, 5), xy(0, 0), 0), [3]float64{2, 2, 2}},
		{"later", agent(xy(5, 5), xy(0, 0), 0.8), [3]float64{0, 0, 2}},
		{"in the step that begins nearest", agent(xy(5, 5), xy(0, 0), 0.7), [3]float64{0, 2, 2}},
		{"in a zone", agent(xy(0.5, 0.5), xy(-1, 0), 0.5), [3]float64{0, 1, 1}},
		{"up by its velocity", agent(xy(0.5, 0.5), xy(1, 0), 0), [3]float64{0.5, 0.5, 0.5}},
		{"up by its target", agent(xy(0.5, 0.5), xy(-1, 0), 0, c.Target{Vec: xy(3, 0)}), [3]float64{0.5, 0.5, 0.5}},
		{"position NaN", agent(xy(math.NaN(), 0.5), xy(1, 0), 0), [3]float64{2, 2, 2}},
	} {
		var got [3]float64
		stage.Clock.Time = 0
		for i := range got {
			stage.Step()
			got[i] = testkit.ComponentOf[c.Limits](stage, test.e).MaxSpeed
		}
		testkit.Equal(t, got, test.want, "%s", test.name)
	}
}

func TestZonesCheck(t *testing.T) {
	ok := Zone{Box: r2.NewBox(0, 0, 1, 1), Speed: 1}
	testkit.Must(t, (Zones{ok, ok}).Check())
	for _, test := range []struct {
		change func(*Zone)
		want   string
	}{
		{func(z *Zone) { z.Max.X = 0 }, "zone 1: box is"},
		{func(z *Zone) { z.Min.Y = math.NaN() }, "zone 1: box is"},
		{func(z *Zone) { z.Speed = -1 }, "zone 1: speed is -1, want a factor from 0 to 100"},
		{func(z *Zone) { z.SpeedUp = math.Inf(1) }, "zone 1: speed-up is +Inf, want a factor from 0 to 100"},
		{func(z *Zone) { z.Up.X = math.NaN() }, "zone 1: up is [NaN, 0], want finite numbers"},
		{func(z *Zone) { z.Smoke = -2 }, "zone 1: smoke is -2 1/m, want a finite number, 0 or more"},
	} {
		wrong := ok
		test.change(&wrong)
		if err := (Zones{ok, wrong}).Check(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got=%v, want an error that begins with %q", err, test.want)
		}
	}
}
