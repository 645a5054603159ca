package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
)

// TestBenchInterrupted verifies that an interruption keeps the results so far.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &session{workers: []int{1}, steps: 1, File: File{Repeats: 1000}}
	steps := 0
	b.cases = []benchCase{{name: "x", sizes: []int{10}, open: func(string, int, int) (*subject, error) {
		return &subject{
			cycle: 1, reset: func() error { return nil }, input: func() string { return "" }, close: func() {},
			step: func() error {
				if steps++; steps == 5 {
					cancel()
				}
				return nil
			},
		}, nil
	}}}
	b.measure(ctx, &cli.Console{Err: os.Stderr, Log: cli.NewLogger(os.Stderr, true)})
	if !b.Interrupted || len(b.Results) != 1 || len(b.Results[0].Samples) == 0 || len(b.Results[0].Samples) > 10 {
		t.Fatalf("interrupted %v, %+v", b.Interrupted, b.Results)
	}
	var out bytes.Buffer
	if err := b.writeTable(&out); err != nil || !strings.Contains(out.String(), "interrupted: ") {
		t.Errorf("%v:\n%s", err, &out)
	}
}

// TestBenchSteps verifies that contenders run the same number of steps within a cycle, and whole
// cycles beyond it, unless --steps or earlier results determine the number.
func TestBenchSteps(t *testing.T) {
	for _, test := range []struct {
		name              string
		asked, old, cycle int
		needed, want      []int
	}{
		{"within a cycle", 0, 0, 200, []int{30, 120}, []int{120, 120}},
		{"beyond a cycle", 0, 0, 200, []int{30, 1001}, []int{200, 1200}},
		{"asked", 7, 9, 200, []int{30, 1001}, []int{7, 7}},
		{"as before", 0, 9, 200, []int{30, 120}, []int{9, 9}},
	} {
		b := &session{steps: test.asked}
		if test.old > 0 {
			b.old = &File{Results: []Result{{By: "0", Steps: test.old}, {By: "1", Steps: test.old}}}
		}
		var all []*contender
		for i := range test.needed {
			all = append(all, &contender{subject: &subject{cycle: test.cycle}, Result: Result{By: fmt.Sprint(i)}})
		}
		asked := -1
		b.chooseSteps(all, func(*subject) int { asked++; return test.needed[asked] })
		for i, k := range all {
			if k.Steps != test.want[i] {
				t.Errorf("%s: contender %d: got=%d, want=%d", test.name, i, k.Steps, test.want[i])
			}
		}
	}
}

// TestTargetsAsTheyCome verifies that each target is printed as soon as it is measured, and that an
// interrupted table is marked as incomplete.
func TestTargetsAsTheyCome(t *testing.T) {
	var out, errs bytes.Buffer
	e := &cli.Console{Out: &out, Err: os.Stderr, Log: cli.NewLogger(&errs, false)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	news, done := make(chan measured), make(chan error, 1)
	go func() { done <- writeMeasured(ctx, e, news) }()
	news <- measured{next: "W2", takes: 13 * time.Minute}
	news <- measured{target: &benchmarks.Target{What: "first", Figure: 7}}
	news <- measured{next: "W3", done: time.Minute, takes: 13 * time.Minute} // received after the row is printed
	if got := out.String(); !strings.HasSuffix(got, "|\n| first | 0 | – | 7 | **missed** |\n") {
		t.Errorf("after the first: got=%s", got)
	}
	if got := errs.String(); !strings.Contains(got, "this takes about 13 minutes") {
		t.Errorf("at the start: got=%s", got)
	}
	cancel()
	if err := <-done; err == nil || errors.As(err, new(cli.UsageError)) {
		t.Errorf("interrupted: got=%v, want a failure", err)
	}
	if got := out.String(); !strings.HasSuffix(got, "| first | 0 | – | 7 | **missed** |\n\nIncomplete: interrupted after 1 target.\n") {
		t.Errorf("interrupted: got=%s", got)
	}
}

func TestTargetsToTheEnd(t *testing.T) {
	var out bytes.Buffer
	e := &cli.Console{Out: &out, Err: os.Stderr, Log: cli.NewLogger(os.Stderr, true)}
	news := make(chan measured, 3)
	news <- measured{next: "W2", takes: time.Minute}
	news <- measured{target: &benchmarks.Target{What: "only"}}
	news <- measured{end: true}
	testkit.Must(t, writeMeasured(context.Background(), e, news))
	if got := out.String(); !strings.HasSuffix(got, "| only | 0 | – | 0 | yes |\n") {
		t.Errorf("got=%s", got)
	}
}

func TestMinutes(t *testing.T) {
	for d, want := range map[time.Duration]string{29400 * time.Millisecond: "29 seconds", 13*time.Minute + 2*time.Second: "13 minutes", time.Second: "1 second"} {
		if got := minutes(d); got != want {
			t.Errorf("%v: got=%s, want=%s", d, got, want)
		}
	}
}
