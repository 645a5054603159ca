package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/column"
)

// recordings records runs of 60 people who leave a building, in a folder, and returns the names of the files: two
// that are alike, and one in which people are slower.
func recordings(t *testing.T) (a, same, other string) {
	t.Helper()
	dir := t.TempDir()
	record := func(name string, flags ...string) string {
		file := filepath.Join(dir, name)
		args := append([]string{"run", "evacuation", "--agents", "60", "--steps", "30", "--no-picture", "--record", file}, flags...)
		if code, _, errs := command(t, context.Background(), args...); code != exitOK {
			t.Fatal(errs)
		}
		return file
	}
	return record("a.replay"), record("same.replay", "--workers", "1"), record("other.replay", "--set", "max-speed=1.1")
}

// TestReplay holds that a recording runs again with the same bits, also if it is cut off, and what is refused.
func TestReplay(t *testing.T) {
	a, same, other := recordings(t)
	data, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(a)
	write := func(name string, data []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	changed := append([]byte{}, data...)
	changed[len(changed)-60] ^= 1
	forged := write("forged.replay", []byte("crowd replay\n\x02\x00\x00\x00"))
	for _, test := range []struct {
		args     []string
		code     int
		out, err string
	}{
		{[]string{"replay", a}, exitOK, "the same, 30 steps of evacuation\n", ""},
		{[]string{"replay", a, "--workers", "3", "--to", "7"}, exitOK, "the same, 7 steps of evacuation\n", ""},
		{[]string{"replay", write("cut.replay", data[:len(data)-100])}, exitOK, "the same, 28 steps of evacuation\n", "the steps before are used"},
		{[]string{"replay", write("short.replay", data[:5000])}, exitBadInput, "", "before anything of it can be used"},
		{[]string{"replay", write("changed.replay", changed)}, exitBadInput, "", "checksum"},
		{[]string{"replay", forged}, exitBadInput, "", "version is 2, want 1"},
		{[]string{"replay", dir}, exitBadInput, "", "crowd: " + dir + ": is a folder"},
		{[]string{"replay", a, "--to", "31"}, exitBadInput, "", "--to is 31, want 0 to 30"},
		{[]string{"replay", a, "--explain", "99"}, exitBadInput, "", "no agent has that id before step 30"},
		{[]string{"replay", a, "--explain", "9", "--json"}, exitBadInput, "", "--states and --explain print JSON anyway"},
		{[]string{"replay", a, "--explain", "9", "--to", "0"}, exitBadInput, "", "--explain is of a step"},
		{[]string{"run", a}, exitBadInput, "", a + " is a recording of a run: crowd replay runs it again"},
		{[]string{"bisect", a}, exitBadInput, "", "want two recordings, or one and --with, and there are 1"},
		{[]string{"bisect", a, forged}, exitBadInput, "", "version is 2, want 1"},
		{[]string{"bisect", a, same}, exitOK, "the same, as far as both go: 30 steps\n", ""},
		{[]string{"bisect", a, "--with", filepath.Join(dir, "nothing")}, exitBadInput, "", "no such file"},
		{[]string{"bisect", a, other}, exitFailure, "agent 1 is the first that differed before step ", "they differ"},
	} {
		code, out, errs := command(t, context.Background(), test.args...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.err) || test.err == "" && errs != "" {
			t.Errorf("%q: exit code %d, want=%d\n%s%s", test.args, code, test.code, out, errs)
		}
	}
}

// TestReplayStates holds that the agents after a step are printed, each in a line.
func TestReplayStates(t *testing.T) {
	a, _, _ := recordings(t)
	code, out, errs := command(t, context.Background(), "replay", a, "--states", "--to", "3", "-q")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var first struct{ Agent, Entity int }
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || code != exitOK || first.Agent != 1 || len(lines) < 60 {
		t.Errorf("exit code %d, %d lines, %v, %s", code, len(lines), first, errs)
	}
	code, out, errs = command(t, context.Background(), "replay", a, "--explain", "17", "--to", "3", "-q")
	_, want, _ := command(t, context.Background(), "explain", "evacuation", "--agents", "60", "--agent", "17", "--step", "3", "--json")
	if code != exitOK || out != want {
		t.Errorf("exit code %d, not what explain says: %s", code, errs)
	}
}

// TestBisectWith holds that another build of the command that gives other bits is found out, from both
// sides, with the agent.
func TestBisectWith(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, it builds the command anew")
	}
	if column.Copies {
		t.Skip("skipped: it builds the command without the tag safe")
	}
	const file = "../../systems/integration.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(here, file)
	a, _, _ := recordings(t) // in another folder
	dir := filepath.Dir(a)
	broken := strings.Replace(string(text), "p := vec.AddScaled(pos[i].Vec, dt, v)\n", "p := vec.AddScaled(pos[i].Vec, dt, v)\nif p.X > 50 { p.X = math.Nextafter(p.X, 0) }\n", 1)
	overlay, _ := json.Marshal(map[string]any{"Replace": map[string]string{real: filepath.Join(dir, "broken.go")}})
	for name, data := range map[string][]byte{"broken.go": []byte(broken), "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("CROWD_SIMD", "off") // the rule in Go is the one that is broken
	good, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CROWD_IS_COMMAND", "yes")
	bad := filepath.Join(dir, "bad")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", bad, ".")
	build.Dir = here
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bisect := func(this, with string) (code int, d struct {
		Same       bool
		Step       int
		Difference struct {
			Agent  int
			Fields []struct{ Component, Field, A, B string }
		}
		Forces [2]struct{ ID int }
	}) {
		cmd := exec.Command(this, "bisect", a, "--with", with, "--json")
		out, _ := cmd.Output()
		if err := json.Unmarshal(out, &d); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return cmd.ProcessState.ExitCode(), d
	}
	if code, d := bisect(good, good); code != exitOK || !d.Same {
		t.Errorf("the same build: exit code %d, %+v", code, d)
	}
	code, d := bisect(good, bad)
	fields := d.Difference.Fields
	if code != exitFailure || d.Step != 1 || d.Difference.Agent == 0 || len(fields) != 1 || fields[0].Component != "Position" || d.Forces[0].ID != d.Difference.Agent || d.Forces[1].ID != d.Difference.Agent {
		t.Fatalf("exit code %d, %+v", code, d)
	}
	if _, back := bisect(bad, good); back.Step != 1 || len(back.Difference.Fields) != 1 || back.Difference.Fields[0].A != fields[0].B {
		t.Errorf("from the other side: %+v", back)
	}
}
