package command

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// A document has commands that run one after another in a folder, empty at first.
type document struct {
	name     string
	commands []string
}

var (
	inlineCode  = regexp.MustCompile("(?s)`(go run \\./cmd/crowd .*?)`")
	helpBlock   = regexp.MustCompile(`(?m)^    (?:  )?(crowd(?: .*)?)$`)
	commandLine = regexp.MustCompile(`^(crowd|for \w+ in .* crowd|printf .* crowd)( |$)`)
	comment     = regexp.MustCompile(`(  +|\t).*$`)
	placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b|…`)
	part        = regexp.MustCompile(`crowd(?: [^|&;>]*)?`)
	variable    = regexp.MustCompile(`\$\w+`)
	outputs     = regexp.MustCompile(`(?:--out|-o|--save|--record|--go|--trajectories|--picture|>)[ =]([^\s;]+)`)
	fileName    = regexp.MustCompile(`^\w+\.(toml|json|replay|save|txt|csv|csv\.gz|map|scen)$`)
)

// documents returns the README, the pages and the help texts, with the commands that they print.
func documents(t *testing.T) (all []document) {
	t.Helper()
	pages, _ := filepath.Glob(filepath.Join(here, "../../../docs/*.md"))
	for _, page := range append(pages, filepath.Join(here, "../../../README.md")) {
		text := string(readFile(t, page))
		d := document{name: filepath.Base(page)}
		inside := false
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				inside = !inside
			} else if inside {
				d.add(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
			}
		}
		for _, code := range inlineCode.FindAllStringSubmatch(text, -1) {
			d.add(strings.Join(strings.Fields(code[1]), " "))
		}
		all = append(all, d)
	}
	parser := newCommands().kong
	for _, node := range parser.Model.Leaves(false) {
		for n := node; n != nil && n.Parent != nil; n = n.Parent {
			d := document{name: strings.ReplaceAll(n.FullPath()+" --help", " ", "_")}
			for _, line := range helpBlock.FindAllStringSubmatch(n.Detail, -1) {
				d.add(line[1])
			}
			if !slices.ContainsFunc(all, func(other document) bool { return other.name == d.name }) {
				all = append(all, d)
			}
		}
	}
	return slices.DeleteFunc(all, func(d document) bool { return len(d.commands) == 0 })
}

func (d *document) add(line string) {
	line = strings.ReplaceAll(comment.ReplaceAllString(line, ""), "go run ./cmd/crowd", "crowd")
	if commandLine.MatchString(line) {
		d.commands = append(d.commands, line)
	}
}

// forget unsets all values of a parser, so that it can parse another command line.
func forget(parser *kong.Kong) {
	_ = kong.Visit(parser.Model.Node, func(node kong.Visitable, next kong.Next) error {
		if value, ok := node.(*kong.Value); ok {
			value.Set = false
		}
		return next(nil)
	})
}

// An earlier command of the page must write each file that a command reads.
func TestPrintedCommandsParse(t *testing.T) {
	t.Parallel()
	found, parser := 0, newCommands().kong
	for _, d := range documents(t) {
		written := map[string]bool{}
		for _, line := range d.commands {
			found++
			line = variable.ReplaceAllString(line, "1")
			for _, name := range outputs.FindAllStringSubmatch(line, -1) {
				written[name[1]] = true
			}
			for _, command := range part.FindAllString(line, -1) {
				words := strings.Fields(command)[1:]
				forget(parser)
				if _, err := parser.Parse(words); err != nil {
					t.Errorf("%s: %s: %v", d.name, line, err)
				}
				for _, word := range words {
					if fileName.MatchString(word) && !placeholder.MatchString(line) && !written[word] {
						t.Errorf("%s: %s: %s is missing, want an earlier command that writes it", d.name, line, word)
					}
				}
			}
		}
	}
	if found < 120 {
		t.Errorf("got=%d commands, want 120 or more", found)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, want, not string }{ // want lists some of the completions; empty means none
		{"", "run view evacuation", "complete"},
		{"ru", "run", "render"},
		{"run ev", "evacuation", "plaza"},
		{"run evacuation --pi", "--picture", "-v"},
		{"--pi", "--picture", "-v"},
		{"view ev", "evacuation", "run"},
		{"scene ", "list show", "--help"},
		{"scene show pl", "plaza", "evacuation"},
		{"completion ", "bash zsh fish", "plaza"},
		{"run --agents ", "", "plaza"},
		{"plot plaza", "", "plaza"},
		{"run --model so", "social-force-1995 social-force-2000", "orca"},
		{"validate --model ", "orca all", "juelich"},
		{"validate ", "juelich diagram jam", "plaza"},
	} {
		code, out, errs := sameFolder(t, t.Context(), append([]string{"complete", "--"}, strings.Split(test.line, " ")...)...)
		got, want := strings.Fields(out), strings.Fields(test.want)
		for _, word := range want {
			if !slices.Contains(got, word) {
				t.Errorf("%q: got=%q, want %q among them", test.line, got, word)
			}
		}
		if code != exitOK || errs != "" || slices.Contains(got, test.not) || len(want) == 0 && len(got) > 0 {
			t.Errorf("%q: exit code %d, errors %q, got=%q, want 0, no errors, and no %q", test.line, code, errs, got, test.not)
		}
	}
}
