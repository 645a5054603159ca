package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// The results of these functions may differ in the last bit between processors.
var inexact = regexp.MustCompile(`\bmath\.(A?(Sin|Cos|Tan)h?|Atan2|Sincos|Exp|Exp2|Expm1|Log|Log10|Log1p|Log2|Pow|Pow10|Hypot|Cbrt|FMA|Gamma|Erf\w*)\(`)

// TestExact verifies that most of the code of a step calls none of the functions that inexact matches. Package
// vec replaces some.
func TestExact(t *testing.T) {
	for _, dir := range []string{"components", "internal/vec", "internal/space", "internal/orca", "internal/walking", "internal/field", "internal/route", "systems", "systems/frame", "systems/sense", "systems/measure", "world"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: files: got=%d, %v, want=one or more", dir, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			testkit.Must(t, err)
			for i, line := range strings.Split(string(text), "\n") {
				if m := inexact.FindString(line); m != "" {
					t.Errorf("%s:%d calls %s), whose results differ in the last bit between processors", file, i+1, m)
				}
			}
		}
	}
}
