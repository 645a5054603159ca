package verify

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// newNist returns the tests of NIST TN 1822, ordered by number. --quick omits the test of counterflow.
func newNist(o *Options) (suite, error) {
	return &guideline{title: "NIST TN 1822", seeds: o.seeds(3), tests: []test{
		drawn,
		one("2.1: speed in a corridor of 40 m at 1.0 m/s", between(0.95, 1.05).in("m/s"), 1, func(r run) (float64, error) {
			seconds, err := experiment.WalkCorridor(r, 1, 40)
			return 40 / seconds, err
		}),
		onStairs("2.2: 10 m up stairs at 1.33 m/s", true, 0.5),
		onStairs("2.2: 10 m down stairs at 1.33 m/s", false, 0.75),
		aroundCorner("2.3"),
		assignedSpeeds,
		one("2.5: 100 m in smoke, at half of 1.25 m/s", about(160, 0.5).in("s"), 1, func(r run) (float64, error) {
			const half = 0.5 * 0.706 / 0.057 // 1/m, smoke that halves the walking speed
			return experiment.WalkCorridor(r, 1.25, 100, systems.Zone{Box: r2.NewBox(-1, -2, 101, 2), Speed: 1, Smoke: half})
		}),
		fixed(
			absent("2.6: incapacitation by toxic gases", "gases in the air have no effect"),
			absent("2.7: elevators", "scenes have none"),
		),
		o.long(counterflow),
		fixed(absent("2.9: groups that stay together", "people do not wait for each other")),
		oneSlow,
		assignedExits("3.1"),
		fixed(absent("3.2: a leader changes which exit people use", "people do not influence one another's choice of exit")),
		weighted,
		closed,
		densest,
		flowByHand,
	}}, nil
}

// drawn compares the delays that scenes draw with the requested distributions.
func drawn(g *guideline, p *plan) func() []Row {
	const people = 1000
	none := math.Inf(1)
	tests := []struct {
		name   string
		spread scene.Spread
		want   interface{ CDF(float64) float64 }
		delays [][]float64
	}{
		{"uniform", scene.Spread{Min: 10, Max: 100}, distuv.Uniform{Min: 10, Max: 100}, nil},
		{"normal", scene.Spread{Distribution: scene.Normal, Mean: 60, SD: 8, Max: none}, distuv.Normal{Mu: 60, Sigma: 8}, nil},
		{"log-normal", scene.Spread{Distribution: scene.LogNormal, Mean: 3, SD: 0.5, Max: none}, distuv.LogNormal{Mu: 3, Sigma: 0.5}, nil},
		{"gamma", scene.Spread{Distribution: scene.Gamma, Shape: 3, Scale: 10, Max: none}, distuv.Gamma{Alpha: 3, Beta: 0.1}, nil},
		{"Weibull", scene.Spread{Distribution: scene.Weibull, Shape: 1.5, Scale: 40, Max: none}, distuv.Weibull{K: 1.5, Lambda: 40}, nil},
	}
	for i := range tests {
		t := &tests[i]
		t.delays = repeat(p, 1, func(r run) ([]float64, error) { return experiment.Delays(r, people, scene.Value{Spread: &t.spread}) })
	}
	return func() (rows []Row) {
		for _, t := range tests {
			name := fmt.Sprintf("1.1: delays, %s: Kolmogorov–Smirnov p", t.name)
			rows = append(rows, judge(name, above(0.05), experiment.KolmogorovP(t.delays[0], t.want.CDF), "1,000 people"))
		}
		return rows
	}
}

