package command

import (
	"bytes"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// smallSweep is a spec of eight short runs.
const smallSweep = `
scenes = ["bottleneck", "floors/shut.toml"]
seeds = 2
[axes]
max-speed = [1, 1.5]
"groups[0].radius" = [0.2]
agents = [3]
[run]
steps = 4
`

// sweepFolder changes to a new folder with a small spec, s.toml, and its scene file.
func sweepFolder(t *testing.T) {
	t.Helper()
	t.Chdir(testkit.Files(t, map[string]string{"s.toml": smallSweep}))
	testkit.Must(t, os.Mkdir("floors", 0o777))
	testkit.Must(t, os.WriteFile("floors/shut.toml", []byte(shutTOML), 0o666))
}

// table returns the rows of a CSV file, without the columns that depend on the machine.
func table(t *testing.T, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(readFile(t, name))).ReadAll()
	testkit.Must(t, err)
	end := slices.Index(rows[0], "hash") + 1
	for i := range rows {
		rows[i] = rows[i][:end]
	}
	return rows
}

func sameTable(t *testing.T, name string, want [][]string) {
	t.Helper()
	if got := table(t, name); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s: got=%v, want=%v", name, got, want)
	}
}

// TestSweep verifies that a whole sweep and its shards give the same table.
func TestSweep(t *testing.T) {
	sweepFolder(t)
	prints := func(line, want string) {
		t.Helper()
		if out, _ := succeed(t, line); !strings.HasPrefix(out, want) {
			t.Fatalf("%s: got=%s, want=%s at the beginning", line, out, want)
		}
	}
	prints("sweep s.toml --shard 1/1 --workers 2", "shard 1/1: 8 runs done")
	prints("sweep merge s", "8 runs on 1 machine: 8 ok\nresults in ")
	want := table(t, "s/results.csv")
	if len(want) != 9 || strings.Join(want[0][:7], " ") != "index scene max-speed groups[0].radius agents seed status" {
		t.Fatalf("got=%v, want 8 rows, and the axes between scene and seed", want)
	}
	prints("sweep s.toml --out parts --shard 1/3", "")
	prints("sweep s.toml --out parts --shard 3/3", "")
	refuses(t, "sweep merge", []refusal{{"parts", "3 of 8 runs are missing; the first is run 1, of shard 2/3"}})
	prints("sweep s.toml --out parts --shard 2/3", "")
	out, _ := succeed(t, "sweep merge parts s")
	contains(t, "merge", out, "8 run twice, with the same results")
	sameTable(t, "parts/results.csv", want)
	out, _ = succeed(t, "run bottleneck --json --safety --agents 3 --seed 2 --steps 4 --set max-speed=1.5 --set groups[0].radius=0.2 --workers 1")
	testkit.Equal(t, want[4][slices.Index(want[0], "trace_hash")], decode[report.Report](t, out).TraceHash, "trace hash")
	for change, want := range map[string]string{
		smallSweep + "# more":                                                     "the spec differs only in text without values, such as a comment or the order of keys;",
		strings.Replace(smallSweep, "[3]", "[4]", 1):                              "axes.agents[0] is 4, and was 3;",
		strings.Replace(smallSweep, "steps = 4", "", 1):                           "run.steps is missing, and was 4;",
		strings.Replace(smallSweep, "[run]", "[limits]\ntime = \"9s\"\n[run]", 1): `limits.time is "9s", and was missing;`,
	} {
		testkit.Must(t, os.WriteFile("s.toml", []byte(change), 0o666))
		refuses(t, "sweep", []refusal{{"s.toml", "holds another sweep: " + want + " want another --out"}})
	}
}

// TestSweepDryRun verifies that --dry-run describes the sweep, and makes no folder.
func TestSweepDryRun(t *testing.T) {
	sweepFolder(t)
	out, _ := succeed(t, "sweep s.toml --dry-run")
	contains(t, "--dry-run", out, "8 runs: 4 points, each with 2 seeds\n", "  scene: bottleneck, floors/shut.toml\n", "  max-speed: 1, 1.5\n", "of memory")
	if _, err := os.Stat("s"); err == nil {
		t.Error("got a folder, want none")
	}
}

// TestSweepPage verifies that docs/sweep.md has the example that sweep init prints.
func TestSweepPage(t *testing.T) {
	example, _ := succeed(t, "sweep init")
	testkit.Equal(t, sweepPage(t, "init"), example, "docs/sweep.md")
}

// sweepPage returns a block of docs/sweep.md.
func sweepPage(t *testing.T, name string) string {
	t.Helper()
	_, after, _ := strings.Cut(page(t, "sweep.md"), "<!-- "+name+" -->\n```")
	_, after, _ = strings.Cut(after, "\n")
	text, _, _ := strings.Cut(after, "```")
	return text
}
