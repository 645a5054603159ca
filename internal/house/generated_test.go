package house

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated parts of the pages anew")

// generated are the parts of pages that are made from the code. In a page a part
// stands between two comments, <!-- name: begin --> and <!-- name: end -->.
var generated = []struct {
	page, name string
	make       func(*testing.T) string
}{
	{"docs/rules.md", "behaviors", behaviorTable},
	{"docs/architecture.md", "rooms", roomsChart},
	{"docs/architecture.md", "packages", packageTable},
	{"docs/architecture.md", "step", stepChart},
}

// TestGenerated holds that the generated parts of the pages are what the code says.
func TestGenerated(t *testing.T) {
	for _, g := range generated {
		t.Run(g.name, func(t *testing.T) {
			file := filepath.Join(root, g.page)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
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
				t.Fatalf("%s, part %s: is out of date; run go test ./internal/house -run TestGenerated -update\ngot:\n%s\nwant:\n%s", g.page, g.name, old, want)
			}
			if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
