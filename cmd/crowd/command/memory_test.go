package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// little limits the available memory to n bytes until the end of the test.
func little(t *testing.T, bytes uint64) {
	t.Helper()
	was := cli.FreeMemory
	cli.FreeMemory = func() cli.Memory { return cli.Memory{Bytes: bytes, Of: "of the test"} }
	t.Cleanup(func() { cli.FreeMemory = was })
}

// TestMemoryIsRefused verifies that each command refuses a scene that needs more memory
// than there is, in one line with both figures, and does it with --force.
func TestMemoryIsRefused(t *testing.T) {
	little(t, 1<<20)
	for _, args := range []string{
		"run plaza --agents 5000 --steps 2",
		"render plaza --agents 5000 --at 1 --size 100 --out x.png",
		"explain plaza --agents 5000",
		"bench plaza --agents 5000 --workers 1 --quick --repeats 1 --steps 1",
		"bench W2 --agents 5000 --workers 1 --quick --repeats 1 --steps 1",
	} {
		code, out, errs := command(t, t.Context(), strings.Fields(args)...)
		for _, want := range []string{"needs about ", " MB of memory, but only 1 MB of the test are left", "--force"} {
			if !strings.Contains(errs, want) {
				t.Errorf("%s: got=%q, want=%q", args, errs, want)
			}
		}
		if code != exitBadInput || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, %s%s, want=2 and one line", args, code, out, errs)
		}
		if code, _, errs := command(t, t.Context(), append(strings.Fields(args), "--force")...); code != exitOK {
			t.Errorf("%s --force: exit code %d, %s", args, code, errs)
		}
	}
}

// TestViewMemoryIsRefused verifies the same of the view, whose --force is held by that of
// the others.
func TestViewMemoryIsRefused(t *testing.T) {
	little(t, 1<<20)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // or it would serve for ever
	defer cancel()
	code, out, errs := command(t, ctx, "view", "plaza", "--agents", "20000", "--listen", "127.0.0.1:0")
	if code != exitBadInput || out != "" || !strings.Contains(errs, "1 MB of the test are left") {
		t.Errorf("exit code %d, %s%s", code, out, errs)
	}
}

// TestScoreMemory verifies that a file that needs more memory than there is has a row that
// says so, and the others run.
func TestScoreMemory(t *testing.T) {
	little(t, 10<<20)
	folder := t.TempDir()
	for name, agents := range map[string]string{"a.toml": "10", "b.toml": "50_000", "c.toml": "20"} {
		text := "dt = 0.1\nsteps = 2\nbox = [[0, 0], [9, 9]]\n[[groups]]\nmax-speed = 1\ncount = " + agents
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := command(t, t.Context(), "run", folder, "--json", "--workers", "2")
	var rows []struct {
		Error string
		Steps int
	}
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != exitOK || len(rows) != 3 {
		t.Fatalf("exit code %d, %v, %s%s", code, err, out, errs)
	}
	if !strings.Contains(rows[1].Error, "b with 50,000 agents needs about") || rows[1].Steps != 0 {
		t.Errorf("got=%+v, want=that it needs too much", rows[1])
	}
	for _, i := range []int{0, 2} {
		if rows[i].Error != "" || rows[i].Steps != 2 {
			t.Errorf("got=%+v, want=2 steps", rows[i])
		}
	}
}
