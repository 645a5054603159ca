package command

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
)

// TestLinesAndAreas verifies that lines and areas of the command line are measured,
// that they change nothing, and that the figures are those of any number of
// workers.
func TestLinesAndAreas(t *testing.T) {
	args := []string{"run", "plaza", "--agents", "5000", "--steps", "40"}
	with := func(workers string) *report.Report {
		return reportOf(t, append(args, "--line", "200,0,200,400", "--line=-1,100,400,100", "--area", "100,100,150,150", "--workers", workers)...)
	}
	none, one, two := reportOf(t, args...), with("1"), with("2")
	if none.Lines != nil || none.Areas != nil || none.Neighbors != nil {
		t.Errorf("got=%+v %+v, want none", none.Lines, none.Areas)
	}
	if len(one.Lines) != 2 || len(one.Areas) != 1 {
		t.Fatalf("got=%+v %+v, want 2 lines and an area", one.Lines, one.Areas)
	}
	if l := one.Lines[0]; l.Width != 400 || l.Passed < 2 || l.Flow == nil || *l.SpecificFlow != *l.Flow/400 || *l.Speed <= 0 {
		t.Errorf("line: got=%+v", l)
	}
	if a := one.Areas[0]; a.Area != ([4]float64{100, 100, 150, 150}) || *a.Density <= 0 || *a.Density > a.MaxDensity {
		t.Errorf("area: got=%+v", a)
	}
	text := func(r *report.Report) string {
		all, err := json.Marshal([]any{r.Lines, r.Areas})
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	if text(one) != text(two) || one.Hash != none.Hash {
		t.Errorf("two workers: got=%s, want=%s; hash %s, want %s", text(two), text(one), one.Hash, none.Hash)
	}
}

func TestBadLinesAndAreas(t *testing.T) {
	for arg, want := range map[string]string{
		"--line=1,2,3": "four numbers", "--line=1,2,3,4,5": "four numbers", "--line=1,2,x,4": "four numbers", "--area=1,2,3,inf": "four numbers",
		"--line=1,2,1,2": "want two", "--area=0,0,0,5": "with x0 < x1", "--area=5,5,1,1": "--area is 5,5,1,1, want x0,y0,x1,y1",
	} {
		code, _, errs := command(t, context.Background(), "run", "plaza", "--steps", "1", "--json", arg)
		if code != exitBadInput || !strings.Contains(errs, want) {
			t.Errorf("%s: got code %d, %q, want %q", arg, code, errs, want)
		}
	}
}
