package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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
	dir := t.TempDir()
	for name, text := range map[string]string{"court.scen": rows, "court.map": ground} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "court.scen")
}

// TestRoute verifies what is printed of ways that one can measure by hand.
func TestRoute(t *testing.T) {
	file := scenario(t, errands, courtyard)
	code, out, errs := command(t, context.Background(), "bench", "maps", file, "--compare", "--out", "a.svg")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	for _, line := range strings.Split(out, "\n") {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("longer than 80 columns: %q", line)
		}
	}
	for _, want := range []string{
		"bucket  rows  found  path/octile  longest  mean time\n0       2     2      0.9", "\nall     4     4 ", "court.map, 6 × 5 cells, ",
		"without a path      none\n", "longer than octile  none\n", "gonum's A*", "median of 4 rows", "\npicture in a.svg: 3 paths\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	if text, err := os.ReadFile("a.svg"); err != nil || !strings.Contains(string(text), "3 of 3 paths, 6 × 5 cells") || !strings.Contains(string(text), "0.5 cells<") {
		t.Errorf("picture: %v, %.300s", err, text)
	}
	code, _, errs = command(t, context.Background(), "bench", "maps", file, "--out", "a.png", "--dark", "--size", "300", "--quiet")
	if info, err := os.Stat("a.png"); code != exitOK || err != nil || info.Size() < 1000 {
		t.Errorf("picture: exit code %d, %v %s", code, err, errs)
	}
}

