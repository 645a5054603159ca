package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// outcome is what became of a mutation.
type outcome string

const (
	caught   outcome = "caught"
	survived outcome = "SURVIVED"
	excused  outcome = "excused" // it survived, and there is a reason for that
	broken   outcome = "BROKEN"  // it no longer applies, or does not compile
)

// result is the outcome of a mutation, and by which test or why.
type result struct {
	Outcome outcome
	Why     string
}

func (r result) why() string {
	if r.Why == "" {
		return ""
	}
	return ": " + strings.TrimPrefix(r.Why, "--- FAIL: ")
}

// results are those that a file keeps, so that an interrupted run goes on. The first
// line of the file is the state of the checkout; the file of another one is refused.
type results struct {
	file  *os.File // nil: nothing is kept
	known map[mutationKey]result
}

// mutationKey tells mutations apart.
type mutationKey struct{ File, At, Old, New string }

func keyOf(m *mutation) mutationKey {
	return mutationKey{m.File, m.At + fmt.Sprint(m.Column), m.Old, m.New}
}

// line is one of the file.
type line struct {
	State  string `json:",omitempty"`
	Key    mutationKey
	Result result
}

func openResults(name string) (*results, error) {
	r := &results{known: map[mutationKey]result{}}
	if name == "" {
		return r, nil
	}
	state, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=40").Output()
	if err != nil {
		return nil, fmt.Errorf("the state of the checkout: %w", err)
	}
	if r.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return nil, err
	}
	lines, n := bufio.NewScanner(r.file), 0
	for ; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		if n == 0 && l.State != string(state) {
			return nil, errors.New(name + " is of another state of the checkout: remove it, or name another file")
		}
		r.known[l.Key] = l.Result
	}
	if n == 0 {
		return r, r.write(line{State: string(state)})
	}
	return r, lines.Err()
}

func (r *results) of(m *mutation) (result, bool) {
	res, ok := r.known[keyOf(m)]
	return res, ok
}

func (r *results) keep(m *mutation, res result) error {
	return r.write(line{Key: keyOf(m), Result: res})
}

func (r *results) write(l line) error {
	if r.file == nil {
		return nil
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = r.file.Write(append(text, '\n'))
	return err
}

func (r *results) close() {
	if r.file != nil {
		_ = r.file.Close()
	}
}
