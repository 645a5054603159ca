//go:build e2e

package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
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
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p pkg
		testkit.Must(t, dec.Decode(&p))
		all = append(all, p)
	}
	return all
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
		if slices.Contains(p.Imports, "unsafe") && p.ImportPath != module+"/internal/column" {
			t.Errorf("%s imports unsafe", p.ImportPath)
		}
	}
	for _, p := range list(t, "-tags", "safe", "./internal/column") {
		if slices.Contains(p.Imports, "unsafe") {
			t.Errorf("%s imports unsafe with the tag safe", p.ImportPath)
		}
	}
}

func init() {
	generated = append(generated, part{"docs/architecture.md", "rooms", roomsChart})
}

// drawnRoom returns the node of a package in the chart. Internal packages share a node.
func drawnRoom(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	for _, together := range []string{"internal", "cmd/crowd/internal"} {
		if strings.HasPrefix(path, together+"/") {
			return together + "/…"
		}
	}
	return path
}

// roomsChart leaves out arrows that follow from others, and the internal packages of the engine.
func roomsChart(t *testing.T) string {
	imports := map[string][]string{}
	for _, p := range ours(t) {
		from := drawnRoom(p.ImportPath)
		if from == "internal/…" {
			continue
		}
		imports[from] = append(imports[from], "")[:len(imports[from])]
		for _, path := range p.Imports {
			to := drawnRoom(path)
			if strings.HasPrefix(path, module+"/") && to != from && to != "internal/…" && !slices.Contains(imports[from], to) {
				imports[from] = append(imports[from], to)
			}
		}
	}
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return from == to || slices.ContainsFunc(imports[from], func(next string) bool { return reaches(next, to) })
	}
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	rooms := slices.Sorted(maps.Keys(imports))
	for i, from := range rooms {
		fmt.Fprintf(&b, "\tr%d[\"%s\"]\n", i, from)
	}
	for i, from := range rooms {
		for k, to := range rooms {
			if !slices.Contains(imports[from], to) {
				continue
			}
			indirect := slices.ContainsFunc(imports[from], func(next string) bool { return next != to && reaches(next, to) })
			if !indirect {
				fmt.Fprintf(&b, "\tr%d --> r%d\n", i, k)
			}
		}
	}
	b.WriteString("```\n")
	return b.String()
}

func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range ours(t) {
		if p.Doc == "" {
			t.Errorf("package %s has no documentation", p.ImportPath)
		}
	}
}
