package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// TestComponentsHoldNoPointers verifies that a raw copy can move every type of package components:
// arche copies this way, and the garbage collector would lose the target of a pointer.
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
		t.Error("a slice is accepted")
	}
}

// TestComponentsAreAllChecked verifies that no exported type of the package is missing from the
// table of components.
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

// TestEverySystemHasAnExample verifies that each public system has an Example.
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
