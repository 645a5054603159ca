package view

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

type frameHead struct {
	Kind, Flags          uint8
	Layers               layers
	Build                uint32
	Step, Time           float64
	Box                  r2.Box
	Pointer, Marked      r2.Vec
	MaxSpeed             float32
	Obstacles, Agents, N uint32
}

type decoded struct {
	frameHead
	pos      []r2.Vec
	heading  []uint16
	radius   []float32
	value    []uint8
	segments map[layers][][5]float32
}

// take decodes n values, and removes them from the front of data.
func take[T any](t testing.TB, data *[]byte, n uint32) []T {
	t.Helper()
	values := make([]T, n)
	size, err := binary.Decode(*data, binary.LittleEndian, values)
	must(t, err)
	*data = (*data)[size:]
	return values
}

// decode reads a frame according to protocol.go.
func decode(t testing.TB, data []byte) *decoded {
	t.Helper()
	d := &decoded{frameHead: take[frameHead](t, &data, 1)[0], segments: map[layers][][5]float32{}}
	testkit.Equal(t, d.Kind, kindFrame, "kind")
	pad := func() { data = data[len(data)%4:] }
	x, y := take[uint16](t, &data, d.N), take[uint16](t, &data, d.N)
	for i := range x {
		at := r2.Vec{X: float64(x[i]) / 65535 * d.Box.Size().X, Y: float64(y[i]) / 65535 * d.Box.Size().Y}
		d.pos = append(d.pos, r2.Add(d.Box.Min, at))
	}
	if d.Flags&flagNear != 0 {
		d.heading = take[uint16](t, &data, d.N)
		pad()
		d.radius = take[float32](t, &data, d.N)
	}
	d.value = take[uint8](t, &data, d.N)
	pad()
	for bit := range layerNames {
		layer := layers(1 << bit)
		if d.Layers&layer == 0 {
			continue
		}
		columns := 4
		if layer&(layerCells|layerNeighbors|layerRoutes) != 0 {
			columns = 5
		}
		for range take[uint32](t, &data, 1)[0] {
			var segment [5]float32
			copy(segment[:], take[float32](t, &data, uint32(columns)))
			d.segments[layer] = append(d.segments[layer], segment)
		}
	}
	testkit.Equal(t, len(data), 0, "bytes after the frame")
	return d
}

// three returns a snapshot with three living agents and a dead one.
func three() *snapshot {
	s := &snapshot{build: 3, version: 9, step: 120, time: 2, agents: 3, maxSpeed: 2, maxRadius: 0.5, obstacles: 4,
		layers: layerTargets | layerThreats | layerSteering | layerCells, pointer: r2.Vec{X: 7, Y: 8}, hasPointer: true}
	s.grow(4)
	s.ids = []uint64{1, 2, 0, 4}
	s.pos = []r2.Vec{{X: 1, Y: 2}, {X: 9, Y: 5}, {X: 5, Y: 5}, {X: 1000, Y: 5}}
	s.look = []look{
		{speed: 1, radius: 0.25, aheadY: 3, threat: 40, behavior: seeking, archetype: 1, group: 3},
		{speed: 5, radius: 0.5, aheadX: -1, behavior: avoiding}, {}, {},
	}
	s.target = []r2.Vec{{X: 3, Y: 3}, nowhere, nowhere, {X: 2, Y: 2}}
	s.contact = []r2.Vec{{X: 2, Y: 2}, nowhere, nowhere, nowhere}
	s.steering = []r2.Vec{{X: 1, Y: -1}, {}, {}, {}}
	s.cells = []cell{{r2.Box{Max: r2.Vec{X: 4, Y: 4}}, 6}, {r2.Box{Min: r2.Vec{X: 900}, Max: r2.Vec{X: 904, Y: 4}}, 1}}
	return s
}

const seeking, avoiding = 1, 6

func wishFor(x0, y0, x1, y1, pixels float64) wish {
	return wish{view: r2.Box{Min: r2.Vec{X: x0, Y: y0}, Max: r2.Vec{X: x1, Y: y1}}, width: pixels}
}

