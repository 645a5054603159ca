package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// A document is where commands are printed, to be run one after another in an
// empty folder.
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
)

// documents returns all commands of the README, the manual and the help texts that
// are printed as ones to be run.
func documents(t *testing.T) (all []document) {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		d := document{name: filepath.Base(page)}
		inside := false
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "```") {
				inside = !inside
			} else if inside {
				d.add(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
			}
		}
		for _, code := range inlineCode.FindAllStringSubmatch(string(text), -1) {
			d.add(strings.Join(strings.Fields(code[1]), " "))
		}
		all = append(all, d)
	}
	parser := newParser(t)
	for _, node := range parser.Model.Leaves(false) {
		for n := node; n != nil && n.Parent != nil; n = n.Parent {
			d := document{name: strings.ReplaceAll("crowd "+n.Name+" --help", " ", "_")}
			for _, line := range helpBlock.FindAllStringSubmatch(n.Detail, -1) {
				d.add(line[1])
			}
			all = append(all, d)
		}
	}
	return all
}

// add adds a line that holds a command of crowd.
func (d *document) add(line string) {
	line = strings.ReplaceAll(comment.ReplaceAllString(line, ""), "go run ./cmd/crowd", "crowd")
	if commandLine.MatchString(line) {
		d.commands = append(d.commands, line)
	}
}

func newParser(t *testing.T) *kong.Kong {
	t.Helper()
	parser, err := kong.New(&cli{}, kong.Writers(io.Discard, io.Discard), kong.BindTo(context.Background(), (*context.Context)(nil)),
		kong.Vars{"version": "", "scene": "plaza", "models": "", "model": "orca", "port": "0", "maxagents": "1000"})
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// smaller are flags of a command that make less work of it, and their values. A
// flag is put in the place of the one that is there, or where add is true, added.
var smaller = map[string][]struct {
	flag, value string
	add         bool
}{
	"run":     {{"--agents", "60", true}, {"--steps", "5", true}, {"--pprof", "127.0.0.1:0", false}},
	"render":  {{"--agents", "60", true}, {"--steps", "5", false}, {"--seconds", "0.1", false}, {"--from", "1", false}, {"--at", "1", false}, {"--every", "1", false}},
	"explain": {{"--agents", "60", true}, {"--step", "3", false}},
	"score":   {{"--steps", "5", true}},
	"bench":   {{"--agents", "60", true}, {"--steps", "2", true}, {"--repeats", "4", true}, {"--warmup", "0", true}, {"--workers", "1,2", true}},
}

// reduce returns a command of crowd with less work to do. What it reads, writes and
// prints stays as it is.
func reduce(command string) string {
	words := strings.Fields(command)
	name := "run"
	if len(words) > 1 && !strings.HasPrefix(words[1], "-") {
		name = words[1]
	}
	for _, s := range smaller[name] {
		was := regexp.MustCompile(s.flag + `[ =]\S+`)
		switch {
		case was.MatchString(command):
			command = was.ReplaceAllString(command, s.flag+"="+s.value)
		case strings.Contains(command, "--resume"): // it has the rest from the run that was saved
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
	if name == "verify" {
		command = strings.ReplaceAll(seeds.ReplaceAllString(command, ""), "--model all", "--model steer") + " --short"
		command = strings.ReplaceAll(command, "verify all", "verify juelich")
		if !strings.Contains(command, "--out") {
			command = oneSuite.ReplaceAllString(command, "verify juelich -")
		}
	}
	return command
}

var oneSuite = regexp.MustCompile(`verify -`) // where none is named
var seeds = regexp.MustCompile(` --short| --seeds \S+`)

var part = regexp.MustCompile(`crowd(?: [^|&;>]*)?`)

// TestPrintedCommands runs all commands that the README, the manual and the help
// texts print, as they stand there, but with fewer agents and steps. Those with
// PLACEHOLDERS are only parsed.
func TestPrintedCommands(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: no shell on this machine")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "crowd"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, other := range []string{"benchstat", "jq"} { // which read what crowd writes
		if err := os.WriteFile(filepath.Join(bin, other), []byte("#!/bin/sh\ncat > /dev/null\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	found := 0
	for _, d := range documents(t) {
		if len(d.commands) == 0 || testing.Short() && d.name != "README.md" {
			continue
		}
		found += len(d.commands)
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
	if found < 120 && !testing.Short() {
		t.Errorf("only %d commands were found", found)
	}
}

// carryOut runs a line, or parses it if it cannot be run.
func carryOut(t *testing.T, cmd exec.Cmd, line string) error {
	words := strings.Fields(line)
	switch {
	case strings.Contains(line, ".mp4"):
		if _, err := exec.LookPath("ffmpeg"); err == nil {
			break
		}
		fallthrough
	case placeholder.MatchString(line), strings.Contains(line, "--targets"), strings.HasPrefix(line, "crowd gallery"):
		if i := strings.IndexAny(line, "|>"); i >= 0 {
			words = strings.Fields(line[:i])
		}
		_, err := newParser(t).Parse(words[1:])
		return err
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
		if code := run(ended, words[1:], io.Discard, errs); code != exitOK {
			text, _ := os.ReadFile(errs.Name())
			return fmt.Errorf("exit code %d: %s", code, text)
		}
		return nil
	}
	cmd.Args = []string{"sh", "-c", part.ReplaceAllStringFunc(line, func(command string) string { return reduce(command) + " " })}
	out, err := cmd.CombinedOutput()
	if (strings.HasPrefix(line, "crowd lint") || strings.HasPrefix(line, "crowd verify")) && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == exitFailure {
		return nil // there are findings, or misses
	}
	if err != nil || strings.Contains(string(out), "crowd: ") {
		return fmt.Errorf("%v: %s\nas %q", err, out, cmd.Args[2])
	}
	return nil
}
