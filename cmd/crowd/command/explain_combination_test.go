package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An account says what the combination dropped and what it truncated.
func TestExplainCombination(t *testing.T) {
	const scene = `
dt = 0.1
%
[[groups]]
at = [0, 0]
target = [9, 0]
max-speed = 1
max-force = 3
seek = {gain = 1}
flee = {from = [-1, 0], gain = 2}
containment = {gain = 4, horizon = 0.5, box = [[-9, -9], [9, 9]]}
wander = {gain = 1, distance = 1, radius = 1, rate = 0}
`
	for _, test := range []struct {
		head string
		want []string
	}{
		{`combination = "priority"`, []string{"combination  by priority: Flee granted, Seek granted, Wander dropped", "truncation   none: 3 N of at most 3 N"}},
		{"combination = \"priority\"\npriority = [\"wander\", \"seek\"]", []string{"by priority: Wander granted, Seek granted, Flee truncated to 50 %"}},
		{"combination = \"dithering\"\nchances = [1]", []string{"by dithering: Flee drawn, with 1 times its force, Seek dropped"}},
	} {
		file := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(file, []byte(strings.Replace(scene, "%", test.head, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		code, out, errs := command(t, context.Background(), "explain", file, "--at", "1")
		if code != exitOK {
			t.Fatalf("%s: exit code %d, %s", test.head, code, errs)
		}
		for _, want := range test.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: table lacks %q:\n%s", test.head, want, out)
			}
		}
	}
	code, out, _ := command(t, context.Background(), "explain", "plaza", "--agents", "10")
	if code != exitOK || strings.Contains(out, "combination") {
		t.Errorf("of a sum: got=%s, want=nothing about a combination", out)
	}
}
