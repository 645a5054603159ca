package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// BenchmarkLone takes the behaviors of agents that do not see the crowd over
// 1,024 agents among 1,024 pillars, 15 m apart.
func BenchmarkLone(b *testing.B) {
	const n = 1024
	var pillars []space.Shape
	for i := range n {
		pillars = append(pillars, roundAt(float64(15*(i%32)), float64(15*(i/32)), 1.5))
	}
	index := snapshotOf(pillars...)
	draw := func(i, use int) float64 { return frame.HashFloat(1, uint64(i), 0, uint64(use)) }
	pos, vel, limits, steer := make([]c.Position, n), make([]c.Velocity, n), make([]c.Limits, n), make([]c.Steering, n)
	id, quarry, pursuer := make([]c.Agent, n), make([]c.Quarry, n), make([]c.Pursuer, n)
	pursuit, evasion, offset := make([]c.Pursuit, n), make([]c.Evasion, n), make([]c.OffsetPursuit, n)
	wander, contain, follow := make([]c.Wander, n), make([]c.Containment, n), make([]c.WallFollowing, n)
	for i := range n {
		id[i].ID = uint64(i)
		pos[i].Vec, vel[i].Vec = xy(480*draw(i, 0), 480*draw(i, 1)), xy(2*draw(i, 2)-1, 2*draw(i, 3)-1)
		limits[i] = c.Limits{MaxSpeed: 1.4, MaxForce: 6}
		s := c.TrackedEntity{At: xy(480*draw(i, 4), 480*draw(i, 5)), Velocity: xy(2*draw(i, 6)-1, 2*draw(i, 7)-1), Seen: true}
		quarry[i], pursuer[i] = c.Quarry(s), c.Pursuer(s)
		pursuit[i], evasion[i] = c.Pursuit{Gain: 1, Horizon: 5}, c.Evasion{Gain: 1, Horizon: 5}
		offset[i], wander[i] = c.OffsetPursuit{Gain: 1, Horizon: 5, Distance: 2}, c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}
		contain[i] = c.Containment{Gain: 1, Horizon: 3, Box: r2.Box{Max: xy(480, 480)}}
		follow[i] = c.WallFollowing{Gain: 1, Horizon: 1, Offset: 1, Range: 5}
	}
	for _, s := range []frame.System{
		&Seek{}, &Pursuit{}, &Pursuit{Prediction: PredictBearing}, &Evasion{}, &OffsetPursuit{}, &Wander{},
		&Containment{Obstacles: index}, &Containment{Obstacles: snapshotOf()}, &WallFollowing{Obstacles: index},
	} {
		batch := frame.BatchOf(frame.Clock{Dt: 1. / 60, Time: 17}, s, frame.Over(pos), frame.Over(vel), frame.Over(limits), frame.Over(steer), frame.Over(id), frame.Over(quarry), frame.Over(pursuer),
			frame.Over(pursuit), frame.Over(evasion), frame.Over(offset), frame.Over(wander), frame.Over(contain), frame.Over(follow), frame.Over(make([]c.Seek, n)), frame.Over(make([]c.Target, n)))
		b.Run(frame.NameOf(s), func(b *testing.B) {
			for range b.N {
				s.Run(batch)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/agent")
		})
	}
}

// BenchmarkWatch looks at 100,000 quarries, of which many agents have the same, or
// each another.
func BenchmarkWatch(b *testing.B) {
	for _, same := range []bool{true, false} {
		s := newStage(b, 1./60, &Track{})
		other := s.Put(c.Position{}, c.Velocity{})
		for range 100_000 {
			e := s.Put(c.Position{}, c.Velocity{}, c.Quarry{Entity: other})
			if !same {
				other = e
			}
		}
		b.Run(map[bool]string{true: "same", false: "each"}[same], func(b *testing.B) {
			s.Steps(b.N)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100_000, "ns/agent")
		})
	}
}
