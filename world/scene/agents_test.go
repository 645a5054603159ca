package scene

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// opened opens a file with a text, and returns its first group.
func opened(t *testing.T, text string) *Group {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.xml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &s.Groups[0]
}

// TestUMANSAgents holds what agents of a UMANS file get: a goal as wide as the
// file says in their radii, one radius if it does not, and the lower of their two
// speeds.
func TestUMANSAgents(t *testing.T) {
	g := opened(t, `<Agents>
<Agent rad="0.25" pref_speed="1.25" max_speed="2"><pos x="0" y="0"/><goal x="5" y="0"/></Agent>
<Agent rad="0.5" pref_speed="3" max_speed="1.5"><pos x="0" y="9"/><goal x="5" y="9"/></Agent>
</Agents>`)
	if got, want := g.Goal.Radius.Each, []float64{0.25, 0.5}; !slices.Equal(got, want) {
		t.Errorf("goal radii: got=%v m, want=%v", got, want)
	}
	if got, want := g.MaxSpeed.Each, []float64{1.25, 1.5}; !slices.Equal(got, want) {
		t.Errorf("speeds: got=%v m/s, want=%v", got, want)
	}
}

// TestSteerBenchAgents holds that agents of a SteerBench file have arrived within
// two and a half of their radii.
func TestSteerBenchAgents(t *testing.T) {
	agent := func(radius, x string) string {
		return `<agent><initialConditions><position><x>` + x + `</x><y>0</y><z>0</z></position><direction><x>1</x><y>0</y><z>0</z></direction>` +
			`<radius>` + radius + `</radius><speed>0</speed></initialConditions>` +
			`<goalSequence><seekStaticTarget><targetLocation><x>9</x><y>0</y><z>0</z></targetLocation>` +
			`<desiredSpeed>1.3</desiredSpeed><timeDuration>1000</timeDuration></seekStaticTarget></goalSequence></agent>`
	}
	g := opened(t, `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>`+agent("0.5", "0")+agent("0.2", "4")+`</SteerBenchTestCase>`)
	if got, want := g.Goal.Radius.Each, []float64{1.25, 0.5}; !slices.Equal(got, want) {
		t.Errorf("goal radii: got=%v m, want=%v", got, want)
	}
}
