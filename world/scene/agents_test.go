package scene

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
)

func TestAgentsOfFiles(t *testing.T) {
	for _, test := range []struct {
		text          string
		radii, speeds []float64
	}{
		{`<Agents>
<Agent rad="0.25" pref_speed="1.25" max_speed="2"><pos x="0" y="0"/><goal x="5" y="0"/></Agent>
<Agent rad="0.5" pref_speed="3" max_speed="1.5"><pos x="0" y="9"/><goal x="5" y="9"/></Agent>
</Agents>`, []float64{0.25, 0.5}, []float64{1.25, 1.5}},
		{`<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>` + agentXML("0.5", "0") + agentXML("0.2", "4") + `</SteerBenchTestCase>`,
			[]float64{1.25, 0.5}, []float64{1.3, 1.3}},
	} {
		g := opened(t, mapFile(t, "file.xml", test.text), OpenOptions{}).Groups[0]
		testkit.Equal(t, fmt.Sprint(g.Goal.Radius.Each, g.MaxSpeed.Each), fmt.Sprint(test.radii, test.speeds), "radii in m, speeds in m/s")
	}
}

// agentXML returns an agent of a SteerBench file that walks from x to 9 m.
func agentXML(radius, x string) string {
	return `<agent><initialConditions><position><x>` + x + `</x><y>0</y><z>0</z></position><direction><x>1</x><y>0</y><z>0</z></direction>` +
		`<radius>` + radius + `</radius><speed>0</speed></initialConditions>` +
		`<goalSequence><seekStaticTarget><targetLocation><x>9</x><y>0</y><z>0</z></targetLocation>` +
		`<desiredSpeed>1.3</desiredSpeed><timeDuration>1000</timeDuration></seekStaticTarget></goalSequence></agent>`
}

func TestUMANSWorld(t *testing.T) {
	const file = `<Simulation delta_time="0.5"><World type="Toric" width="300" height="20"/>
<Agents><Agent rad="0.25" pref_speed="1" max_speed="2"><pos x="0" y="0"/><goal x="%" y="0"/></Agent></Agents></Simulation>`
	for goal, seconds := range map[string]float64{"10": 100, "120": 180} {
		s := opened(t, mapFile(t, "file.xml", strings.Replace(file, "%", goal, 1)), OpenOptions{})
		testkit.Equal(t, s.Box, box(-150, -10, 150, 10), "box")
		testkit.Equal(t, s.Bounds, systems.BoundsWrap, "bounds")
		testkit.Equal(t, float64(s.Steps)*s.Dt, seconds, "%s m at 1 m/s", goal)
	}
}

// Three times the time of the longest path, plus half a minute, plus a second for each agent beyond the
// first, at most ten minutes.
func TestSteerBenchEnds(t *testing.T) {
	for agents, seconds := range map[int]float64{1: 90, 2: 91, 41: 130, 1000: 600} {
		s := opened(t, mapFile(t, "file.xml", `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header/>`+strings.Repeat(agentXML("0.5", "-17"), agents)+`</SteerBenchTestCase>`), OpenOptions{})
		if got := float64(s.Steps) * s.Dt; math.Abs(got-seconds) > s.Dt {
			t.Errorf("%d agents: got=%v s, want=%v", agents, got, seconds)
		}
	}
}

const dynamicCase = `<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench">
<header><version>1.0</version><name>x</name><worldBounds><xmin>-50</xmin><xmax>50</xmax><ymin>0</ymin><ymax>0</ymax><zmin>-50</zmin><zmax>50</zmax></worldBounds></header>
<agent><name>quick</name><initialConditions><radius>0.5</radius><position><x>-9</x><y>0</y><z>0</z></position><direction><x>1</x><y>0</y><z>0</z></direction><speed>1</speed></initialConditions>
<goalSequence><seekStaticTarget><targetLocation><x>9</x><y>0</y><z>0</z></targetLocation><desiredSpeed>1.3</desiredSpeed></seekStaticTarget></goalSequence></agent>
<agent><name>bag</name><initialConditions><radius>0.2</radius><position><x>-10</x><y>0</y><z>1</z></position><direction><x>0</x><y>0</y><z>0</z></direction><speed>0</speed></initialConditions>
<goalSequence><seekDynamicTarget><targetName>NAME</targetName><desiredSpeed>1</desiredSpeed></seekDynamicTarget></goalSequence></agent>
<agent><name>shy</name><initialConditions><radius>0.2</radius><position><x>-12</x><y>0</y><z>1</z></position><direction><x>0</x><y>0</y><z>0</z></direction><speed>0</speed></initialConditions>
<goalSequence><fleeDynamicTarget><targetName>2</targetName><timeDuration>3</timeDuration></fleeDynamicTarget><flowDynamicDirection><targetName>quick</targetName></flowDynamicDirection></goalSequence></agent>
<agent><name>lone</name><initialConditions><radius>0.2</radius><position><x>0</x><y>0</y><z>9</z></position><direction><x>1</x><y>0</y><z>1</z></direction><speed>1</speed></initialConditions>
<goalSequence><flowDynamicDirection><timeDuration>2</timeDuration></flowDynamicDirection><groupTarget><targetName>1</targetName></groupTarget></goalSequence></agent>
</SteerBenchTestCase>`

func dynamicFile(t *testing.T, name string) string {
	return mapFile(t, "case.xml", strings.Replace(dynamicCase, "NAME", name, 1))
}

func TestGoalsThatMove(t *testing.T) {
	s := opened(t, dynamicFile(t, "quick"), OpenOptions{})
	w := built(t, s)
	steps(t, w, 600)
	testkit.Equal(t, w.Stats().ArrivedOnce, 4, "arrived")
	sameAgain(t, s, 200)
}

func TestGoalOfMissingAgent(t *testing.T) {
	path := dynamicFile(t, "none")
	refused(t, failure(Open(path, OpenOptions{})), `case.xml:6: <targetName> "none": want the name of an agent`, "error")
	s, err := Open(path, OpenOptions{Lenient: true})
	noError(t, err)
	if _, err := s.Build(Options{}); err != nil || len(s.Warnings) == 0 {
		t.Errorf("lenient: got=error %v, warnings %q, want=no error, and a warning", err, s.Warnings)
	}
	s.Groups[0].Itineraries = [][]systems.Stop{{{Kind: systems.StopFollow, Other: 9}}}
	refused(t, failure(s.Build(Options{})), "groups[0].itineraries[0][0].agent is 9, want 1 to 4", "missing agent 9")
	s.Groups[0].Itineraries = [][]systems.Stop{{{Kind: systems.StopFlow}}}
	refused(t, failure(s.Build(Options{})), "groups[0].itineraries[0][0].direction is (0, 0), want a vector of any length above 0", "no direction")
}

func TestGoalWithoutDirection(t *testing.T) {
	const ahead, none = "<direction><x>1</x><y>0</y><z>1</z></direction>", "<direction><x>0</x><y>1</y><z>0</z></direction>"
	path := mapFile(t, "case.xml", strings.NewReplacer("NAME", "quick", ahead, none).Replace(dynamicCase))
	s := opened(t, path, OpenOptions{})
	testkit.Equal(t, s.Groups[1].Itineraries[2][0], systems.Stop{Kind: systems.StopIdle, Duration: 2, Speed: 1.3}, "flow without direction")
	steps(t, built(t, s), 100)
}
