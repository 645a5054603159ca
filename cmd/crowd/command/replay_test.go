package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordings records runs of 60 people who leave a building, in a folder, and returns the names of the files: two
// that are alike, and one in which people are slower.
func recordings(t *testing.T) (a, same, other string) {
	t.Helper()
	dir := t.TempDir()
	record := func(name string, flags ...string) string {
		file := filepath.Join(dir, name)
		args := append([]string{"run", "evacuation", "--agents", "60", "--steps", "30", "--picture", "none", "--record", file}, flags...)
		if code, _, errs := command(t, context.Background(), args...); code != exitOK {
			t.Fatal(errs)
		}
		return file
	}
	return record("a.replay"), record("same.replay", "--workers", "1"), record("other.replay", "--set", "max-speed=1.1")
}

// TestReplay verifies that a recording runs again with the same bits, also if it is cut off, and what is refused.
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
		{[]string{"replay", write("cut.replay", data[:len(data)-100])}, exitOK, "the same, 28 steps of evacuation\n", "using the steps before it"},
		{[]string{"replay", write("short.replay", data[:5000])}, exitBadInput, "", "before the first state"},
		{[]string{"replay", write("changed.replay", changed)}, exitBadInput, "", "checksum"},
		{[]string{"replay", forged}, exitBadInput, "", "version is 2, want 1"},
		{[]string{"replay", dir}, exitBadInput, "", "crowd: " + dir + " is a folder"},
		{[]string{"replay", a, "--to", "31"}, exitBadInput, "", "--to is 31, want at most 30 steps"},
		{[]string{"replay", a, "--agent", "99"}, exitBadInput, "", "no agent has this ID before step 30"},
		{[]string{"replay", a, "--agent", "9", "--json"}, exitBadInput, "", "--states and --agent print JSON anyway"},
		{[]string{"replay", a, "--agent", "9", "--to", "0"}, exitBadInput, "", "want 1 or more with --agent"},
		{[]string{"run", a}, exitBadInput, "", a + " is a recording of a run: use crowd replay to run it again"},
		{[]string{"replay", "diff", a}, exitBadInput, "", "want two recordings, or one and --with, got 1"},
		{[]string{"replay", "diff", a, forged}, exitBadInput, "", "version is 2, want 1"},
		{[]string{"replay", "diff", a, same}, exitOK, "the same in the steps of both: 30 steps\n", ""},
		{[]string{"replay", "diff", a, "--with", filepath.Join(dir, "nothing")}, exitBadInput, "", "no such file"},
		{[]string{"replay", "diff", a, other}, exitFailure, "agent 1 is the first that already differed before step ", "they differ"},
	} {
		code, out, errs := command(t, context.Background(), test.args...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(errs, test.err) || test.err == "" && errs != "" {
			t.Errorf("%q: exit code %d, want=%d\n%s%s", test.args, code, test.code, out, errs)
		}
	}
}

// TestReplayStates verifies that the agents after a step are printed, each in a line.
func TestReplayStates(t *testing.T) {
	a, _, _ := recordings(t)
	code, out, errs := command(t, context.Background(), "replay", a, "--states", "--to", "3", "-q")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var first struct{ Agent, Entity int }
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || code != exitOK || first.Agent != 1 || len(lines) < 60 {
		t.Errorf("exit code %d, %d lines, %v, %s", code, len(lines), first, errs)
	}
	code, out, errs = command(t, context.Background(), "replay", a, "--agent", "17", "--to", "3", "-q")
	_, want, _ := command(t, context.Background(), "explain", "evacuation", "--agents", "60", "--agent", "17", "--at", "3", "--json")
	if code != exitOK || out != want {
		t.Errorf("exit code %d, not what explain says: %s", code, errs)
	}
}
