package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestComplete holds what words may become.
func TestComplete(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string // among others
		not  string
	}{
		{"", []string{"run", "view", "completion", "evacuation"}, "complete"},
		{"ru", []string{"run"}, "render"},
		{"run ev", []string{"evacuation"}, "plaza"},
		{"run evacuation --pi", []string{"--picture"}, "--perf"},
		{"--pi", []string{"--picture"}, "--perf"},
		{"view ev", []string{"evacuation"}, "run"},
		{"scenes ", []string{"list", "show"}, "--help"},
		{"scenes show pl", []string{"plaza"}, "evacuation"},
		{"completion ", []string{"bash", "zsh", "fish"}, "plaza"},
		{"run --agents ", nil, "plaza"},
		{"plot ", []string{"sweep"}, "plaza"},
		{"plot plaza", nil, "plaza"},
		{"run --model so", []string{"social-force-1995", "social-force-2000"}, "orca"},
		{"verify --model ", []string{"orca", "all"}, "juelich"},
		{"verify ", []string{"juelich", "diagram", "throng"}, "plaza"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"complete", "--"}, strings.Split(test.line, " ")...)...)
		got := strings.Fields(out)
		if code != exitOK || errs != "" {
			t.Errorf("%q: exit code %d, %s", test.line, code, errs)
		}
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%q: got=%q, want %q among them", test.line, got, want)
			}
		}
		if slices.Contains(got, test.not) || test.want == nil && len(got) > 0 {
			t.Errorf("%q: got=%q, want no %q", test.line, got, test.not)
		}
	}
}

// TestCompletionInShells holds that the scripts work in the shells that are there.
func TestCompletionInShells(t *testing.T) {
	folder := t.TempDir()
	// The words of a command line, joined by line ends, with an empty one at the end kept.
	const script = "#!/bin/sh\nall=$(printf '%%s\\n' \"$@\"; printf x)\nCROWD_ARGUMENTS=${all%%?x} exec %s '-test.run=^TestProcess$'\n"
	if err := os.WriteFile(filepath.Join(folder, "crowd"), fmt.Appendf(nil, script, os.Args[0]), 0o777); err != nil {
		t.Fatal(err)
	}
	for shell, args := range map[string][]string{
		"bash": {"--norc", "-c", `source <(crowd completion bash); COMP_WORDS=(crowd run ev) COMP_CWORD=2; _crowd; echo "${COMPREPLY[@]}"`},
		"fish": {"--no-config", "-c", `crowd completion fish | source; complete -C 'crowd run ev'`},
		"zsh": {"-f", "-c", `compdef() { }; compadd() { print -- $all }; _files() { }; source <(crowd completion zsh)
words=(crowd run ev); CURRENT=3; _crowd`},
	} {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("skipped: no %s on this machine", shell)
			}
			cmd := exec.Command(path, args...)
			cmd.Dir, cmd.Env = folder, append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != "evacuation" {
				t.Errorf("%v, got=%q, want=evacuation", err, out)
			}
		})
	}
}
