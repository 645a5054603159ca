package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
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

// tankRig is a turn-limited seek or flee of an agent at 0 that faces +x: speed
// 10 and turn rate 2, so that the turning circles have radius r = 5.
func tankRig(target r2.Vec, away bool) (*rig, []c.Position) {
	pos := []c.Position{{}}
	slices := []frame.Slice{frame.Over(pos), frame.Over([]c.Heading{{Vec: xy(1, 0)}}), frame.Over([]c.Drive{{Speed: 10}}), frame.Over([]c.Velocity{{}})}
	if away {
		return newRig(0.001, []frame.System{&TurnAway{}, &Drive{}},
			append(slices, frame.Over([]c.Flee{{From: target}}), frame.Over([]c.TurnAway{{Rate: 2}}))...), pos
	}
	return newRig(0.001, []frame.System{&TurnTowards{}, &Drive{}},
		append(slices, frame.Over([]c.Target{{Vec: target}}), frame.Over([]c.TurnTowards{{Rate: 2}}))...), pos
}

// A turn-limited seek orbits a target inside one of its turning circles.
func TestDriveOrbits(t *testing.T) {
	const r = 5
	for _, tc := range []struct {
		name   string
		target r2.Vec
		hits   bool
	}{
		{"abeam at 1.5 r", xy(0, 1.5*r), false},
		{"abeam at 1.5 r, on the right", xy(0, -1.5*r), false},
		{"ahead at 0.5 r", xy(0.5*r, 0), true},
		{"ahead at 10 r", xy(10*r, 0), true},
		{"abeam at 2.5 r", xy(0, 2.5*r), true},
		{"behind at 3 r", xy(-3*r, 0), true},
	} {
		g, pos := tankRig(tc.target, false)
		nearest := vec.Norm(tc.target)
		for range 20_000 {
			g.step()
			nearest = min(nearest, vec.Norm(vec.Sub(pos[0].Vec, tc.target)))
		}
		if hits := nearest < 0.02; hits != tc.hits {
			t.Errorf("%s: hits: got=%v at %v m, want=%v", tc.name, hits, nearest, tc.hits)
		}
		if !tc.hits && !within(nearest, 0.5*r, 0.05) { // the center of the circle is 0.5 r away
			t.Errorf("%s: nearest: got=%v, want=%v", tc.name, nearest, 0.5*r)
		}
	}
}

// A turn-limited flee still moves toward the threat while it turns.
func TestFleeComesNearerFirst(t *testing.T) {
	threat := xy(30, 1)
	g, pos := tankRig(threat, true)
	start := vec.Norm(threat)
	nearest, last := start, start
	for range 4000 {
		g.step()
		last = vec.Norm(vec.Sub(pos[0].Vec, threat))
		nearest = min(nearest, last)
	}
	// It turns right, along the circle around (0, -5).
	testkit.Near(t, start-nearest, start-(math.Hypot(30, 6)-5), 0.02, "comes nearer by")
	if last < 50 {
		t.Errorf("at last: got=%v from the threat, want=beyond 50", last)
	}
}
