package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// hashOf runs a scene or a file for some steps.
func hashOf(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := command(t, context.Background(), append([]string{"run", "--steps", "30", "--json", "-q"}, args...)...)
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
		t.Fatalf("%v: exit code %d, %v, %s", args, code, err, errs)
	}
	return r.Hash
}

// shown writes a scene or a file as TOML, and returns the path.
func shown(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := command(t, context.Background(), append([]string{"scene", "show", "-q"}, args...)...)
	if code != exitOK {
		t.Fatalf("%v: exit code %d, %s", args, code, errs)
	}
	path := filepath.Join(t.TempDir(), "shown.toml")
	if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestScenesShow verifies that a built-in scene, shown as a file, runs as before. TestBuiltinRoundTrip of package scene
// has all of them.
func TestScenesShow(t *testing.T) {
	for _, name := range []string{"plaza", "floors", "siege"} {
		if got, want := hashOf(t, "--agents", "60", shown(t, name)), hashOf(t, "--agents", "60", name); got != want {
			t.Errorf("%s: got=%s, want=%s", name, got, want)
		}
	}
}

// TestScenesShowFiles verifies that files of other kinds, shown as TOML, run as before.
func TestScenesShowFiles(t *testing.T) {
	dir := testkit.DataDir(t)
	for _, args := range [][]string{
		{"umans/Toric.xml"}, {"umans/agents/Circle25.xml"}, {"umans/agents/Room400.xml"},
		{"umans/agents/LargeRoom10000.xml.gz", "--obstacles", "umans/obstacles/LargeRoom.xml"},
	} {
		for i, arg := range args {
			if strings.Contains(arg, "/") {
				args[i] = filepath.Join(dir, filepath.FromSlash(arg))
			}
		}
		if got, want := hashOf(t, shown(t, args...)), hashOf(t, args...); got != want {
			t.Errorf("%s: got=%s, want=%s", args[0], got, want)
		}
	}
}

// TestLintCommand verifies what lint prints, and how it ends.
func TestLintCommand(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const group = "[[groups]]\nat = [0, 0]\nmax-speed = 1\n"
	good := write("good.toml", group+"start-speed = 1\n")
	poor := write("poor.toml", group)
	bad := write("bad.toml", "sed = 1\n"+group)
	shut := write("shut.toml", shutTOML)
	for _, tc := range []struct {
		files     []string
		code      int
		out, errs string
	}{
		{[]string{good, "plaza"}, exitOK, "", ""},
		{[]string{good, poor}, exitFailure, "poor.toml: groups[0]: nothing moves it", "crowd: 1 found"},
		{[]string{"arrival"}, exitFailure, "arrival: groups[0]: arrival passes its target", "crowd: 1 found"},
		{[]string{shut}, exitFailure, "shut.toml: groups[0]: agent 1 can't arrive: a body of radius 0.3 m has no way from (0, 0) to its goal at (5, 0); clear the way", "crowd: 2 found"},
		{[]string{bad}, exitBadInput, "", "bad.toml:1:1: sed is not a key: did you mean \"seed\"?"},
		{[]string{"nosuch"}, exitBadInput, "", "no scene or file is named"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"scene", "check"}, tc.files...)...)
		if code != tc.code || !strings.Contains(out, tc.out) || !strings.Contains(errs, tc.errs) || tc.out == "" && out != "" {
			t.Errorf("%v: got=%d, %q, %q, want=%d, %q, %q", tc.files, code, out, errs, tc.code, tc.out, tc.errs)
		}
	}
	// A run warns of the same, once.
	code, _, errs := command(t, context.Background(), "run", poor, "--steps", "5", "--picture", "none")
	if code != exitOK || strings.Count(errs, "nothing moves it") != 1 {
		t.Errorf("run: exit code %d, %q, want one warning", code, errs)
	}
	// At its end it says who can't arrive, in words and as JSON.
	code, out, errs := command(t, context.Background(), "run", shut, "--picture", "none")
	if want := "1 of the 1 that have not arrived cannot arrive, for example"; code != exitOK || strings.Count(out, want) != 1 || !strings.Contains(out, "agent 1: a body of radius 0.3 m") {
		t.Errorf("run: exit code %d, %q, want %q once\n%s", code, out, want, errs)
	}
	code, out, errs = command(t, context.Background(), "run", shut, "--picture", "none", "-v")
	if want := "1 of the 1 that have not arrived cannot arrive, for example"; code != exitOK || strings.Count(out, want) != 1 {
		t.Errorf("run -v: exit code %d, %q, want %q once\n%s", code, out, want, errs)
	}
	for file, want := range map[string][2]int{shut: {1, 1}, good: {0, 0}} {
		_, out, errs = command(t, context.Background(), "run", file, "--json", "-q", "--steps", "50")
		var r report.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.CannotArrive == nil || [2]int{*r.CannotArrive, *r.CannotArriveAsked} != want || len(r.Reasons) != want[0] {
			t.Errorf("%s: got=%v, %v, %q, want=%v\n%v, %s", file, r.CannotArrive, r.CannotArriveAsked, r.Reasons, want, err, errs)
		}
	}
	code, _, errs = command(t, context.Background(), "run", "arrival", "--steps", "5", "--picture", "none")
	if code != exitOK || strings.Contains(errs, "passes its target") {
		t.Errorf("run of a built-in scene: exit code %d, %q, want no warning", code, errs)
	}
}
