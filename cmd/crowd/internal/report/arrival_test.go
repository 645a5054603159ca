package report

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// cell is a room of 10 m × 10 m with agents inside it, and %s for further keys of the scene, of its obstacles
// and of the group. The left wall has a gap from y = 4.5 to y = 5.5.
const cell = `
box = [[-20, -20], [20, 20]]
%s
[obstacles]
walls = [{from = [0, 0], to = [10, 0]}, {from = [10, 0], to = [10, 10]}, {from = [10, 10], to = [0, 10]},
  {from = [0, 0], to = [0, 4.5]}, {from = [0, 5.5], to = [0, 10]}]
%s
[[groups]]
name = "guests"
count = 3
at = {rectangle = [[2, 2], [4, 8]]}
max-speed = 1
%s
`

const (
	wide  = "target = [-5, 5]\nradius = 0.6\n" + goes // wider than the gap
	slim  = "target = [-5, 5]\nradius = 0.3\n" + goes
	stops = "itineraries = [[{at = [5, 5]}, {at = [-5, 5]}%s]]\nradius = 0.6\n" + goes
	goes  = "goal = {radius = 0.5}\nway = \"route\"\nseek = {}\nsolid = {}"
)

// across is a wall from one edge of the box to the opposite edge.
const across = "polygons = [[[-3, -20], [-3, 21], [-2.9, 0]]]"

// door returns a door in the gap, with the given schedule, as TOML.
func door(times string) string { return "doors = [{from = [0, 4.5], to = [0, 5.5]" + times + "}]" }

func read(t *testing.T, top, obstacles, group string) *scene.Scene {
	t.Helper()
	s, err := scene.Read(strings.NewReader(fmt.Sprintf(cell, top, obstacles, group)), "x.toml", scene.OpenOptions{})
	testkit.Must(t, err)
	return s
}

