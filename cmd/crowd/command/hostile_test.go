package command

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// evil sets the title of a terminal, clears it, reverses the direction of writing, is not UTF-8, and begins a
// new line.
const evil = "e\x1b]0;owned\a\u009b2J\u202e\xff\nFORGED"

// evilTOML is evil as a string of a scene file, which must be UTF-8.
const evilTOML = `"e\u001B]0;owned\u0007\u009B2J\u202E\nFORGED"`

// unsafe names the part of a text that a terminal would obey, or foreign text that looks like a line of the
// program. It returns "" if there is none.
func unsafe(text string) string {
	for i, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsGraphic(r) {
			return strconv.Quote(text[max(0, i-20):min(len(text), i+20)])
		}
	}
	if !utf8.ValidString(text) {
		return "bytes that are not UTF-8"
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "FORGED") {
			return "a forged line"
		}
	}
	return ""
}

func hostileFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	group := "[[groups]]\nname = " + evilTOML + "\ncount = 5\nat = [0, 0]\nmax-speed = 1\n"
	files := map[string]string{}
	for name, text := range map[string]string{
		"scene.toml":  "name = " + evilTOML + "\ntext = " + evilTOML + "\nnotes = [" + evilTOML + "]\n" + group,
		"key.toml":    evilTOML + " = 1\n" + group,
		"value.toml":  "dt = " + evilTOML + "\n" + group,
		"target.toml": group + "target = " + evilTOML + "\n",
		"syntax.toml": "dt = \x1b[2J\u202e\n",
		"root.xml":    "<!DOCTYPE \x1b[2J\u202e\nFORGED>\n",
		"text.xml":    "<Agents>\u202e\u009b\nFORGED</Agents>",
		"attr.xml":    "<Agents><Agent rad='\u202e\u009b&#10;FORGED'><pos x='0' y='0'/></Agent></Agents>",
		"name.xml":    "<Agents><\u202eAgent/></Agents>",
		"warn.xml":    "<Agents><Agent note='\u202e\u009b&#10;FORGED'><pos x='0' y='0'/><goal x='1' y='0'/></Agent></Agents>",
		"file.xml":    "<Simulation delta_time='1'><Agents file='\u202e\u009b&#10;FORGED.xml'/></Simulation>",
		"bench.json":  "{\"version\": \"\\u001b[2J\\u202e\\nFORGED\", \"results\": [{\"name\": \"\\u001b[2J\\u202e\\nFORGED\", \"by\": \"\\u001b\", \"agents\": 1, \"steps\": 1, \"samples\": [1]}]}",
		"junk.json":   "\x1b[2J\u202e\nFORGED",
		"rows.csv":    "a,\x1b[2J\u202e\n1,2\n",
	} {
		path := filepath.Join(dir, evil+name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Skipf("skipped: this system has no such file names: %v", err)
		}
		files[name] = path
	}
	return files
}

