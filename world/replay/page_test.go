package replay_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPage verifies that the Go blocks of docs/replay.md come from the examples.
func TestPage(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		must(t, err)
		return string(text)
	}
	known := strings.Split(read("example_test.go")+read("lockstep_test.go"), "\n")
	blocks := 0
	for i, block := range strings.Split(read("../../docs/replay.md"), "```") {
		code, isGo := strings.CutPrefix(block, "go\n")
		if i%2 == 0 || !isGo {
			continue
		}
		blocks++
		for line := range strings.SplitSeq(code, "\n") {
			if !slices.Contains(known, line) {
				t.Errorf("line of docs/replay.md: got=%q, want=a line of the examples", line)
			}
		}
	}
	if blocks < 6 {
		t.Errorf("got=%d blocks of code, want=6 or more", blocks)
	}
}