func TestLint(t *testing.T) {
	const alike = "groups[0] (guests): 3 of 3 agents can't arrive, for example agent 1: "
	for _, test := range []struct {
		name, top, obstacles, group string
		want                        string // prefix; empty means no finding
	}{
		{"too wide for the gap", "", "", wide, alike + "a body of radius 0.6 m has no path from ("},
		{"slim enough", "", "", slim, ""},
		{"by a field", "", "", strings.Replace(wide, "route", "field", 1), alike + "a body of radius 0.6 m has no path from ("},
		{"by a field to a box", "", "", strings.Replace(strings.Replace(wide, "route", "field", 1), "[-5, 5]", "{rectangle = [[-6, 4], [-5, 5]]}", 1), alike + "a body of radius 0.6 m has no path from ("},
		{"straight", "", "", strings.Replace(wide, "route", "straight", 1), alike + "a body of radius 0.6 m has no path from ("},
		{"a target in a wall", "", "circles = [{at = [-5, 5], radius = 1}]", slim, alike + "its goal at (-5, 5) is inside an obstacle; clear the way"},
		{"a goal larger than the obstacle around it", "", "circles = [{at = [-5, 5], radius = 1}]", strings.Replace(slim, "radius = 0.5", "radius = 1.5", 1), ""},
		{"itinerary", "", "", fmt.Sprintf(stops, ""), alike + "a body of radius 0.6 m has no path from (5, 5) to"},

		{"a door that never opens", "", door(""), slim, alike + "a body of radius 0.3 m"},
		{"an open door", "", door(", open = true"), slim, ""},
		{"a door that opens later", "", door(", opens = 20, closes = 1e6"), slim, ""},
		{"a door that opens at once", "", door(", closes = 5"), slim, ""},
		{"a door that opens periodically", "", door(", opens = 8, closes = 4, period = 10"), slim, ""},
		{"a door that closes later", "", door(", open = true, opens = 1e6, closes = 4"), slim, ""},
		{"a door too narrow when it is open", "", door(", opens = 20, closes = 30"), wide, alike + "a body of radius 0.6 m"},

		{"no goal", "", "", strings.Replace(wide, "goal = {radius = 0.5}", "", 1), ""},
		{"wander after arrival", "", "", strings.Replace(wide, "goal = {radius = 0.5}", "goal = {radius = 0.5, then = \"wander\"}", 1), ""},
		{"wander", "", "", wide + "\nwander = {distance = 2, radius = 1, rate = 1}", ""},
		{"a crowded goal", "", "", wide + "\ncrowded-goal = {share = 0.3, patience = 2}", ""},
		{"a crowded goal per agent", "", "", strings.Replace(wide, "[-5, 5]", "{rectangle = [[-6, 4], [-5, 5]]}", 1) + "\ncrowded-goal = {share = 0.3, patience = 2}", alike + "a body of radius 0.6 m"},
		{"ORCA and not solid", "", "", strings.Replace(wide, "solid = {}", "orca = {time-horizon = 2, time-horizon-obst = 1, neighbor-dist = 4}", 1), alike + "a body of radius 0.6 m"},
		{"a polygon without an area", "", "polygons = [[[-2, 3], [-2, 7], [-2, 6]]]", wide, alike + "a body of radius 0.6 m"},
		{"around a polygon without an area", "", "polygons = [[[-2, 3], [-2, 7], [-2, 6]]]", slim, ""},
		{"a flock", "", "", wide + "\ncohesion = {neighbor-dist = 5}", ""},
		{"leader following", "", "", wide + "\nleader-following = {leader = \"pointer\", distance = 1, slowing-radius = 1}\n[pointer]\nway = [[0, 0], [1, 1]]\nspeed = 1", ""},
		{"not solid", "", "", strings.Replace(wide, "solid = {}", "", 1), ""},
		{"periodic edges", "bounds = \"wrap\"", "", wide, ""},
		{"a wall between open edges", "", across, slim, ""},
		{"a wall between clamping edges", "bounds = \"clamp\"", across, slim, alike + "a body of radius 0.3 m has no path from ("},
		{"a wall between bouncing edges, by a field", "bounds = \"bounce\"", across, strings.Replace(slim, "route", "field", 1), alike + "a body of radius 0.3 m has no path from ("},
		{"a corridor at the edge", "bounds = \"clamp\"", strings.Replace(across, "20", "19.5", 1), slim, ""},
		{"a corridor at the edge, too narrow", "bounds = \"clamp\"", strings.Replace(across, "20", "19.5", 1), strings.Replace(slim, "radius = 0.3", "radius = 0.51", 1), alike + "a body of radius 0.51 m has no path from ("},
		{"a target outside the bounds", "bounds = \"bounce\"", "", strings.Replace(slim, "-5", "-21", 1), alike + "its goal at (-21, 5) is 1 m outside the box that agents cannot leave"},
		{"no obstacles, and a target outside the bounds", "bounds = \"clamp\"", "", strings.Replace(slim, "-5", "-21", 1), alike + "its goal at (-21, 5) is 1 m outside the box that agents cannot leave"},
		{"no obstacles, and a target in the bounds", "bounds = \"clamp\"", "", slim, ""},
		{"a goal that reaches into the bounds", "bounds = \"bounce\"", "", strings.Replace(slim, "-5", "-20.4", 1), ""},
		{"an endless stop", "", "", fmt.Sprintf(stops, `, {kind = "idle"}`), ""},
		{"start in an obstacle", "", "boxes = [{box = [[1, 1], [5, 9]]}]", wide, ""},
	} {
		s := read(t, test.top, test.obstacles, test.group)
		if strings.HasPrefix(test.name, "no obstacles") {
			s.Obstacles = scene.Obstacles{}
		}
		found, note, err := LintReach(t.Context(), s)
		if got := strings.Join(found, "\n"); err != nil || note != "" || test.want == "" && got != "" || !strings.HasPrefix(got, test.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: got=%q, %q, %v, want one finding that begins with %q (none if empty)", test.name, got, note, err, test.want)
		}
	}
}

