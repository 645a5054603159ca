package bench

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// TestTargetsAsTheyCome verifies that each target is printed when it is measured,
// and that an interrupted table says that it is incomplete.
func TestTargetsAsTheyCome(t *testing.T) {
	var out, errs bytes.Buffer
	e := &cli.Console{Out: &out, Err: os.Stderr, Log: cli.NewLogger(&errs, false)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	news, done := make(chan measured), make(chan error, 1)
	go func() { done <- writeMeasured(ctx, e, news) }()
	news <- measured{next: "W2", takes: 13 * time.Minute}
	news <- measured{target: &benchmarks.Target{What: "first", Figure: 7}}
	news <- measured{next: "W3", done: time.Minute, takes: 13 * time.Minute} // and what came before is printed
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
	if got := out.String(); !strings.HasSuffix(got, "| first | 0 | – | 7 | **missed** |\n\nIncomplete: it was interrupted after 1 target.\n") {
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
	must(t, writeMeasured(context.Background(), e, news))
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
