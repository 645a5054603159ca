package route

import (
	"path/filepath"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestPictureOf has rows of cells that count from the top.
func TestPictureOf(t *testing.T) {
	dir := testkit.Files(t, map[string]string{
		"a.map":  "type octile\nheight 3\nwidth 4\nmap\n.@@.\n....\n....\n",
		"a.scen": "version 1\n0\ta.map\t4\t3\t0\t0\t3\t0\t5\n0\ta.map\t4\t3\t0\t1\t1\t1\t1\n0\ta.map\t4\t3\t0\t2\t3\t2\t3\n0\ta.map\t4\t3\t1\t1\t1\t1\t0\n",
	})
	r := &run{}
	testkit.Must(t, r.read(t.Context(), &Options{Scenario: filepath.Join(dir, "a.scen")}))
	r.Maps[0].build()
	for _, row := range r.Rows {
		path, length, ok, err := r.path(t.Context(), row)
		if !ok || err != nil {
			t.Fatalf("line %d: got=%v, %v, want=true, <nil>", row.Line, ok, err)
		}
		row.Length, row.path = &length, path
	}
	c := pictureOf(r, 9)
	if len(c.Trips) != 3 { // no trip for the row that starts at its goal
		t.Fatalf("got=%d trips, want=3", len(c.Trips))
	}
	first := c.Trips[0].Points
	testkit.Equal(t, first[0], r2.Vec{X: 0.5, Y: 2.5}, "start")
	testkit.Equal(t, first[len(first)-1], r2.Vec{X: 3.5, Y: 2.5}, "goal")
	testkit.Equal(t, len(first), 4, "points, with two corners")
	testkit.Equal(t, c.Obstacles[0].Ring[0], r2.Vec{X: 1, Y: 3}, "obstacle")
	if c = pictureOf(r, 2); len(c.Trips) != 2 || c.Trips[1].Points[0].Y != 1.5 || c.Caption != "2 of 3 paths, 4 × 3 cells" {
		t.Errorf("two paths: got=%+v, %q, want the first and the second, \"2 of 3 paths, 4 × 3 cells\"", c.Trips, c.Caption)
	}
}
