package scene

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// opened opens a file with a text.
func opened(t *testing.T, text string) *Scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.xml")
	noError(t, os.WriteFile(path, []byte(text), 0o666))
	s, err := Open(path, OpenOptions{})
	noError(t, err)
	return s
}

// TestUMANSAgents verifies what agents of a UMANS file get: a goal as wide as the
// file says in their radii, one radius if it does not, and the lower of their two
// speeds.
func TestUMANSAgents(t *testing.T) {
	g := opened(t, `<Agents>
<Agent rad="0.25" pref_speed="1.25" max_speed="2"><pos x="0" y="0"/><goal x="5" y="0"/></Agent>
<Agent rad="0.5" pref_speed="3" max_speed="1.5"><pos x="0" y="9"/><goal x="5" y="9"/></Agent>
</Agents>`).Groups[0]
	if got, want := g.Goal.Radius.Each, []float64{0.25, 0.5}; !slices.Equal(got, want) {
		t.Errorf("goal radii: got=%v m, want=%v", got, want)
	}
	if got, want := g.MaxSpeed.Each, []float64{1.25, 1.5}; !slices.Equal(got, want) {
		t.Errorf("speeds: got=%v m/s, want=%v", got, want)
	}
}

// agentXML is an agent of a SteerBench file that walks to x = 9 m.
func agentXML(radius, x string) string {
	return `<agent><initialConditions><position><x>` + x + `</x><y>0</y><z>0</z></position><direction><x>1</x><y>0</y><z>0</z></direction>` +
		`<radius>` + radius + `</radius><speed>0</speed></initialConditions>` +
		`<goalSequence><seekStaticTarget><targetLocation><x>9</x><y>0</y><z>0</z></targetLocation>` +
		`<desiredSpeed>1.3</desiredSpeed><timeDuration>1000</timeDuration></seekStaticTarget></goalSequence></agent>`
}

// TestSteerBenchAgents verifies that agents of a SteerBench file have arrived within
// two and a half of their radii.
func TestSteerBenchAgents(t *testing.T) {
	g := opened(t, `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>`+agentXML("0.5", "0")+agentXML("0.2", "4")+`</SteerBenchTestCase>`).Groups[0]
	if got, want := g.Goal.Radius.Each, []float64{1.25, 0.5}; !slices.Equal(got, want) {
		t.Errorf("goal radii: got=%v m, want=%v", got, want)
	}
}

// TestUMANSWorld verifies the size of a torus, which lies about the origin, and how long
// a file without an end runs: for half as long again as the longest way takes, and
// 100 s at least.
func TestUMANSWorld(t *testing.T) {
	const file = `<Simulation delta_time="0.5"><World type="Toric" width="300" height="20"/>
<Agents><Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="0"/><goal x="%" y="0"/></Agent></Agents></Simulation>`
	for goal, seconds := range map[string]float64{"10": 100, "120": 180} {
		s := opened(t, strings.Replace(file, "%", goal, 1))
		if want := (r2.Box{Min: r2.Vec{X: -150, Y: -10}, Max: r2.Vec{X: 150, Y: 10}}); s.Box != want || s.Bounds != systems.BoundsWrap {
			t.Errorf("box: got=%v, bounds %v, want=%v, joined", s.Box, s.Bounds, want)
		}
		if got := float64(s.Steps) * s.Dt; got != seconds {
			t.Errorf("%s m at 1 m/s: got=%v s, want=%v", goal, got, seconds)
		}
	}
}

// TestSteerBenchEnds verifies how long a SteerBench file runs: for three times as long as
// the longest way takes, half a minute, and a second for each agent beyond the first, ten minutes at most.
func TestSteerBenchEnds(t *testing.T) {
	for agents, seconds := range map[int]float64{1: 90, 2: 91, 41: 130, 1000: 600} {
		s := opened(t, `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>`+strings.Repeat(agentXML("0.5", "-17"), agents)+`</SteerBenchTestCase>`)
		if got := float64(s.Steps) * s.Dt; math.Abs(got-seconds) > s.Dt {
			t.Errorf("%d agents: got=%v s, want=%v", agents, got, seconds)
		}
	}
}
