package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of figures in docs/report.md anew")

// TestFiguresAreUpToDate verifies that the table of figures in docs/report.md is that of the tags.
func TestFiguresAreUpToDate(t *testing.T) {
	const page, begin, end = "../../../../docs/report.md", "<!-- figures: made from the list -->\n", "<!-- end of figures -->"
	data, err := os.ReadFile(page)
	must(t, err)
	before, rest, found := strings.Cut(string(data), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no table of figures", page)
	}
	var b strings.Builder
	b.WriteString("| field | unit | meaning |\n|---|---|---|\n")
	for _, of := range [][]Figure{OfReport, OfLine, OfArea} {
		for _, f := range of {
			unit := f.Unit
			switch unit {
			case "%":
				unit = "share"
			case "ms":
				unit = "ns"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Column, unit, strings.TrimPrefix(strings.TrimSuffix(f.Name+"; "+f.Text, "; "), "; "))
		}
	}
	text := before + begin + b.String() + end + after
	if text == string(data) {
		return
	}
	if !*update {
		t.Fatalf("the table of figures in docs/report.md is out of date: run go test ./cmd/crowd/internal/report -run %s -update", t.Name())
	}
	must(t, os.WriteFile(page, []byte(text), 0o644))
}

// TestPerfIsDescribed verifies that docs/report.md describes every field.
func TestPerfIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/report.md")
	must(t, err)
	text, err := json.Marshal(Perf{Systems: []SystemPerf{{}}, Workers: []WorkerPerf{{}}, Scan: &scanPerf{}, Obstacles: &obstaclesPerf{}})
	must(t, err)
	var all any
	must(t, json.Unmarshal(text, &all))
	var check func(path string, v any)
	check = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, field := range v {
				check(path+"."+name, field)
			}
		case []any:
			check(path+"[]", v[0])
		default:
			if !strings.Contains(string(page), "`"+path+"`") {
				t.Errorf("docs/report.md does not describe %q", path)
			}
		}
	}
	check("perf", all)
}

// TestReportIsDescribed verifies that docs/report.md describes every field.
func TestReportIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/report.md")
	must(t, err)
	text, err := json.Marshal(Report{File: "x", Systems: []System{{}}})
	must(t, err)
	var fields map[string]any
	must(t, json.Unmarshal(text, &fields))
	for field := range fields["systems"].([]any)[0].(map[string]any) {
		fields["systems[]."+field] = nil
	}
	if len(fields) < 60 {
		t.Errorf("only %d fields were found", len(fields))
	}
	for field := range fields {
		if !strings.Contains(string(page), "`"+field+"`") {
			t.Errorf("docs/report.md does not describe %q", field)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