func TestFrame(t *testing.T) {
	var f frames
	w := wishFor(0, 0, 10, 10, 1000)
	w.layers = layerTargets | layerThreats | layerSteering | layerCells
	d := decode(t, f.frame(three(), w, 2, nil))

	if d.Build != 3 || d.Step != 120 || d.Time != 2 || d.Obstacles != 4 || d.Agents != 3 || d.MaxSpeed != 2 {
		t.Errorf("head: got=%+v, want=build 3, step 120, time 2, obstacles 4, agents 3, maxSpeed 2", d)
	}
	testkit.Equal(t, d.Box, r2.NewBox(-2, -2, 12, 12), "window")
	testkit.Equal(t, d.Pointer, r2.Vec{X: 7, Y: 8}, "pointer")
	testkit.Equal(t, d.Marked, r2.Vec{X: 9, Y: 5}, "selected agent")
	if len(d.pos) != 2 {
		t.Fatalf("agents in the window: got=%d, want=2", len(d.pos))
	}
	testkit.Near(t, d.pos[0], r2.Vec{X: 1, Y: 2}, 14./65535, "first agent")
	testkit.Near(t, d.pos[1], r2.Vec{X: 9, Y: 5}, 14./65535, "second agent")
	if d.Flags != flagNear || d.heading[0] != 16384 || d.radius[1] != 0.5 || d.value[0] != 128 || d.value[1] != 255 {
		t.Errorf("looks: got=%+v, want=flags %b, heading 16384 first, radius 0.5 second, and values 128 and 255", d, flagNear)
	}
	for layer, want := range map[layers][5]float32{
		layerTargets: {3, 4, 5, 5}, layerThreats: {3, 4, 4, 4}, layerSteering: {3, 4, 4, 3}, layerCells: {2, 2, 6, 6, 6},
	} {
		testkit.Equal(t, fmt.Sprint(d.segments[layer]), fmt.Sprint([][5]float32{want}), "layer %b", layer)
	}
	s := three()
	testkit.NoAllocs(t, 20, func() { f.frame(s, w, 1, nil) })

	s = &snapshot{layers: layerTargets}
	s.grow(mostInLayer + 1)
	for i := range s.ids {
		s.ids[i], s.pos[i], s.target[i] = uint64(i+1), r2.Vec{X: 1, Y: 1}, r2.Vec{X: 2, Y: 1}
	}
	d = decode(t, f.frame(s, w, 0, nil))
	if got := len(d.segments[layerTargets]); got != mostInLayer || d.Flags&flagCut == 0 {
		t.Errorf("large layer: got=%d segments and flags %b, want=%d and flag %b", got, d.Flags, mostInLayer, flagCut)
	}
}

func TestFrameValues(t *testing.T) {
	var f frames
	for by, want := range map[color]uint8{bySpeed: 128, byBehavior: seeking, byThreat: 40, byHeading: 64, byArchetype: 1, byGroup: 3} {
		w := wishFor(0, 0, 10, 10, 1000)
		w.color = by
		d := decode(t, f.frame(three(), w, 0, nil))
		testkit.Equal(t, d.value[0], want, "%s", colors[by])
		testkit.Equal(t, color(d.Flags>>colorShift), by, "color in the flags")
	}
}

func TestFrameFar(t *testing.T) {
	var f frames
	s := three()
	s.layers = layerTargets
	w := wishFor(0, 0, 10, 10, 29)
	w.layers = layerTargets | layerCells
	d := decode(t, f.frame(s, w, 3, nil))
	if d.Flags&flagNear != 0 || d.Layers != layerTargets || !math.IsNaN(d.Marked.X) {
		t.Errorf("got=%+v, want far, targets alone, and no mark on a dead agent", d)
	}
	w.width = 30
	testkit.Equal(t, decode(t, f.frame(s, w, 0, nil)).Flags&flagNear, flagNear, "flag of bodies of 1.5 pixels")
	odd := decode(t, f.frame(s, wishFor(0, 0, 1000, 10, 1e5), 0, nil))
	testkit.Equal(t, fmt.Sprint(odd.radius), "[0.25 0.5 0]", "radii of an odd number of agents")
}

