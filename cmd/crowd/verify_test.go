package main

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestVerifyTable holds that tables fit a terminal, have a head each and a last line that
// counts, and that the exit code says whether all is as expected.
func TestVerifyTable(t *testing.T) {
	if testing.Short() {
		t.Skip("in the long run: package verify runs the same experiments under the race detector")
	}
	code, out, errs := command(t, t.Context(), "verify", "diagram", "juelich", "--short", "--quiet", "--out", "a.svg")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("longer than 80 columns: %q", line)
		}
	}
	if !strings.HasPrefix(lines[0], "juelich ") || !strings.Contains(out, "\ndiagram ") || !strings.Contains(out, "--data FOLDER adds time gaps") {
		t.Errorf("want a table of juelich and one of diagram, got:\n%s", out)
	}
	last := lines[len(lines)-1]
	// Single file at 1.1 a meter is missed.
	if last != "16 of 17 as expected, by the model orca" || code != exitFailure || !strings.HasSuffix(errs, "1 not as expected\n") {
		t.Errorf("last line: got=%q, exit code %d: %s", last, code, errs)
	}
	for _, name := range []string{"a-juelich.svg", "a-diagram.svg"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "<svg") {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(out, "picture in "+name+"\n") {
			t.Errorf("%s is not named:\n%s", name, out)
		}
	}
}

// TestVerifyJSON holds the keys of a result, and that a miss that people share is no
// reason for exit code 1.
func TestVerifyJSON(t *testing.T) {
	code, out, errs := command(t, t.Context(), "verify", "juelich", "--short", "--json")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(out), &rows); err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	missed := 0
	for _, row := range rows {
		if keys := slices.Sorted(maps.Keys(row)); !slices.Equal(keys, []string{"expected", "measured", "model", "name", "note", "passed", "suite"}) {
			t.Fatalf("got=%v", keys)
		}
		_, number := row["measured"].(float64)
		if row["suite"] != "juelich" || row["model"] != "orca" || row["measured"] != nil && !number || row["name"] == "" {
			t.Errorf("got=%v", row)
		}
		if row["passed"] == false && !strings.Contains(row["note"].(string), "an expected miss") {
			missed++
		}
	}
	if len(rows) != 9 || (missed == 0) != (code == exitOK) {
		t.Errorf("got=%d rows, %d missed, exit code %d", len(rows), missed, code)
	}
}

// TestVerifyErrors holds that what can't be is said in one line before anything is run.
func TestVerifyErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "uo-050-180-180.txt"), []byte("1 2 3 4\n1 x 3 4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"waltz", `no suite is named "waltz", want one of juelich, diagram, throng, rimea, nist, all`},
		{"diagramm", `did you mean "diagram"?`},
		{"--seeds 0", "--seeds is 0, want 1 to 1000"},
		{"--out a.gif", "--out is a.gif, want a name that ends with .png or .svg"},
		{"--out nowhere/a.png", "nowhere"},
		{"--data nowhere", "--data is nowhere, want a folder with uo-050-180-180.txt, or with that in juelich"},
		{"--data " + dir, `uo-050-180-180.txt:2: frame is "x", want a whole number from -1e9 to 1e9`},
	} {
		code, out, errs := command(t, t.Context(), append([]string{"verify"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
}

// TestVerifyInterrupted holds that Ctrl-C ends it soon, and that nothing is left.
func TestVerifyInterrupted(t *testing.T) {
	for _, after := range []time.Duration{0, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		start := time.Now()
		code, out, errs := command(t, ctx, "verify", "--out", "a.png")
		cancel()
		if code != exitFailure || out != "" || !strings.HasSuffix(errs, "crowd: interrupted while verifying\n") {
			t.Errorf("exit code %d, want 1 and a line, got:\n%s%s", code, out, errs)
		}
		if took := time.Since(start); took > after+10*time.Second {
			t.Errorf("it took %v to end", took)
		}
		if left, _ := os.ReadDir("."); len(left) > 0 {
			t.Errorf("left %v behind", left)
		}
	}
}
