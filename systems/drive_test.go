package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

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