func TestHostileText(t *testing.T) {
	f := hostileFiles(t)
	dir := filepath.Dir(f["scene.toml"])
	for _, args := range [][]string{
		{"run", f["scene.toml"], "--steps", "3"},
		{"run", f["scene.toml"], "--steps", "3", "-v", "--safety", "--picture", evil + ".png"},
		{"run", f["scene.toml"], "--steps", "3", "--picture", evil + "/none.png"},
		{"run", f["scene.toml"], "--steps", "3", "--picture", "none", "--trajectories", evil + ".csv"},
		{"run", f["key.toml"]}, {"run", f["value.toml"]}, {"run", f["target.toml"], "--steps", "3", "--picture", "none"}, {"run", f["syntax.toml"]},
		{"run", f["key.toml"], "--lenient", "--steps", "3", "--picture", "none"},
		{"run", f["root.xml"]}, {"run", f["text.xml"]}, {"run", f["attr.xml"]}, {"run", f["name.xml"]}, {"run", f["file.xml"]},
		{"run", f["warn.xml"]}, {"run", f["warn.xml"], "--lenient", "--steps", "3", "--picture", "none"},
		{"run", f["warn.xml"], "--obstacles", evil},
		{"run", evil}, {"run", evil + ".toml"}, {evil}, {"run", "plaza", evil}, {"run", "plaza", "--" + evil},
		{"run", "plaza", "--set", evil + "=1"}, {"run", "plaza", "--model", evil}, {"run", "plaza", "--agents", evil}, {"run", "plaza", "--line", evil},
		{"run", "plaza", "--profile", "http=" + evil}, {"view", "plaza", "--listen", evil},
		{"render", f["scene.toml"], "--steps", "3", "--size", "100", "--out", evil + ".png"},
		{"render", "seek", "--steps", "3", "--out", evil}, {"render", "seek", "--out", "a.png", "--palette", evil}, {"render", "seek", "--out", "a.png", "--color", evil},
		{"explain", f["scene.toml"]}, {"explain", f["scene.toml"], "--agent", "99"}, {"explain", evil},
		{"scene", "check", f["scene.toml"]}, {"scene", "check", f["warn.xml"], "--lenient"}, {"scene", "check", f["key.toml"]},
		{"scene", "show", f["scene.toml"]}, {"scene", "show", evil}, {"scene", evil},
		{"run", dir, "--steps", "3"}, {"run", dir, "--steps", "3", "--lenient"}, {"run", evil, "--csv"},
		{"bench", f["scene.toml"], "--repeats", "1", "--steps", "2"},
		{"bench", f["scene.toml"], "--repeats", "1", "--steps", "2", "--compare", f["bench.json"]},
		{"bench", f["scene.toml"], "--repeats", "1", "--steps", "2", "--go", "-"},
		{"bench", "plaza", "--compare", f["junk.json"]}, {"bench", evil}, {"bench", "--agents", evil},
		{"plot", f["bench.json"], "--out", evil + ".png"}, {"plot", f["bench.json"], "--out", "a.png", "--what", evil}, {"plot", f["junk.json"], "--out", "a.png"},
		{"plot", f["rows.csv"], "--out", "a.png"}, {"plot", f["rows.csv"], "--out", "a.png", "--x", evil}, {"plot", f["bench.json"], f["rows.csv"], "--out", "a.png"},
		{"plot", evil, "--out", "a.png"},
		{"bench", "maps", evil}, {"bench", "maps", f["scene.toml"]}, {"bench", "maps", f["junk.json"], "--out", evil + ".png"}, {"bench", "maps", f["scene.toml"], evil},
		{"validate", evil}, {"validate", "juelich", "--data", evil}, {"validate", "juelich", "--out", evil + "/none.svg"},
	} {
		_, out, errs := command(t, context.Background(), args...)
		name := strings.ReplaceAll(strings.Join(args, " "), dir, "")
		testkit.Equal(t, unsafe(out), "", "%q: unescaped standard output", name)
		testkit.Equal(t, unsafe(errs), "", "%q: unescaped standard error", name)
		testkit.Equal(t, out+errs == "", false, "%q: no output", name)
	}
}

// Results for programs must preserve every byte of names.
func TestHostileResults(t *testing.T) {
	f := hostileFiles(t)
	want, err := scene.Open(f["scene.toml"], scene.OpenOptions{})
	testkit.Must(t, err)
	_, out, errs := command(t, context.Background(), "run", "-q", f["scene.toml"], "--steps", "3", "--json")
	if r := decode[report.Report](t, out); errs != "" || r.Scene != want.Name || r.Notes[0] != want.Notes[0] {
		t.Errorf("run: %s, got=%q, want=%q", errs, r.Scene, want.Name)
	}
	for _, args := range [][]string{
		{"run", f["scene.toml"], "--steps", "3", "--json"}, {"run", f["scene.toml"], "--steps", "3", "--json", "--timeout", "1m"},
		{"scene", "check", f["scene.toml"], "--json"},
		{"bench", f["scene.toml"], "--repeats", "1", "--steps", "2", "--json"},
	} {
		if _, out, _ := command(t, context.Background(), args...); !strings.Contains(out, "\u009b2J\u202e") {
			t.Errorf("%s: got=%q, want the bytes as they are", args[0], out)
		}
	}
	code, out, errs := command(t, context.Background(), "run", "-q", f["scene.toml"], "--steps", "3", "--csv")
	table, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitOK || err != nil || len(table) != 2 || table[1][0] != f["scene.toml"] {
		t.Errorf("run --csv: exit code %d, %v, %s, got=%q, want=%q", code, err, errs, table, f["scene.toml"])
	}
	again, err := scene.Open(shown(t, f["scene.toml"]), scene.OpenOptions{})
	if err != nil || again.Name != want.Name || again.Notes[0] != want.Notes[0] || again.Groups[0].Name != want.Groups[0].Name {
		t.Errorf("scene show: %v, got=%+v, want=%+v", err, again, want)
	}
}

// The name of the scene is a path. Slashes, newlines and formatting characters become dashes.
func TestPictureOfHostileName(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{"scene.toml": "name = \"../../a\\n\\u202Eb\"\n[[groups]]\nat = [0, 0]\nmax-speed = 1\nstart-speed = 1\n"}))
	out, _ := succeed(t, "run scene.toml --steps 3")
	contains(t, "run", out, " ..-..-a--b.png, at the end\n")
	readFile(t, "..-..-a--b.png")
}