func assignedSpeeds(g *guideline, p *plan) func() []Row {
	const people = 100
	speed := scene.Value{Spread: &scene.Spread{Distribution: scene.Normal, Mean: 1.2, SD: 0.2, Min: 0.3, Max: 2.1}}
	all := repeat(p, 1, func(r run) ([]float64, error) { return experiment.WalkAlone(r, people, speed) })
	return func() []Row {
		mean, deviation := math.NaN(), math.NaN()
		if len(all[0]) > 1 {
			mean, deviation = stat.MeanStdDev(all[0], nil)
		}
		return []Row{
			judge("2.4: speeds of 100 people: mean", about(1.2, 0.05).in("m/s"), mean),
			judge("2.4: speeds of 100 people: standard deviation", about(0.2, 0.04).in("m/s"), deviation),
		}
	}
}

func counterflow(g *guideline, p *plan) func() []Row {
	others := []int{0, 10, 50, 100}
	all := make([][]evacuation, len(others))
	var lines []chartLine
	for i, n := range others {
		all[i] = repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.WalkCounterflow(r, n) })
		lines = append(lines, chartLine{fmt.Sprintf("against %d", n), all[i]})
	}
	g.chart("100 people through 10 × 2 m", lines...)
	return func() []Row {
		rise, left := math.Inf(1), 0.
		for i := range all {
			left += unfinished(all[i])
			if i > 0 {
				rise = min(rise, slowest(all[i])-slowest(all[i-1]))
			}
		}
		return []Row{
			judge("2.8: 100 against 0, 10, 50, 100: did not pass", exactly(0), left, of("sum", g.seeds)),
			judge("2.8: the time rises", above(0).in("s"), rise, of("smallest rise of the mean", g.seeds)),
		}
	}
}

func oneSlow(g *guideline, p *plan) func() []Row {
	room := func(slow bool) []evacuation {
		return repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.LeaveWithSlow(r, slow) })
	}
	alike, slow := room(false), room(true)
	g.chart("24 people leave 5 × 4 m", chartLine{"all alike", alike}, chartLine{"one slow and large", slow})
	return func() []Row {
		return []Row{
			judge("2.10: one slow and large among 24: did not get out", exactly(0), unfinished(alike)+unfinished(slow), of("sum", g.seeds)),
			judge("2.10: time with the slow one − without", above(0).in("s"), slowest(slow)-slowest(alike), of("mean", g.seeds)),
		}
	}
}

func weighted(g *guideline, p *plan) func() []Row {
	const people = 200
	all := repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.ChooseExit(r, people, false, 0.2) })
	return func() []Row {
		near := 1 - meanOf(all, experiment.Far)/people
		return []Row{judge("3.3: exits with weights of 20 and 80: took the first", between(0.1, 0.3), near, of("mean share", g.seeds))}
	}
}

func closed(g *guideline, p *plan) func() []Row {
	const people = 100
	all := repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.ChooseExit(r, people, true, 0) })
	g.chart("100 people, and the near exit closes", chartLine{"by the far exit", all})
	return func() []Row {
		return []Row{
			judge("4.1: the near exit closes at 1 s: did not get out", exactly(0), unfinished(all), of("sum", g.seeds)),
			judge("4.1: took the far exit", exactly(people), meanOf(all, experiment.Far), of("mean", g.seeds)),
		}
	}
}

func densest(g *guideline, p *plan) func() []Row {
	all := repeat(p, g.seeds, experiment.LeaveToCorridor)
	return func() []Row {
		more := meanOf(all, func(e *evacuation) float64 {
			if len(e.Mean) < 2 {
				return math.NaN()
			}
			return e.Mean[0] - e.Mean[1]
		})
		return []Row{judge("5.1: people at the room's exit − at the corridor's", above(0).in("people"), more, of("mean", g.seeds))}
	}
}

func flowByHand(g *guideline, p *plan) func() []Row {
	doors := repeat(p, g.seeds, func(r run) (experiment.Door, error) { return experiment.WalkDoor(r, 1) })
	return func() []Row {
		flow := meanOf(doors, func(d *experiment.Door) float64 { return d.Flow })
		return []Row{judge("5.2: flow through a door of 1.0 m", atMost(1.33).in("people/s"), flow, of("mean", g.seeds)).missedByPeople(peopleAreFaster)}
	}
}
