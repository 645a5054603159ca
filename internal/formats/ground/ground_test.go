package ground

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats/movingai"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Fields of many sizes must lead through a whole maze with passages of the width that passage returns.
func TestPassage(t *testing.T) {
	if got := []int{passage(2, 2, mostCells), passage(1024, 1024, mostCells), passage(2048, 2048, mostCells), passage(4096, 4096, mostCells)}; !slices.Equal(got, []int{1, 1, 2, 4}) {
		t.Errorf("widths: got=%v, want=[1 1 2 4]", got)
	}
	for most := 800; most < 40_000; most += 211 {
		const side = 61
		wide := passage(side, side, most)
		var rows []string
		for y := range side { // a path that goes to and fro
			row := strings.Repeat(".", side)
			if turn := y / (wide + 1); y%(wide+1) == wide {
				row = strings.Repeat("@", side-wide) + strings.Repeat(".", wide)
				if turn%2 == 1 {
					row = strings.Repeat(".", wide) + strings.Repeat("@", side-wide)
				}
			}
			rows = append(rows, row)
		}
		last := side
		for last%(wide+1) != wide {
			last--
		}
		text := fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n%s\n", last, side, strings.Join(rows[:last], "\n"))
		m, err := movingai.ReadMap(t.Context(), filepath.Join(testkit.Files(t, map[string]string{"maze.map": text}), "maze.map"))
		testkit.Must(t, err)
		w, err := world.New(world.Default())
		testkit.Must(t, err)
		for _, shape := range m.Shapes() {
			_, err := w.AddPolygon(shape.Ring)
			testkit.Must(t, err)
		}
		start, end := r2.Vec{X: 0.5, Y: 0.5}, r2.Vec{X: side / 2, Y: float64(last) - float64(wide)/2}
		_, err = w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: end, Max: end}}, Radius: 0.23, Cell: widestCell, Most: most})
		testkit.Must(t, err)
		w.Inspect().FieldGrid(0)
		if way, _ := w.Fields.Read(0, start); !(way <= math.MaxFloat64) {
			t.Errorf("field of at most %d cells: got=no path through passages %d cells wide, want=a path", most, wide)
		}
		w.Close()
	}
}
