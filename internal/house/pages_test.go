package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	testkit.Must(t, err)
	all := map[string]string{}
	for _, file := range append(files, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(file)
		testkit.Must(t, err)
		name, err := filepath.Rel(root, file)
		testkit.Must(t, err)
		all[filepath.ToSlash(name)] = string(text)
	}
	return all
}

func TestReadme(t *testing.T) {
	_, commands, _ := strings.Cut(pages(t)["README.md"], "```\n")
	lines := strings.Split(commands, "\n")
	for i, want := range []string{"go run ./cmd/crowd ", "go test work "} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("README.md: line %d of the first code block does not begin with %q", i+1, want)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced  = regexp.MustCompile("(?s)```.*?```")
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noID    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the anchors of the headings of a page, as GitHub creates them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		all[strings.ReplaceAll(noID.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

func TestLinks(t *testing.T) {
	all := pages(t)
	for name, text := range all {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			to := filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			if file == "" {
				to = name
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
			if anchor != "" && !anchors(all[to])[anchor] {
				t.Errorf("%s links to %s, where no heading has the anchor %q", name, to, anchor)
			}
		}
	}
	for name := range all {
		if name != "README.md" && !strings.Contains(all["README.md"], "]("+name+")") {
			t.Errorf("README.md has no link to %s", name)
		}
	}
}
