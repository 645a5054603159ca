package view

import (
	"math"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestPathsProtocol verifies the number of fields in the message scene, and the errors for an agent that
// does not exist, and for an obstacle that is not a door.
func TestPathsProtocol(t *testing.T) {
	v := connect(t, serve(t, "floors", 20, nil))
	v.wait("scene", "fields", 2)
	v.refused(`{"do":"goal","at":[1,2],"id":"99999"}`, "agent 99999 is gone")
	v.refused(`{"do":"door","id":1,"on":true}`, "obstacle 1 is not a door")
}

// fieldHead is the first part of the message of a field with one goal.
type fieldHead struct {
	Kind, _, _, _                uint8
	Build                        uint32
	Corner                       r2.Vec
	Cell                         float64
	Number, Columns, Rows, Goals uint32
	Top                          float32
	Goal                         [4]float32
}

// TestFieldMessage verifies the encoding of a field, and that a large field has wider cells.
func TestFieldMessage(t *testing.T) {
	inf := float32(math.Inf(1))
	g := sense.FieldGrid{Min: r2.Vec{X: -1, Y: 2}, Cell: 0.5, Columns: 2, Rows: 2, Distances: []float32{0, 5, 10, inf},
		Goals: []r2.Box{{Min: r2.Vec{X: 0, Y: 2}, Max: r2.Vec{X: 1, Y: 4}}}}
	b := fieldMessage(7, 3, &g)
	testkit.Equal(t, take[fieldHead](t, &b, 1)[0], fieldHead{
		Kind: kindField, Build: 7, Corner: r2.Vec{X: -1, Y: 2}, Cell: 0.5, Number: 3, Columns: 2, Rows: 2, Goals: 1,
		Top: 10, Goal: [4]float32{1, 0, 2, 2},
	}, "head")
	if got, want := take[uint16](t, &b, 4), []uint16{0, 32767, 65534, 65535}; !slices.Equal(got, want) {
		t.Errorf("distances: got=%v, want=%v", got, want)
	}
	const n = 1000
	large := sense.FieldGrid{Cell: 1, Columns: n, Rows: n, Distances: make([]float32, n*n), Goals: []r2.Box{{Max: r2.Vec{X: 1, Y: 1}}}}
	for i := range large.Distances {
		large.Distances[i] = float32(i % n)
	}
	b = fieldMessage(1, 0, &large)
	head := take[fieldHead](t, &b, 1)[0]
	testkit.Equal(t, head.Cell, 2, "width of a cell of a large field")
	goal := r2.Add(head.Corner, r2.Vec{X: float64(head.Goal[0]), Y: float64(head.Goal[1])})
	testkit.Equal(t, goal, r2.Vec{}, "corner of a goal of a large field")
	distances := take[uint16](t, &b, head.Columns)
	for _, k := range []int{0, 100, len(distances) - 1} {
		middle := head.Corner.X + head.Cell*(float64(k)+0.5)
		testkit.Near(t, float64(distances[k])/65534*(n-1), middle-0.5, 0.05, "distance in cell %d", k)
	}
}
