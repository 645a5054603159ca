package house

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the generated parts of the pages")

// part is generated from the code. In the page, it lies between <!-- name: begin --> and <!-- name: end -->.
type part struct {
	page, name string
	make       func(*testing.T) string
}

// With the tag e2e, generated includes the parts made with go list.
var generated = []part{
	{"docs/rules.md", "behaviors", behaviorTable},
	{"docs/architecture.md", "step", stepChart},
}

// TestGenerated rewrites the parts with -update.
func TestGenerated(t *testing.T) {
	for _, g := range generated {
		t.Run(g.name, func(t *testing.T) {
			file := filepath.Join(root, g.page)
			text, err := os.ReadFile(file)
			testkit.Must(t, err)
			begin, end := fmt.Sprintf("<!-- %s: begin -->\n", g.name), fmt.Sprintf("<!-- %s: end -->", g.name)
			before, rest, ok := strings.Cut(string(text), begin)
			old, after, ended := strings.Cut(rest, end)
			if !ok || !ended {
				t.Fatalf("%s has no part between %q and %q", g.page, begin, end)
			}
			want := g.make(t)
			if old == want {
				return
			}
			if !*update {
				t.Fatalf("%s, part %s is out of date; run go test -tags e2e ./internal/house -run TestGenerated -update\ngot:\n%s\nwant:\n%s", g.page, g.name, old, want)
			}
			testkit.Must(t, os.WriteFile(file, []byte(before+begin+want+end+after), 0o644))
		})
	}
}
