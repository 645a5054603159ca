package verify

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/world/scene"
)

type (
	run        = experiment.Run
	evacuation = experiment.Evacuation
)

// newRimea returns the tests of the RiMEA guideline, version 4.1.1, ordered by number. --quick omits the long
// ones.
func newRimea(o *Options) (suite, error) {
	return &guideline{title: "RiMEA 4.1.1", seeds: o.seeds(3), tests: []test{
		one("1: corridor of 40 m at 1.33 m/s", between(26, 34).in("s"), 1, func(r run) (float64, error) { return experiment.WalkCorridor(r, 1.33, 40) }),
		onStairs("2: 10 m up stairs at 1.33 m/s", true, 0.5),
		onStairs("3: 10 m down stairs at 1.33 m/s", false, 0.75),
		speedAtDensity,
		startTimes,
		aroundCorner("6"),
		speedsByAge,
		fixed(absent("8: parameters varied over three stories", "a study of how parameters change results, without bounds for the results")),
		o.long(fourDoorsAndTwo),
		assignedExits("10"),
		farExit,
		o.long(bottleneck),
		flowByWidth,
		stairsByDensity,
		fixed(absent("14: a short way by stairs, or a long level way", "routes are chosen by their length alone, regardless of zones: all people take the stairs")),
		o.long(bend),
		inSingleFile,
	}}, nil
}

// onStairs returns a test that expects the time that follows from the speed factor of the stairs, within 5%.
func onStairs(name string, up bool, factor float64) test {
	const speed, length = 1.33, 10
	return one(name, about(length/(speed*factor), 0.05*length/(speed*factor)).in("s"), 1, func(r run) (float64, error) { return experiment.WalkStairs(r, speed, length, up) })
}

func speedAtDensity(g *guideline, p *plan) func() []Row {
	walks := corridorWalks()
	if g.seeds == 1 {
		walks = walks[:2]
	}
	planWalks(p, walks, g.seeds, experiment.WalkStraight)
	return func() (rows []Row) {
		for i := range walks {
			rows = append(rows, walks[i].asWeidmann("4: corridor"))
		}
		return rows
	}
}

func startTimes(g *guideline, p *plan) func() []Row {
	all := repeat(p, g.seeds, func(r run) (evacuation, error) {
		return experiment.LeaveRoom(r, 10, scene.Value{Spread: &scene.Spread{Min: 10, Max: 100}}, 130)
	})
	return func() []Row {
		worst := 0.
		for i := range all {
			for k, start := range all[i].Start {
				worst = max(worst, math.Abs(all[i].Moved[k]-start))
			}
		}
		return []Row{judge("5: reaction times of 10 to 100 s: error", atMost(0.5).in("s"), worst, of("maximum", g.seeds))}
	}
}

func aroundCorner(number string) test {
	return func(g *guideline, p *plan) func() []Row {
		all := repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.WalkCorner(r, 20) })
		return func() []Row {
			return []Row{
				judge(number+": twenty around a corner: arrived", exactly(20), leastOf(all, (*evacuation).Left), of("fewest", g.seeds)),
				judge(number+": centers in walls", exactly(0), mostOf(all, func(e *evacuation) int { return e.InWalls }), of("maximum", g.seeds)),
			}
		}
	}
}

// ranges lists the mean speeds in m/s that RiMEA allows at each age.
var ranges = []struct{ age, low, high float64 }{
	{20, 1.60, 1.64}, {30, 1.52, 1.56}, {40, 1.46, 1.50}, {50, 1.39, 1.43}, {60, 1.24, 1.30}, {70, 1.04, 1.10},
}

func speedsByAge(g *guideline, p *plan) func() []Row {
	ages := scene.Value{ByAge: true}
	for _, r := range ranges {
		ages.Each = append(ages.Each, r.age)
	}
	all := repeat(p, 1, func(r run) ([]float64, error) { return experiment.WalkAlone(r, len(ranges), ages) })
	return func() (rows []Row) {
		for i, r := range ranges {
			speed := math.NaN()
			if len(all[0]) > i {
				speed = all[0][i]
			}
			rows = append(rows, judge(fmt.Sprintf("7: speed at %.0f years", r.age), between(r.low, r.high).in("m/s"), speed, of("mean", 1)))
		}
		return rows
	}
}

func fourDoorsAndTwo(g *guideline, p *plan) func() []Row {
	const people = 1000
	hall := func(doors int) []evacuation {
		return repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.LeaveHall(r, people, doors) })
	}
	four, two := hall(4), hall(2)
	g.chart("1,000 people leave 30 × 20 m", chartLine{"4 doors", four}, chartLine{"2 doors", two})
	return func() []Row {
		return []Row{
			judge("9: 1,000 people by 4 or 2 doors: did not get out", exactly(0), unfinished(four)+unfinished(two), of("sum", g.seeds)),
			judge("9: time with 2 doors ÷ with 4", between(1.6, 2.4), slowest(two)/slowest(four), of("mean", g.seeds)),
		}
	}
}

