package command

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHistogramPictures draws histograms with bars beyond the axis.
func TestHistogramPictures(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("group,x,y\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%v,%v\n", i%9, 1+0.01*float64(i%20), math.Pow(10, float64(i%7)))
	}
	text.WriteString("1,-95,1\n1,130,2\n")
	file := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"--x x --by group", "--x x", "--by group", "--x y --by group --dark", "--x x --by group --size 400", "--x x --log"} {
		code, _, errs := command(t, context.Background(), append(strings.Fields("plot "+file+" -o "+filepath.Join(dir, "a.svg")), strings.Fields(args)...)...)
		picture, err := os.ReadFile(filepath.Join(dir, "a.svg"))
		if code != exitOK || err != nil || strings.Contains(string(picture), "NaN") || strings.Contains(string(picture), "Inf") {
			t.Errorf("%s: exit code %d, %v\n%s", args, code, err, errs)
		}
		if want := !strings.Contains(args, "--log") && !strings.Contains(args, "y"); want && strings.Count(errs, " in the first and the last bar") != 1 {
			t.Errorf("%s: got=%s, want a note on these bars", args, errs)
		}
	}
}
