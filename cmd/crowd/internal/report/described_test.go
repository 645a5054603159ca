package report

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestLineReportIsDescribed verifies that docs/report.md describes every field.
func TestLineReportIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]any{"lines": Line{}, "areas": Area{}} {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		for field := range fields {
			if !strings.Contains(string(page), "`"+name+"[]."+field+"`") {
				t.Errorf("docs/report.md does not describe %s[].%s", name, field)
			}
		}
	}
}

// TestPerfIsDescribed verifies that docs/report.md describes every field.
func TestPerfIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(Perf{Systems: []SystemPerf{{}}, Workers: []WorkerPerf{{}}, Scan: &scanPerf{}, Obstacles: &obstaclesPerf{}})
	if err != nil {
		t.Fatal(err)
	}
	var all any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(Report{File: "x", Systems: []System{{}}})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
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
