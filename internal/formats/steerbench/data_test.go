package steerbench

import (
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// count is what the manifest counts.
type count struct{ agents, obstacles, emitters int }

func (t *TestCase) count() count {
	n := count{len(t.Agents), len(t.Obstacles), len(t.Emitters)}
	for _, region := range t.Regions {
		n.agents += region.Count
	}
	for _, region := range t.ObstacleRegions {
		n.obstacles += region.Count
	}
	return n
}

// dataFiles are the test cases of the manifest, with its counts.
func dataFiles(t *testing.T) map[string]count {
	t.Helper()
	files := map[string]count{}
	for _, row := range testkit.DataManifest(t) {
		if name, ok := strings.CutPrefix(row[0], "steersuite/"); ok && strings.HasSuffix(name, ".xml") {
			var n count
			n.agents, _ = strconv.Atoi(row[3])
			n.obstacles, _ = strconv.Atoi(row[4])
			if _, emitters, ok := strings.Cut(row[5], "emitters="); ok {
				n.emitters, _ = strconv.Atoi(strings.Fields(emitters)[0])
			}
			if name == "polygons2.xml" { // both obstacles cross themselves, and are skipped
				n.obstacles -= 2
			}
			files[name] = n
		}
	}
	if len(files) == 0 {
		t.Fatal("got=no test case in the manifest, want=some")
	}
	return files
}

// expectedErrors are the files that no strict reading takes, by what they hold.
var expectedErrors = map[string]string{
	"sheffield/lowPriorityGoal.xml": "sheffield/lowPriorityGoal.xml:133: unknown element <sdradius> in <initialConditions>: " +
		"want <radius>, <position>, <direction>, <speed>, <color>, <groupId>, <spawn_time> or <despawn_time>",
	"polygons2.xml": "polygons2.xml:24: <polygonObstacle> crosses itself at (3, 0), want an outline that does not",
}

// TestReadData reads every test case of the manifest, and compares the counts.
func TestReadData(t *testing.T) {
	dir := testkit.DataDir(t, "steersuite")
	for name, want := range dataFiles(t) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		test, err := Read(path, Options{})
		lenient, lenientErr := Read(path, Options{Lenient: true})
		if lenientErr != nil {
			t.Errorf("%s, lenient: %v", name, lenientErr)
			continue
		}
		if got := lenient.count(); got != want {
			t.Errorf("%s: got=%+v, want=%+v", name, got, want)
		}
		if wantErr := expectedErrors[name]; wantErr != "" {
			got := "no error"
			if err != nil {
				got = strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
			}
			if got != wantErr {
				t.Errorf("%s:\ngot= %s\nwant=%s", name, got, wantErr)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(test, lenient) {
			t.Errorf("%s: got=%+v when lenient, want=%+v, as when strict", name, lenient, test)
		}
		for _, w := range test.Warnings {
			t.Log(strings.ReplaceAll(w, dir+string(filepath.Separator), ""))
		}
	}
}

// TestPlaceData places every test case, and looks at what must be free.
func TestPlaceData(t *testing.T) {
	dir := testkit.DataDir(t, "steersuite")
	for name, want := range dataFiles(t) {
		test, err := Read(filepath.Join(dir, filepath.FromSlash(name)), Options{Lenient: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := test.Place(t.Context(), 1)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if got := (count{len(p.Agents), len(p.Obstacles), len(p.Emitters)}); got != want {
			t.Errorf("%s: got=%+v, want=%+v", name, got, want)
		}
		checkPlacement(t, test, p)
	}
}
