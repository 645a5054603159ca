//go:build e2e

package command

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
)

// The other build is a script that runs this build, and changes the position of agent 1 in step 1. Its answer
// says whether it reproduces the recording. This build does not reproduce nudged.replay.
func TestReplayDiffWith(t *testing.T) {
	recordings(t)
	nudgedRecording(t)
	this, err := os.Executable()
	testkit.Must(t, err)
	t.Setenv(isCommand, "yes")
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
*--json) cat answer.json ;;
*"--states --to 1") %[1]q "$@" | sed '1s/\("Position","fields":\[{"name":"X","value":\)"[^"]*"/\1"-1"/' ;;
*) exec %[1]q "$@" ;;
esac
`, this)
	testkit.Must(t, os.WriteFile("other", []byte(script), 0o777))
	for _, test := range []struct {
		recording, with, answer string
		same                    bool
	}{
		{"a.replay", this, "", true},
		{"a.replay", "./other", `{"same": false, "step": 1, "want": "a", "got": "b"}`, false},
		{"nudged.replay", "./other", `{"same": true}`, false},
	} {
		testkit.Must(t, os.WriteFile("answer.json", []byte(test.answer), 0o666))
		code, out, _ := sameFolder(t, t.Context(), "replay", "diff", test.recording, "--with", test.with, "--json")
		d := decode[struct {
			Same       bool
			Step       int
			Difference struct {
				Agent  int
				Fields []struct{ Component, Field, A, B string }
			}
			Forces [2]struct{ ID int }
		}](t, out)
		if testkit.Equal(t, d.Same, test.same, "%s with %s: the same", test.recording, test.with); test.same {
			testkit.Equal(t, code, exitOK, "exit code")
			continue
		}
		fields := d.Difference.Fields
		if code != exitFailure || d.Step != 1 || d.Difference.Agent != 1 || len(fields) != 1 || d.Forces[0].ID != 1 || d.Forces[1].ID != 1 ||
			fields[0].Component != "Position" || fields[0].A == "-1" || fields[0].B != "-1" {
			t.Errorf("%s: got=exit code %d, %+v, want=1, another Position, and the forces of agent 1 in step 1", test.recording, code, d)
		}
	}
}

// nudgedRecording records a run in which agents move by more than their steps.
func nudgedRecording(t *testing.T) {
	t.Helper()
	s, err := scene.Named("evacuation")
	testkit.Must(t, err)
	s.Resize(60)
	w, err := s.Build(scene.Options{Workers: 1})
	testkit.Must(t, err)
	defer w.Close()
	var files output.Files
	to := files.Add("--record", "nudged.replay")
	testkit.Must(t, files.Open())
	rec, err := replay.BeginRecording(to, s, w, "crowd run")
	testkit.Must(t, err)
	for range 3 {
		testkit.Must(t, w.Step())
		for q := generic.NewFilter1[c.Position]().With(generic.T[c.Agent]()).Query(w.ECS); q.Next(); {
			q.Get().X += 0.01
		}
		testkit.Must(t, rec.Stepped())
	}
	testkit.Must(t, rec.Close())
}

func TestSweepServer(t *testing.T) {
	sweepFolder(t)
	starts(t, "sweep s.toml --workers 2", "8 runs on 1 machine: 8 ok\nresults in ")
	succeed(t, "sweep s.toml --out shard --shard 1/1")
	succeed(t, "sweep merge shard")
	sameTable(t, "s/results.csv", table(t, "shard/results.csv"))
}

func TestSweepWork(t *testing.T) {
	for _, listen := range []string{"", " --listen 127.0.0.1:0"} {
		sweepFolder(t)
		args := strings.Fields("sweep s.toml --workers 0 --quiet" + listen)
		done := make(chan int, 1)
		go func() { done <- execute(t.Context(), args, io.Discard, os.Stderr) }()
		var at *engine.Address
		for begin := time.Now(); at == nil; time.Sleep(20 * time.Millisecond) {
			if at, _ = engine.ReadAddress("s"); time.Since(begin) > time.Minute {
				t.Fatal("got no address of the sweep in a minute, want one")
			}
		}
		where := "s"
		if listen != "" {
			where = at.URL + " --token-file s/token --cert s/server.pem"
		}
		out, _ := succeed(t, "sweep status "+where)
		contains(t, "status", out, "running", "0 of 8")
		succeed(t, "sweep join --workers 2 "+where)
		testkit.Equal(t, <-done, exitOK, "exit code")
		out, _ = succeed(t, "sweep status s")
		contains(t, "status", out, "complete", "8 of 8")
		out, _ = succeed(t, "sweep status s --json")
		contains(t, "status", out, `"done": 8`)
		want := table(t, "s/results.csv")
		_, errs := succeed(t, "sweep s.toml")
		contains(t, "again", errs, "already done: 8 of 8 runs")
		sameTable(t, "s/results.csv", want)
	}
}

func TestSweepClusters(t *testing.T) {
	slurm, kubernetes := sweepPage(t, "slurm"), sweepPage(t, "kubernetes")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: no shell on this machine")
	}
	sweepFolder(t)
	testkit.Must(t, os.Rename("s.toml", "first.toml"))
	// crowd stores its arguments, and srun runs its arguments.
	for name, text := range map[string]string{"srun": `exec "$@"`, "crowd": `printf '%s\n' "$@" > args`} {
		testkit.Must(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
	}
	args := regexp.MustCompile(`(?m)^ *args: \[(.*)\]$`).FindStringSubmatch(kubernetes)
	completions := regexp.MustCompile(`completions: (\d+)\n`).FindStringSubmatch(kubernetes)
	said := regexp.MustCompile(`name: JOB_COMPLETIONS, value: "(\d+)"`).FindStringSubmatch(kubernetes)
	if args == nil || completions == nil || said == nil || said[1] != completions[1] {
		t.Fatalf("got=%v, %v, %v, want arguments, and equal numbers of completions", args, completions, said)
	}
	path := os.Getenv("PATH")
	folder, _ := os.Getwd()
	for i, id := range []string{"1", "2"} {
		for name, value := range map[string]string{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_STEP": "1", "SLURM_CPUS_PER_TASK": "2"} {
			t.Setenv(name, value)
		}
		script := exec.Command(sh, "-c", slurm)
		script.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+path)
		if out, err := script.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		starts(t, string(readFile(t, "args")), "shard "+id+"/2: 4 runs done")
		t.Setenv("SLURM_ARRAY_TASK_ID", "")
		t.Setenv("JOB_COMPLETION_INDEX", strconv.Itoa(i))
		t.Setenv("JOB_COMPLETIONS", said[1])
		starts(t, strings.ReplaceAll(args[1], ", ", " "), "shard "+id+"/2: 4 runs done")
	}
	for _, name := range []string{"slurm", "kubernetes"} {
		starts(t, "sweep merge "+name, "8 runs on 1 machine: 8 ok")
	}
}

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

// The scenes differ in walls, doors and people that leave.
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
		t.Chdir(t.TempDir())
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
		t.Chdir(t.TempDir())
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
