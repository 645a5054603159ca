package orbit

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/crowdtest"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var options = scene.OpenOptions{Catalog: []catalog.Entry{Entry}}

func TestLaws(t *testing.T) { crowdtest.Behavior(t, Entry) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func moons(t *testing.T) *scene.Scene {
	t.Helper()
	s, err := scene.Open("moons.toml", options)
	must(t, err)
	return s
}

func build(t *testing.T, s *scene.Scene) *world.World {
	t.Helper()
	w, err := s.Build(scene.Options{Workers: 1})
	must(t, err)
	t.Cleanup(w.Close)
	return w
}

func step(t *testing.T, w *world.World, n int) {
	t.Helper()
	for range n {
		must(t, w.Step())
	}
}

// distances returns the distances of the moons from the planet.
func distances(t *testing.T, w *world.World) (all []float64) {
	t.Helper()
	for id := uint64(2); id <= 6; id++ {
		e, ok := w.Entity(id)
		if !ok {
			t.Fatalf("no agent %d", id)
		}
		at := *(*c.Position)(w.ECS.Get(e, ecs.ComponentID[c.Position](w.ECS)))
		all = append(all, r2.Norm(at.Vec))
	}
	return all
}

func TestMoons(t *testing.T) {
	s := moons(t)
	if text := strings.Join(s.Warnings, "\n"); !strings.Contains(text, "groups[1].orbit.radius is now called distance") {
		t.Errorf("warnings: got=%q, want=one about the older key, groups[1].orbit.radius", text)
	}
	if b, ok := scene.Behavior[Orbit](&s.Groups[1]); !ok || b != (Orbit{Gain: 4, NeighborDist: 12, Distance: 4}) {
		t.Errorf("behavior: got=%+v, %v, want=a gain of 4, a neighbor-dist of 12 and a distance of 4", b, ok)
	}
	w := build(t, s)
	step(t, w, s.Steps)
	for i, d := range distances(t, w) {
		if math.Abs(d-4) > 0.5 {
			t.Errorf("moon %d: got=%v m from the planet, want=about 4", i, d)
		}
	}
}

func TestWritten(t *testing.T) {
	s := moons(t)
	var text bytes.Buffer
	must(t, s.WriteTOML(&text))
	if want := "orbit = {gain = 4, neighbor-dist = 12, distance = 4}"; !strings.Contains(text.String(), want) {
		t.Errorf("got=%s, want=%s in it", text.String(), want)
	}
	again, err := scene.Read(&text, "moons.toml", options)
	must(t, err)
	v, w := build(t, s), build(t, again)
	step(t, v, 50)
	step(t, w, 50)
	if got, want := w.Hash(), v.Hash(); got != want {
		t.Errorf("hash: got=%016x, want=%016x", got, want)
	}
	if !bytes.Contains(scene.Schema(Entry), []byte(`"orbit": {`)) {
		t.Error("the schema lacks orbit")
	}
}

func TestRefused(t *testing.T) {
	file, err := os.ReadFile("moons.toml")
	must(t, err)
	const table = "orbit = {gain = 4, neighbor-dist = 12, radius = 4}"
	for _, tc := range []struct{ table, want string }{
		{"orbit = {gain = 21, neighbor-dist = 12}", "moons.toml:20:17: groups[1].orbit.gain is 21 kg/s, want 0 to mass/dt = 20"},
		{"orbit = {gain = -1, neighbor-dist = 12}", "moons.toml:20:17: groups[1].orbit.gain is -1, want a finite number, 0 or more"},
		{"orbit = {}", "moons.toml:20:9: groups[1].orbit.neighbor-dist is missing: m, how near neighbors are, from center to center"},
		{"orbit = {neighbor-dist = 3, distance = 3}", "moons.toml:20:40: groups[1].orbit.distance is not below neighbor-dist: agents would lose their neighbors"},
		{"orbit = {neighbor-dist = 3, distanse = 3}", `moons.toml:20:29: groups[1].orbit.distanse is not a key: did you mean "distance"?`},
		{"orbitt = {}", `moons.toml:20:1: groups[1].orbitt is not a key: did you mean "orbit"?`},
	} {
		_, err := scene.Read(strings.NewReader(strings.Replace(string(file), table, tc.table, 1)), "moons.toml", options)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: got=%v, want=%s", tc.table, err, tc.want)
		}
	}
	if _, err := scene.Open("moons.toml", scene.OpenOptions{}); err == nil || !strings.Contains(err.Error(), "groups[1].orbit is not a key") {
		t.Errorf("without the entry: got=%v, want=an error: groups[1].orbit is not a key", err)
	}
	w := build(t, moons(t))
	if err := w.Spawn(1, []any{c.Limits{}, Orbit{Gain: 21, NeighborDist: 2}}, nil); err == nil || !strings.Contains(err.Error(), "orbit") {
		t.Errorf("spawned with a gain of 21: got=%v, want=an error that names orbit", err)
	}
}

func TestLint(t *testing.T) {
	s := moons(t)
	if got := s.Lint(); len(got) > 1 { // one about the planet, which nothing moves
		t.Errorf("findings: got=%q, want=at most one", got)
	}
	s.Groups[1].Set(Orbit{Gain: 1})
	if got := strings.Join(s.Lint(), "\n"); !strings.Contains(got, "groups[1] (moons): orbit.neighbor-dist is 0 m, so agents see no other agent; raise it") {
		t.Errorf("findings: got=%q, want=one about neighbor-dist", got)
	}
}

func TestTuned(t *testing.T) {
	s := moons(t)
	w := build(t, s)
	step(t, w, 10)
	found := false
	for _, p := range s.Parameters() {
		found = found || p.Name == "groups[1].orbit.distance" && p.Value == 4 && p.Max > 4
	}
	if !found {
		t.Error("groups[1].orbit.distance is not a parameter")
	}
	must(t, s.Tune(w, "groups[1].orbit.distance", 7))
	step(t, w, s.Steps)
	for i, d := range distances(t, w) {
		if math.Abs(d-7) > 0.5 {
			t.Errorf("moon %d: got=%v m from the planet, want=about 7", i, d)
		}
	}
	if err := s.Tune(w, "groups[1].orbit.gain", 30); err == nil || !strings.Contains(err.Error(), "want 0 to mass/dt = 20") {
		t.Errorf("gain of 30: got=%v, want=an error with %q", err, "want 0 to mass/dt = 20")
	}
	again := moons(t)
	must(t, again.Set("orbit.distance", 2))
	if b, _ := scene.Behavior[Orbit](&again.Groups[1]); b.Distance != 2 {
		t.Errorf("set: got=%+v, want=a distance of 2", b)
	}
}

func TestExplained(t *testing.T) {
	w := build(t, moons(t))
	step(t, w, 10)
	e, _ := w.Entity(2)
	x, err := w.Inspect().Explain(e)
	must(t, err)
	force, looks := false, false
	for _, s := range x.Shares {
		force = force || s.Behavior == "orbiting" && s.Force != nil && s.Force.Gain == 4 && r2.Norm(s.Force.Newtons) > 0
	}
	for _, l := range x.Looks {
		looks = looks || l.Behavior == "orbiting" && l.Reach == 12 && len(l.Seen) == 1 && l.Seen[0].ID == 1
	}
	if !force || !looks {
		t.Errorf("got=%+v, %+v, want=a force with gain 4, and the planet within 12 m", x.Shares, x.Looks)
	}
}
