//go:build e2e

package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

// TestPrograms compiles and runs every program in the pages.
func TestPrograms(t *testing.T) {
	embedding, ways := programs(t, "docs/embedding.md"), programs(t, "docs/paths.md")
	readme := programs(t, "README.md")
	if len(readme) == 0 || len(embedding) == 0 || len(ways) == 0 {
		t.Fatalf("programs: %d in README.md, %d in docs/embedding.md, %d in docs/paths.md", len(readme), len(embedding), len(ways))
	}
	for i, text := range slices.Concat(readme, embedding, ways) {
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