func TestLintMany(t *testing.T) {
	var groups strings.Builder
	for i := range 7 {
		fmt.Fprintf(&groups, "[[groups]]\ncount = 300\nat = {rectangle = [[2, 2], [8, 8]]}\nmax-speed = 1\n%s\n", []string{slim, wide}[min(i, 1)])
	}
	s := read(t, "", "", slim+"\n"+groups.String())
	found, note, err := LintReach(t.Context(), s)
	if err != nil || note != "" || len(found) != mostFindings+1 {
		t.Fatalf("got=%q, %q, %v, want=%d lines", found, note, err, mostFindings+1)
	}
	if want := " checked (of 300 agents in total) can't arrive, for example agent "; !strings.HasPrefix(found[0], "groups[2]: 14") || !strings.Contains(found[0], want) {
		t.Errorf("got=%q, want a finding that begins with %q and contains %q", found[0], "groups[2]: 14", want)
	}
	if got, want := found[mostFindings], "143 more agents can't arrive, for other reasons or in other groups"; got != want && got != strings.Replace(want, "143", "142", 1) {
		t.Errorf("got=%q, want=%q, or 142", got, want)
	}
}

func TestLintEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, _, err := LintReach(ctx, read(t, "", "", wide)); err == nil || len(found) > 0 {
		t.Errorf("got=%q, %v, want no finding, and an error", found, err)
	}
}

func TestBuiltIn(t *testing.T) {
	for _, name := range scene.Names() {
		s, err := scene.Named(name)
		testkit.Must(t, err)
		if s.Agents() > 10_000 {
			s.Resize(10_000)
		}
		if found, note, err := LintReach(t.Context(), s); err != nil || note != "" || len(found) > 0 {
			t.Errorf("%s: got=%q, %q, %v, want no finding, note or error", name, found, note, err)
		}
	}
}

// TestLookLater has doors that have closed permanently, and doors that open again.
func TestLookLater(t *testing.T) {
	for times, want := range map[string]int{
		"": 3, ", open = true": 0, ", opens = 0, closes = 0.05": 3,
		", opens = 0, closes = 0.05, period = 3": 0, ", open = true, opens = 1e6, closes = 0.05": 0,
	} {
		s := read(t, "dt = 0.1", door(times), slim)
		w, err := s.Build(scene.Options{Workers: 1})
		testkit.Must(t, err)
		defer w.Close()
		for range 5 {
			testkit.Must(t, w.Step())
		}
		before := w.Obstacles.Len()
		a := Reach(t.Context(), s, w)
		if len(a.Stuck) != want || a.Asked[0] != 3 || a.Late[0] != 3 {
			t.Errorf("%q: got=%+v, want=3 agents late and asked, %d stuck", times, a, want)
		}
		testkit.Equal(t, w.Obstacles.Len(), before, "%q: obstacles afterwards", times)
	}
}

func TestReasons(t *testing.T) {
	all := []Stuck{
		{3, 0, "shoppers", "its goal at (1, 2) is inside an obstacle"}, {4, 1, "", "a body of radius 0.5 m has no path from (0, 1) to its goal at (9, 1)"},
		{7, 0, "shoppers", "its goal at (-1.5, 2e+06) is inside an obstacle"}, {8, 2, "", "it is late"}, {9, 2, "", "it is early"},
	}
	got := strings.Join(StuckReasons(all), "\n")
	want := "agent 3 (shoppers) and 1 more: its goal at (1, 2) is inside an obstacle\nagent 4: a body of radius 0.5 m has no path from (0, 1) to its goal at (9, 1)\nagent 8: it is late"
	testkit.Equal(t, got, want, "reasons")
	if kinds := stuckKinds(all, false); len(kinds) != 4 || kinds[0].Count != 2 {
		t.Errorf("got=%+v, want=4 kinds, the first with two agents", kinds)
	}
}
