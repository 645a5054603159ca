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

	"github.com/8f878440/crowd/internal/testkit"
)

const root = "../.."

// Components hold no pointers, because arche copies memory, and the garbage collector would lose the target.
func TestComponentsHoldNoPointers(t *testing.T) {
	all := components(t)
	if len(all) < 25 {
		t.Fatalf("components: got=%d, want=25 or more", len(all))
	}
	for name, typ := range all {
		if err := noPointers(typ); err != nil {
			t.Errorf("components.%s: %v", name, err)
		}
	}
	type bad struct{ S []int }
	if noPointers(typeFor[bad]()) == nil {
		t.Error("a slice: got=nil, want=an error")
	}
}

func TestComponentsAreAllChecked(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "components", "*.go"))
	testkit.Must(t, err)
	all := components(t)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		testkit.Must(t, err)
		for _, decl := range file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				if name := spec.(*ast.TypeSpec).Name.Name; all[name] == nil {
					t.Errorf("components.%s is missing from the function components of this package", name)
				}
			}
		}
	}
}

func TestEverySystemHasAnExample(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "systems", "*.go"))
	testkit.Must(t, err)
	for _, room := range []string{"sense", "measure"} {
		more, err := filepath.Glob(filepath.Join(root, "systems", room, "*.go"))
		testkit.Must(t, err)
		files = append(files, more...)
	}
	var code, tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		testkit.Must(t, err)
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
		t.Errorf("systems: got=%d, %v, want=18 or more", len(seen), seen)
	}
}
