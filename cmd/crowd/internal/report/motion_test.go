package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// TestMotion verifies that the table has recorded people beside figures in meters, and
// that a line fits a terminal.
func TestMotion(t *testing.T) {
	wiggle, reversals, acceleration, turning, order := 1.0123, 0.428, 0.635, 113.2, 0.4931
	figures := Figures{Wiggle: &wiggle, Reversals: &reversals, Acceleration: &acceleration, Turning: &turning, Order: &order}
	for _, tc := range []struct {
		name string
		r    Report
		want string
	}{
		{"meters", Report{Dt: 0.05, Figures: figures}, `
motion  wiggle 1.012 (recorded people 1.005 freely, 1.02–1.05 in a jam)
        reversals 0.428 /s (recorded people 0.03–0.23 in a jam)
        acceleration 0.635 m/s² (recorded people about 0.6)
        turning 113 °/s, order 0.493
`},
		{"pixels and seconds", Report{Dt: 0.05, Figures: figures, pixels: true}, `
motion  wiggle 1.012
        reversals 0.428 /s
        acceleration 0.635 px/s²
        turning 113 °/s, order 0.493
`},
		{"pixels and frames, nothing measured", Report{Dt: 1, pixels: true}, `
motion  wiggle –
        reversals – /frame
        acceleration – px/frame²
        turning – °/frame, order –
`},
	} {
		var out bytes.Buffer
		table := cli.NewTable(&out)
		tc.r.writeMotion(table.Row)
		if err := table.Flush(); err != nil || out.String() != tc.want[1:] {
			t.Errorf("%s: %v: got=\n%s\nwant=%s", tc.name, err, out.String(), tc.want)
		}
		for line := range strings.Lines(out.String()) {
			if utf8.RuneCountInString(line) > cli.Columns+1-len("under threat")+len("motion") {
				t.Errorf("%s: %q is too wide beside the longest name", tc.name, line)
			}
		}
	}
}
