package systems_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems/sense"
)

// TestManual compares the code in docs/embedding.md with the examples.
func TestManual(t *testing.T) {
	manual := read(t, "../docs/embedding.md")
	files, err := filepath.Glob("example_embed_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("../world/view/example_embed_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, more...)
	var known []string
	for _, file := range files {
		known = append(known, strings.Split(read(t, file), "\n")...)
	}
	programs := 0
	for i, block := range strings.Split(manual, "```") {
		code, isGo := strings.CutPrefix(block, "go\n")
		if i%2 == 0 || !isGo {
			continue
		}
		if strings.HasPrefix(code, "package main") {
			programs++
			checkProgram(t, code)
			continue
		}
		for _, line := range strings.Split(code, "\n") {
			if line != "func main() {" && !slices.Contains(known, line) {
				t.Errorf("line of docs/embedding.md: got=%q, want a line of an example", line)
			}
		}
	}
	if programs != 1 {
		t.Errorf("complete programs: got=%d, want=1", programs)
	}
}

func checkProgram(t *testing.T, program string) {
	game := read(t, "example_embed_game_test.go")
	for name, same := range map[string]string{"main": "after", "draw": "draw", "check": "check"} {
		if got, want := function(program, name), function(game, same); got == "" || got != want {
			t.Errorf("%s of the manual: got=%s\nwant=%s", name, got, want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// go doc does not show the fields of types that are declared in another package.
func TestAliasedFields(t *testing.T) {
	source := read(t, filepath.Join("sense", "neighbors.go"))
	for name, typ := range map[string]reflect.Type{
		"Neighbor": reflect.TypeFor[sense.Neighbor](), "NeighborHit": reflect.TypeFor[sense.NeighborHit](),
	} {
		_, doc, _ := strings.Cut(source, "\n// "+name+" is ")
		doc, _, _ = strings.Cut(doc, "\ntype ")
		for i := range typ.NumField() {
			field := typ.Field(i).Name
			if !regexp.MustCompile(`\n//\t(\w+, )?` + field + `\b`).MatchString(doc) {
				t.Errorf("doc comment of %s: got no field %s, want all fields", name, field)
			}
		}
	}
}
