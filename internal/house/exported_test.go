package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// TestExportedTypes verifies that no exported signature of the engine has a type of an internal package.
// Two methods of catalog.Entry are for this module only.
func TestExportedTypes(t *testing.T) {
	for _, dir := range []string{"components", "systems", "systems/catalog", "systems/frame", "systems/measure", "systems/sense",
		"world", "world/crowdtest", "world/replay", "world/scene", "world/view"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: files: got=%d, %v, want=one or more", dir, len(files), err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			testkit.Must(t, err)
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, text, 0)
			if err != nil || strings.HasSuffix(name, "_test.go") {
				continue
			}
			internal := map[string]bool{}
			for _, spec := range file.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); strings.Contains(path, "/internal/") {
					internal[filepath.Base(path)] = true
				}
			}
			for _, d := range file.Decls {
				f, is := d.(*ast.FuncDecl)
				if !is || !f.Name.IsExported() || f.Recv != nil && !ast.IsExported(receiver(f)) || dir == "systems/catalog" && receiver(f) == "Entry" {
					continue
				}
				ast.Inspect(f.Type, func(n ast.Node) bool {
					if s, is := n.(*ast.SelectorExpr); is {
						if x, is := s.X.(*ast.Ident); is && internal[x.Name] {
							t.Errorf("%s: %s has the internal type %s.%s", set.Position(f.Pos()), f.Name.Name, x.Name, s.Sel.Name)
						}
					}
					return true
				})
			}
		}
	}
}

func receiver(f *ast.FuncDecl) (name string) {
	if f.Recv != nil {
		ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && name == "" {
				name = id.Name
			}
			return true
		})
	}
	return name
}
