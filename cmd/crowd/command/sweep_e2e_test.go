//go:build e2e

package command

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/internal/testkit"
)

// TestSweepServer verifies that a sweep with a worker process gives the same table as a shard.
func TestSweepServer(t *testing.T) {
	sweepFolder(t)
	if out, _ := succeed(t, "sweep s.toml --workers 2"); !strings.HasPrefix(out, "8 runs on 1 machine: 8 ok\nresults in ") {
		t.Fatalf("got=%s, want 8 runs on 1 machine", out)
	}
	succeed(t, "sweep s.toml --out shard --shard 1/1")
	succeed(t, "sweep merge shard")
	sameTable(t, "s/results.csv", table(t, "shard/results.csv"))
}

// TestSweepWork verifies that workers join a sweep by its folder and by its address.
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
		contains(t, "again", errs, "8 runs of 8 were already done")
		sameTable(t, "s/results.csv", want)
	}
}

// TestSweepClusters verifies that the scripts for clusters in docs/sweep.md work with the variables
// that clusters set.
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
	runs := func(line, id string) {
		t.Helper()
		if out, _ := succeed(t, line); !strings.HasPrefix(out, "shard "+id+"/2: 4 runs done") {
			t.Fatalf("%s: got=%s, want 4 runs of shard %s/2", line, out, id)
		}
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
		runs(string(readFile(t, "args")), id)
		t.Setenv("SLURM_ARRAY_TASK_ID", "")
		t.Setenv("JOB_COMPLETION_INDEX", strconv.Itoa(i))
		t.Setenv("JOB_COMPLETIONS", said[1])
		runs(strings.ReplaceAll(args[1], ", ", " "), id)
	}
	for _, name := range []string{"slurm", "kubernetes"} {
		if out, _ := succeed(t, "sweep merge "+name); !strings.HasPrefix(out, "8 runs on 1 machine: 8 ok") {
			t.Errorf("%s: got=%s, want 8 runs on 1 machine", name, out)
		}
	}
}