// TestRouteJSON verifies the keys of results, and lengths that one can measure by hand.
func TestRouteJSON(t *testing.T) {
	code, out, errs := command(t, context.Background(), "bench", "maps", scenario(t, errands, courtyard), "--json", "--compare")
	var got struct {
		Rows    []map[string]any
		Buckets []struct {
			Bucket, Rows, Found int
			MeanRatio           *float64 `json:"mean_ratio"`
		}
		Comparison struct{ Rows, Differ int }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK || errs != "" {
		t.Fatalf("exit code %d, %v: %s%s", code, err, out, errs)
	}
	// Round the corner at (5, 1): from (0.5, 0.5) along the wall, then down.
	lengths := []float64{5, math.Hypot(4.5, 0.5) + math.Hypot(0.5, 1.5), 0, 0}
	// From the court, by the gap below, round (3, 3), (3, 4) and (1, 4), and up.
	lengths[2] = math.Hypot(0.5, 0.5) + 1 + 2 + math.Hypot(0.5, 3.5)
	for i, row := range got.Rows {
		want := []string{"bucket", "goal", "length", "line", "map", "octile_length", "seconds", "start"}
		if keys := slices.Sorted(maps.Keys(row)); !slices.Equal(keys, want) {
			t.Errorf("got=%v, want=%v", keys, want)
		}
		if length, _ := row["length"].(float64); math.Abs(length-lengths[i]) > 1e-4 {
			t.Errorf("row %d: got=%v, want=%v", i, row["length"], lengths[i])
		}
	}
	if start, _ := json.Marshal(got.Rows[2]["start"]); string(start) != "[2,2]" || got.Rows[2]["line"] != 4. || got.Rows[2]["octile_length"] != 10. {
		t.Errorf("got=%v", got.Rows[2])
	}
	if len(got.Rows) != 4 || len(got.Buckets) != 3 || got.Buckets[0].Rows != 2 || got.Buckets[2].MeanRatio != nil {
		t.Errorf("got=%+v", got)
	}
	if got.Comparison.Rows != 4 || got.Comparison.Differ != 0 {
		t.Errorf("lengths over the grid differ: %+v", got.Comparison)
	}
}

// drawn returns a map at random, and a scenario with the lengths over the grid, by a search of its own:
// to the eight cells around, past no corner. Rows without a way are left out.
func drawn(seed uint64, width, height int, share float64) (rows, ground string, n int) {
	r := rand.New(rand.NewPCG(seed, 1))
	free := make([]bool, width*height)
	text := fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n", height, width)
	for i := range free {
		free[i] = r.Float64() >= share
		text += map[bool]string{true: ".", false: "@"}[free[i]]
		if i%width == width-1 {
			text += "\n"
		}
	}
	open := func(x, y int) bool { return x >= 0 && y >= 0 && x < width && y < height && free[y*width+x] }
	rows = "version 1\n"
	for range 60 {
		from, to := r.IntN(len(free)), r.IntN(len(free))
		way := make([]float64, len(free))
		for i := range way {
			way[i] = math.Inf(1)
		}
		way[from] = 0
		for changed := free[from]; changed; { // until no way is shorter over a neighbor
			changed = false
			for i := range way {
				x, y := i%width, i/width
				for k := range 9 {
					if dx, dy := k%3-1, k/3-1; free[i] && open(x+dx, y+dy) && open(x+dx, y) && open(x, y+dy) {
						if l := way[i+dy*width+dx] + math.Hypot(float64(dx), float64(dy)); l < way[i] {
							way[i], changed = l, true
						}
					}
				}
			}
		}
		if free[to] && !math.IsInf(way[to], 1) {
			rows += fmt.Sprintf("%d\tcourt.map\t%d\t%d\t%d\t%d\t%d\t%d\t%.8f\n", int(way[to]/4), width, height, from%width, from/width, to%width, to/width, way[to])
			n++
		}
	}
	return rows, text, n
}

// TestRouteEveryRow verifies that on maps of all kinds every row has a way, none of which is longer than that
// over the grid, or shorter than the straight line.
func TestRouteEveryRow(t *testing.T) {
	all, shorter := 0, 0
	for seed, m := range []struct {
		width, height int
		share         float64
	}{{30, 30, 0}, {40, 25, 0.1}, {25, 40, 0.25}, {40, 40, 0.35}, {3, 60, 0.2}, {60, 1, 0.01}} {
		rows, ground, n := drawn(uint64(seed), m.width, m.height, m.share)
		code, out, errs := command(t, context.Background(), "bench", "maps", scenario(t, rows, ground), "--json")
		var got struct {
			Rows []struct {
				Start, Goal [2]float64
				Length      *float64
				Octile      float64 `json:"octile_length"`
			}
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK || errs != "" || len(got.Rows) != n {
			t.Fatalf("map %d: exit code %d, %v, %d rows of %d: %s", seed, code, err, len(got.Rows), n, errs)
		}
		for i, row := range got.Rows {
			straight := math.Hypot(row.Goal[0]-row.Start[0], row.Goal[1]-row.Start[1])
			if row.Length == nil || *row.Length > row.Octile+1e-5 || *row.Length < straight-1e-9 {
				t.Errorf("map %d, row %d: got=%v, want %v to %v", seed, i, row, straight, row.Octile)
				continue
			}
			if all++; *row.Length < 0.999*row.Octile {
				shorter++
			}
		}
	}
	if t.Logf("%d of %d are shorter than over the grid", shorter, all); all < 150 || shorter < 80 {
		t.Errorf("%d rows, %d shorter than over the grid: want 150, 80 or more", all, shorter)
	}
}

// TestRouteMisses verifies that rows without a way, and with one that is longer than the file says
// it is over the grid, are named, and make exit code 1.
func TestRouteMisses(t *testing.T) {
	rows := "version 1\n0\tcourt.map\t6\t5\t0\t0\t2\t2\t9\n0\tcourt.map\t6\t5\t0\t0\t5\t0\t4.9\n"
	closed := strings.Replace(courtyard, ".@@.@.", ".@.@@.", 1) // two cells that touch at a corner
	closed = strings.Replace(closed, ".@..@.", ".@.@@.", 1)
	closed = strings.Replace(closed, "\n....@.", "\n.@@.@.", 1)
	code, out, errs := command(t, context.Background(), "bench", "maps", scenario(t, rows, closed))
	for _, want := range []string{"without a path      1 row: line 2\n", "longer than octile  1 row: line 3\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	if code != exitFailure || errs != "crowd: 1 row without a path, 1 path longer than the grid path\n" {
		t.Errorf("exit code %d: %s", code, errs)
	}
	code, out, _ = command(t, context.Background(), "bench", "maps", scenario(t, rows, closed), "--json")
	if code != exitFailure || !strings.Contains(out, `"length": null`) {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestRouteErrors verifies that what can't be is said in one line.
func TestRouteErrors(t *testing.T) {
	file := scenario(t, errands, courtyard)
	ground := strings.TrimSuffix(file, ".scen") + ".map"
	drawn := filepath.Join(t.TempDir(), "map.png")
	if err := os.WriteFile(drawn, []byte(courtyard), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{file + " --out a.gif", "--out is a.gif, want a name that ends with .png or .svg"},
		{file + " --out nowhere/a.png", "nowhere"},
		{file + " --out a.png --size 9", "--size has 9, want 200 to 8192 pixels"},
		{file + " --dark", "--dark needs a picture, and none is drawn"},
		{file + " " + drawn + " --out " + drawn, "which is also read"},
		{"nowhere.scen", "nowhere.scen: no such file"},
		{ground, "court.map:1: type begins a map, want a scenario: version 1"},
		{file + " " + file, "court.scen:1: version begins a scenario, want a map: type octile"},
		{scenario(t, strings.ReplaceAll(errands, "court.map", "gone.map"), courtyard), `court.scen:2: the map "gone.map" is not beside the scenario`},
		{scenario(t, "version 1\n0\tcourt.map\t6\t5\t0\t0\t1\t1\t9\n", courtyard), "court.scen:2: goal (1, 1) is blocked (@) in "},
		{scenario(t, "version 1\n0\tcourt.map\t6\t5\t6\t0\t1\t1\t9\n", courtyard), "court.scen:2: start (6, 0) is outside the map"},
		{scenario(t, errands, "type octile\nheight 5\nwidth 6\nmap\n.....\n"), "court.map:5: the row has 5 cells, want 6"},
		{scenario(t, "", courtyard), "court.scen:1: the file is empty, want version 1"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"bench", "maps"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
	if code, _, errs := command(t, context.Background(), "bench", "maps", file, ground); code != exitOK {
		t.Errorf("another map: exit code %d: %s", code, errs)
	}
}

// TestRouteInterrupted verifies that an interrupt ends it, and that nothing is left.
func TestRouteInterrupted(t *testing.T) {
	code, out, errs := command(t, endsAfter(0), "bench", "maps", scenario(t, errands, courtyard), "--out", "a.png")
	if code != exitFailure || out != "" || errs != "crowd: interrupted while finding paths\n" {
		t.Errorf("exit code %d, want 1 and a line, got:\n%s%s", code, out, errs)
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("left %v behind", left)
	}
}

// TestRouteData verifies that all scenarios of others come out well.
func TestRouteData(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.DataDir(t, "movingai"), "*.scen"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %d files", err, len(files))
	}
	for _, file := range files {
		if code, out, errs := command(t, context.Background(), "bench", "maps", "-q", file); code != exitOK || !strings.Contains(out, "longer than octile  none\n") {
			t.Errorf("%s: exit code %d: %s%s", file, code, errs, out)
		}
	}
}
