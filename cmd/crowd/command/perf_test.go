package command

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// TestPerf verifies that the parts of -v fit together.
func TestPerf(t *testing.T) {
	r := reportOf(t, append([]string{"run", "plaza", "-v", "--workers", "2"}, small...)...)
	p := r.Perf
	if p == nil || p.Scan == nil || p.Obstacles == nil {
		t.Fatalf("got=%+v, want all of it", p)
	}
	share, names := 0., map[string]report.SystemPerf{}
	for _, s := range p.Systems {
		share += s.Share
		names[s.Name] = s
	}
	if math.Abs(share-1) > 1e-9 {
		t.Errorf("all shares: got=%v, want=1", share)
	}
	if got := names["Integration"]; got.Rows != 500 || got.NsRow <= 0 || got.AloneNs != 0 {
		t.Errorf("Integration: got=%+v, want 500 rows", got)
	}
	if got := names["Obstacles"]; got.Rows != 0 || got.AloneNs <= 0 {
		t.Errorf("Obstacles: got=%+v, want time by itself", got)
	}
	if len(p.Workers) != 2 || p.Workers[0].Rows+p.Workers[1].Rows != 1 || p.Workers[1].Batches != 0 {
		t.Errorf("workers: got=%+v, want two, one of them idle", p.Workers)
	}
	if p.Scan.Looked != 500 || p.Scan.Threats > 500 {
		t.Errorf("scan: got=%+v, want 500 agents", p.Scan)
	}
	if o := p.Obstacles; o.Obstacles < 10 || o.Taken > o.Slots || o.Mean > float64(o.Longest) {
		t.Errorf("obstacles: got=%+v", o)
	}
	if p.SensingNs <= 0 || p.RunningNs <= 0 || p.ObservingNs <= 0 {
		t.Errorf("parts: got=%+v", p)
	}
	if without := reportOf(t, append([]string{"run", "plaza"}, small...)...); without.Perf != nil {
		t.Errorf("without -v: got=%+v, want nothing", without.Perf)
	}
}

// TestPerfTable verifies that nothing is printed twice.
func TestPerfTable(t *testing.T) {
	code, out, errs := command(t, context.Background(), append([]string{"run", "plaza", "-v", "--picture", "none", "--quiet"}, small...)...)
	if code != exitOK {
		t.Fatal(code, errs)
	}
	for _, want := range []string{" Integration,", "agents per step", "sensing ", "of the rows", "under threat", "taken with"} {
		if strings.Count(out, want) == 0 {
			t.Errorf("table lacks %q:\n%s", want, out)
		}
	}
	for _, once := range []string{" Integration,", "under threat", "\nsystems "} {
		if got := strings.Count(out, once); got != 1 {
			t.Errorf("%q is there %d times, want once:\n%s", once, got, out)
		}
	}
}
