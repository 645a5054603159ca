package systems

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestBounds(t *testing.T) {
	box := r2.Box{Min: xy(0, -100), Max: xy(480, 220)}
	for _, tc := range []struct {
		name         string
		mode         BoundsMode
		p, v         r2.Vec
		wantP, wantV r2.Vec
	}{
		{"none", BoundsNone, xy(-5, 0), xy(-2, 1), xy(-5, 0), xy(-2, 1)},

		{"faithful, inside", BoundsFaithful, xy(5, 0), xy(-2, 1), xy(5, 0), xy(-2, 1)},
		{"faithful, on the edge", BoundsFaithful, xy(480, -100), xy(2, -1), xy(480, -100), xy(2, -1)},
		{"faithful, left", BoundsFaithful, xy(-1, 0), xy(-2, 1), xy(-1, 0), xy(2, 1)},
		{"faithful, right", BoundsFaithful, xy(481, 0), xy(2, 1), xy(481, 0), xy(-2, 1)},
		{"faithful, below", BoundsFaithful, xy(1, -101), xy(2, -1), xy(1, -101), xy(2, 1)},
		{"faithful, above", BoundsFaithful, xy(1, 221), xy(2, 1), xy(1, 221), xy(2, -1)},
		{"faithful, a corner", BoundsFaithful, xy(481, 221), xy(2, 1), xy(481, 221), xy(-2, -1)},
		{"faithful, outside and coming back: flips", BoundsFaithful, xy(-5, 0), xy(2, 1), xy(-5, 0), xy(-2, 1)},

		{"bounce, on the edge", BoundsBounce, xy(0, 0), xy(-2, 1), xy(0, 0), xy(-2, 1)},
		{"bounce, left", BoundsBounce, xy(-1, 0), xy(-2, 1), xy(0, 0), xy(2, 1)},
		{"bounce, right", BoundsBounce, xy(485, 0), xy(2, 1), xy(480, 0), xy(-2, 1)},
		{"bounce, below", BoundsBounce, xy(1, -101), xy(2, -1), xy(1, -100), xy(2, 1)},
		{"bounce, above", BoundsBounce, xy(1, 1e9), xy(2, 1), xy(1, 220), xy(2, -1)},
		{"bounce, a corner", BoundsBounce, xy(-1, 221), xy(-2, 1), xy(0, 220), xy(2, -1)},
		{"bounce, coming back: keeps its velocity", BoundsBounce, xy(-5, 0), xy(2, 1), xy(0, 0), xy(2, 1)},
		{"bounce, at rest", BoundsBounce, xy(-5, 0), xy(0, 0), xy(0, 0), xy(0, 0)},

		{"wrap, left", BoundsWrap, xy(-0.5, 0), xy(-2, 1), xy(479.5, 0), xy(-2, 1)},
		{"wrap, right", BoundsWrap, xy(480.5, 0), xy(2, 1), xy(0.5, 0), xy(2, 1)},
		{"wrap, below", BoundsWrap, xy(1, -101), xy(2, -1), xy(1, 219), xy(2, -1)},
		{"wrap, above", BoundsWrap, xy(1, 221), xy(2, 1), xy(1, -99), xy(2, 1)},
		{"wrap, several times", BoundsWrap, xy(-480*3-1, 0), xy(-2, 1), xy(479, 0), xy(-2, 1)},
		{"wrap, far", BoundsWrap, xy(480*1e6+7, 0), xy(2, 1), xy(7, 0), xy(2, 1)},

		{"clamp, left", BoundsClamp, xy(-1, 0), xy(-2, 1), xy(0, 0), xy(0, 1)},
		{"clamp, a corner", BoundsClamp, xy(481, 221), xy(2, 1), xy(480, 220), xy(0, 0)},
		{"clamp, coming back", BoundsClamp, xy(-5, 0), xy(2, 1), xy(0, 0), xy(2, 1)},
	} {
		pos, vel := []c.Position{{Vec: tc.p}}, []c.Velocity{{Vec: tc.v}}
		newRig(1, []frame.System{&Bounds{Mode: tc.mode, Box: box}}, frame.Over(pos), frame.Over(vel)).step()
		if pos[0].Vec != tc.wantP || vel[0].Vec != tc.wantV {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tc.name, pos[0], vel[0], tc.wantP, tc.wantV)
		}
	}
}

