package vadere

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// No box may be empty or extend beyond 0 to 5 m in x.
func TestStrips(t *testing.T) {
	for _, test := range []struct {
		corners string
		boxes   int     // minimum
		area    float64 // m², minimum
	}{
		{"0,0 4,0 4,2 0,2", 1, 8},
		{"0,0 4,0 4,1 1,1 1,3 4,3 4,4 0,4", 3, 10},
		{"0,0 4,0 2,4", 16, 6.9},
		{"0,0 1,1 2,2", 1, 0},
		{"0,0 2,0 5,0", 1, 0},
		{"0,0 4,4 4,4.001 0,0.001", 16, 0},
	} {
		var corners []r2.Vec
		for _, text := range strings.Fields(test.corners) {
			var p r2.Vec
			fmt.Sscanf(text, "%f,%f", &p.X, &p.Y)
			corners = append(corners, p)
		}
		area := 0.
		boxes := strips(corners, 16)
		for _, b := range boxes {
			if !(b.Min.X < b.Max.X && b.Min.Y < b.Max.Y) || b.Min.X < -smallest || b.Max.X > 5+smallest {
				t.Errorf("%s: got=%v, want=a box that is not empty, with x from 0 to 5", test.corners, b)
			}
			area += (b.Max.X - b.Min.X) * (b.Max.Y - b.Min.Y)
		}
		if len(boxes) < test.boxes || area < test.area {
			t.Errorf("%s: got=%d boxes, %v m², want=at least %d boxes, %v m²", test.corners, len(boxes), area, test.boxes, test.area)
		}
	}
}
