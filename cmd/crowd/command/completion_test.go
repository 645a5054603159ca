package command

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestComplete verifies what words may become.
func TestComplete(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string // among others
		not  string
	}{
		{"", []string{"run", "view", "evacuation"}, "complete"},
		{"ru", []string{"run"}, "render"},
		{"run ev", []string{"evacuation"}, "plaza"},
		{"run evacuation --pi", []string{"--picture"}, "-v"},
		{"--pi", []string{"--picture"}, "-v"},
		{"view ev", []string{"evacuation"}, "run"},
		{"scene ", []string{"list", "show"}, "--help"},
		{"scene show pl", []string{"plaza"}, "evacuation"},
		{"completion ", []string{"bash", "zsh", "fish"}, "plaza"},
		{"run --agents ", nil, "plaza"},
		{"plot plaza", nil, "plaza"},
		{"run --model so", []string{"social-force-1995", "social-force-2000"}, "orca"},
		{"validate --model ", []string{"orca", "all"}, "juelich"},
		{"validate ", []string{"juelich", "diagram", "jam"}, "plaza"},
	} {
		code, out, errs := command(t, context.Background(), append([]string{"complete", "--"}, strings.Split(test.line, " ")...)...)
		got := strings.Fields(out)
		if code != exitOK || errs != "" {
			t.Errorf("%q: exit code %d, %s", test.line, code, errs)
		}
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%q: got=%q, want %q among them", test.line, got, want)
			}
		}
		if slices.Contains(got, test.not) || test.want == nil && len(got) > 0 {
			t.Errorf("%q: got=%q, want no %q", test.line, got, test.not)
		}
	}
}