func TestBoundsSticking(t *testing.T) {
	box := r2.Box{Max: xy(480, 320)}
	for _, mode := range []BoundsMode{BoundsFaithful, BoundsBounce} {
		pos, vel := []c.Position{{Vec: xy(-5, 50)}}, []c.Velocity{{Vec: xy(2, 0)}}
		r := newRig(1, []frame.System{&Bounds{Mode: mode, Box: box}, &Integration{}}, frame.Over(pos), frame.Over(vel))
		flips := 0
		for range 101 {
			before := vel[0].X
			r.step()
			if vel[0].X == -before {
				flips++
			}
		}
		want := 0
		if mode == BoundsFaithful {
			want = 101
		}
		if stuck := pos[0].X < 0; flips != want || stuck != (mode == BoundsFaithful) {
			t.Errorf("mode %v: got=%d flips at %v, want=%d, and outside the box: %v", mode, flips, pos[0], want, mode == BoundsFaithful)
		}
	}
}

func TestBounceTurnsTheHeading(t *testing.T) {
	for _, tc := range []struct {
		mode              BoundsMode
		drive             bool
		at, heading, want r2.Vec
	}{
		{BoundsBounce, true, xy(-1, 5), xy(-0.6, -0.8), xy(0.6, -0.8)},
		{BoundsBounce, true, xy(11, 5), xy(0.8, 0.6), xy(-0.8, 0.6)},
		{BoundsBounce, true, xy(5, 11), xy(0.6, 0.8), xy(0.6, -0.8)},
		{BoundsFaithful, true, xy(-1, 5), xy(-0.6, -0.8), xy(0.6, -0.8)},
		{BoundsBounce, false, xy(-1, 5), xy(-0.6, -0.8), xy(-0.6, -0.8)},
		{BoundsWrap, true, xy(-1, 5), xy(-0.6, -0.8), xy(-0.6, -0.8)},
		{BoundsClamp, true, xy(-1, 5), xy(-0.6, -0.8), xy(-0.6, -0.8)},
	} {
		h := []c.Heading{{Vec: tc.heading}}
		slices := []frame.Slice{frame.Over([]c.Position{{Vec: tc.at}}), frame.Over([]c.Velocity{{Vec: r2.Scale(5, tc.heading)}}), frame.Over(h)}
		if tc.drive {
			slices = append(slices, frame.Over([]c.Drive{{Speed: 5}}))
		}
		newRig(1, []frame.System{&Bounds{Mode: tc.mode, Box: r2.Box{Max: xy(10, 10)}}}, slices...).step()
		testkit.Equal(t, h[0].Vec, tc.want, "mode %v, drive %v, at %v", tc.mode, tc.drive, tc.at)
	}
}

func TestBoundsBadBox(t *testing.T) {
	for _, tc := range []struct {
		mode   BoundsMode
		box    r2.Box
		panics bool
	}{
		{BoundsNone, r2.Box{}, false},
		{BoundsBounce, r2.Box{Max: xy(1, 1)}, false},
		{BoundsBounce, r2.Box{}, true},
		{BoundsWrap, r2.Box{Max: xy(1, 0)}, true},
		{BoundsClamp, r2.Box{Min: xy(2, 0), Max: xy(1, 1)}, true},
		{BoundsFaithful, r2.Box{Max: xy(math.NaN(), 1)}, true},
		{BoundsBounce, r2.Box{Max: xy(inf, 1)}, true},
	} {
		t.Run(fmt.Sprint(tc.mode, tc.box), func(t *testing.T) {
			defer func() {
				testkit.Equal(t, recover() != nil, tc.panics, "panics")
			}()
			(&Bounds{Mode: tc.mode, Box: tc.box}).Attach(nil, nil)
		})
	}
}
