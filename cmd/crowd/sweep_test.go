package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// smallSweep is a spec of 12 runs that take no time.
const smallSweep = `
scenes = ["bottleneck", "floors/shut.toml"]
seeds = 2
[axes]
max-speed = [1, 1.5]
"groups[0].radius" = [0.2]
agents = [3]
[run]
steps = 4
`

// sweepFolder returns a folder with a small spec.
func sweepFolder(t *testing.T) string {
	t.Helper()
	return scenesFolder(t, map[string]string{"s.toml": smallSweep, "floors/shut.toml": shutTOML})
}

// table returns the rows of a CSV file, with only those columns that do not depend on the machine.
func table(t *testing.T, name string) (rows [][]string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if rows, err = csv.NewReader(file).ReadAll(); err != nil {
		t.Fatal(err)
	}
	end := slices.Index(rows[0], "hash") + 1
	for i := range rows {
		rows[i] = rows[i][:end]
	}
	return rows
}

// TestSweep holds that a sweep gives the same table whole, in shards, and done again, and that its
// figures are those of crowd run.
func TestSweep(t *testing.T) {
	folder := sweepFolder(t)
	spec, whole, parts := filepath.Join(folder, "s.toml"), filepath.Join(folder, "s"), filepath.Join(folder, "parts")
	code, out, errs := command(t, t.Context(), "sweep", spec, "--threads", "2")
	if code != exitOK || !strings.HasPrefix(out, "8 runs on 1 machine: 8 ok\nresults in ") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	want := table(t, filepath.Join(whole, "results.csv"))
	if len(want) != 9 || strings.Join(want[0][:7], " ") != "index scene max-speed groups[0].radius agents seed status" {
		t.Fatalf("got=%v", want)
	}
	for _, shard := range []string{"1/3", "3/3"} {
		if code, out, errs := command(t, t.Context(), "sweep", spec, "--folder", parts, "--shard", shard); code != exitOK {
			t.Fatalf("exit code %d: %s%s", code, out, errs)
		}
	}
	if code, _, errs := command(t, t.Context(), "sweep", "merge", parts); code != exitBadInput || !strings.Contains(errs, "3 of 8 runs are missing, the first is run 1, of shard 2/3") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, errs := command(t, t.Context(), "sweep", spec, "--folder", parts, "--shard", "2/3"); code != exitOK {
		t.Fatal(errs)
	}
	again := filepath.Join(folder, "again")
	if code, _, errs := command(t, t.Context(), "sweep", spec, "--folder", again, "--shard", "1/1"); code != exitOK {
		t.Fatal(errs)
	}
	if code, out, errs := command(t, t.Context(), "sweep", "merge", parts, again); code != exitOK || !strings.Contains(out, "8 done twice, with the same results") {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
	for i, row := range table(t, filepath.Join(parts, "results.csv")) {
		if !slices.Equal(row, want[i]) {
			t.Errorf("row %d: got=%v, want=%v", i, row, want[i])
		}
	}
	_, out, _ = command(t, t.Context(), "run", "bottleneck", "--json", "--safety", "--agents", "3", "--seed", "2", "--steps", "4", "--set", "max-speed=1.5", "--set", "groups[0].radius=0.2", "--workers", "1")
	hash := regexp.MustCompile(`"trace_hash": "(\w+)"`).FindStringSubmatch(out)
	if at := slices.Index(want[0], "trace_hash"); hash == nil || want[4][at] != hash[1] {
		t.Errorf("got=%s, want=%v as of crowd run", want[4][at], hash)
	}
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[string]string{
		string(text) + "# more":                                                     "the spec differs in what has no value, such as a comment or the order of keys;",
		strings.Replace(string(text), "[3]", "[4]", 1):                              "axes.agents[0] is 4, and was 3;",
		strings.Replace(string(text), "steps = 4", "", 1):                           "run.steps is missing, and was 4;",
		strings.Replace(string(text), "[run]", "[limits]\ntime = \"9s\"\n[run]", 1): `limits.time is "9s", and was missing;`,
	} {
		if err := os.WriteFile(spec, []byte(change), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := command(t, t.Context(), "sweep", spec)
		if code != exitBadInput || !strings.Contains(errs, "holds another sweep: "+want+" want another --folder") || strings.Count(errs, "\n") != 1 {
			t.Errorf("another spec: exit code %d: %s, want=%s", code, errs, want)
		}
	}
}

// TestSweepRefuses holds that what is wrong is said before anything is run or written.
func TestSweepRefuses(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"none.toml"}, "none.toml: no such file or directory"},
		{[]string{"SPEC", "--shard", "4/3"}, `--shard is "4/3", want i/n with i from 1 to n, or auto`},
		{[]string{"SPEC", "--shard", "1/2", "--threads", "0"}, "--threads is 0, want 1 or more"},
		{[]string{"SPEC", "--shard", "1/2", "--threads", "-1"}, "--threads is -1, want 1 or more"},
		{[]string{"SPEC", "--threads", "-1"}, "--threads is -1, want 0 or more"},
		{[]string{"SPEC", "--dry-run", "--shard", "1/2"}, "--shard is for the runs, and --dry-run does none"},
		{[]string{"merge", "."}, "manifest.json: no such file or directory: want the folder of a sweep"},
		{[]string{"marge"}, `crowd sweep marge is no command, want one of example, merge, run, status; did you mean "merge"?`},
	} {
		folder := sweepFolder(t)
		args := append([]string{"sweep"}, tc.args...)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "SPEC", filepath.Join(folder, "s.toml"))
		}
		code, out, errs := command(t, t.Context(), args...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, tc.want) {
			t.Errorf("%q: exit code %d: %s%s, want=%s", tc.args, code, out, errs, tc.want)
		}
		if _, err := os.Stat(filepath.Join(folder, "s")); err == nil {
			t.Errorf("%q: a folder was made", tc.args)
		}
	}
}

