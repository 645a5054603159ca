package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func face(h, v r2.Vec, rate, dt float64, faithful bool) r2.Vec {
	heading := []c.Heading{{Vec: h}}
	newRig(dt, []frame.System{&Facing{Faithful: faithful}}, frame.Over([]c.Velocity{{Vec: v}}), frame.Over([]c.Facing{{Rate: rate}}), frame.Over(heading)).step()
	return heading[0].Vec
}

func TestFacing(t *testing.T) {
	ln2 := math.Ln2
	for _, tc := range []struct {
		name     string
		h, v     r2.Vec
		faithful bool
		rate, dt float64
		want     r2.Vec
	}{
		{"faithful, half of a unit velocity", xy(1, 0), xy(0, 1), true, 1, 0.5, xy(math.Sqrt2/2, math.Sqrt2/2)},
		{"faithful, a fast velocity weighs more", xy(1, 0), xy(0, 3), true, 1, 0.25, xy(math.Sqrt2/2, math.Sqrt2/2)},
		{"faithful, dt 0", xy(0.6, 0.8), xy(3, 0), true, 1, 0, xy(0.6, 0.8)},
		{"faithful, the factor is at most 1", xy(1, 0), xy(0, 2), true, 1, 5, xy(0, 1)},
		{"faithful, opposite, before zero", xy(1, 0), xy(-1, 0), true, 1, 0.25, xy(1, 0)},
		{"faithful, opposite, at zero: keeps its own", xy(1, 0), xy(-1, 0), true, 1, 0.5, xy(1, 0)},
		{"faithful, opposite, past zero: flips", xy(1, 0), xy(-1, 0), true, 1, 0.75, xy(-1, 0)},
		{"faithful, too slow", xy(1, 0), xy(0, 0.1), true, 1, 0.5, xy(1, 0)},
		{"faithful, just fast enough", xy(1, 0), xy(0, 0.125), true, 1, 1, xy(0, 1)},

		{"half of a quarter turn", xy(1, 0), xy(0, 7), false, ln2, 1, xy(math.Sqrt2/2, math.Sqrt2/2)},
		{"to the right", xy(1, 0), xy(0, -0.2), false, ln2, 1, xy(math.Sqrt2/2, -math.Sqrt2/2)},
		{"three quarters of a quarter turn", xy(1, 0), xy(0, 2), false, ln2, 2, xy(math.Cos(3*math.Pi/8), math.Sin(3*math.Pi/8))},
		{"opposite goes left, not through zero", xy(1, 0), xy(-3, 0), false, ln2, 1, xy(0, 1)},
		{"there already", xy(0, 1), xy(0, 3), false, ln2, 1, xy(0, 1)},
		{"rate 0 pauses", xy(1, 0), xy(0, 3), false, 0, 1, xy(1, 0)},
		{"no time", xy(1, 0), xy(0, 3), false, 2, 0, xy(1, 0)},
		{"at 0.1 m/s", xy(1, 0), xy(0, 0.1), false, ln2, 1, xy(1, 0)},
		{"at rest", xy(1, 0), xy(0, 0), false, ln2, 1, xy(1, 0)},
		{"at once", xy(1, 0), xy(0, -5), false, 1e9, 1, xy(0, -1)},
	} {
		testkit.Near(t, face(tc.h, tc.v, tc.rate, tc.dt, tc.faithful), tc.want, 1e-15, "%s", tc.name)
	}
}

func TestFacingFrameRate(t *testing.T) {
	after := func(n int, faithful bool) r2.Vec {
		h := xy(1, 0)
		for range n {
			h = face(h, xy(-3, 1), 2, 1/float64(n), faithful)
		}
		return h
	}
	for _, n := range []int{2, 10, 60, 500} {
		testkit.Near(t, after(n, false), after(1, false), 1e-12, "safe, %d steps", n)
	}
	if a, b := after(3, true), after(60, true); vecWithin(a, b, 1e-3) {
		t.Errorf("faithful: got=%v and %v, want different turns at 3 and 60 steps per second", a, b)
	}
}

func TestDriveMoves(t *testing.T) {
	for _, tc := range []struct {
		name         string
		p, h         r2.Vec
		speed, dt    float64
		wantP, wantV r2.Vec
	}{
		{"along x", xy(1, 2), xy(1, 0), 3, 0.5, xy(2.5, 2), xy(3, 0)},
		{"aslant", xy(0, 0), xy(0.6, 0.8), 5, 2, xy(6, 8), xy(3, 4)},
		{"speed 0 pauses", xy(1, 2), xy(1, 0), 0, 0.5, xy(1, 2), xy(0, 0)},
		{"no time", xy(1, 2), xy(0, -1), 3, 0, xy(1, 2), xy(0, -3)},
	} {
		p, v := drive(tc.p, tc.h, tc.speed, tc.dt)
		if p != tc.wantP || v != tc.wantV {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tc.name, p, v, tc.wantP, tc.wantV)
		}
		for _, withVelocity := range []bool{true, false} {
			pos, vel := []c.Position{{Vec: tc.p}}, []c.Velocity{{Vec: xy(9, 9)}}
			slices := []frame.Slice{frame.Over(pos), frame.Over([]c.Heading{{Vec: tc.h}}), frame.Over([]c.Drive{{Speed: tc.speed}})}
			want := xy(9, 9)
			if withVelocity {
				slices, want = append(slices, frame.Over(vel)), tc.wantV
			}
			newRig(tc.dt, []frame.System{&Drive{}}, slices...).step()
			if pos[0].Vec != tc.wantP || vel[0].Vec != want {
				t.Errorf("%s, system: got=%v, %v, want=%v, %v", tc.name, pos[0], vel[0], tc.wantP, want)
			}
		}
	}
}
