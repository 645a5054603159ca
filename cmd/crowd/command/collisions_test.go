package command

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oneAgent is a scene file of one agent.
const oneAgent = "name = \"in\"\nsteps = 3\n[[groups]]\ncount = 1\nat = {points = [[1, 1]]}\nmax-speed = 1\nstart-speed = 1\n"

// contents returns what is in the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range leftovers(t, dir, nil) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) { // as of a link to nothing
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// TestCollisions verifies that an output which is an input, or another output, is refused under any name, before
// anything is written.
func TestCollisions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"in.toml": oneAgent, "in.png": oneAgent, "a.json": plotInput, "b": older,
		"main.xml":   `<Simulation delta_time="0.1" end_time="1"><World><Obstacles file="walls.xml"/></World><Agents file="agents.xml"/></Simulation>`,
		"agents.xml": `<Agents><Agent rad="0.3" pref_speed="1" max_speed="1"><pos x="1" y="2"/><goal x="3" y="4"/></Agent></Agents>`,
		"walls.xml":  `<Obstacles><Obstacle><Point x="9" y="0"/><Point x="10" y="0"/><Point x="10" y="1"/></Obstacle></Obstacles>`,
		"old.json":   `{"go_version":"go1.26","results":[{"name":"seek","by":"crowd","agents":1,"workers":1,"steps":5,"samples":[10,11,12]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range [][2]string{{"in.toml", "link"}, {"in.toml", "link.csv"}, {"in.toml", "link.png"}, {"in.toml", "link.gif"}, {"a.json", "a.svg"}, {"b", "c"}, {"fresh", "d"}} {
		if err := os.Symlink(link[0], filepath.Join(dir, link[1])); err != nil {
			t.Skip("skipped: no symbolic links here")
		}
	}
	if err := os.Link(filepath.Join(dir, "in.toml"), filepath.Join(dir, "hard")); err != nil {
		t.Skip("skipped: no hard links here")
	}
	t.Chdir(dir)
	before := contents(t, dir)
	for _, test := range []struct{ args, want string }{
		{"run in.toml --profile cpu=in.toml", "--profile cpu is in.toml, which is also read"},
		{"run in.toml --profile cpu=./in.toml", "--profile cpu is ./in.toml, which is also read as in.toml"},
		{"run in.toml --profile heap=link", "--profile heap is link, which is also read as in.toml"},
		{"run in.toml --profile trace=hard", "--profile trace is hard, which is also read as in.toml"},
		{"run in.toml --trajectories link.csv", "--trajectories is link.csv, which is also read as in.toml"},
		{"run in.toml --picture link.png", "--picture is link.png, which is also read as in.toml"},
		{"run in.png", "--picture is in.png, which is also read"},
		{"run agents.xml --obstacles walls.xml --profile trace=walls.xml", "--profile trace is walls.xml, which is also read"},
		{"run main.xml --profile trace=agents.xml", "--profile trace is agents.xml, which is also read"},
		{"run main.xml --profile heap=walls.xml", "--profile heap is walls.xml, which is also read"},
		{"run main.xml --profile cpu=main.xml", "--profile cpu is main.xml, which is also read"},
		{"render in.toml --out link.gif", "--out is link.gif, which is also read as in.toml"},
		{"plot a.json --out a.svg", "--out is a.svg, which is also read as a.json"},
		{"bench in.toml --go in.toml", "--go is in.toml, which is also read"},
		{"bench seek --compare old.json --out old.json", "--out is old.json, which is also read"},
		{"bench seek --out x --go ./x", "./x would be written twice: want different files for --out and --go"},
		{"run seek --profile cpu=p --profile trace=p", "p would be written twice: want different files for --profile cpu and --profile trace"},
		{"run seek --profile cpu=p --profile heap=./p", "./p would be written twice: want different files for --profile cpu and --profile heap"},
		{"run seek --profile heap=b --profile trace=c", "c would be written twice: want different files for --profile heap and --profile trace"},
		{"run seek --profile cpu=fresh --profile trace=d", "d would be written twice: want different files for --profile cpu and --profile trace"},
	} {
		code, _, errs := sameFolder(t, t.Context(), strings.Fields(test.args)...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s", test.args, code, test.want, errs)
		}
		if after := contents(t, dir); !maps.Equal(after, before) {
			t.Errorf("%s: got=%q, want=%q", test.args, after, before)
		}
	}
}

// TestOutputIsFile verifies that a file which gets the report is not replaced.
func TestOutputIsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	out, err := os.Create("x.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	defer func(was *os.File) { os.Stdout = was }(os.Stdout)
	os.Stdout = out
	code, _, errs := sameFolder(t, t.Context(), "run", "seek", "--json", "--trajectories", "x.csv")
	if want := "--trajectories is x.csv, to which the command's output already goes"; code != exitBadInput || !strings.Contains(errs, want) {
		t.Errorf("exit code %d, want 2 and %q, got:\n%s", code, want, errs)
	}
}
