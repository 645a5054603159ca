package house

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
)

// entangled are the behaviors that more than three files are about, with the reason.
var entangled = map[string]string{
	"Seek":          "agents in the crowds of crowdtest go by it",
	"Follow":        "a file names whom a group follows by its target",
	"FleeFrom":      "a file names it in flee.from",
	"Flee":          "follow and turn-away share its point, which checkpoints keep",
	"Itinerary":     "worlds and scenes keep its table of stops",
	"Path":          "worlds and scenes keep its table of waypoints",
	"Goal":          "worlds, scenes and measures act on arrivals",
	"SmoothArrival": "a path must lead farther than to where it stops",
	"ThreatScan":    "its modes know only some obstacles, and worlds count what it sees",
	"ORCA":          "is explained by its half-planes",
	"Drive":         "takes the place of Integration",
	"Route":         "worlds and scenes keep its table of ways",
	"FlowField":     "worlds and scenes keep its table of fields, and views show where it leads",
	"FreeSpeed":     "itineraries and scenes set the speed of agents in its place",
	"Quarry":        "pursuit and offset-pursuit share it",
}

// TestBehaviorsAreNotScattered holds that only the files of a behavior name it: that of
// its component and that of its rule, and one more. Scenes are made of behaviors, kernels
// are the same rules again, and
// rules of thumb are about some.
func TestBehaviorsAreNotScattered(t *testing.T) {
	files := map[string]string{}
	scene := regexp.MustCompile(`world/scene/(builtin|lint|model)[^/]*$|internal/kernel/`)
	comments := regexp.MustCompile(`(?m)//.*$`)
	for _, dir := range []string{"components", "systems", "world", "cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || scene.MatchString(path) {
				return err
			}
			text, err := os.ReadFile(path)
			files[path] = comments.ReplaceAllString(string(text), "")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range systems.Catalog() {
		name := reflect.TypeOf(e.Component).Name()
		names := regexp.MustCompile(`\b(c|components|systems)\.` + name + `\b|\btype ` + name + ` |\b` + name + `\{`)
		var found []string
		for path, text := range files {
			if strings.Contains(text, name) && names.MatchString(text) {
				found = append(found, path)
			}
		}
		slices.Sort(found)
		switch reason := entangled[name]; {
		case len(found) < 2:
			t.Errorf("%s is named in %v, want its component and its rule", name, found)
		case len(found) > 3 && reason == "":
			t.Errorf("%s is named in %d files, want at most 3: %s", name, len(found), strings.Join(found, " "))
		case len(found) <= 3 && reason != "":
			t.Errorf("%s is named in no more than 3 files, and need not be listed", name)
		}
	}
}