// TestSweepDryRun holds that an estimate runs nothing.
func TestSweepDryRun(t *testing.T) {
	folder := sweepFolder(t)
	code, out, errs := command(t, t.Context(), "sweep", filepath.Join(folder, "s.toml"), "--dry-run")
	for _, want := range []string{"8 runs: 4 points, each with 2 seeds\n", "  scene: bottleneck, floors/shut.toml\n", "  max-speed: 1, 1.5\n", "of memory"} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit code %d: %s%s, want=%s", code, out, errs, want)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "s")); err == nil {
		t.Error("a folder was made")
	}
}

// TestSweepPage holds that the example stands in the page, and that its scripts for clusters work
// with the variables that these set.
func TestSweepPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/sweep.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(name string) string {
		_, after, _ := strings.Cut(string(data), "<!-- "+name+" -->\n```")
		_, after, _ = strings.Cut(after, "\n")
		text, _, _ := strings.Cut(after, "```")
		return text
	}
	_, example, _ := command(t, t.Context(), "sweep", "example")
	if page := block("example"); page != example {
		t.Errorf("docs/sweep.md: got=%s, want=%s", page, example)
	}
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
	args := regexp.MustCompile(`(?m)^ *args: \[(.*)\]$`).FindStringSubmatch(block("kubernetes"))
	completions := regexp.MustCompile(`completions: (\d+)\n`).FindStringSubmatch(block("kubernetes"))
	said := regexp.MustCompile(`name: JOB_COMPLETIONS, value: "(\d+)"`).FindStringSubmatch(block("kubernetes"))
	if args == nil || completions == nil || said == nil || said[1] != completions[1] {
		t.Fatalf("got=%v, %v, %v", args, completions, said)
	}
	for i, id := range []string{"1", "2"} {
		for name, value := range map[string]string{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "2", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_STEP": "1", "SLURM_CPUS_PER_TASK": "2"} {
			t.Setenv(name, value)
		}
		script := exec.Command(sh, "-c", block("slurm"))
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

// TestSweepWork holds that workers join a sweep by its folder, that the status tells of it, and that
// what was done is not done again.
func TestSweepWork(t *testing.T) {
	folder := sweepFolder(t)
	spec, whole := filepath.Join(folder, "s.toml"), filepath.Join(folder, "s")
	type result struct {
		code int
		errs string
	}
	done := make(chan result, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		var out bytes.Buffer
		code := run(ctx, []string{"sweep", spec, "--threads", "0", "--quiet"}, &out, os.Stderr)
		done <- result{code, out.String()}
	}()
	for {
		if _, err := os.Stat(filepath.Join(whole, "server.json")); err == nil || ctx.Err() != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if code, _, errs := command(t, ctx, "work", whole, "--threads", "2"); code != exitOK {
		t.Fatalf("work: exit code %d: %s", code, errs)
	}
	if r := <-done; r.code != exitOK {
		t.Fatalf("sweep: exit code %d: %s", r.code, r.errs)
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
	code, _, errs = command(t, ctx, "work", filepath.Join(folder, "nowhere"))
	if code != exitBadInput || !strings.Contains(errs, "no such file or directory; want the folder of a sweep") {
		t.Errorf("work nowhere: exit code %d: %s", code, errs)
	}
}
