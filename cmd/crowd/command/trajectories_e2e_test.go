//go:build e2e

package command

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// loadSQL creates a.sqlite from a.sql, as the docs say.
func loadSQL(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("skipped: sqlite3 is not installed")
	}
	if out, err := exec.Command("sh", "-c", "sqlite3 a.sqlite < a.sql").CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
}

// pedpy loads a file as users of PedPy do, and prints its main properties.
const pedpy = `
import pathlib, sys, pedpy
file = pathlib.Path(sys.argv[1])
walk = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=file)
area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=file)
x0, y0, x1, y1 = area.bounds
whole = pedpy.MeasurementArea([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
density = pedpy.compute_classic_density(traj_data=walk, measurement_area=whole).density
print(walk.frame_rate, len(walk.data), len(density), density.iloc[0] * (x1 - x0) * (y1 - y0),
	pedpy.is_trajectory_valid(traj_data=walk, walkable_area=area), area.area)
`

// TestTrajectoriesForPedPyAndJuPedSim verifies that PedPy reads the trajectories of scenes with and
// without walls, doors and people that leave, and finds all people in the walkable area.
func TestTrajectoriesForPedPyAndJuPedSim(t *testing.T) {
	python := os.Getenv("CROWD_PEDPY")
	if python == "" {
		t.Skip("skipped: CROWD_PEDPY names no Python that has PedPy")
	}
	for _, test := range []struct {
		args   string
		fps    float64
		rows   int // 0 means any number
		frames int
		first  float64 // number of people in the first frame
	}{
		{"plaza --agents 50 --steps 10", 60, 550, 11, 50},
		{"evacuation --steps 60 --every 3", 10, 0, 21, 0},
	} {
		reportOf(t, "run --trajectories a.sql "+test.args)
		loadSQL(t)
		out, err := exec.Command(python, "-c", pedpy, "a.sqlite").CombinedOutput()
		var fps, first, area float64
		var rows, frames int
		var valid string
		if _, scan := fmt.Sscan(lastLine(out), &fps, &rows, &frames, &first, &valid, &area); err != nil || scan != nil {
			t.Errorf("%s: %v, %v\n%s", test.args, err, scan, out)
			continue
		}
		if fps != test.fps || frames != test.frames || test.rows > 0 && rows != test.rows || test.first > 0 && math.Abs(first-test.first) > 1e-6 || valid != "True" || area <= 0 {
			t.Errorf("%s: got=%s, want=%+v, and all people in the walkable area", test.args, lastLine(out), test)
		}
	}
}

// TestTrajectoriesPandas verifies that pandas reads trajectories, and that PedPy does, if installed.
func TestTrajectoriesPandas(t *testing.T) {
	if out, err := exec.Command("python3", "-c", "import pandas").CombinedOutput(); err != nil {
		t.Skipf("skipped: no python3 with pandas: %v %s", err, lastLine(out))
	}
	for file, script := range map[string]string{
		"a.csv":     "import pandas; d = pandas.read_csv('a.csv')",
		"a.csv.gz":  "import pandas; d = pandas.read_csv('a.csv.gz')",
		"a.parquet": "import pandas; d = pandas.read_parquet('a.parquet')",
		"a.txt":     "import pathlib, pedpy; d = pedpy.load_trajectory(trajectory_file=pathlib.Path('a.txt')).data.rename(columns={'frame': 'time'})",
	} {
		reportOf(t, "run plaza --agents 4 --steps 9 --trajectories "+file)
		out, err := exec.Command("python3", "-c", script+"; print(len(d), sorted(d.id.unique()), d.x.notna().all())").CombinedOutput()
		switch want := "40 [1, 2, 3, 4] True"; {
		case err != nil && strings.Contains(string(out), "No module named"):
			t.Logf("skipped %s: %s", file, lastLine(out))
		case err != nil && strings.Contains(string(out), "pyarrow"):
			t.Logf("skipped %s: pandas has no reader for it", file)
		case err != nil:
			t.Errorf("%s: %v\n%s", file, err, out)
		case !strings.Contains(strings.NewReplacer("np.int64(", "", "np.uint64(", "", ")", "").Replace(string(out)), want):
			t.Errorf("%s: got=%s, want=%s in it", file, out, want)
		}
	}
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
