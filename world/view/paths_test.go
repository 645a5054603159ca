package view

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// fieldsText is a scene with a wall and two fields.
const fieldsText = `
name = "fields"
box = [[0, 0], [10, 10]]

[obstacles]
walls = [{from = [0, 5], to = [4, 5]}]

[[groups]]
at = {points = [[1, 1]]}
radius = 0.2
max-speed = 1
max-force = 5
target = {points = [[9, 9]]}
way = "field"
seek = {gain = 2}

[[groups]]
at = {points = [[9, 1]]}
radius = 0.2
max-speed = 1
max-force = 5
target = {points = [[1, 9]]}
way = "field"
seek = {gain = 2}
`

// TestPathsProtocol verifies the number of fields in the message scene, and the errors for an agent that
// does not exist, and for an obstacle that is not a door.
func TestPathsProtocol(t *testing.T) {
	sc, err := scene.Read(strings.NewReader(fieldsText), "fields.toml", scene.OpenOptions{})
	must(t, err)
	v := connect(t, serve(t, "arrival", 0, func(o *setup) { o.name, o.scene = sc.Name, sc }))
	v.wait("scene", "fields", 2)
	v.refused(`{"do":"goal","at":[1,2],"id":"99999"}`, "agent 99999 is gone")
	v.refused(`{"do":"door","id":1,"on":true}`, "obstacle 1 is not a door")
}

// TestDoorMessage verifies the encoding of doors, and that open doors are the last of the walls.
func TestDoorMessage(t *testing.T) {
	w := newWorld(t, world.Default())
	for _, open := range []bool{true, false} {
		_, err := w.AddDoor(r2.Vec{X: 1}, r2.Vec{X: 2}, 0.1, c.Door{Open: open})
		must(t, err)
	}
	_, err := w.AddObstacle(r2.Vec{X: 5}, c.Obstacle{Radius: 1})
	must(t, err)
	s, le := solidsOf(w, nil), binary.LittleEndian
	if s.doors != 2 || s.count != 3 || le.Uint32(s.message[24:]) != 3 || le.Uint32(s.message[36:]) != 2 {
		t.Fatalf("got=%d doors, %d obstacles, head %v, want=2 doors, 3 obstacles, both also in the head", s.doors, s.count, s.message[24:40])
	}
	var ids []uint32
	for i := range 3 {
		ids = append(ids, le.Uint32(s.message[40+24*i+20:]))
	}
	for at := 112; at < len(s.message); at += 4 {
		ids = append(ids, le.Uint32(s.message[at:]))
	}
	if want := []uint32{2, 3, 1, 1, 1, 2, 0}; !slices.Equal(ids, want) {
		t.Errorf("IDs of circles and walls, then of doors, each with 1 if open: got=%v, want=%v", ids, want)
	}
}

// TestFieldMessage verifies the encoding of a field, and that a large field has wider cells.
func TestFieldMessage(t *testing.T) {
	inf := float32(math.Inf(1))
	g := sense.FieldGrid{Min: r2.Vec{X: -1, Y: 2}, Cell: 0.5, Columns: 2, Rows: 2, Distances: []float32{0, 5, 10, inf},
		Goals: []r2.Box{{Min: r2.Vec{X: 0, Y: 2}, Max: r2.Vec{X: 1, Y: 4}}}}
	b := fieldMessage(7, 3, &g)
	le := binary.LittleEndian
	f64 := func(at int) float64 { return math.Float64frombits(le.Uint64(b[at:])) }
	f32 := func(at int) float32 { return math.Float32frombits(le.Uint32(b[at:])) }
	numbers := [5]uint32{le.Uint32(b[4:]), le.Uint32(b[32:]), le.Uint32(b[36:]), le.Uint32(b[40:]), le.Uint32(b[44:])}
	testkit.Equal(t, b[0], kindField, "kind")
	testkit.Equal(t, numbers, [5]uint32{7, 3, 2, 2, 1}, "build, number, columns, rows, goals")
	testkit.Equal(t, [3]float64{f64(8), f64(16), f64(24)}, [3]float64{-1, 2, 0.5}, "corner and cell")
	testkit.Equal(t, [5]float32{f32(48), f32(52), f32(56), f32(60), f32(64)}, [5]float32{10, 1, 0, 2, 2}, "top and goal")
	for i, want := range []uint16{0, 32767, 65534, 65535} {
		testkit.Equal(t, le.Uint16(b[68+2*i:]), want, "distance %d", i)
	}
	const n = 1000
	large := sense.FieldGrid{Cell: 1, Columns: n, Rows: n, Distances: make([]float32, n*n), Goals: []r2.Box{{Max: r2.Vec{X: 1, Y: 1}}}}
	for i := range large.Distances {
		large.Distances[i] = float32(i % n)
	}
	b = fieldMessage(1, 0, &large)
	columns, first, cell := int(le.Uint32(b[36:])), f64(8), f64(24)
	testkit.Equal(t, cell, 2, "width of a cell of a large field")
	testkit.Equal(t, [2]float64{first + float64(f32(52)), f64(16) + float64(f32(56))}, [2]float64{}, "corner of a goal of a large field")
	for _, k := range []int{0, 100, columns - 1} {
		middle := first + cell*(float64(k)+0.5)
		testkit.Near(t, float64(le.Uint16(b[68+2*k:]))/65534*(n-1), middle-0.5, 0.05, "distance in cell %d", k)
	}
}
