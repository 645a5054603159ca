package picture

import (
	"fmt"
	"testing"
)

// TestLegendSaysWhatIsLeftOut verifies that a legend without room for all groups says how many are not in it.
func TestLegendSaysWhatIsLeftOut(t *testing.T) {
	g := &legend{em: 20, width: 1600, margin: 18, letters: newLetters(20)}
	all := make([]symbol, 40)
	for i := range all {
		all[i].label = "people of a room"
	}
	g.arrange(all)
	shown := 0
	for _, column := range g.columns {
		shown += len(column)
	}
	last := g.columns[len(g.columns)-1]
	if want := fmt.Sprintf("and %d more", 40-shown+1); shown < 6 || last[len(last)-1].label != want {
		t.Errorf("got=%q of %d, want=%q", last[len(last)-1].label, shown, want)
	}
}
