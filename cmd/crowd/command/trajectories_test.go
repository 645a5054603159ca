package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
	"github.com/parquet-go/parquet-go"
)

// trajectoriesOf returns the rows that a run of plaza should write with --every: those of the start and of every
// every-th step, each sorted by ID.
func trajectoriesOf(t *testing.T, agents, steps, every int) []trajectories.Sample {
	t.Helper()
	s, err := scene.Named("plaza")
	testkit.Must(t, err)
	s.Resize(agents)
	w, err := s.Build(scene.Options{Workers: 1})
	testkit.Must(t, err)
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
		testkit.Must(t, w.Step())
	}
}

// readTrajectories reads a file with the extension .csv, .csv.gz or .parquet.
func readTrajectories(t *testing.T, name string) (all []trajectories.Sample) {
	t.Helper()
	text := readFile(t, name)
	if strings.HasSuffix(name, ".parquet") {
		all, err := parquet.Read[trajectories.Sample](bytes.NewReader(text), int64(len(text)))
		testkit.Must(t, err)
		return all
	}
	if strings.HasSuffix(name, ".gz") {
		var err error
		text, err = unzip(text)
		testkit.Must(t, err)
	}
	rows, ok := strings.CutPrefix(string(text), "id,time,x,y,vx,vy\n")
	if !ok {
		t.Fatalf("columns: got=%.30s, want=id,time,x,y,vx,vy", text)
	}
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.TrimSpace(row), ",")
		id, err := strconv.ParseUint(cells[0], 10, 64)
		testkit.Must(t, err)
		var x [5]float64
		for i := range x {
			x[i], err = strconv.ParseFloat(cells[i+1], 64)
			testkit.Must(t, err)
		}
		all = append(all, trajectories.Sample{ID: id, Time: x[0], X: x[1], Y: x[2], VX: x[3], VY: x[4]})
	}
	return all
}

// TestTrajectories verifies that CSV and Parquet files have every bit of the positions and velocities, and that
// writing files in any format does not change the run.
func TestTrajectories(t *testing.T) {
	const agents, steps = 30, 25
	line := fmt.Sprintf("run plaza --agents %d --steps %d", agents, steps)
	hash := reportOf(t, line).Hash
	for _, test := range []struct {
		file  string
		every int
	}{
		{"a.csv", 1}, {"a.csv", 10}, {"a.csv.gz", 1}, {"a.csv.gz", 25}, {"a.parquet", 1}, {"a.parquet", 7}, {"a.txt", 1}, {"a.csv", 26}, {"a.sql", 2},
	} {
		r := reportOf(t, fmt.Sprintf("%s --trajectories %s --every %d", line, test.file, test.every))
		testkit.Equal(t, r.Hash, hash, "%s: hash", test.file)
		if test.file == "a.txt" || test.file == "a.sql" { // other tests read these
			continue
		}
		if got, want := readTrajectories(t, test.file), trajectoriesOf(t, agents, steps, test.every); !slices.Equal(got, want) {
			t.Errorf("%s, every %d: got=%d rows, want %d rows of other content", test.file, test.every, len(got), len(want))
		}
	}
}

// TestTrajectoriesForPedPy verifies the format that PedPy's load_trajectory reads.
func TestTrajectoriesForPedPy(t *testing.T) {
	reportOf(t, "run plaza --agents 3 --steps 9 --set dt=0.05 --trajectories a.txt --every 2")
	lines := strings.Split(strings.TrimSpace(string(readFile(t, "a.txt"))), "\n")
	testkit.Equal(t, strings.Join(lines[:2], "|"), "# framerate: 10|# id frame x/m y/m z/m", "header")
	testkit.Equal(t, len(lines)-2, 3*5, "rows")
	for i, line := range lines[2:] {
		var id, frame int
		var x, y, z float64
		if n, err := fmt.Sscan(line, &id, &frame, &x, &y, &z); n != 5 || err != nil || id != i%3+1 || frame != i/3 || z != 0 {
			t.Errorf("row %d: got=%q, want=id %d, frame %d, x, y and 0", i, line, i%3+1, i/3)
		}
	}
}

// TestTrajectoriesFullDisk verifies the error for a full disk, in all formats.
func TestTrajectoriesFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("skipped: no /dev/full on this system")
	}
	for _, file := range []string{"a.csv", "a.csv.gz", "a.parquet", "a.txt", "a.sql"} {
		for _, agents := range []string{"2", "1000"} { // the first fails at the end, the second earlier
			path := filepath.Join(t.TempDir(), file)
			testkit.Must(t, os.Symlink("/dev/full", path))
			code, _, errs := command(t, t.Context(), "run", "plaza", "--agents", agents, "--steps", "5", "--json", "--trajectories", path)
			if code != exitFailure || !strings.Contains(errs, "no space left on device") || strings.Count(errs, "\n") != 1 {
				t.Errorf("%s, %s agents: exit code %d, want 1 and one line about space, got:\n%s", file, agents, code, errs)
			}
		}
	}
}
