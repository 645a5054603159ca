//go:build e2e && linux

package command

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// Processor time after which a process is certainly in a phase that takes many times as long.
const (
	atWork   = 200 * time.Millisecond // reads longFile, or places longPlacing
	stepping = 400 * time.Millisecond // has built longSteps, which takes a fifth of this time, and steps
)

// works waits until the process has used the given processor time.
func (p *process) works(t *testing.T, least time.Duration) {
	t.Helper()
	const tick = time.Second / 100
	for {
		stat := readFile(t, fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		if fields[0] == "Z" {
			t.Fatalf("the process ended too early: %s%s", p.out.String(), p.errs.String())
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		if time.Duration(user+system)*tick >= least {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func longFiles(t *testing.T) (folder string) {
	t.Helper()
	return testkit.Files(t, map[string]string{"steps.toml": longSteps, "placing.toml": longPlacing, "reading.xml.gz": string(longFile())})
}

func TestSignals(t *testing.T) {
	t.Parallel()
	folder := longFiles(t)
	for _, test := range []struct {
		args string
		sent syscall.Signal
		want string
	}{
		{"run reading.xml.gz", syscall.SIGINT, "interrupted while reading reading.xml.gz"},
		{"run placing.toml", syscall.SIGTERM, "interrupted while building placing"},
		{"run steps.toml", syscall.SIGHUP, "interrupted in step 1: the metrics are from before this step"},
		{"run --timeout 10m reading.xml.gz", syscall.SIGHUP, "interrupted while reading reading.xml.gz"},
		{"run --timeout 10m placing.toml", syscall.SIGINT, "interrupted while building placing"},
		{"run --timeout 10m steps.toml", syscall.SIGTERM, "interrupted"},
		{"render steps.toml --out x.png", syscall.SIGHUP, "stopped after step 0 of 100"},
		{"explain steps.toml --at 2", syscall.SIGHUP, "interrupted before step 1"},
		{"view placing.toml --listen 127.0.0.1:0", syscall.SIGHUP, "interrupted while building placing"},
		{"bench steps.toml --workers 1", syscall.SIGHUP, "interrupted before anything was measured"},
		{"validate rimea --model steer --quick", syscall.SIGINT, "interrupted while verifying"},
		{"scene check reading.xml.gz", syscall.SIGHUP, "interrupted while reading reading.xml.gz"},
	} {
		p := start(t, folder, strings.Fields(test.args)...)
		least := atWork
		if strings.Contains(test.args, "steps.toml") {
			least = stepping
		}
		p.works(t, least)
		_ = p.Process.Signal(test.sent)
		p.ends(t, 128+int(test.sent), test.want)
	}
}

// After SIGHUP in a long step, the outputs describe the state after the last complete step: here the start.
func TestHangUpReport(t *testing.T) {
	t.Parallel()
	folder := longFiles(t)
	file := filepath.Join(folder, "steps.toml")
	p := start(t, folder, "run", file, "--json", "--picture", "end.png", "--trajectories", "ways.csv")
	p.works(t, 2*stepping) // by then, the process has also written the start
	_ = p.Process.Signal(syscall.SIGHUP)
	p.ends(t, 129, "")
	got := decode[report.Report](t, p.out.String())
	step := *cmp.Or(got.InterruptedStep, new(int)) // 0 if none
	if want := startHash(t, file); step != 1 || got.Steps != 0 || got.Hash != want {
		t.Errorf("got=%d steps, interrupted in step %d, hash %s, want=0, 1, %s", got.Steps, step, got.Hash, want)
	}
	testkit.Must(t, whole("end.png", readFile(t, filepath.Join(folder, "end.png"))))
	rows := readFile(t, filepath.Join(folder, "ways.csv"))
	testkit.Equal(t, bytes.Count(rows, []byte("\n")), 60_001, "lines of the start")
}

// The process starts with SIGHUP ignored, as by nohup.
func TestNoHangUp(t *testing.T) {
	t.Parallel()
	p := newProcess(t, longFiles(t), []string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, "run", "placing.toml", "--json").begin(t)
	p.works(t, atWork)
	status := readFile(t, fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	_, after, _ := strings.Cut(string(status), "SigIgn:")
	ignored, err := strconv.ParseUint(strings.Fields(after)[0], 16, 64)
	if err != nil || ignored&(1<<(syscall.SIGHUP-1)) == 0 {
		t.Errorf("ignored signals: got=%x, %v, want=SIGHUP among them", ignored, err)
	}
	_ = p.Process.Signal(syscall.SIGTERM)
	p.ends(t, 143, "interrupted while building placing")
}

func startHash(t *testing.T, file string) string {
	t.Helper()
	s, err := scene.Open(file, scene.OpenOptions{})
	testkit.Must(t, err)
	w, err := s.Build(scene.Options{})
	testkit.Must(t, err)
	defer w.Close()
	return fmt.Sprintf("%016x", w.Hash())
}

// Commands end quietly if the reader of their output is gone, and with an error if the disk is full.
func TestStandardOutput(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--help", "run --help", "--version", "scene", "scene show plaza", "completion bash", "scene check arrival --json",
		"run plaza --agents 50 --steps 3", "run plaza --agents 60 --steps 3 --json --picture x.png --trajectories x.txt", "explain seek", "run seek --steps 3 --csv"} {
		r, closed, err := os.Pipe()
		testkit.Must(t, err)
		r.Close()
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("skipped: no /dev/full on this system")
		}
		for _, test := range []struct {
			to   *os.File
			code int
			errs string
		}{{closed, exitPipe, ""}, {full, exitFailure, "crowd: write /dev/stdout: no space left on device\n"}} {
			dir := t.TempDir()
			p := newProcess(t, dir, nil, append(strings.Fields(args), "--quiet")...)
			p.Stdout = test.to
			if code := p.begin(t).end(t); code != test.code || p.errs.String() != test.errs {
				t.Errorf("%s to %s: got=exit code %d, %q, want=%d, %q", args, test.to.Name(), code, p.errs.String(), test.code, test.errs)
			}
			test.to.Close()
			checkFolder(t, dir, leftovers(t, dir, nil), false)
		}
	}
}

// Reading a pipe among the files of a sweep would block.
func TestMergePipe(t *testing.T) {
	for _, name := range []string{"manifest.json", "shard-1-of-1.jsonl"} {
		sweepFolder(t)
		succeed(t, "sweep s.toml --shard 1/1 --quiet")
		file := filepath.Join("s", name)
		testkit.Must(t, os.Remove(file))
		testkit.Must(t, syscall.Mkfifo(file, 0o600))
		start(t, ".", "sweep", "merge", "s").ends(t, exitBadInput, name+": a folder, pipe or device, want a regular file") // in a process, which can be killed
	}
}
