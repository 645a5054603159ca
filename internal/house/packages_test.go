//go:build e2e

package house

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/8f878440/crowd"

// pkg is a part of the output of go list -json.
type pkg struct {
	ImportPath string
	Doc        string
	Imports    []string
	Deps       []string
	Standard   bool
	Module     *struct{ Path string }
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func ours(t *testing.T) []pkg {
	t.Helper()
	return slices.DeleteFunc(list(t, "work"), func(p pkg) bool { return !strings.HasPrefix(p.ImportPath, module) })
}

func room(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	switch {
	case path == "internal/testkit": // only tests import it
		return path
	case strings.HasPrefix(path, "internal/formats"):
		return "internal/formats"
	case strings.HasPrefix(path, "internal/"):
		return "internal"
	case strings.HasPrefix(path, "systems/"), path == "world/crowdtest", path == "world/replay", path == "world/scene", path == "world/view":
		return path
	}
	return strings.Split(path, "/")[0]
}

func TestArrows(t *testing.T) {
	const library = "systems systems/catalog systems/frame systems/sense systems/measure"
	allowed := map[string]string{
		"components":      "",
		"internal":        "components internal",
		"systems/catalog": "components internal",
		"systems/frame":   "components internal",
		"systems/sense":   "components internal systems/frame",

		"internal/testkit": "components internal systems/frame",

		"systems/measure":  "components internal systems/frame systems/sense",
		"systems":          "components internal systems/catalog systems/frame systems/sense",
		"world":            "components internal " + library,
		"internal/formats": "components internal internal/formats systems systems/frame systems/measure world",
		"world/crowdtest":  "components internal " + library + " world",
		"world/replay":     "components internal world",
		"world/scene":      "components internal internal/formats " + library + " world",
		"world/view":       "components internal " + library + " world world/replay world/scene",
		"benchmarks":       "components internal " + library + " world world/scene",
		"cmd":              "components internal internal/formats " + library + " world world/replay world/scene world/view benchmarks cmd",
	}
	for _, p := range ours(t) {
		from := room(p.ImportPath)
		rooms, known := allowed[from]
		if !known {
			t.Errorf("%s is in no room", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if !strings.HasPrefix(imported, module) {
				continue
			}
			if to := room(imported); !strings.Contains(" "+rooms+" ", " "+to+" ") {
				t.Errorf("%s imports %s; %s may only import %s", p.ImportPath, imported, from, rooms)
			}
		}
	}
}

// Of x/sys, the library needs only cpu.
func TestLibraryDependencies(t *testing.T) {
	for _, p := range list(t, "-deps", "./components", "./systems", "./world") {
		if p.Standard || p.Module == nil {
			continue
		}
		switch p.Module.Path {
		case module, "github.com/mlange-42/arche", "gonum.org/v1/gonum":
		case "golang.org/x/sys":
			if p.ImportPath != "golang.org/x/sys/cpu" {
				t.Errorf("the library depends on %s", p.ImportPath)
			}
		default:
			t.Errorf("the library depends on %s of %s", p.ImportPath, p.Module.Path)
		}
	}
}

func TestUnsafe(t *testing.T) {
	for _, p := range ours(t) {
		if strings.Contains(" "+strings.Join(p.Imports, " ")+" ", " unsafe ") && p.ImportPath != module+"/internal/column" {
			t.Errorf("%s imports unsafe", p.ImportPath)
		}
	}
	for _, p := range list(t, "-tags", "safe", "./internal/column") {
		if strings.Contains(" "+strings.Join(p.Imports, " ")+" ", " unsafe ") {
			t.Errorf("%s imports unsafe with the tag safe", p.ImportPath)
		}
	}
}
