package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// runner runs mutations.
type runner struct {
	ctx     context.Context
	limit   time.Duration
	results *results
	sound   map[string]error // of go test without a mutation, by its arguments
}

// all runs the mutations, and returns an error if too few are caught, or one does not
// apply.
func (r *runner) all(all []mutation) error {
	count := map[outcome]int{}
	for i, m := range all {
		res, ok := r.results.of(&m)
		if !ok {
			res = r.run(&m)
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			if err := r.results.keep(&m, res); err != nil {
				return err
			}
		}
		count[res.Outcome]++
		fmt.Printf("%3d/%d %-8s %s (%s)%s\n", i+1, len(all), res.Outcome, m.Name, m.File, res.why())
	}
	share := float64(count[caught]) / float64(count[caught]+count[survived])
	fmt.Printf("%d caught, %d survived, %d excused, %d broken: %.1f %% caught\n", count[caught], count[survived], count[excused], count[broken], 100*share)
	if count[broken] > 0 {
		return errors.New("some mutations do not apply or do not compile")
	}
	if share < least {
		return fmt.Errorf("%.1f %% are caught, want %.0f or more", 100*share, 100*least)
	}
	return nil
}

// run runs one mutation.
func (r *runner) run(m *mutation) result {
	text, err := os.ReadFile(m.File)
	if err != nil {
		return result{Outcome: broken, Why: err.Error()}
	}
	changed, err := m.apply(string(text))
	if err != nil {
		return result{Outcome: broken, Why: err.Error()}
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return result{Outcome: broken, Why: err.Error()}
	}
	defer os.RemoveAll(scratch)
	overlay, err := lay(scratch, m.File, changed)
	if err != nil {
		return result{Outcome: broken, Why: err.Error()}
	}
	for _, tier := range []string{"", "-tags e2e "} { // most are caught by the first
		for _, tests := range m.tests() {
			tests = tier + tests
			if err := r.passes(tests); err != nil {
				return result{Outcome: broken, Why: fmt.Sprintf("go test %s fails without it", tests)}
			}
			out, err := r.test(tests, "-overlay", overlay)
			switch {
			case err == nil:
			case notBuilt.Match(out):
				return result{Outcome: broken, Why: "it does not compile"}
			default:
				return result{Outcome: caught, Why: string(failure.Find(out))}
			}
		}
	}
	if m.Reason != "" {
		return result{Outcome: excused, Why: m.Reason}
	}
	return result{Outcome: survived}
}

var (
	notBuilt = regexp.MustCompile(`\[(build|setup) failed\]`)
	failure  = regexp.MustCompile(`(?m)--- FAIL: \S+|^panic: .*|^fatal error: .*`)
)

// passes returns an error if tests fail without a mutation: then they show nothing.
func (r *runner) passes(tests string) error {
	err, known := r.sound[tests]
	if !known {
		_, err = r.test(tests)
		r.sound[tests] = err
	}
	return err
}

// test runs go test until the first failure.
func (r *runner) test(tests string, more ...string) ([]byte, error) {
	args := append([]string{"test", "-failfast", "-vet=off", "-timeout", r.limit.String()}, more...)
	return exec.CommandContext(r.ctx, "go", append(args, strings.Fields(tests)...)...).CombinedOutput()
}

// lay writes a changed file, and the overlay that puts it in the place of the true one.
func lay(scratch, file, text string) (overlay string, err error) {
	at, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(scratch, "changed.go")
	if err := os.WriteFile(changed, []byte(text), 0o666); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {at: changed}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(scratch, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o666)
}
