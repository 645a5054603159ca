package benchmarks

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestTargetOK(t *testing.T) {
	for _, c := range []struct {
		target   Target
		ok, near bool // near: reached, or missed by at most a factor of 1.6
	}{
		{Target{Bound: 1.15, Figure: 1.15}, true, true},
		{Target{Bound: 1.15, Figure: 1.16}, false, true},
		{Target{Bound: 1.15, Figure: 2}, false, false},
		{Target{Kind: AtLeast, Bound: 1.8, Figure: 1.8}, true, true},
		{Target{Kind: AtLeast, Bound: 1.8, Figure: 1.2}, false, true},
		{Target{Kind: AtLeast, Bound: 1.8, Figure: 1}, false, false},
		{Target{Bound: 25, Floor: 10, Figure: 9}, false, true},
		{Target{Bound: 25, Floor: 10, Figure: 10}, true, true},
		{Target{Figure: 0}, true, true},
		{Target{Figure: 1}, false, false},
		{Target{Kind: Reported, Figure: 99}, true, true},
	} {
		if got := c.target.OK(); got != c.ok {
			t.Errorf("%+v: OK: got=%v, want=%v", c.target, got, c.ok)
		}
		if got := c.target.within(1.6); got != c.near {
			t.Errorf("%+v: within 1.6: got=%v, want=%v", c.target, got, c.near)
		}
	}
}

func TestWriteTargets(t *testing.T) {
	var out strings.Builder
	testkit.Must(t, WriteTargetsHead(&out, "A processor"))
	for _, target := range []Target{
		{What: "fast", Bound: 1.15, Unit: times, Low: 1, Figure: 1.125, High: 1.2},
		{What: "faster", Kind: AtLeast, Bound: 1.8, Beyond: 1.95, Unit: times, Figure: 1.96, Low: 1.96, High: 1.96},
		{What: "share", Floor: 10, Bound: 25, Unit: "%", Figure: 26, Low: 26, High: 26},
		{What: "cost", Kind: Reported, Beyond: 3.7, Unit: "ns/agent", Figure: 9, Low: 9, High: 9},
		{What: "allocations"},
	} {
		testkit.Must(t, target.WriteRow(&out))
	}
	want := `| what | must reach | beyond | figure | reached? |
|---|---|---|---|---|
| fast | ≤ 1.15 × | – | 1.12 × (1–1.20) | yes |
| faster | ≥ 1.80 × | 1.95 × | 1.96 × | beyond |
| share | 10 to 25 % | – | 26 % | **missed** |
| cost | – | 3.70 ns/agent | 9 ns/agent | – |
| allocations | 0 | – | 0 | yes |
`
	if got := out.String(); !strings.HasPrefix(got, "A processor, ") || !strings.HasSuffix(got, "\n\n"+want) {
		t.Errorf("got=\n%s\nwant at the end=\n%s", got, want)
	}
}
