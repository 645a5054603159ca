package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/world/scene"
)

// TestProcess is no test: it is the command, in a process of its own, for tests that
// send signals.
func TestProcess(t *testing.T) {
	if args := os.Getenv("CROWD_ARGUMENTS"); args != "" {
		os.Args = append([]string{"crowd"}, strings.Split(args, "\n")...)
		main()
	}
}

// process is a command that runs.
type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
}

// start starts the command in a folder, behind other words, if any.
func start(t *testing.T, folder string, before []string, args ...string) *process {
	t.Helper()
	words := append(before, os.Args[0], "-test.run=^TestProcess$")
	p := &process{Cmd: exec.Command(words[0], words[1:]...)}
	p.Dir, p.Stdout, p.Stderr = folder, &p.out, &p.errs
	p.Env = append(os.Environ(), "CROWD_ARGUMENTS="+strings.Join(args, "\n"))
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// What is ignored here, as under nohup, would be ignored by the commands that tests
// start, and what is caught is not.
func init() {
	if os.Getenv("CROWD_ARGUMENTS") == "" {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// works waits until the process has had so much of the processor: by then it is in the
// middle of what takes many times as long.
func (p *process) works(t *testing.T, least time.Duration) {
	t.Helper()
	const tick = time.Second / 100
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(after)
		if fields[0] == "Z" {
			t.Fatalf("ended by itself: %s%s", p.out.String(), p.errs.String())
		}
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		if time.Duration(user+system)*tick >= least {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// ends sends a signal, and returns the exit code. The limit is there so that the
// test ends: what is interrupted would take many minutes.
func (p *process) ends(t *testing.T, s os.Signal) int {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- p.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatalf("%v: does not end", s)
	}
	if !p.ProcessState.Exited() {
		t.Fatalf("%v: %v", s, p.ProcessState)
	}
	return p.ProcessState.ExitCode()
}

const (
	// Everybody sees everybody, so that a step takes minutes.
	longSteps = "dt = 0.1\nbox = [[0, 0], [1000, 1000]]\nsteps = 100\n[[groups]]\ncount = 150_000\nmax-speed = 1\nmax-force = 5\nseparation = {gain = 1, neighbor-dist = 3000}\ncohesion = {gain = 1, neighbor-dist = 3000}\n"
	// No place is ever clear, and each is drawn 256 times.
	longPlacing = "dt = 0.1\nbox = [[0, 0], [100, 100]]\n[[groups]]\ncount = 2_000_000\nmax-speed = 1\nat = {clear = 500}\n[[obstacles.circles]]\nat = [1, 1]\nradius = 1\n[[obstacles.circles]]\nat = [9, 9]\nradius = 1\n"
)

// longFile returns a small file that unpacks to gigabytes.
func longFile(t *testing.T) []byte {
	t.Helper()
	pack := func(text []byte) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	blank := pack(bytes.Repeat([]byte(" "), 1<<24))
	return append(pack([]byte("<Agents><!--")), bytes.Repeat(blank, 250)...) // one comment
}

// TestSignals holds that all commands end with the first signal, whatever they are at.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, it starts processes and interrupts them")
	}
	folder := t.TempDir()
	for name, data := range map[string][]byte{"steps.toml": []byte(longSteps), "placing.toml": []byte(longPlacing), "reading.xml.gz": longFile(t)} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args string
		sent syscall.Signal
		code int
		want string
	}{
		{"run reading.xml.gz", syscall.SIGINT, exitFailure, "interrupted while reading reading.xml.gz"},
		{"run placing.toml", syscall.SIGTERM, exitFailure, "interrupted while building placing"},
		{"run steps.toml", syscall.SIGHUP, exitOK, "interrupted in step 1: all here is as before it"},
		{"score reading.xml.gz", syscall.SIGHUP, exitOK, "interrupted while reading reading.xml.gz"},
		{"score placing.toml", syscall.SIGINT, exitOK, "interrupted while building placing"},
		{"score steps.toml", syscall.SIGTERM, exitOK, "interrupted"},
		{"render steps.toml --out x.png", syscall.SIGHUP, exitOK, "stopped after step 0 of 100"},
		{"explain steps.toml --step 2", syscall.SIGHUP, exitFailure, "interrupted before step 1"},
		{"view placing.toml --port 0", syscall.SIGHUP, exitOK, "interrupted while building placing"},
		{"bench steps.toml --workers 1", syscall.SIGHUP, exitFailure, "interrupted before anything was measured"},
		{"lint reading.xml.gz", syscall.SIGHUP, exitFailure, "interrupted while reading reading.xml.gz"},
	} {
		p := start(t, folder, nil, strings.Fields(test.args)...)
		p.works(t, 2*time.Second)
		code := p.ends(t, test.sent)
		if text := p.out.String() + p.errs.String(); code != test.code || !strings.Contains(text, test.want) {
			t.Errorf("%s: got=exit code %d, %s, want=%d, %q", test.args, code, text, test.code, test.want)
		}
	}
}

// TestHangUpReport holds that the report, the hash and the outputs after SIGHUP in a
// long step are those of the last whole one, here of the start.
func TestHangUpReport(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, it starts processes and interrupts them")
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "steps.toml")
	if err := os.WriteFile(file, []byte(longSteps), 0o666); err != nil {
		t.Fatal(err)
	}
	var got report.Report
	p := start(t, folder, nil, "run", file, "--json", "--picture", "end.png", "--trajectories", "ways.csv")
	p.works(t, 3*time.Second)
	if code := p.ends(t, syscall.SIGHUP); code != exitOK {
		t.Fatalf("exit code %d, %s", code, p.errs.String())
	}
	if err := json.Unmarshal(p.out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if want := startHash(t, file); got.InterruptedStep == nil || *got.InterruptedStep != 1 || got.Steps != 0 || got.Hash != want {
		t.Errorf("got=%d steps, interrupted in %v, hash %s, want=0, 1, %s", got.Steps, got.InterruptedStep, got.Hash, want)
	}
	if info, err := os.Stat(filepath.Join(folder, "end.png")); err != nil || info.Size() == 0 {
		t.Errorf("picture: %v, %v", info, err)
	}
	if rows, err := os.ReadFile(filepath.Join(folder, "ways.csv")); err != nil || bytes.Count(rows, []byte("\n")) != 150_001 {
		t.Errorf("trajectories: %v, %d lines, want=150,001, the start", err, bytes.Count(rows, []byte("\n")))
	}
}

// TestNoHangUp holds that a process whose SIGHUP was ignored at the start, as by
// nohup, goes on ignoring it.
func TestNoHangUp(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, it starts processes and interrupts them")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "steps.toml"), []byte(longSteps), 0o666); err != nil {
		t.Fatal(err)
	}
	p := start(t, folder, []string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, "run", "steps.toml", "--json")
	p.works(t, 2*time.Second)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "SigIgn:")
	ignored, err := strconv.ParseUint(strings.Fields(after)[0], 16, 64)
	if err != nil || ignored&(1<<(syscall.SIGHUP-1)) == 0 {
		t.Errorf("ignored signals: got=%x, %v, want=SIGHUP among them", ignored, err)
	}
	if code := p.ends(t, syscall.SIGTERM); code != exitOK || !strings.Contains(p.out.String(), `"interrupted": true`) {
		t.Errorf("exit code %d, %s", code, p.errs.String())
	}
}

// startHash returns the hash of a scene before its first step.
func startHash(t *testing.T, file string) string {
	t.Helper()
	s, err := scene.Open(file, scene.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Build(scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return fmt.Sprintf("%016x", w.Hash())
}
