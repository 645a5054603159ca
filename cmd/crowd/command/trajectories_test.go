package command

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
	"github.com/parquet-go/parquet-go"
)

// trajectoriesOf returns what a run of plaza should write: its start and every n-th
// step, by id.
func trajectoriesOf(t *testing.T, agents, steps, every int) []trajectories.Sample {
	t.Helper()
	s, err := scene.Named("plaza")
	if err != nil {
		t.Fatal(err)
	}
	s.Resize(agents)
	w, err := s.Build(scene.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var all []trajectories.Sample
	for step := 0; ; step++ {
		if step%every == 0 {
			now := make([]trajectories.Sample, agents)
			query := generic.NewFilter3[c.Agent, c.Position, c.Velocity]().Query(w.ECS)
			for query.Next() {
				a, p, v := query.Get()
				now[a.ID-1] = trajectories.Sample{ID: a.ID, Time: w.Clock.Time, X: p.X, Y: p.Y, VX: v.X, VY: v.Y}
			}
			all = append(all, now...)
		}
		if step == steps {
			return all
		}
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// readCSV reads trajectories back.
func readCSV(t *testing.T, from io.Reader) []trajectories.Sample {
	t.Helper()
	records, err := csv.NewReader(from).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(records[0], " "), "id time x y vx vy"; got != want {
		t.Fatalf("columns: got=%s, want=%s", got, want)
	}
	var all []trajectories.Sample
	for _, cells := range records[1:] {
		id, err := strconv.ParseUint(cells[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var x [5]float64
		for i := range x {
			if x[i], err = strconv.ParseFloat(cells[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, trajectories.Sample{ID: id, Time: x[0], X: x[1], Y: x[2], VX: x[3], VY: x[4]})
	}
	return all
}

// readTrajectories reads a file back, whatever its format.
func readTrajectories(t *testing.T, path string) []trajectories.Sample {
	t.Helper()
	if strings.HasSuffix(path, ".parquet") {
		all, err := parquet.ReadFile[trajectories.Sample](path)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if strings.HasSuffix(path, ".csv") {
		return readCSV(t, f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return readCSV(t, z)
}

// TestTrajectories verifies that what is read back is the state, to the bit, and
// that writing it changes nothing.
func TestTrajectories(t *testing.T) {
	const agents, steps = 30, 25
	hash := ""
	for _, test := range []struct {
		file  string
		every int
	}{
		{"", 1}, {"a.csv", 1}, {"a.csv", 10}, {"a.csv.gz", 1}, {"a.csv.gz", 25}, {"a.parquet", 1}, {"a.parquet", 7}, {"a.txt", 1}, {"a.csv", 26}, {"a.sql", 2},
	} {
		t.Run(fmt.Sprint(test.file, test.every), func(t *testing.T) {
			args := []string{"run", "plaza", "--json", "--agents", strconv.Itoa(agents), "--steps", strconv.Itoa(steps)}
			if test.file != "" {
				args = append(args, "--trajectories", test.file, "--every", strconv.Itoa(test.every))
			}
			code, out, errs := command(t, context.Background(), args...)
			var r report.Report
			if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
				t.Fatalf("exit code %d, %v, %s", code, err, errs)
			}
			if hash == "" {
				hash = r.Hash
			}
			if r.Hash != hash {
				t.Errorf("hash: got=%s, want=%s", r.Hash, hash)
			}
			if test.file == "" || test.file == "a.txt" || test.file == "a.sql" {
				return
			}
			got, want := readTrajectories(t, test.file), trajectoriesOf(t, agents, steps, test.every)
			if len(got) != len(want) {
				t.Fatalf("rows: got=%d, want=%d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("row %d: got=%v, want=%v", i, got[i], want[i])
				}
			}
		})
	}
}

// TestTrajectoriesForPedPy verifies the format that PedPy's load_trajectory reads.
func TestTrajectoriesForPedPy(t *testing.T) {
	code, _, errs := command(t, context.Background(), "run", "plaza", "--json", "--agents", "3", "--steps", "9", "--set", "dt=0.05", "--trajectories", "a.txt", "--every", "2")
	if code != exitOK {
		t.Fatal(errs)
	}
	text, err := os.ReadFile("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if got, want := strings.Join(lines[:2], "|"), "# framerate: 10|# id frame x/m y/m z/m"; got != want {
		t.Errorf("header: got=%q, want=%q", got, want)
	}
	if got, want := len(lines)-2, 3*5; got != want {
		t.Fatalf("rows: got=%d, want=%d", got, want)
	}
	for i, line := range lines[2:] {
		var id, frame int
		var x, y, z float64
		if n, err := fmt.Sscan(line, &id, &frame, &x, &y, &z); n != 5 || err != nil || id != i%3+1 || frame != i/3 || z != 0 {
			t.Errorf("row %d: got=%q, want=id %d, frame %d, x, y and 0", i, line, i%3+1, i/3)
		}
	}
}

// TestTrajectoriesInterrupted verifies that a run that is stopped leaves a whole
// file.
func TestTrajectoriesInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, file := range []string{"a.csv", "a.csv.gz", "a.parquet"} {
		code, _, errs := command(t, ctx, "run", "plaza", "--agents", "100", "--json", "--trajectories", file)
		if code != exitOK {
			t.Fatal(errs)
		}
		if got := len(readTrajectories(t, file)); got != 100 {
			t.Errorf("%s: rows: got=%d, want=100, the start", file, got)
		}
	}
}

// TestTrajectoriesFullDisk verifies that a disk that is full is one clear error.
func TestTrajectoriesFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("skipped: no /dev/full on this system")
	}
	for _, file := range []string{"a.csv", "a.csv.gz", "a.parquet", "a.txt", "a.sql"} {
		for _, agents := range []string{"2", "1000"} { // seen at the end, and in the middle
			path := filepath.Join(t.TempDir(), file)
			if err := os.Symlink("/dev/full", path); err != nil {
				t.Fatal(err)
			}
			code, _, errs := command(t, context.Background(), "run", "plaza", "--agents", agents, "--steps", "5", "--json", "--trajectories", path)
			if code != exitFailure || !strings.Contains(errs, "no space left on device") || strings.Count(errs, "\n") != 1 {
				t.Errorf("%s, %s agents: exit code %d, want 1 and one line about space, got:\n%s", file, agents, code, errs)
			}
		}
	}
}

func TestTrajectoriesBadInput(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--trajectories a.dat", "--trajectories is a.dat, want a name that ends with .csv, .csv.gz, .parquet, .sql or .txt"},
		{"--trajectories no/such/folder.csv", "no/such/folder.csv"},
		{"--trajectories a.sqlite", "--trajectories is a.sqlite, want a.sql, and then: sqlite3 a.sqlite < a.sql"},
		{"--trajectories a.csv --every 0", "--every is 0, want 1 or more"},
	} {
		code, _, errs := command(t, context.Background(), append([]string{"run", "plaza", "--steps", "1", "--agents", "1"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s", test.args, code, test.want, errs)
		}
	}
}
