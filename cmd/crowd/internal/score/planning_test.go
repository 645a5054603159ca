package score

import "testing"

func TestNeedsPlanning(t *testing.T) {
	for file, want := range map[string]bool{
		"maze.xml": true, "a/maze.xml.gz": true, "search-1.xml": true, "curve2.xml": true, "plane_ingress.xml": true, "x/dragon_age/brc100d.xml": true,
		"building-one-exit-2.xml": true, "pprPlansToNotGoal.xml": true, "maze/x/plain.xml": false, "curved.xml": false, "plain-obstructed.xml": false, "plaza": false, "fun22.xml": false,
	} {
		if got := needsPlanning(file); got != want {
			t.Errorf("%s: got=%v, want=%v", file, got, want)
		}
	}
}
