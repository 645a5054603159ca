package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var ruleID = regexp.MustCompile(`\bA[0-9]{1,2}\b`)

// TestRulesGoByName holds that code and pages name rules in words: a reader has no
// list in which to look up numbers.
func TestRulesGoByName(t *testing.T) {
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, ".md") {
			return err
		}
		text, err := os.ReadFile(file)
		for i, line := range strings.Split(string(text), "\n") {
			if id := ruleID.FindString(line); id != "" {
				t.Errorf("%s:%d: %s is a number of a rule, want its name", file, i+1, id)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
