//go:build e2e

package house

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goRun runs the go command in a module outside the workspace.
func goRun(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s in %s: %v\n%s", strings.Join(args, " "), dir, err, out)
	}
	return string(out)
}

// TestHostModule runs the tests of a host's module. The host adds a behavior, which its
// scene files name, and which is checked, written, linted, tuned and explained like ours.
func TestHostModule(t *testing.T) {
	dir := filepath.Join("testdata", "orbit")
	goRun(t, dir, "vet", "./...")
	goRun(t, dir, "test", "-count=1", "./...")
}

// TestGameModule verifies what a game that imports the library gets: few modules in its
// list, none of the command's, and only arche, gonum and x/sys in its program.
func TestGameModule(t *testing.T) {
	const most = 34
	engine, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": fmt.Sprintf("module example.com/game\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", module, engine),
		"main.go": fmt.Sprintf("package main\n\nimport (\n\t_ %q\n\t_ %q\n\t_ %q\n)\n\nfunc main() {}\n",
			module+"/components", module+"/systems", module+"/world"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goRun(t, dir, "mod", "tidy")
	modules := strings.Fields(goRun(t, dir, "list", "-m", "-f", "{{.Path}}", "all"))
	if len(modules) > most {
		t.Errorf("the game lists %d modules, want at most %d:\n%s", len(modules), most, strings.Join(modules, "\n"))
	}
	commands := regexp.MustCompile(`nats|sqlite|chromedp|parquet|gopsutil|purego`)
	for _, m := range modules {
		if commands.MatchString(m) {
			t.Errorf("the game lists %s", m)
		}
	}
	linked := strings.Fields(goRun(t, dir, "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "."))
	allowed := map[string]bool{"example.com/game": true, module: true, "github.com/mlange-42/arche": true, "gonum.org/v1/gonum": true, "golang.org/x/sys": true}
	for _, m := range linked {
		if !allowed[m] {
			t.Errorf("the game links %s", m)
		}
	}
}
