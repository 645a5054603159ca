package scene

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Set takes the name of a key, with or without its table, a short name, and that of
// a parameter, and changes the number in all groups that have it.
func TestSet(t *testing.T) {
	for _, tc := range []struct {
		name string
		want []string // of the parameters that become 0.5
	}{
		{"max-speed", []string{"groups[0].max-speed", "groups[1].max-speed", "groups[2].max-speed", "groups[3].max-speed"}},
		{"max-force", []string{"groups[0].max-force", "groups[1].max-force", "groups[2].max-force", "groups[3].max-force"}},
		{"radius", []string{"groups[0].radius", "groups[1].radius", "groups[2].radius", "groups[3].radius"}},
		{"slowing-radius", []string{"groups[0].arrival.slowing-radius", "groups[0].opposing-arrival.slowing-radius", "groups[0].damped-arrival.slowing-radius"}},
		{"look-ahead", []string{"groups[0].threat-scan.look-ahead", "groups[1].threat-scan.look-ahead"}},
		{"seek.gain", []string{"groups[0].seek.gain", "groups[1].seek.gain", "groups[3].seek.gain"}},
		{"groups[1].seek.gain", []string{"groups[1].seek.gain"}},
		{"pointer.speed", []string{"pointer.speed"}},
		{"avoidance", []string{"groups[0].avoidance.max-force", "groups[1].avoidance.max-force"}},
		{"turn-rate", []string{"groups[0].turn-towards.rate", "groups[0].turn-away.rate"}},
		{"drive-speed", []string{"groups[0].drive.speed", "groups[0].drive.top-speed"}},
		{"facing", []string{"groups[0].facing.rate"}},
		{"flee-radius", []string{"groups[0].flee.radius"}},
		{"goal-radius", []string{"groups[0].goal.radius", "groups[1].goal.radius"}},
	} {
		s, before := handmade(), handmade()
		if err := s.Set(tc.name, 0.5); err != nil {
			t.Errorf("%s: got=%v, want=no error", tc.name, err)
			continue
		}
		for _, name := range tc.want {
			k, _ := s.boundKey(name)
			if got := k.get(); got != 0.5 {
				t.Errorf("%s: %s: got=%v, want=0.5", tc.name, name, got)
			}
			old, _ := before.boundKey(name)
			old.set(0.5)
		}
		if got, want := written(scenes, *s), written(scenes, *before); got != want {
			t.Errorf("%s: got=%s, want=%s", tc.name, got, want)
		}
	}
}

// What a file may not say is refused, and nothing changes.
func TestSetRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		x    float64
		want string
	}{
		{"mass", 0, "mass is 0 kg, want a finite number above 0"},
		{"max-speed", -1, "max-speed is -1 m/s, want a finite number, 0 or more"},
		{"max-speed", math.Inf(1), "max-speed is +Inf m/s, want a finite number, 0 or more"},
		{"look-ahead", math.NaN(), "look-ahead is NaN m, want a finite number, 0 or more"},
		{"turn-rate", 1, "turn-rate: no agent of scene plaza has it"},
		{"flee.radius", 1, "flee.radius: no agent of scene plaza has it"},
		{"groups[3].mass", 1, "groups[3].mass: no agent of scene plaza has it"},
	} {
		s := plaza()
		if err := s.Set(tc.name, tc.x); err == nil || err.Error() != tc.want {
			t.Errorf("%s = %v: got=%v, want=%s", tc.name, tc.x, err, tc.want)
		}
		if got, want := written(scenes, *s), written(scenes, *plaza()); got != want {
			t.Errorf("%s = %v: got=%s, want=%s", tc.name, tc.x, got, want)
		}
	}
}

// A speed at the start takes the place of a velocity.
func TestSetStartSpeed(t *testing.T) {
	s := avoidanceCocos()
	noError(t, s.Set("start-speed", 3))
	if g := s.Groups[0]; g.Speed != 3 || g.Velocity != (r2.Vec{}) {
		t.Errorf("got=%v, %v, want=3, 0", g.Speed, g.Velocity)
	}
}
