package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFloors holds that the files of package systems stand on few floors: on the ground
// those that use no name of another file, and each other one above the highest of those
// whose names it uses. None is above itself.
func TestFloors(t *testing.T) {
	const most = 4
	uses := references(t, "systems")
	floors := map[string]int{}
	var floor func(file string, above []string) int
	floor = func(file string, above []string) int {
		if slices.Contains(above, file) {
			t.Fatalf("files use one another in a circle: %s", strings.Join(append(above, file), " → "))
		}
		if f, ok := floors[file]; ok {
			return f
		}
		own := 0
		for _, used := range uses[file] {
			own = max(own, floor(used, append(slices.Clone(above), file))+1)
		}
		floors[file] = own
		return own
	}
	for file := range uses {
		if f := floor(file, nil); f > most {
			t.Errorf("%s is on floor %d, want at most %d", file, f, most)
		}
	}
	if len(floors) < 40 {
		t.Errorf("only %d files were found", len(floors))
	}
}

// references returns, for each file of a package, the other files whose package-level
// names it uses.
func references(t *testing.T, dir string) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files, declared := map[string]*ast.File{}, map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		files[name] = file
		for declares := range file.Scope.Objects {
			declared[declares] = name
		}
	}
	uses := map[string][]string{}
	for name, file := range files {
		uses[name] = nil
		for _, id := range file.Unresolved {
			if other := declared[id.Name]; other != "" && other != name && !slices.Contains(uses[name], other) {
				uses[name] = append(uses[name], other)
			}
		}
	}
	return uses
}