func assignedExits(number string) test {
	return func(g *guideline, p *plan) func() []Row {
		all := repeat(p, g.seeds, experiment.LeaveCabins)
		g.chart("23 people leave 12 rooms", chartLine{"by their exits", all})
		return func() []Row {
			return []Row{judge(number+": 12 rooms: left by the assigned exit", exactly(23), leastOf(all, experiment.Assigned), of("fewest", g.seeds))}
		}
	}
}

func farExit(g *guideline, p *plan) func() []Row {
	people := 1000
	if g.seeds == 1 {
		people = 200
	}
	all := repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.ChooseExit(r, people/2, false, 0) })
	g.chart(fmt.Sprintf("%d people and two exits", people/2), chartLine{"by either exit", all})
	return func() []Row {
		far := meanOf(all, experiment.Far) / float64(people/2)
		return []Row{judge("11: near exit and far exit: took the far one", between(0.05, 0.5), far, of("mean share", g.seeds))}
	}
}

func bottleneck(g *guideline, p *plan) func() []Row {
	neck := func(length float64) []evacuation {
		return repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.LeaveByNeck(r, length) })
	}
	short, long := neck(0.5), neck(5)
	g.chart("150 people through a bottleneck of 1 m", chartLine{"0.5 m long", short}, chartLine{"5 m long", long})
	return func() []Row {
		queue := func(k int) float64 {
			return meanOf(long, func(e *evacuation) float64 {
				if k >= len(e.Mean) {
					return math.NaN()
				}
				return e.Mean[k]
			})
		}
		return []Row{
			judge("12: did not get out", exactly(0), unfinished(short)+unfinished(long), of("sum", g.seeds)),
			judge("12: queue at the bottleneck − at the exit", above(0).in("people"), queue(0)-queue(1), of("mean", g.seeds)),
			judge("12: time through a neck of 5 m − of 0.5 m", above(0).in("s"), slowest(long)-slowest(short), of("mean", g.seeds)),
		}
	}
}

func flowByWidth(g *guideline, p *plan) func() []Row {
	widths := []float64{0.8, 1.0, 1.2}
	doors := make([][]experiment.Door, len(widths))
	for i, width := range widths {
		doors[i] = repeat(p, g.seeds, func(r run) (experiment.Door, error) { return experiment.WalkDoor(r, width) })
	}
	return func() []Row {
		flow := func(i int) float64 { return meanOf(doors[i], func(d *experiment.Door) float64 { return d.Flow }) }
		return []Row{judge("12: flow rises with the width, 0.8, 1.0, 1.2 m", above(0).in("people/s"), min(flow(1)-flow(0), flow(2)-flow(1)), of("smallest rise of the mean", g.seeds))}
	}
}

func stairsByDensity(g *guideline, p *plan) func() []Row {
	densities := []float64{0.5, 1, 2}
	speeds := make([][2][]float64, len(densities))
	for i, density := range densities {
		for k := range 2 {
			speeds[i][k] = repeat(p, g.seeds, func(r run) (float64, error) { return experiment.WalkOnStairs(r, density, k == 0) })
		}
	}
	return func() (rows []Row) {
		for i, density := range densities {
			rows = append(rows, judge(fmt.Sprintf("13: stairs at %.3g/m²: down − up", density), above(0).in("m/s"), mean(speeds[i][1])-mean(speeds[i][0]), of("mean", g.seeds)))
		}
		return rows
	}
}

func bend(g *guideline, p *plan) func() []Row {
	const people = 400
	walk := func(kind string) []evacuation {
		return repeat(p, g.seeds, func(r run) (evacuation, error) { return experiment.WalkBend(r, people, kind) })
	}
	inner, round, outer := walk("inner"), walk("bend"), walk("outer")
	g.chart(fmt.Sprintf("%d people around a corner", people), chartLine{"straight, inner length", inner}, chartLine{"around the corner", round}, chartLine{"straight, outer length", outer})
	return func() []Row {
		return []Row{
			judge("15: did not arrive", exactly(0), unfinished(inner)+unfinished(round)+unfinished(outer), of("sum", g.seeds)),
			judge("15: time around the corner − straight, inner length", atLeast(0).in("s"), slowest(round)-slowest(inner), of("mean", g.seeds)),
			judge("15: time straight, outer length − around the corner", atLeast(0).in("s"), slowest(outer)-slowest(round), of("mean", g.seeds)),
		}
	}
}

func inSingleFile(g *guideline, p *plan) func() []Row {
	walks := fileWalks()
	planWalks(p, walks, g.seeds, experiment.WalkSingleFile)
	return func() (rows []Row) {
		for i := range walks {
			rows = append(rows, walks[i].within("16: single file", "m").because(walks[i].tooFast(filed)))
		}
		return rows
	}
}
