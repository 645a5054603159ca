package scene

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
)

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
	path := filepath.Join(t.TempDir(), "case.xml")
	noError(t, os.WriteFile(path, []byte(strings.Replace(dynamicCase, "NAME", name, 1)), 0o600))
	return path
}

// TestGoalsThatMove verifies that agents of a SteerBench file follow others by name
// and by number, whatever group they are in; that all comes to an end when the
// one they go by has left; and that the scene reads back to the same crowd.
func TestGoalsThatMove(t *testing.T) {
	s, err := Open(dynamicFile(t, "quick"), OpenOptions{})
	noError(t, err)
	hash := func(s *Scene, steps int) uint64 {
		w, err := s.Build(Options{Workers: 1})
		noError(t, err)
		defer w.Close()
		for range steps {
			noError(t, w.Step())
		}
		return w.Hash()
	}
	w, err := s.Build(Options{Workers: 1})
	noError(t, err)
	defer w.Close()
	for range 600 {
		noError(t, w.Step())
	}
	if got := w.Stats().ArrivedOnce; got != 4 {
		t.Errorf("arrived: got=%v, want=4", got)
	}
	var text bytes.Buffer
	noError(t, s.WriteTOML(&text))
	again, err := Read(&text, "again.toml")
	noError(t, err)
	for _, steps := range []int{0, 40, 200} {
		if got, want := hash(again, steps), hash(s, steps); got != want {
			t.Errorf("read again, after %d steps: got=%x, want=%x", steps, got, want)
		}
	}
}

func TestGoalsThatMoveNobody(t *testing.T) {
	path := dynamicFile(t, "nobody")
	if _, err := Open(path, OpenOptions{}); err == nil || !strings.Contains(err.Error(), `case.xml:6: targetName "nobody": want the name of an agent`) {
		t.Errorf("got=%v, want an error with file and line", err)
	}
	s, err := Open(path, OpenOptions{Lenient: true})
	noError(t, err)
	if _, err := s.Build(Options{}); err != nil || len(s.Warnings) == 0 {
		t.Errorf("lenient: got=%v, %q, want a warning", err, s.Warnings)
	}
	s.Groups[0].Itineraries = [][]systems.Stop{{{Kind: systems.StopFollow, Other: 9}}}
	if _, err := s.Build(Options{}); err == nil || !strings.Contains(err.Error(), "groups[0].itineraries[0][0].agent is 9, want 1 to 4") {
		t.Errorf("got=%v, want an error that names the key", err)
	}
}
