package command

import (
	"context"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

const (
	courtyard = "type octile\nheight 5\nwidth 6\nmap\n......\n.@@@@.\n.@..@.\n.@@.@.\n....@.\n"
	errands   = "version 1\n" +
		"0\tcourt.map\t6\t5\t0\t0\t5\t0\t5\n" +
		"0\tcourt.map\t6\t5\t0\t0\t5\t2\t7\n" +
		"1\tcourt.map\t6\t5\t2\t2\t0\t0\t10\n" +
		"2\tcourt.map\t6\t5\t3\t4\t3\t4\t0\n"
)

// scenario writes a scenario and a map, and returns the name of the scenario.
func scenario(t *testing.T, rows, ground string) string {
	t.Helper()
	return filepath.Join(testkit.Files(t, map[string]string{"court.scen": rows, "court.map": ground}), "court.scen")
}

// TestRoute verifies the output of bench maps for paths that can be measured by hand.
func TestRoute(t *testing.T) {
	t.Chdir(t.TempDir())
	file := scenario(t, errands, courtyard)
	out, errs := succeed(t, "bench maps "+file+" --compare --out a.svg")
	narrow(t, out)
	contains(t, "table", out, "bucket  rows  found  path/octile  longest  mean time\n0       2     2      0.9", "\nall     4     4 ", "court.map, 6 × 5 cells, ",
		"without a path      none\n", "longer than octile  none\n", "gonum's A*", "median of 4 rows", "\npicture in a.svg: 3 paths\n")
	contains(t, "picture", string(readFile(t, "a.svg")), "3 of 3 paths, 6 × 5 cells", "0.5 cells<")
	succeed(t, "bench maps "+file+" "+strings.TrimSuffix(file, ".scen")+".map --out a.png --dark --size 300 --quiet") // with a map given explicitly
	if len(readFile(t, "a.png")) < 1000 || errs != "" {
		t.Errorf("got=a picture of %d bytes, warnings %q, want=1,000 or more, no warning", len(readFile(t, "a.png")), errs)
	}
}

func TestRouteJSON(t *testing.T) {
	out, _ := succeed(t, "bench maps --json --compare "+scenario(t, errands, courtyard))
	got := decode[struct {
		Rows    []map[string]any
		Buckets []struct {
			Bucket, Rows, Found int
			MeanRatio           *float64 `json:"mean_ratio"`
		}
		Comparison struct{ Rows, Differ int }
	}](t, out)
	lengths := []float64{
		5,
		math.Hypot(4.5, 0.5) + math.Hypot(0.5, 1.5),         // from (0.5, 0.5) along the wall, around the corner at (5, 1), and down
		math.Hypot(0.5, 0.5) + 1 + 2 + math.Hypot(0.5, 3.5), // from the court through the gap below, around (3, 3), (3, 4) and (1, 4), and up
		0,
	}
	keys := []string{"bucket", "goal", "length", "line", "map", "octile_length", "seconds", "start"}
	for i, row := range got.Rows {
		if got := slices.Sorted(maps.Keys(row)); !slices.Equal(got, keys) {
			t.Errorf("row %d: keys: got=%v, want=%v", i, got, keys)
		}
		testkit.Near(t, row["length"].(float64), lengths[i], 1e-4, "row %d", i)
	}
	if start := got.Rows[2]["start"].([]any); start[0] != 2. || start[1] != 2. || got.Rows[2]["line"] != 4. || got.Rows[2]["octile_length"] != 10. {
		t.Errorf("got=%v, want the start (2, 2), line 4, and length 10", got.Rows[2])
	}
	if len(got.Rows) != 4 || len(got.Buckets) != 3 || got.Buckets[0].Rows != 2 || got.Buckets[2].MeanRatio != nil || got.Comparison.Rows != 4 || got.Comparison.Differ != 0 {
		t.Errorf("got=%+v, want 4 rows in 3 buckets, and no difference in the comparison", got)
	}
}

// TestRouteMisses verifies that rows without a path, and rows whose path is longer than the grid path of
// the file, are named and cause exit code 1.
func TestRouteMisses(t *testing.T) {
	rows := "version 1\n0\tcourt.map\t6\t5\t0\t0\t2\t2\t9\n0\tcourt.map\t6\t5\t0\t0\t5\t0\t4.9\n"
	file := scenario(t, rows, "type octile\nheight 5\nwidth 6\nmap\n......\n.@@@@.\n.@.@@.\n.@.@@.\n.@@.@.\n") // (2, 4) and (3, 3) touch at a corner
	code, out, errs := command(t, context.Background(), "bench", "maps", file)
	contains(t, "table", out, "without a path      1 row: line 2\n", "longer than octile  1 row: line 3\n")
	if code != exitFailure || errs != "crowd: 1 row without a path, 1 path longer than the grid path\n" {
		t.Errorf("exit code %d, want 1 and one line with both misses, got:\n%s", code, errs)
	}
	code, out, _ = command(t, context.Background(), "bench", "maps", file, "--json")
	if code != exitFailure || !strings.Contains(out, `"length": null`) {
		t.Errorf("--json: exit code %d, want 1 and a length of null, got:\n%s", code, out)
	}
	code, out, errs = command(t, endsAfter(0), "bench", "maps", file, "--out", "a.png")
	if left := leftovers(t, ".", nil); code != exitFailure || out != "" || errs != "crowd: interrupted while finding paths\n" || len(left) > 0 {
		t.Errorf("interrupted: exit code %d, left %v, want 1, no files and one line, got:\n%s%s", code, left, out, errs)
	}
}
