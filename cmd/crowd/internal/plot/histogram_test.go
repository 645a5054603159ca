package plot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
)

// TestHistogramEach holds that each group has a panel, with the same axes, and that
// shares add up.
func TestHistogramEach(t *testing.T) {
	var text strings.Builder
	text.WriteString("group,x\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%c,%v\n", "abc"[i%3], 1+0.01*float64(i%20))
	}
	text.WriteString("a,95\na,130\nd,\n")
	file, err := data.Read(context.Background(), "f", strings.NewReader(text.String()), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data.LabelFiles([]*data.File{file})
	p := &drawing{Options: &Options{X: "x", By: "group"}, files: []*data.File{file}, kind: file.Kind, style: &sheet.LightStyle}
	s, err := p.sheet()
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, panel := range s.Panels {
		titles = append(titles, panel.Title.Text)
		if first := s.Panels[0]; panel.X.Min != first.X.Min || panel.X.Max != first.X.Max || panel.Y.Max != first.Y.Max || panel.X.Max > 2 || panel.Y.Max > 105 {
			t.Errorf("%s: axes %v to %v, to %v", panel.Title.Text, panel.X.Min, panel.X.Max, panel.Y.Max)
		}
	}
	if want := []string{"a, 22 rows", "b, 20 rows", "c, 20 rows"}; !slices.Equal(titles, want) {
		t.Errorf("panels: got=%q, want=%q", titles, want)
	}
	notes := strings.Join(p.notes, "; ")
	for _, want := range []string{"x: 2 rows above 1.2, up to 130, in the last bar", "nothing to draw of d", `not measured in 1 of 63 rows: "x"`} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes: got=%q, want %q in them", notes, want)
		}
	}
	marks := s.Panels[0].X.Tick.Marker.Ticks(s.Panels[0].X.Min, s.Panels[0].X.Max)
	if got := marks[len(marks)-1].Label; got != "> 1.2" {
		t.Errorf("the last tick: got=%q, want > 1.2", got)
	}
}
