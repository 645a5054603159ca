package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// asExpected returns how many of how many results the last line of a table says are as expected.
func asExpected(t *testing.T, table string) (good, all int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if n, err := fmt.Sscanf(lines[len(lines)-1], "%d of %d as expected", &good, &all); n != 2 {
		t.Errorf("last line: got=%q, %v, want how many are as expected", lines[len(lines)-1], err)
	}
	return good, all
}

// TestVerifyTable verifies that the table fits a terminal, that its last line counts what it has, and that the exit code
// and the last word are those of the results. People who steer miss much of this suite.
func TestVerifyTable(t *testing.T) {
	const picture = "a\u202e.svg" // a hostile name, too
	code, out, errs := command(t, t.Context(), "validate", "juelich", "--model", "steer", "--quick", "--quiet", "--out", picture)
	rows, missed := 0, 0
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("longer than 80 columns: %q", line)
		}
		if no := strings.HasSuffix(line, "  no"); no || strings.HasSuffix(line, "  yes") {
			rows++
			if no && !strings.Contains(line, ", NIST ") { // which people miss, too
				missed++
			}
		}
	}
	if !strings.HasPrefix(out, "juelich ") || !strings.Contains(out, "--data FOLDER adds time gaps") || unsafe(out) != "" || strings.Count(out, "picture in a") != 1 {
		t.Errorf("want a table of juelich, and the name of the picture, got:\n%s", out)
	}
	good, all := asExpected(t, out)
	if rows == 0 || all != rows || good != rows-missed {
		t.Errorf("got=%d of %d, want=%d of %d as in the rows", good, all, rows-missed, rows)
	}
	want := exitOK
	if good < all {
		want = exitFailure
	}
	if code != want || (code == exitFailure) != strings.HasSuffix(errs, fmt.Sprintf("%d not as expected\n", all-good)) {
		t.Errorf("%d of %d: exit code %d: %s", good, all, code, errs)
	}
	if text, err := os.ReadFile(picture); err != nil || !strings.Contains(string(text), "<svg") {
		t.Errorf("%s: %v", picture, err)
	}
}

// TestVerifyJSON verifies the keys of a result, that nothing else is printed, and that a miss that people share is no
// reason for exit code 1.
func TestVerifyJSON(t *testing.T) {
	code, out, errs := command(t, t.Context(), "validate", "juelich", "--quick", "--json")
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
	if len(rows) == 0 || (missed == 0) != (code == exitOK) {
		t.Errorf("got=%d rows, %d missed, exit code %d", len(rows), missed, code)
	}
}

// TestVerifyErrors verifies that what can't be is said in one line before anything is run.
func TestVerifyErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "uo-050-180-180.txt"), []byte("1 2 3 4\n1 x 3 4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"waltz", `no suite is named "waltz", want one of juelich, diagram, jam, rimea, nist, all`},
		{"diagramm", `did you mean "diagram"?`},
		{"--repeats 0", "--repeats is 0, want 1 to 1000"},
		{"--out a.gif", "--out is a.gif, want a name that ends with .png or .svg"},
		{"--out nowhere/a.png", "nowhere/a-juelich.png"},
		{"--data nowhere", "--data is nowhere, want a folder with uo-050-180-180.txt, or with that in juelich"},
		{"--data " + dir, `uo-050-180-180.txt:2: frame is "x", want a whole number from -1e9 to 1e9`},
	} {
		code, out, errs := command(t, t.Context(), append([]string{"validate"}, strings.Fields(test.args)...)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
}

// TestVerifyInterrupted verifies that an interrupt ends it, and that nothing is left.
func TestVerifyInterrupted(t *testing.T) {
	for _, after := range []time.Duration{0, 50 * time.Millisecond} { // of many seconds
		ctx, cancel := context.WithTimeout(t.Context(), after)
		code, out, errs := command(t, ctx, "validate", "--out", "a.png")
		cancel()
		if code != exitFailure || out != "" || !strings.HasSuffix(errs, "crowd: interrupted while verifying\n") {
			t.Errorf("exit code %d, want 1 and a line, got:\n%s%s", code, out, errs)
		}
		if left, _ := os.ReadDir("."); len(left) > 0 {
			t.Errorf("left %v behind", left)
		}
	}
}
