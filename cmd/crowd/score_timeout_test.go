//go:build linux

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestScoreTimeout holds that --timeout holds for reading, building and stepping, that
// the row says in which of these time was up, and that nothing goes on behind.
func TestScoreTimeout(t *testing.T) {
	folder := t.TempDir()
	steps := strings.NewReplacer("150_000", "4000", "steps = 100", "steps = 100_000").Replace(longSteps) // so small that it is built whole in any case
	for name, data := range map[string][]byte{"a.xml.gz": longFile(t), "b.toml": []byte(longPlacing), "c.toml": []byte(steps)} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := runtime.NumGoroutine()
	code, out, errs := command(t, t.Context(), "score", folder, "--json", "--timeout", "500ms", "--workers", "3", "--no-safety")
	var rows []struct {
		File, Error string
		Steps       *int
		Hash        string
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != exitFailure || len(rows) != 3 {
		t.Fatalf("exit code %d, %v, %s%s", code, err, out, errs)
	}
	for i, want := range []string{"timed out after 500ms, reading ", "timed out after 500ms, building b", "timed out after 500ms, stepping: "} {
		if !strings.HasPrefix(rows[i].Error, want) {
			t.Errorf("%s: got=%q, want=%q", rows[i].File, rows[i].Error, want)
		}
	}
	if rows[2].Steps == nil || rows[2].Hash == "" {
		t.Errorf("got=%+v, want=the report of some steps", rows[2])
	}
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got=%d goroutines, want=%d, as before", runtime.NumGoroutine(), before)
		}
	}
}
