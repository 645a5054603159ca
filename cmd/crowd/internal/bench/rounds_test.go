package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
)

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
		t.Fatalf("got=interrupted %v, %+v, want=true, one result of at most 10 samples", b.Interrupted, b.Results)
	}
	var out bytes.Buffer
	if err := b.writeTable(&out); err != nil || !strings.Contains(out.String(), "interrupted: ") {
		t.Errorf("%v: want a table with a line that begins with interrupted, got:\n%s", err, &out)
	}
}

func TestBenchSteps(t *testing.T) {
	for _, test := range []struct {
		name              string
		asked, old, cycle int
		needed, want      [2]int
	}{
		{"within a cycle", 0, 0, 200, [2]int{30, 120}, [2]int{120, 120}},
		{"beyond a cycle", 0, 0, 200, [2]int{30, 1001}, [2]int{200, 1200}},
		{"asked", 7, 9, 200, [2]int{30, 1001}, [2]int{7, 7}},
		{"as before", 0, 9, 200, [2]int{30, 120}, [2]int{9, 9}},
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
		testkit.Equal(t, [2]int{all[0].Steps, all[1].Steps}, test.want, "%s", test.name)
	}
}

func TestTargetsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	e := &cli.Console{Out: &out, Err: os.Stderr, Log: cli.NewLogger(&errs, false)}
	err := (&Targets{Quick: true}).Run(ctx, e)
	if err == nil || !strings.HasPrefix(err.Error(), "interrupted before all") || !strings.HasSuffix(out.String(), "|\n\nIncomplete: interrupted after 0 targets.\n") {
		t.Errorf("got=%v, want an interruption, and an incomplete table, got:\n%s", err, &out)
	}
	if got := errs.String(); !strings.Contains(got, "this takes 40 seconds") {
		t.Errorf("at the start: got=%s, want the expected duration", got)
	}
}
