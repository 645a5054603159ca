//go:build e2e && unix

package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
	alive     *os.File // closed when the process and all processes that it started have ended
}

// Child processes inherit ignored signals, as under nohup or in the background of a script, but not caught
// ones.
func init() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if os.Getenv(isCommand) == "" && signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

// newProcess returns a process that begin starts in a folder. The words in before precede its command line.
func newProcess(t *testing.T, folder string, before []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	testkit.Must(t, err)
	words := append(append(before, self), args...)
	p := &process{Cmd: exec.Command(words[0], words[1:]...)}
	p.Dir, p.Stdout, p.Stderr = folder, &p.out, &p.errs
	p.Env = append(os.Environ(), isCommand+"=yes")
	return p
}

func (p *process) begin(t *testing.T) *process {
	t.Helper()
	r, w, err := os.Pipe()
	testkit.Must(t, err)
	defer w.Close()
	p.alive, p.ExtraFiles = r, []*os.File{w}
	testkit.Must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

func start(t *testing.T, folder string, args ...string) *process {
	t.Helper()
	return newProcess(t, folder, nil, args...).begin(t)
}

// end waits for the process and those that it started, and returns the exit code, or -1 after a signal. It
// kills a process that hangs.
func (p *process) end(t *testing.T) int {
	t.Helper()
	hang := time.AfterFunc(2*time.Minute, func() {
		t.Error("the command has not ended after two minutes")
		_ = p.Process.Kill()
	})
	defer hang.Stop()
	if err := p.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	defer p.alive.Close()
	_, _ = p.alive.Read(make([]byte, 1))
	return p.ProcessState.ExitCode()
}

func (p *process) ends(t *testing.T, code int, want string) {
	t.Helper()
	if got := p.end(t); got != code || !strings.Contains(p.out.String()+p.errs.String(), want) {
		t.Errorf("%q: got=exit code %d, %s%s, want=%d, %q", p.Args[1:], got, &p.out, &p.errs, code, want)
	}
}

// number returns the number in an environment variable, or otherwise if it is empty.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	testkit.Must(t, err)
	return n
}

// draws returns a random number generator with the seed in CROWD_SEED, or 1.
func draws(t *testing.T) *rand.Rand {
	t.Helper()
	seed := number(t, "CROWD_SEED", 1)
	t.Logf("CROWD_SEED=%d", seed)
	return rand.New(rand.NewPCG(uint64(seed), 1))
}

// withCommand returns a folder for PATH with the command under the name crowd.
func withCommand(t *testing.T) (folder string) {
	t.Helper()
	self, err := os.Executable()
	testkit.Must(t, err)
	folder = t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s=yes exec %q \"$@\"\n", isCommand, self)
	testkit.Must(t, os.WriteFile(filepath.Join(folder, "crowd"), []byte(script), 0o777))
	return folder
}

// smaller has flags, by command, that reduce the work. If add is true, the flag is added to command lines
// without it.
var smaller = map[string][]struct {
	flag, value string
	add         bool
}{
	"run":     {{"--agents", "60", true}, {"--steps", "5", true}, {"--profile", "http=127.0.0.1:0", false}},
	"render":  {{"--agents", "60", true}, {"--steps", "5", false}, {"--seconds", "0.1", false}, {"--from", "1", false}, {"--at", "1", false}, {"--every", "1", false}},
	"explain": {{"--agents", "60", true}, {"--at", "3", false}},
	"bench":   {{"--agents", "60", true}, {"--steps", "2", true}, {"--repeats", "4", true}, {"--workers", "1,2", true}},
}

// reduce returns a command line that does less work, with the same kinds of input and output.
func reduce(command string) string {
	words := strings.Fields(command)
	name := "run"
	if len(words) > 1 && !strings.HasPrefix(words[1], "-") {
		name = words[1]
	}
	if len(words) > 2 && words[2] == "maps" {
		return command
	}
	for _, s := range smaller[name] {
		was := regexp.MustCompile(s.flag + `[ =]\S+`)
		switch {
		case was.MatchString(command):
			command = was.ReplaceAllString(command, s.flag+"="+s.value)
		case s.flag == "--agents" && several.MatchString(command): // each scene has its own number
		case strings.Contains(command, "--resume"): // the saved run has all other flags
		case s.add && name == "run" && len(words) == 1:
			command += " run " + s.flag + "=" + s.value
			name = ""
		case s.add:
			command += " " + s.flag + "=" + s.value
		}
	}
	if name == "render" && !strings.Contains(command, "--at") && !strings.Contains(command, "--seconds") {
		command += " --steps=5"
	}
	if name == "validate" { // the fastest suite and model
		command = suites.ReplaceAllString(models.ReplaceAllString(seeds.ReplaceAllString(command, ""), "--model steer"), "crowd validate juelich") + " --quick"
	}
	return command
}

var (
	suites  = regexp.MustCompile(`crowd validate( \w+)?`)
	models  = regexp.MustCompile(`--model \S+`)
	several = regexp.MustCompile(`--csv|--timeout|crowd run( [\w.]+){2}`)
	seeds   = regexp.MustCompile(` --quick| --repeats \S+`)
)

func TestPrintedCommands(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: no shell on this machine")
	}
	bin := withCommand(t)
	for _, other := range []string{"benchstat", "jq"} { // programs that read the output of crowd
		testkit.Must(t, os.WriteFile(filepath.Join(bin, other), []byte("#!/bin/sh\ncat > /dev/null\n"), 0o700))
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, d := range documents(t) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			shell := exec.Cmd{Path: sh, Env: env, Dir: t.TempDir()}
			for _, command := range d.commands {
				if err := carryOut(t, shell, command); err != nil {
					t.Errorf("%s\n%v", command, err)
				}
			}
		})
	}
}

