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

	"github.com/8f878440/crowd/internal/testkit"
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

func TestHostModule(t *testing.T) {
	dir := filepath.Join("testdata", "orbit")
	goRun(t, dir, "vet", "./...")
	goRun(t, dir, "test", "-count=1", "./...")
}

func TestHostCommand(t *testing.T) {
	engine, err := filepath.Abs(root)
	testkit.Must(t, err)
	orbit := filepath.Join(engine, "internal", "house", "testdata", "orbit")
	sum, err := os.ReadFile(filepath.Join(engine, "cmd", "crowd", "go.sum"))
	testkit.Must(t, err)
	scene, err := os.ReadFile(filepath.Join(orbit, "moons.toml"))
	testkit.Must(t, err)
	dir := testkit.Files(t, map[string]string{
		"go.mod": fmt.Sprintf("module example.com/own\n\ngo 1.26.0\n\nreplace (\n\t%s => %s\n\t%[1]s/cmd/crowd => %[2]s/cmd/crowd\n\texample.com/orbit => %s\n)\n\nrequire (\n\t%[1]s v0.0.0\n\t%[1]s/cmd/crowd v0.0.0\n\texample.com/orbit v0.0.0\n)\n",
			module, engine, orbit),
		"go.sum":     string(sum),
		"main.go":    fmt.Sprintf("package main\n\nimport (\n\t%q\n\t\"example.com/orbit\"\n)\n\nfunc main() { command.Main(orbit.Entry) }\n", module+"/cmd/crowd/command"),
		"moons.toml": string(scene),
		"sweep.toml": "scenes = [\"moons.toml\"]\naxes = {\"groups[1].orbit.gain\" = [1, 2]}\nrun = {steps = 5}\n",
	})
	goRun(t, dir, "build", "-mod=mod", "-o", "own", ".")
	for _, test := range [][2]string{
		{"run moons.toml --steps 5 --picture none --record a.replay", "agents in moons"},
		{"replay a.replay", "5 steps of moons: the same"},
		{"run moons.toml --steps 5 --json", `"orbiting"`},
		{"scene check moons.toml", "groups[1].orbit.radius is now called distance"},
		{"explain moons.toml --agent 3", "orbit"},
		{"render moons.toml --at 1 --out a.png", ""},
		{"run moons.toml --steps 5 --csv", "moons.toml"},
		{"scene show moons.toml", "orbit = {"},
		{"sweep sweep.toml", "2 ok"},
	} {
		cmd := exec.Command(filepath.Join(dir, "own"), strings.Fields(test[0])...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if found := strings.HasPrefix(test[0], "scene check"); (err != nil) != found || !strings.Contains(string(out), test[1]) {
			t.Errorf("own %s: got=%v, want an error: %v, and %q in\n%s", test[0], err, found, test[1], out)
		}
	}
}

// TestGameModule verifies that a game that imports the library lists few modules.
func TestGameModule(t *testing.T) {
	const most = 34
	engine, err := filepath.Abs(root)
	testkit.Must(t, err)
	dir := testkit.Files(t, map[string]string{
		"go.mod": fmt.Sprintf("module example.com/game\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", module, engine),
		"main.go": fmt.Sprintf("package main\n\nimport (\n\t_ %q\n\t_ %q\n\t_ %q\n)\n\nfunc main() {}\n",
			module+"/components", module+"/systems", module+"/world"),
	})
	goRun(t, dir, "mod", "tidy")
	modules := strings.Fields(goRun(t, dir, "list", "-m", "-f", "{{.Path}}", "all"))
	if len(modules) > most {
		t.Errorf("the game lists %d modules, want at most %d:\n%s", len(modules), most, strings.Join(modules, "\n"))
	}
	commands := regexp.MustCompile(`nats|sqlite|chromedp|parquet|gopsutil|purego`)
	for _, m := range modules {
		if commands.MatchString(m) {
			t.Errorf("the game lists %s, want no module of the command", m)
		}
	}
}
