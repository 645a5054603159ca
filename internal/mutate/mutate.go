// Command mutate breaks the code in one place after another, and reports whether a test of the first two
// tiers notices. It runs go test with the changed file in an overlay; the checkout stays unchanged. See
// .ci/mutate.
//
//	go run ./internal/mutate [--shard i/n] [--resume FILE] [--limit time] [words ...]
//	go run ./internal/mutate --draw N [--seed S]
//
// The first form runs the mutations of .ci/mutations/*.toml whose name or file contains one of the words, or
// all mutations if there are no words. It fails if the tests catch fewer than 95% of the mutations, not
// counting survivors whose table gives a reason. It also fails if a mutation no longer applies or compiles,
// or if tests fail even without the mutation. The second form draws mutations from the code, by operator and
// seed, and prints them in the format of these files.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// least is the smallest share of mutations, except excused ones, that tests must catch.
const least = 0.95

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run() error {
	shard := flag.String("shard", "1/1", "run only part `i/n` of the mutations")
	resume := flag.String("resume", "", "keep results in `FILE`, and skip mutations with a result there")
	limit := flag.Duration("limit", 5*time.Minute, "`time` after which a test that is still running counts as failed")
	count := flag.Int("draw", 0, "draw `N` mutations and print them")
	seed := flag.Uint64("seed", 1, "`seed` of the draw")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if *count > 0 {
		return draw(ctx, scratch, *count, *seed)
	}
	all, err := readTables(".ci/mutations/*.toml")
	if err != nil {
		return err
	}
	all, err = part(wanted(all, flag.Args()), *shard)
	if err != nil {
		return err
	}
	results, err := openResults(*resume)
	if err != nil {
		return err
	}
	defer results.close()
	return (&runner{ctx: ctx, scratch: scratch, limit: *limit, results: results, sound: map[string]error{}}).all(all)
}

func wanted(all []mutation, words []string) (some []mutation) {
	for _, m := range all {
		for _, word := range words {
			if strings.Contains(m.Name+" "+m.File, word) {
				some = append(some, m)
				break
			}
		}
	}
	if len(words) == 0 {
		return all
	}
	return some
}

func part(all []mutation, shard string) (some []mutation, err error) {
	var i, n int
	if _, err := fmt.Sscanf(shard, "%d/%d", &i, &n); err != nil || shard != fmt.Sprintf("%d/%d", i, n) || i < 1 || i > n {
		return nil, fmt.Errorf("--shard is %q, want i/n with 1 ≤ i ≤ n", shard)
	}
	for k := i - 1; k < len(all); k += n {
		some = append(some, all[k])
	}
	if len(some) == 0 {
		return nil, errors.New("no mutation is selected, want at least one")
	}
	return some, nil
}

type runner struct {
	ctx     context.Context
	scratch string // folder
	limit   time.Duration
	results *results
	sound   map[string]error // result of go test without a mutation, by arguments
}

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
	fmt.Printf("%d caught, %d survived, %d excused, %d broken: %.1f%% caught\n", count[caught], count[survived], count[excused], count[broken], 100*share)
	if count[broken] > 0 {
		return errors.New("some mutations are BROKEN, for the reasons above")
	}
	if share < least {
		return fmt.Errorf("%.1f%% are caught, want %.0f%% or more", 100*share, 100*least)
	}
	return nil
}

func (r *runner) run(m *mutation) result {
	overlay, err := m.lay(r.scratch)
	if err != nil {
		return result{Outcome: broken, Why: err.Error()}
	}
	for _, tests := range m.runs() {
		if err := r.passes(tests); err != nil {
			return result{Outcome: broken, Why: fmt.Sprintf("go test %s fails without the mutation", tests)}
		}
		out, err := r.test(tests, "-overlay", overlay)
		switch {
		case err == nil:
		case notBuilt.Match(out):
			return result{Outcome: broken, Why: "the mutation does not compile"}
		default:
			return result{Outcome: caught, Why: string(failure.Find(out))}
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

// passes returns an error if tests fail without a mutation: such tests show nothing.
func (r *runner) passes(tests string) error {
	err, known := r.sound[tests]
	if !known {
		_, err = r.test(tests)
		r.sound[tests] = err
	}
	return err
}

func (r *runner) test(tests string, more ...string) ([]byte, error) {
	args := append([]string{"test", "-failfast", "-vet=off", "-timeout", r.limit.String()}, more...)
	return exec.CommandContext(r.ctx, "go", append(args, strings.Fields(tests)...)...).CombinedOutput()
}

// lay writes the changed file and its overlay, and returns the overlay's path.
func (m *mutation) lay(scratch string) (overlay string, err error) {
	at, err := filepath.Abs(m.File)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(m.File)
	if err != nil {
		return "", err
	}
	changed, err := m.apply(string(text))
	if err != nil {
		return "", err
	}
	file := filepath.Join(scratch, "changed.go")
	if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {at: file}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(scratch, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o666)
}

type outcome string

const (
	caught   outcome = "caught"
	survived outcome = "SURVIVED"
	excused  outcome = "excused" // survived for a reason that its table gives
	broken   outcome = "BROKEN"  // the mutation no longer applies or compiles, or tests fail without it
)

// result is an outcome. The field Why is the failure of the test that caught the mutation, the error, or the
// excuse.
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

// results keeps results in a file that begins with the state of the checkout.
type results struct {
	file  *os.File // nil means that nothing is kept
	known map[mutationKey]result
}

type mutationKey struct{ File, At, Old, New string }

func keyOf(m *mutation) mutationKey {
	return mutationKey{m.File, m.At + fmt.Sprint(m.Column), m.Old, m.New}
}

type line struct {
	State  string `json:",omitempty"` // in the first line
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
		return nil, fmt.Errorf("reading the state of the checkout: %w", err)
	}
	if r.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return nil, err
	}
	lines, n := bufio.NewScanner(r.file), 0
	for lines.Scan() {
		var l line
		switch err := json.Unmarshal(lines.Bytes(), &l); {
		case len(lines.Bytes()) == 0:
			continue
		case err != nil && n == 0:
			return nil, fmt.Errorf("%s: %w", name, err)
		case err != nil:
			continue // the process was killed while it wrote the line
		case n == 0 && l.State != string(state):
			return nil, errors.New(name + " is from another state of the checkout: remove it, or name another file")
		}
		n++
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
	_, err = fmt.Fprintf(r.file, "\n%s", text) // the newline comes first, in case the last line is incomplete
	return err
}

func (r *results) close() {
	if r.file != nil {
		_ = r.file.Close()
	}
}
