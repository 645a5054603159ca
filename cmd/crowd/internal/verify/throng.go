package verify

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/world/scene"
)

// throng is people in throngs, against one another, and past one another.
type throng struct {
	seeds      int
	bottleneck []experiment.Jam
	door       []experiment.Door
	blocks     []experiment.TwoWays // 250 against 250 in 5 m
	narrow     []experiment.TwoWays // 100 against 100 in 2 m
	sides      []experiment.TwoSides
	leads      []float64 // m, of those who overtake
	walls      []float64 // the share of people at the wall of a corridor
	scenes     []safeScene
}

// safeScene is a built-in scene in which nobody may collide.
type safeScene struct {
	name string
	runs []experiment.Safety
}

// Seconds in which people must get past one another.
const (
	blocksWithin = 180
	sidesWithin  = 240
	narrowWithin = 300
)

func newThrong(o *Options) (suite, error) {
	s := &throng{seeds: o.seeds(3)}
	for _, name := range []string{"bottleneck", "crossing", "evacuation"} {
		if s.scenes = append(s.scenes, safeScene{name: name}); o.Short {
			break
		}
	}
	return s, nil
}

func (s *throng) plan(p *plan) {
	for i := range s.scenes {
		s.scenes[i].runs = repeat(p, 1, func(ctx context.Context, by scene.Model, _ uint64) (experiment.Safety, error) {
			return experiment.RunSafety(ctx, by, s.scenes[i].name)
		})
	}
	s.blocks = repeat(p, s.seeds, func(ctx context.Context, by scene.Model, seed uint64) (experiment.TwoWays, error) {
		return experiment.WalkTwoWays(ctx, by, seed, 250, 5, 60, blocksWithin)
	})
	s.narrow = repeat(p, s.seeds, func(ctx context.Context, by scene.Model, seed uint64) (experiment.TwoWays, error) {
		return experiment.WalkTwoWays(ctx, by, seed, 100, 2, 100, narrowWithin)
	})
	s.sides = repeat(p, s.seeds, func(ctx context.Context, by scene.Model, seed uint64) (experiment.TwoSides, error) {
		return experiment.WalkTwoSides(ctx, by, seed, sidesWithin)
	})
	s.bottleneck = repeat(p, s.seeds, experiment.Bottleneck)
	s.door = repeat(p, s.seeds, func(ctx context.Context, by scene.Model, seed uint64) (experiment.Door, error) {
		return experiment.WalkDoor(ctx, by, seed, 1)
	})
	s.leads = repeat(p, s.seeds, experiment.Overtake)
	s.walls = repeat(p, s.seeds, experiment.WallShare)
}

func (s *throng) rows() []Row {
	var doors []experiment.Smoothness
	for _, d := range s.door {
		doors = append(doors, d.Throng)
	}
	var jams []experiment.Smoothness
	for _, j := range s.bottleneck {
		jams = append(jams, j.Throng)
	}
	rows := append(smooth("bottleneck", jams), smooth("door of 1.0 m", doors)...)
	mean, fewest := of("mean", s.seeds), of("fewest", s.seeds)
	rows = append(rows,
		judge(fmt.Sprintf("2 × 250 in 5 m: past within %d s", blocksWithin), exactly(500), leastOf(s.blocks, func(t *experiment.TwoWays) int { return t.Passed }), fewest),
		judge("2 × 250 in 5 m: lane order", atLeast(0.8), meanOf(s.blocks, func(t *experiment.TwoWays) float64 { return t.LaneOrder }), mean),
		judge("2 × 250 in 5 m: lane order from contact", atLeast(0.8), meanOf(s.blocks, func(t *experiment.TwoWays) float64 { return t.ContactOrder }), mean).because(mixed),
		judge("2 × 250 in 5 m: lane order, middle 10 m", atLeast(0.8), meanOf(s.blocks, func(t *experiment.TwoWays) float64 { return t.MiddleOrder }), mean),
		judge(fmt.Sprintf("2 × 60, door of 0.8 m: pass within %d s", sidesWithin), exactly(120), leastOf(s.sides, func(t *experiment.TwoSides) int { return t.Passed }), fewest),
		judge("2 × 60, door of 0.8 m: mean burst", atLeast(1.5), meanOf(s.sides, func(t *experiment.TwoSides) float64 { return t.Burst }), mean),
		judge(fmt.Sprintf("100 against 100 in 2 m: past in %d s", narrowWithin), exactly(200), leastOf(s.narrow, func(t *experiment.TwoWays) int { return t.Passed }), fewest),
		s.overtaking(),
		judge("bottleneck: notch behind the door", atMost(0.3).in("m"), meanOf(s.bottleneck, func(j *experiment.Jam) float64 { return j.Notch }), mean),
		judge("bottleneck: share on the emptier side", atLeast(0.43), meanOf(s.bottleneck, func(j *experiment.Jam) float64 { return j.Side }), mean),
		judge("evacuation: share within 0.35 m of the wall", atMost(0.05), meanOf(s.walls, func(w *float64) float64 { return *w }), mean),
	)
	for i := range s.scenes {
		name, runs := s.scenes[i].name, s.scenes[i].runs
		rows = append(rows,
			judge(name+": collisions", exactly(0), mostOf(runs, func(r *experiment.Safety) int { return r.Collisions })),
			judge(name+": centers in walls", exactly(0), mostOf(runs, func(r *experiment.Safety) int { return r.InWalls })))
	}
	return rows
}

// mixed is why there are no lanes where the blocks have only just met.
const mixed = "too low: both blocks start evenly over the whole width, and lanes form while they pass"

// smooth compares how people walk in a throng with how people were recorded.
func smooth(name string, throngs []experiment.Smoothness) []Row {
	mean := of("mean", len(throngs))
	return []Row{
		judge(name+", throng: wiggle", atMost(1.06), meanOf(throngs, func(s *experiment.Smoothness) float64 { return s.Wiggle }), mean),
		judge(name+", throng: reversals", atMost(0.25).in("/s"), meanOf(throngs, func(s *experiment.Smoothness) float64 { return s.Reversals }), mean),
		judge(name+", throng: acceleration", atMost(0.8).in("m/s²"), meanOf(throngs, func(s *experiment.Smoothness) float64 { return s.Acceleration }), mean),
	}
}

// overtaking says whether all who walk faster get past.
func (s *throng) overtaking() Row {
	least := s.leads[0]
	for _, lead := range s.leads {
		least = min(least, lead)
	}
	return judge("faster one overtakes: lead after 60 m", above(0).in("m"), least, of("least", s.seeds))
}

func (s *throng) missing() string { return "" }