// carryOut runs a line, unless it has PLACEHOLDERS, takes minutes, or needs something that is missing. It
// ends crowd view at once.
func carryOut(t *testing.T, cmd exec.Cmd, line string) error {
	words := strings.Fields(line)
	switch {
	case strings.Contains(line, ".mp4"):
		if _, err := exec.LookPath("ffmpeg"); err == nil {
			break
		}
		fallthrough
	case placeholder.MatchString(line), strings.Contains(line, "bench targets"), strings.HasPrefix(line, "crowd gallery"), strings.HasPrefix(line, "crowd site"):
		return nil
	case len(words) > 1 && words[1] == "view":
		ended, end := context.WithCancel(context.Background())
		end()
		words = strings.Fields(strings.Replace(line, " --open", "", 1))
		for i, word := range words {
			if file := filepath.Join(cmd.Dir, word); i > 1 && filepath.Ext(word) != "" {
				words[i] = file
			}
		}
		errs, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			return err
		}
		defer errs.Close()
		if code := execute(ended, words[1:], io.Discard, errs); code != exitOK {
			text, _ := os.ReadFile(errs.Name())
			return fmt.Errorf("exit code %d: %s", code, text)
		}
		return nil
	}
	cmd.Args = []string{"sh", "-c", part.ReplaceAllStringFunc(line, func(command string) string { return reduce(command) + " " })}
	out, err := cmd.CombinedOutput()
	if (strings.HasPrefix(line, "crowd scene check") || strings.HasPrefix(line, "crowd validate")) && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == exitFailure {
		return nil // there are findings or misses
	}
	if err != nil || strings.Contains(string(out), "crowd: ") {
		return fmt.Errorf("%v: %s\nas %q", err, out, cmd.Args[2])
	}
	return nil
}

// TestTutorial runs sections 3 and 4 of docs/tutorial.md, and checks what the page says about them.
func TestTutorial(t *testing.T) {
	t.Parallel()
	text := page(t, "tutorial.md")
	_, text, _ = strings.Cut(text, "## 3. ")
	text, _, _ = strings.Cut(text, "## 5. ")
	folder := t.TempDir()
	var table, got [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if cells := strings.Split(line, "|"); len(cells) == 5 {
			table = append(table, cells[2:4])
		}
		if !strings.HasPrefix(line, "crowd ") {
			continue
		}
		line, into, _ := strings.Cut(line, " > ")
		words := strings.Fields(line)[1:]
		if words[0] == "run" {
			words = append(words, "--json", "--quiet")
		}
		p := start(t, folder, words...)
		code := p.end(t)
		switch {
		case strings.Contains(line, "scene check"):
			if code != exitFailure {
				t.Errorf("%s: exit code: got=%d, want=%d for a finding", line, code, exitFailure)
			}
			change := regexp.MustCompile("Raise `(.*)` in `(.*)` to (.*),").FindStringSubmatch(text)
			file := filepath.Join(folder, change[2])
			scene := regexp.MustCompile(change[1]+" = [0-9]+").ReplaceAll(readFile(t, file), []byte(change[1]+" = "+change[3]))
			testkit.Must(t, os.WriteFile(file, scene, 0o666))
			if p := start(t, folder, words...); p.end(t) != exitOK || p.out.String() != "" {
				t.Errorf("%s, with %s = %s: got=%s, want no finding", line, change[1], change[3], p.out.String())
			}
		case code != exitOK:
			t.Fatalf("%s: exit code: got=%d, want=0: %s", line, code, p.errs.String())
		case into != "":
			testkit.Must(t, os.WriteFile(filepath.Join(folder, into), p.out.Bytes(), 0o666))
		default:
			var r report.Report
			testkit.Must(t, json.Unmarshal(p.out.Bytes(), &r))
			share := 100 * float64(r.ArrivedAgents) / float64(r.ArrivedAgents+r.TimedOut)
			got = append(got, []string{fmt.Sprintf("%.0f%%", share), cli.Percent(r.SuccessShare), cli.Thousands(*r.Collisions), fmt.Sprintf("%.1f s", *r.MeanArrivalTime)})
		}
	}
	for row, want := range table[min(2, len(table)):] { // without the header
		for column := range want {
			if got, want := got[column][row], strings.TrimSpace(want[column]); got != want {
				t.Errorf("table, row %d, column %d: got=%s, want=%s as in the page", row+1, column+1, got, want)
			}
		}
	}
	if len(table) != 6 || len(got) != 2 {
		t.Errorf("got=%d lines of a table, %d runs, want=6, 2", len(table), len(got))
	}
}

// Hints must quote file names for a shell.
func TestHints(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"it's.toml", "a; touch pwned.toml", "$(touch pwned).toml", "a!b.toml", "a\nb.toml", "a=b.toml"} {
		c := runCmd{}
		c.Scene, c.Obstacles = name, name
		for _, hint := range c.next(&scene.Scene{Name: "a; touch pwned"}, &report.Report{}) {
			out, err := exec.Command("sh", "-c", "crowd() { printf '%s\\0' \"$@\"; }; "+strings.Replace(hint.Line, commandName(), "crowd", 1)).Output()
			words := strings.Split(string(out), "\x00")
			if err != nil || words[1] != name || words[3] != name || words[0] == "render" && words[5] != "a; touch pwned.gif" {
				t.Errorf("%s: a shell got %q, %v, want the names as they are", hint.Line, words, err)
			}
		}
	}
	testkit.Equal(t, strings.Join(leftovers(t, ".", nil), " "), "", "files, such as those of commands in a file name")
}

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
