package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
)

const root = "../.."

// code returns the text of the Go files in folders of the module, by path: those of tests, or the others.
func code(t *testing.T, tests bool, dirs ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: files: got=%d, %v, want=one or more", dir, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") == tests {
				text, err := os.ReadFile(file)
				testkit.Must(t, err)
				texts[file] = string(text)
			}
		}
	}
	return texts
}

func components(t *testing.T) map[string]reflect.Type {
	t.Helper()
	all := map[string]reflect.Type{}
	for _, comp := range append(systems.Components(), c.TrackedEntity{}, c.RouteState(0), c.BoundaryMemory{}, c.BoundaryPoint{}, c.BoundaryState(0)) { // parts of others
		typ := reflect.TypeOf(comp)
		all[typ.Name()] = typ
	}
	return all
}

func noPointers(t reflect.Type) error {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if err := noPointers(t.Field(i).Type); err != nil {
				return fmt.Errorf("%s: %w", t.Field(i).Name, err)
			}
		}
		return nil
	case reflect.Array:
		return noPointers(t.Elem())
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return nil
	}
	return fmt.Errorf("is a %v, which holds a pointer", t)
}

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
	if noPointers(reflect.TypeFor[struct{ S []int }]()) == nil {
		t.Error("a slice: got=nil, want=an error")
	}
}

func TestComponentsAreAllChecked(t *testing.T) {
	all := components(t)
	for name, text := range code(t, false, "components") {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
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
	dirs := []string{"systems", "systems/sense", "systems/measure"}
	tests := fmt.Sprint(code(t, true, dirs...))
	method := regexp.MustCompile(`func \(\w+ \*([A-Z]\w*)\) (?:Run\(b \*frame\.Batch\)|Sense\()`)
	seen := map[string]bool{}
	for _, text := range code(t, false, dirs...) {
		for _, m := range method.FindAllStringSubmatch(text, -1) {
			seen[m[1]] = true
			if !strings.Contains(tests, "func Example"+m[1]+"()") {
				t.Errorf("systems.%s has no Example%s", m[1], m[1])
			}
		}
	}
	if len(seen) < 18 {
		t.Errorf("systems: got=%d, %v, want=18 or more", len(seen), seen)
	}
}

// The results of these functions may differ in the last bit between processors.
var inexact = regexp.MustCompile(`\bmath\.(A?(Sin|Cos|Tan)h?|Atan2|Sincos|Exp|Exp2|Expm1|Log|Log10|Log1p|Log2|Pow|Pow10|Hypot|Cbrt|FMA|Gamma|Erf\w*)\(`)

// TestExact verifies that most of the code of a step calls none of the functions that inexact matches. Package
// vec replaces some.
func TestExact(t *testing.T) {
	for file, text := range code(t, false, "components", "internal/vec", "internal/space", "internal/orca", "internal/walking",
		"internal/field", "internal/route", "systems", "systems/frame", "systems/sense", "systems/measure", "world") {
		for i, line := range strings.Split(text, "\n") {
			if m := inexact.FindString(line); m != "" {
				t.Errorf("%s:%d calls %s), whose results differ in the last bit between processors", file, i+1, m)
			}
		}
	}
}

// TestExportedTypes verifies that no exported signature of the engine has a type of an internal package.
// Two methods of catalog.Entry are for this module only.
func TestExportedTypes(t *testing.T) {
	for name, text := range code(t, false, "components", "systems", "systems/catalog", "systems/frame", "systems/measure", "systems/sense",
		"world", "world/crowdtest", "world/replay", "world/scene", "world/view") {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, 0)
		testkit.Must(t, err)
		internal := map[string]bool{}
		for _, spec := range file.Imports {
			if path, _ := strconv.Unquote(spec.Path.Value); strings.Contains(path, "/internal/") {
				internal[filepath.Base(path)] = true
			}
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			own := is && file.Name.Name == "catalog" && receiver(f) == "Entry"
			if !is || own || !f.Name.IsExported() || f.Recv != nil && !ast.IsExported(receiver(f)) {
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
