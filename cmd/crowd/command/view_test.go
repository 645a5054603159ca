package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestViewRefuses verifies that what can't be shown is refused in one line or two.
func TestViewRefuses(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.toml")
	if err := os.WriteFile(broken, []byte("name = 1"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"nowhere"}, "nowhere"},
		{[]string{broken}, "broken.toml"},
		{[]string{"seek", "--listen", "here"}, `--listen is "here", want host:port`},
		{[]string{"plaza", "--agents", "3000000"}, "3,000,000 agents"},
	} {
		code, _, errs := command(t, context.Background(), append([]string{"view"}, tc.args...)...)
		if code != exitBadInput || !strings.Contains(errs, tc.want) || strings.Count(errs, "\n") > 2 {
			t.Errorf("view %v: got=%d %q, want=%d and %q", tc.args, code, errs, exitBadInput, tc.want)
		}
	}
}
