package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadBenchFileErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "was not written by crowd bench --json"},
		{"[]", "was not written by crowd bench --json"},
		{"{}", "has no results"},
		{`{"results": [{"name": "W2", "agents": 0, "steps": 1, "samples": [1]}]}`, "result 1 (W2): want agents"},
		{`{"results": [{"name": "W2", "agents": 1, "steps": 1, "samples": []}]}`, "result 1 (W2): want agents"},
		{`{"results": [{"name": "W2", "agents": 1, "steps": 1, "samples": [0]}]}`, "result 1 (W2): want agents"},
		{`{"results": [{"name": "W2", "agents": 1, "steps": -1, "samples": [1]}]}`, "result 1 (W2): want agents"},
	} {
		file := filepath.Join(t.TempDir(), "x.json")
		if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(file); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got=%v, want=%q", test.text, err, test.want)
		}
	}
}
