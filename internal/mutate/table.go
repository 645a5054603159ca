package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// mutation is one change of the code. Either At is the text of a line that is there
// exactly once in the file, in which Old stands at a byte Column, from 0; or Old is
// there exactly once in the file.
type mutation struct {
	Name   string   `toml:"name"`
	File   string   `toml:"file"`
	At     string   `toml:"at,omitempty"`
	Column int      `toml:"column,omitempty"`
	Old    string   `toml:"old"`
	New    string   `toml:"new"`
	Tests  []string `toml:"tests,omitempty"`  // packages and flags, one go test each; empty: see tests
	Reason string   `toml:"reason,omitempty"` // why no test can catch it
}

type table struct {
	Mutation []mutation `toml:"mutation"`
}

// readTables returns the mutations of all files that a pattern matches.
func readTables(pattern string) (all []mutation, err error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t table
		if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&t); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, t.Mutation...)
	}
	return all, nil
}

// apply returns the text of the file with the change.
func (m *mutation) apply(text string) (string, error) {
	if m.At == "" {
		if n := strings.Count(text, m.Old); n != 1 {
			return "", fmt.Errorf("what it replaces is there %d times, want once", n)
		}
		return strings.Replace(text, m.Old, m.New, 1), nil
	}
	lines, at := strings.SplitAfter(text, "\n"), -1
	for i, line := range lines {
		if strings.TrimSpace(line) != m.At {
			continue
		}
		if at >= 0 {
			return "", errors.New("its line is there more than once")
		}
		at = i
	}
	if at < 0 {
		return "", errors.New("its line is not there")
	}
	indent := len(lines[at]) - len(strings.TrimLeft(lines[at], "\t "))
	before, rest := lines[at][:indent+m.Column], lines[at][indent+m.Column:]
	if !strings.HasPrefix(rest, m.Old) {
		return "", fmt.Errorf("byte %d of its line is not %q", m.Column, m.Old)
	}
	lines[at] = before + m.New + rest[len(m.Old):]
	return strings.Join(lines, ""), nil
}

// users are the packages whose tests use what is in a folder, beside its own, the
// quickest first.
var users = map[string][]string{
	"components":      {"./systems", "./world"},
	"internal/column": {"./systems/frame", "./systems"},
	"internal/pool":   {"./systems/frame", "./systems"},
	"internal/space":  {"./systems/sense", "./systems"},
	"internal/orca":   {"./systems"},
	"internal/vec":    {"./systems"},
	"systems/catalog": {"./systems", "./world", "./world/scene"},
	"systems/frame":   {"./systems", "./world"},
	"systems/sense":   {"./systems", "./world"},
	"systems/measure": {"./world"},
	"systems":         {"./world"},
	"world":           {"./world/scene"},
}

// tests returns the arguments of go test, one time after another until one fails.
func (m *mutation) tests() []string {
	if len(m.Tests) > 0 {
		return m.Tests
	}
	folder := path.Dir(m.File)
	return append([]string{"./" + folder}, users[folder]...)
}
