package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/8f878440/crowd"

// pkg is what go list says of a package.
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

// ours returns the packages of the engine and of the command.
func ours(t *testing.T) []pkg {
	t.Helper()
	return slices.DeleteFunc(list(t, "work"), func(p pkg) bool { return !strings.HasPrefix(p.ImportPath, module) })
}

const root = "../.."

// room returns the room of the house that a package of ours is in.
func room(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	switch {
	case strings.HasPrefix(path, "internal/"):
		return "internal"
	case strings.HasPrefix(path, "systems/"), path == "world/crowdtest", path == "world/replay", path == "world/scene", path == "world/view":
		return path
	}
	return strings.Split(path, "/")[0]
}

// TestArrows holds which room may import which.
func TestArrows(t *testing.T) {
	const library = "systems systems/catalog systems/frame systems/sense systems/measure"
	allowed := map[string]string{
		"components":      "",
		"internal":        "components internal",
		"systems/catalog": "components internal",
		"systems/frame":   "components internal",
		"systems/sense":   "components internal systems/frame",

		"systems/frame/frametest": "components internal systems/frame",

		"systems/measure": "components internal systems/frame systems/sense",
		"systems":         "components internal systems/catalog systems/frame systems/sense",
		"world":           "components internal " + library,
		"world/crowdtest": "components internal " + library + " world",
		"world/replay":    "components internal world",
		"world/scene":     "components internal " + library + " world",
		"world/view":      "components internal " + library + " world world/replay world/scene",
		"benchmarks":      "components internal " + library + " world world/scene",
		"cmd":             "components internal " + library + " world world/replay world/scene world/view benchmarks cmd",
	}
	for _, p := range ours(t) {
		from := room(p.ImportPath)
		rooms, known := allowed[from]
		if !known {
			t.Errorf("%s is in no room of the house", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if !strings.HasPrefix(imported, module) {
				continue
			}
			if to := room(imported); !strings.Contains(" "+rooms+" ", " "+to+" ") {
				t.Errorf("%s imports %s; from %s only these may be imported: %s", p.ImportPath, imported, from, rooms)
			}
		}
	}
}

// TestLibraryDependencies holds that a game which embeds the library builds
// nothing but it, arche, gonum, and what tells which instructions a processor has.
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

// TestUnsafe holds that unsafe stands in one package, and there not with the
// build tag safe.
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

// TestComponentsHoldNoPointers holds that every type of package components can
// be moved by a raw copy: arche does so, and the garbage collector would lose
// what a pointer in it leads to.
func TestComponentsHoldNoPointers(t *testing.T) {
	all := components(t)
	if len(all) < 25 {
		t.Fatalf("only %d components were found", len(all))
	}
	for name, typ := range all {
		if err := noPointers(typ); err != nil {
			t.Errorf("components.%s: %v", name, err)
		}
	}
	type bad struct{ S []int }
	if noPointers(typeFor[bad]()) == nil {
		t.Error("a slice is let through")
	}
}

// TestComponentsAreAllChecked holds that no exported type of the package is
// missing from the table of components.
func TestComponentsAreAllChecked(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "components", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	all := components(t)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				if name := spec.(*ast.TypeSpec).Name.Name; all[name] == nil {
					t.Errorf("components.%s is not in the table of this test", name)
				}
			}
		}
	}
}

var program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// TestPrograms compiles and runs every program in the pages, and holds that
// README shows one of docs/embedding.md word for word.
func TestPrograms(t *testing.T) {
	embedding, ways := programs(t, "docs/embedding.md"), programs(t, "docs/ways.md")
	readme := programs(t, "README.md")
	if len(readme) == 0 || len(embedding) == 0 || len(ways) == 0 {
		t.Fatalf("programs: %d in README.md, %d in docs/embedding.md, %d in docs/ways.md", len(readme), len(embedding), len(ways))
	}
	if readme[0] != embedding[0] {
		t.Error("the first program of README.md is not that of docs/embedding.md")
	}
	for i, text := range slices.Concat(readme, embedding[1:], ways) {
		dir, err := os.MkdirTemp(root, "program-*")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("program %d: %v\n%s", i, err, out)
		} else if len(out) == 0 {
			t.Errorf("program %d prints nothing", i)
		}
	}
}

func programs(t *testing.T, page string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range program.FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1])
	}
	return all
}

// TestEverySystemHasAnExample holds that the pages of the packages show how to
// use each public system.
func TestEverySystemHasAnExample(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "systems", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []string{"sense", "measure"} {
		more, err := filepath.Glob(filepath.Join(root, "systems", room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	var code, tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			tests.Write(text)
		} else {
			code.Write(text)
		}
	}
	systems := regexp.MustCompile(`func \(\w+ \*([A-Z]\w*)\) (?:Run\(b \*frame\.Batch\)|Sense\()`)
	seen := map[string]bool{}
	for _, m := range systems.FindAllStringSubmatch(code.String(), -1) {
		seen[m[1]] = true
		if !strings.Contains(tests.String(), "func Example"+m[1]+"()") {
			t.Errorf("systems.%s has no Example%s", m[1], m[1])
		}
	}
	if len(seen) < 18 {
		t.Errorf("only %d systems were found: %v", len(seen), seen)
	}
}
