package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const (
	// Each agent sees all others, so that a step takes minutes.
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

// TestScoreTimeout verifies that --timeout ends reading, building and stepping, that the row says in which of these
// time was up, and that nothing goes on behind.
func TestScoreTimeout(t *testing.T) {
	folder := t.TempDir()
	const endless = "dt = 0.1\nbox = [[0, 0], [9, 9]]\nsteps = 100_000_000\n[[groups]]\ncount = 9\nmax-speed = 1\n"
	for name, data := range map[string][]byte{"a.xml.gz": longFile(t), "b.toml": []byte(longPlacing), "c.toml": []byte(endless)} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	type row struct {
		File, Error string
		Steps       *int
		Hash        string
	}
	score := func(what, timeout string) (rows []row) {
		t.Helper()
		code, out, errs := command(t, t.Context(), "run", what, "--json", "--timeout", timeout, "--workers", "3", "--no-safety")
		if err := json.Unmarshal([]byte(out), &rows); err != nil || code != exitFailure {
			t.Fatalf("exit code %d, %v, %s%s", code, err, out, errs)
		}
		return rows
	}
	before := runtime.NumGoroutine()
	rows := score(folder, "100ms")
	if len(rows) != 3 {
		t.Fatalf("got=%d rows, want=3", len(rows))
	}
	timeout := 100 * time.Millisecond
	for ; !strings.Contains(rows[2].Error, ", stepping: "); rows[2] = score(filepath.Join(folder, "c.toml"), timeout.String())[0] {
		if timeout *= 4; timeout > time.Minute { // even a slow machine has built it by then
			t.Fatalf("got=%q, want=stepping", rows[2].Error)
		}
	}
	for i, want := range []string{"timed out after 100ms, reading ", "timed out after 100ms, building b", "timed out after " + timeout.String() + ", stepping: "} {
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
