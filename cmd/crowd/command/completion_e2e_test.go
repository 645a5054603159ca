//go:build e2e && unix

package command

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestCompletionInShells verifies that the scripts work in the shells that are there.
func TestCompletionInShells(t *testing.T) {
	folder := withCommand(t)
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
