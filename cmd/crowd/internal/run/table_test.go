package run

import (
	"strings"
	"testing"
)

// Totals stand below the columns of files, after a blank line.
func TestTable(t *testing.T) {
	var out strings.Builder
	must(t, writeTable(&out, []ScoreRow{{File: "folder/one.toml", Error: "no agents"}, {File: "folder/another-one.toml", Error: "no agents"}}))
	lines := strings.Split(out.String(), "\n")
	if len(lines) < 6 || strings.TrimSpace(lines[3]) != "" {
		t.Fatalf("got=%q, want=a blank line after the files", lines)
	}
	if agents := strings.Index(lines[0], "agents"); !strings.HasPrefix(lines[4][agents:], "0") {
		t.Errorf("got=%q below %q, want=agents below agents", lines[4], lines[0])
	}
	if strings.Contains(out.String(), `\t`) {
		t.Errorf("got=%s, want=no letters for tabs", out.String())
	}
}
