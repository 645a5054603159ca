package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const maxReadmeWords = 1200

// pages returns the text of every page of the project by its path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range append(files, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.ToSlash(name)] = string(text)
	}
	return all
}

// TestReadme holds that the README is short, and begins with its two commands.
func TestReadme(t *testing.T) {
	text := pages(t)["README.md"]
	if n := len(strings.Fields(text)); n > maxReadmeWords {
		t.Errorf("README.md: got=%d words, want=%d at most", n, maxReadmeWords)
	}
	_, commands, _ := strings.Cut(text, "```\n")
	lines := strings.Split(commands, "\n")
	for i, want := range []string{"go run ./cmd/crowd ", "go test work "} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("README.md does not begin with its commands: line %d of the first block is not %q", i, want)
		}
	}
}

var kind = regexp.MustCompile(`^# [^\n]+\n\n\*(Tutorial|How-to|Reference|Explanation): [^\n]+\*\n`)

// TestPagesSayTheirKind holds that a reader knows from the top of a page what it is
// for.
func TestPagesSayTheirKind(t *testing.T) {
	for name, text := range pages(t) {
		if name != "README.md" && !kind.MatchString(text) {
			t.Errorf("%s does not say below its title whether it is a tutorial, how-to, reference or explanation", name)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fenced  = regexp.MustCompile("(?s)```.*?```")
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	noID    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the anchors of the headings of a page, as GitHub makes them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		all[strings.ReplaceAll(noID.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return all
}

// TestLinks holds that links within the pages lead to files and headings that
// exist, and that every page is linked from the README.
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
				t.Errorf("%s links to %s, where no heading is %q", name, to, anchor)
			}
		}
	}
	for name := range all {
		if name != "README.md" && !strings.Contains(all["README.md"], "]("+name+")") {
			t.Errorf("README.md has no link to %s", name)
		}
	}
}
