package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestWallFollowing(t *testing.T) {
	wall := wallFrom(xy(-90, 0), xy(90, 0))
	for _, tc := range []struct {
		name     string
		p, v     r2.Vec
		body     float64
		par      c.WallFollowing
		faithful bool
		shapes   []space.Shape
		want     r2.Vec // desired velocity; the zero vector means no action
	}{
		{"along at the offset", xy(0, 2), xy(1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, xy(5, 0)},
		{"along, the other way", xy(0, 2), xy(-1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, xy(-5, 0)},
		{"the body counts", xy(0, 3), xy(1, 0), 1, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, xy(5, 0)},
		{"below the wall", xy(0, -2), xy(1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, xy(5, 0)},
		{"head-on, to the right", xy(0, 10), xy(0, -1), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 20}, false, nil, xy(-5*5/vec.Norm(xy(5, 8)), -5*8/vec.Norm(xy(5, 8)))},
		{"too far away", xy(0, 10), xy(1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, xy(0, 0)},
		{"the range is from the body", xy(0, 9.5), xy(1, 0), 1, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, vec.WithNorm(xy(6, -6.5), 5)},
		{"too far away with a body", xy(0, 10.5), xy(1, 0), 1, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, nil, xy(0, 0)},
		{"out of range now, not where it will be", xy(0, 10), xy(0, -2), 0, c.WallFollowing{Horizon: 1, Offset: 8, Range: 9}, false, nil, xy(-5*5/vec.Norm(xy(5, 2)), -5*2/vec.Norm(xy(5, 2)))},
		{"horizon 0: straight to the offset", xy(0, 5), xy(1, 0), 0, c.WallFollowing{Offset: 2, Range: 9}, false, nil, xy(0, -5)},
		{"beyond the wall in the horizon: on this side", xy(0, 1), xy(0, -4), 0, c.WallFollowing{Horizon: 1, Offset: 1, Range: 9}, false, nil, xy(-5, 0)},

		{"faithful", xy(0, 2), xy(3, 0), 0, c.WallFollowing{Horizon: 1, Offset: 6, Range: 9}, true, nil, xy(3, 4)},
		{"faithful, head-on: straight at the offset", xy(0, 10), xy(0, -1), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 20}, true, nil, xy(0, -5)},
		{"faithful, beyond the wall in the horizon: through it", xy(0, 1), xy(0, -4), 0, c.WallFollowing{Horizon: 1, Offset: 1, Range: 9}, true, nil, xy(0, -5)},
	} {
		w := newWalker(tc.p, tc.v, r2.Vec{}, 5, inf)
		tc.par.Gain = 2
		s := &WallFollowing{Obstacles: snapshotOf(wall), Faithful: tc.faithful}
		w.rig(1, []frame.System{s}, frame.Over([]c.Radius{{Meters: tc.body}}), frame.Over([]c.WallFollowing{tc.par})).step()
		want := vec.Scale(2, vec.Sub(tc.want, tc.v))
		if tc.want == (r2.Vec{}) {
			want = tc.want
		}
		testkit.Near(t, w.steer[0].Vec, want, 1e-12, "%s", tc.name)
	}
}

// TestWallFollowingGoesRound verifies that an agent that starts at rest reaches a block and circles
// it near its offset.
func TestWallFollowingGoesRound(t *testing.T) {
	block := space.Shape{Ring: []r2.Vec{xy(0, 0), xy(20, 0), xy(20, 12), xy(0, 12)}}
	w := newWalker(xy(10, -6), xy(0, 0), r2.Vec{}, 2, inf)
	s := &WallFollowing{Obstacles: snapshotOf(block)}
	r := w.rig(1./60, []frame.System{s, &Integration{}}, frame.Over([]c.WallFollowing{{Gain: 4, Horizon: 0.5, Offset: 1.5, Range: 8}}))
	quarters := map[[2]bool]bool{}
	for step := range 60 * 60 {
		r.step()
		p := w.pos[0].Vec
		near, _ := s.Obstacles.Nearest(p, 99)
		if step > 600 && !within(near.Distance, 1.5, 0.7) {
			t.Fatalf("after %v s at %v: distance: got=%v m, want=0.8 to 2.2", float64(step)/60, p, near.Distance)
		}
		quarters[[2]bool{p.X > 10, p.Y > 6}] = true
	}
	testkit.Equal(t, len(quarters), 4, "quarters around the block visited")
}
