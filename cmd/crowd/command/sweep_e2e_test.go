//go:build e2e

package command

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

// TestSweepServer verifies that a sweep with a worker process gives the table of a shard.
func TestSweepServer(t *testing.T) {
	folder := sweepFolder(t)
	spec, whole := filepath.Join(folder, "s.toml"), filepath.Join(folder, "s")
	code, out, errs := command(t, t.Context(), "sweep", spec, "--workers", "2")
	if code != exitOK || !strings.HasPrefix(out, "8 runs on 1 machine: 8 ok\nresults in ") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	shard := filepath.Join(folder, "shard")
	if code, _, errs := command(t, t.Context(), "sweep", spec, "--out", shard, "--shard", "1/1"); code != exitOK {
		t.Fatal(errs)
	}
	if code, _, errs := command(t, t.Context(), "sweep", "merge", shard); code != exitOK {
		t.Fatal(errs)
	}
	want := table(t, filepath.Join(shard, "results.csv"))
	if got := table(t, filepath.Join(whole, "results.csv")); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got=%v, want=%v", got, want)
	}
}

// TestSweepWork verifies that workers join a sweep by its folder and by its address, that the status
// shows it, and that what was done is not done again.
func TestSweepWork(t *testing.T) {
	for _, listen := range []string{"", "127.0.0.1:0"} {
		folder := sweepFolder(t)
		spec, whole := filepath.Join(folder, "s.toml"), filepath.Join(folder, "s")
		args := []string{"sweep", spec, "--workers", "0", "--quiet"}
		if listen != "" {
			args = append(args, "--listen", listen)
		}
		type result struct {
			code int
			out  string
		}
		done := make(chan result, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		go func() {
			var out bytes.Buffer
			code := execute(ctx, args, &out, os.Stderr)
			done <- result{code, out.String()}
		}()
		var at *engine.Address
		for at == nil && ctx.Err() == nil {
			at, _ = engine.ReadAddress(whole)
			time.Sleep(20 * time.Millisecond)
		}
		where := []string{whole}
		if listen != "" {
			where = []string{at.URL, "--token-file", filepath.Join(whole, "token"), "--cert", filepath.Join(whole, "server.pem")}
		}
		if code, out, errs := command(t, ctx, append([]string{"sweep", "status"}, where...)...); code != exitOK || !strings.Contains(out, "running") || !strings.Contains(out, "0 of 8") {
			t.Errorf("status: exit code %d: %s%s", code, out, errs)
		}
		if code, _, errs := command(t, ctx, append([]string{"sweep", "join", "--workers", "2"}, where...)...); code != exitOK {
			t.Fatalf("work: exit code %d: %s", code, errs)
		}
		if r := <-done; r.code != exitOK {
			t.Fatalf("sweep: exit code %d: %s", r.code, r.out)
		}
		code, out, errs := command(t, ctx, "sweep", "status", whole)
		if code != exitOK || !strings.Contains(out, "complete") || !strings.Contains(out, "8 of 8") {
			t.Errorf("status: exit code %d: %s%s", code, out, errs)
		}
		want := table(t, filepath.Join(whole, "results.csv"))
		code, out, errs = command(t, ctx, "sweep", spec)
		if code != exitOK || !strings.Contains(errs, "8 runs of 8 were done before") {
			t.Errorf("again: exit code %d: %s%s", code, out, errs)
		}
		if got := table(t, filepath.Join(whole, "results.csv")); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("again: got %v, want %v", got, want)
		}
	}
}

// TestSweepClusters verifies that the scripts for clusters of the page work with the variables that
// these set.
func TestSweepClusters(t *testing.T) {
	slurm, kubernetes := sweepPage(t, "slurm"), sweepPage(t, "kubernetes")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: no shell on this machine")
	}
	folder := sweepFolder(t)
	if err := os.Rename(filepath.Join(folder, "s.toml"), filepath.Join(folder, "first.toml")); err != nil {
		t.Fatal(err)
	}
	// crowd is a stand-in that keeps the command line, and srun runs it.
	for name, text := range map[string]string{"srun": `exec "$@"`, "crowd": `printf '%s\n' "$@" > args`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	args := regexp.MustCompile(`(?m)^ *args: \[(.*)\]$`).FindStringSubmatch(kubernetes)
	completions := regexp.MustCompile(`completions: (\d+)\n`).FindStringSubmatch(kubernetes)
	said := regexp.MustCompile(`name: JOB_COMPLETIONS, value: "(\d+)"`).FindStringSubmatch(kubernetes)
	if args == nil || completions == nil || said == nil || said[1] != completions[1] {
		t.Fatalf("got=%v, %v, %v", args, completions, said)
	}
	for i, id := range []string{"1", "2"} {
		for name, value := range map[string]string{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_STEP": "1", "SLURM_CPUS_PER_TASK": "2"} {
			t.Setenv(name, value)
		}
		script := exec.Command(sh, "-c", slurm)
		script.Dir, script.Env = folder, append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		if out, err := script.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		line, err := os.ReadFile(filepath.Join(folder, "args"))
		if err != nil {
			t.Fatal(err)
		}
		inFolder := func(words []string) []string {
			for i, word := range words {
				if word == "first.toml" || word == "slurm" || word == "kubernetes" {
					words[i] = filepath.Join(folder, word)
				}
			}
			return words
		}
		if code, out, errs := command(t, t.Context(), inFolder(strings.Fields(string(line)))...); code != exitOK || !strings.HasPrefix(out, "shard "+id+"/2: 4 runs done") {
			t.Fatalf("Slurm: exit code %d: %s%s", code, out, errs)
		}
		t.Setenv("SLURM_ARRAY_TASK_ID", "")
		t.Setenv("JOB_COMPLETION_INDEX", []string{"0", "1"}[i])
		t.Setenv("JOB_COMPLETIONS", said[1])
		if code, out, errs := command(t, t.Context(), inFolder(strings.Split(args[1], ", "))...); code != exitOK || !strings.HasPrefix(out, "shard "+id+"/2: 4 runs done") {
			t.Fatalf("Kubernetes: exit code %d: %s%s", code, out, errs)
		}
	}
	for _, name := range []string{"slurm", "kubernetes"} {
		if code, out, errs := command(t, t.Context(), "sweep", "merge", filepath.Join(folder, name)); code != exitOK || !strings.HasPrefix(out, "8 runs on 1 machine: 8 ok") {
			t.Errorf("%s: exit code %d: %s%s", name, code, out, errs)
		}
	}
}
