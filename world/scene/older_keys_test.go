package scene

import (
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/angle"
)

const olderGroup = "box = [[0, 0], [40, 30]]\n[[groups]]\nmax-speed = 2\nradius = 0.2\nstart-speed = 1\n"

// Keys with names of before are read as ever, and noted; what is written has the names
// of now.
func TestOlderKeys(t *testing.T) {
	const old = "orca = {horizon = 3, obstacle-horizon = 1, range = 6, neighbors = 20}\n" +
		"alignment = {radius = 4, view = 270, most = 7}\n" +
		"unaligned-collision-avoidance = {horizon = 1, radius = 6}\n"
	const now = "orca = {time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 6, max-neighbors = 20}\n" +
		"alignment = {neighbor-dist = 4, field-of-view = 270, max-neighbors = 7}\n" +
		"unaligned-collision-avoidance = {horizon = 1, neighbor-dist = 6}\n"
	s, err := Read(strings.NewReader(olderGroup+old), "f.toml")
	noError(t, err)
	want, err := Read(strings.NewReader(olderGroup+now), "f.toml")
	noError(t, err)
	if got, want := written(scenes, *s), written(scenes, *want); got != want {
		t.Errorf("got=%s, want=%s", got, want)
	}
	if b, _ := Behavior[c.Alignment](&s.Groups[0]); b != (c.Alignment{Gain: 2, NeighborDist: 4, FieldOfView: angle.Radians(270), MaxNeighbors: 7}) {
		t.Errorf("got=%+v", b)
	}
	for _, note := range []string{
		"f.toml:6:9: groups[0].orca.horizon is called time-horizon now",
		"f.toml:6:22: groups[0].orca.obstacle-horizon is called time-horizon-obst now",
		"f.toml:6:44: groups[0].orca.range is called neighbor-dist now",
		"f.toml:6:55: groups[0].orca.neighbors is called max-neighbors now",
		"f.toml:7:14: groups[0].alignment.radius is called neighbor-dist now",
		"f.toml:7:26: groups[0].alignment.view is called field-of-view now",
		"f.toml:7:38: groups[0].alignment.most is called max-neighbors now",
		"f.toml:8:47: groups[0].unaligned-collision-avoidance.radius is called neighbor-dist now",
	} {
		if !slices.Contains(s.Warnings, note) {
			t.Errorf("got=%q, want %q among them", s.Warnings, note)
		}
	}
	if len(want.Warnings) > 0 {
		t.Errorf("names of now: got=%q, want=no note", want.Warnings)
	}
}

// neighbors = 0 meant nobody; now it is no limit.
func TestOlderNobody(t *testing.T) {
	for _, tc := range []struct {
		text string
		want c.ORCA
	}{
		{"orca = {horizon = 3, obstacle-horizon = 1, range = 6, neighbors = 0}", c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, Priority: 1}},
		{"orca = {time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 6, max-neighbors = 0}", c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 6, Priority: 1}},
	} {
		s, err := Read(strings.NewReader(olderGroup+tc.text), "f.toml")
		noError(t, err)
		if b, _ := Behavior[c.ORCA](&s.Groups[0]); b != tc.want {
			t.Errorf("%s: got=%+v, want=%+v", tc.text, b, tc.want)
		}
		const note = "groups[0].orca.neighbors = 0 is read as neighbor-dist = 0: max-neighbors = 0 means no limit now"
		if got, want := strings.Contains(strings.Join(s.Warnings, "\n"), note), tc.want.NeighborDist == 0; got != want {
			t.Errorf("%s: noted: got=%v, want=%v: %q", tc.text, got, want, s.Warnings)
		}
	}
}

// A key with both its names is refused.
func TestOlderAndNow(t *testing.T) {
	_, err := Read(strings.NewReader(olderGroup+"cohesion = {radius = 1, neighbor-dist = 2}"), "f.toml")
	want := "f.toml:6:13: groups[0].cohesion.radius and neighbor-dist are both there, want neighbor-dist"
	if err == nil || err.Error() != want {
		t.Errorf("got=%v, want=%s", err, want)
	}
}
