package command

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// What people read fits into 80 columns. Lists of components and of what lint found are
// one line each, however long.
func TestColumns(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "x.png")
	for _, line := range []string{
		"bottleneck --agents 60 --steps 10 --picture " + picture, "bottleneck --agents 60 --steps 10 --safety -v --picture none", "boids --agents 500 --steps 2 -v --picture none",
		"bench W2 --agents 1e4 --repeats 1 --steps 1", "explain bottleneck --agents 60 --agent 5 --at 10",
		"--help", "run --help", "render --help", "view --help", "bench --help", "plot --help", "scene --help", "scene check --help",
		"explain --help", "completion --help",
	} {
		code, out, errs := command(t, context.Background(), append(strings.Fields(line), "--quiet")...)
		if code != 0 {
			t.Fatalf("%s: got=%d, %s", line, code, errs)
		}
		if strings.HasPrefix(line, "explain") {
			out, _, _ = strings.Cut(out, "\ncomponents")
		}
		for _, text := range strings.Split(out, "\n") {
			if n := utf8.RuneCountInString(text); n > 80 {
				t.Errorf("%s: got=%d columns, want=80: %s", line, n, text)
			}
		}
	}
}