func TestParse(t *testing.T) {
	next := `"view":[0,0,10,10],"pixels":[800,600]`
	for _, tc := range []struct{ message, fault string }{
		{`{"do":"seed","seed":"18446744073709551615"}`, ""},
		{``, "is not a JSON object"},
		{`[]`, "is not a JSON object"},
		{`{"do":"pause"} {}`, "continues after"},
		{`{"do":"pause","off":1}`, "is not a JSON object"},
		{`{"do":"fly"}`, `unknown command "fly"`},
		{`{}`, `unknown command ""`},
		{`{"do":"next"}`, "view has 0 numbers and pixels has 0, want 4 and 2"},
		{`{"do":"next",` + next + `,"color":"taste"}`, "color is"},
		{`{"do":"next",` + next + `,"color":"speed","layers":["x"]}`, "layer is"},
		{`{"do":"next","view":[0,0,0,10],"pixels":[800,600],"color":"speed"}`, "view is empty"},
		{`{"do":"next","view":[0,0,1e-300,10],"pixels":[800,600],"color":"speed"}`, "view is empty"},
		{`{"do":"next","view":[1e11,0,1.00000000000001e11,10],"pixels":[800,600],"color":"speed"}`, "view is empty"},
		{`{"do":"next","view":[0,0,1e300,10],"pixels":[800,600],"color":"speed"}`, "view is 1e+300"},
		{`{"do":"next","view":[0,0,10,10],"pixels":[0,600],"color":"speed"}`, "pixels is 0"},
		{`{"do":"step","n":0}`, "n is 0, want 1 to 1000"},
		{`{"do":"pace","x":-1}`, "x is -1"},
		{`{"do":"pace","x":1e9}`, "x is 1e+09"},
		{`{"do":"seek","tick":-1}`, "tick is -1, want 0"},
		{`{"do":"seek","tick":1.5}`, "tick is 1.5, want a whole number"},
		{`{"do":"seek","tick":1e10}`, "tick is 1e+10"},
		{`{"do":"seed","seed":"-1"}`, "seed is"},
		{`{"do":"agents","n":100000000}`, "n is 1e+08"},
		{`{"do":"pointer","at":[1]}`, "length of at is 1, want 2"},
		{`{"do":"select","id":17}`, "id is not a string"},
		{`{"do":"select","id":"x"}`, "id is"},
		{`{"do":"select","at":[1,2],"within":-1}`, "within is -1"},
		{`{"do":"add","radius":1}`, "length of at is 0, want 2"},
		{`{"do":"add","at":[0,0],"radius":-1}`, "radius is -1"},
		{`{"do":"add","at":[1,1],"radius":0.1,"door":true}`, "add: to is missing, want the other end of the door"},
		{`{"do":"add","at":[1,1],"to":[1],"radius":0.1}`, "add: length of to is 1, want 2"},
		{`{"do":"add","corners":[[1,1],[2,1],[2,1e13]]}`, "add: corners is 1e+13"},
		{`{"do":"add","corners":[[1,1]` + strings.Repeat(",[2,2]", maxMessage) + `]}`, ""},
		{`{"do":"goal"}`, "goal: length of at is 0, want 2"},
		{`{"do":"goal","at":[1,2],"id":"x"}`, `goal: id is "x", want the number of an agent`},
		{`{"do":"door","on":true}`, "door: id is missing or not a whole number, want the number of an obstacle"},
		{`{"do":"next",` + next + `,"color":"speed","field":-1}`, "next: field is -1, want 0 to 2.147483647e+09"},
		{`{"do":"move","to":[1,2]}`, "id is missing"},
		{`{"do":"remove","id":1.5}`, "id is missing"},
		{`{"do":"remove","id":-1}`, "id is -1"},
		{`{"do":"pause","name":"` + strings.Repeat("x", maxMessage) + `"}`, "want at most 4096"},
	} {
		_, err := parse([]byte(tc.message))
		if (err == nil) != (tc.fault == "") || !strings.Contains(fmt.Sprint(err), cmp.Or(tc.fault, "nil")) {
			t.Errorf("%.60s: got=%v, want=an error that contains %q (none if empty)", tc.message, err, tc.fault)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"do":"next","view":[0,0,10,10],"pixels":[800,600],"color":"speed","layers":["targets"]}`))
	f.Add([]byte(`{"do":"select","at":[1,2],"within":3}`))
	f.Add([]byte(`{"do":"set","name":"dt","value":1e308}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := parse(data)
		if err != nil {
			if text := err.Error(); len(text) > 400 || strings.ContainsAny(text, "\n\x00") {
				t.Errorf("error: got=%q, want=one short line", text)
			}
			return
		}
		if a.at != nil && !(math.Abs(a.at.X) <= farthest && math.Abs(a.at.Y) <= farthest) {
			t.Errorf("place: got=%v, want=coordinates within ±%v", *a.at, farthest)
		}
		if a.Do != "next" {
			return
		}
		var frame frames
		d := decode(t, frame.frame(three(), a.wish, 1, nil))
		if slices.ContainsFunc(d.pos, func(p r2.Vec) bool { return !finite(p) }) {
			t.Errorf("positions in the window %v: got=%v, want=finite ones", d.Box, d.pos)
		}
	})
}

func TestPathsProtocol(t *testing.T) {
	v := connect(t, serve(t, "floors", 20, nil))
	v.wait("scene", "fields", 2)
	v.refused(`{"do":"goal","at":[1,2],"id":"99999"}`, "agent 99999 is gone")
	v.refused(`{"do":"door","id":1,"on":true}`, "obstacle 1 is not a door")
}

type fieldHead struct {
	Kind, _, _, _                uint8
	Build                        uint32
	Corner                       r2.Vec
	Cell                         float64
	Number, Columns, Rows, Goals uint32
	Top                          float32
	Goal                         [4]float32
}

func TestFieldMessage(t *testing.T) {
	inf := float32(math.Inf(1))
	g := sense.FieldGrid{Min: r2.Vec{X: -1, Y: 2}, Cell: 0.5, Columns: 2, Rows: 2, Distances: []float32{0, 5, 10, inf},
		Goals: []r2.Box{{Min: r2.Vec{X: 0, Y: 2}, Max: r2.Vec{X: 1, Y: 4}}}}
	b := fieldMessage(7, 3, &g)
	testkit.Equal(t, take[fieldHead](t, &b, 1)[0], fieldHead{
		Kind: kindField, Build: 7, Corner: r2.Vec{X: -1, Y: 2}, Cell: 0.5, Number: 3, Columns: 2, Rows: 2, Goals: 1,
		Top: 10, Goal: [4]float32{1, 0, 2, 2},
	}, "head")
	testkit.Equal(t, fmt.Sprint(take[uint16](t, &b, 4)), "[0 32767 65534 65535]", "distances")
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
