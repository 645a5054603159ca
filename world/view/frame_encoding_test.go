package view

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// decoded is a frame as a viewer reads it.
type decoded struct {
	flags             byte
	layers            layers
	build             uint32
	step, time        float64
	box               r2.Box
	pointer, marked   r2.Vec
	maxSpeed          float64
	obstacles, agents uint32
	pos               []r2.Vec
	heading           []uint16
	radius            []float32
	value             []uint8
	segments          map[layers][][4]float32
	cells, neighbors  [][5]float32
}

// decode reads a frame by protocol.go, and fails on what is left
// over or missing.
func decode(t *testing.T, data []byte) *decoded {
	t.Helper()
	le := binary.LittleEndian
	f64 := func(at int) float64 { return math.Float64frombits(le.Uint64(data[at:])) }
	d := &decoded{
		flags: data[1], layers: layers(le.Uint16(data[2:])), build: le.Uint32(data[4:]), step: f64(8), time: f64(16),
		box:     r2.Box{Min: r2.Vec{X: f64(24), Y: f64(32)}, Max: r2.Vec{X: f64(40), Y: f64(48)}},
		pointer: r2.Vec{X: f64(56), Y: f64(64)}, marked: r2.Vec{X: f64(72), Y: f64(80)},
		maxSpeed: float64(math.Float32frombits(le.Uint32(data[88:]))), obstacles: le.Uint32(data[92:]), agents: le.Uint32(data[96:]),
		segments: map[layers][][4]float32{},
	}
	if data[0] != kindFrame {
		t.Fatalf("kind: got=%d, want=%d", data[0], kindFrame)
	}
	n, at := int(le.Uint32(data[100:])), headBytes
	size := r2.Sub(d.box.Max, d.box.Min)
	for i := range n {
		x, y := le.Uint16(data[at+2*i:]), le.Uint16(data[at+2*n+2*i:])
		d.pos = append(d.pos, r2.Vec{X: d.box.Min.X + float64(x)/65535*size.X, Y: d.box.Min.Y + float64(y)/65535*size.Y})
	}
	at += 4 * n
	if d.flags&flagNear != 0 {
		for i := range n {
			d.heading = append(d.heading, le.Uint16(data[at+2*i:]))
		}
		at = (at + 2*n + 3) / 4 * 4
		for range n {
			d.radius = append(d.radius, math.Float32frombits(le.Uint32(data[at:])))
			at += 4
		}
	}
	d.value = data[at : at+n]
	at = (at + n + 3) / 4 * 4
	f32 := func() float32 { at += 4; return math.Float32frombits(le.Uint32(data[at-4:])) }
	for bit := range layerNames {
		layer := layers(1 << bit)
		if d.layers&layer == 0 {
			continue
		}
		count := le.Uint32(data[at:])
		at += 4
		for range count {
			four := [4]float32{f32(), f32(), f32(), f32()}
			switch layer {
			case layerCells:
				d.cells = append(d.cells, [5]float32{four[0], four[1], four[2], four[3], f32()})
				continue
			case layerNeighbors:
				d.neighbors = append(d.neighbors, [5]float32{four[0], four[1], four[2], four[3], f32()})
				continue
			}
			d.segments[layer] = append(d.segments[layer], four)
		}
	}
	if at != len(data) {
		t.Fatalf("length: got=%d, want=%d", len(data), at)
	}
	return d
}

// three is a snapshot with three living agents and a dead one.
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

	if d.build != 3 || d.step != 120 || d.time != 2 || d.obstacles != 4 || d.agents != 3 || d.maxSpeed != 2 {
		t.Errorf("head: got=%+v", d)
	}
	if want := (r2.Box{Min: r2.Vec{X: -2, Y: -2}, Max: r2.Vec{X: 12, Y: 12}}); d.box != want {
		t.Errorf("window: got=%v, want=%v", d.box, want)
	}
	if d.pointer != (r2.Vec{X: 7, Y: 8}) || d.marked != (r2.Vec{X: 9, Y: 5}) {
		t.Errorf("pointer and selected agent: got=%v %v, want={7 8} {9 5}", d.pointer, d.marked)
	}
	if len(d.pos) != 2 {
		t.Fatalf("agents in the window: got=%d, want=2", len(d.pos))
	}
	for i, want := range []r2.Vec{{X: 1, Y: 2}, {X: 9, Y: 5}} {
		if off := r2.Norm(r2.Sub(d.pos[i], want)); off > 14./65535 {
			t.Errorf("agent %d: got=%v, want=%v", i, d.pos[i], want)
		}
	}
	if d.flags != flagNear || d.heading[0] != 16384 || d.radius[1] != 0.5 || d.value[0] != 128 || d.value[1] != 255 {
		t.Errorf("looks: got=%+v", d)
	}
	if got := d.segments[layerTargets]; len(got) != 1 || got[0] != [4]float32{3, 4, 5, 5} {
		t.Errorf("targets: got=%v, want one from 3,4 to 5,5", got)
	}
	if got := d.segments[layerThreats]; len(got) != 1 || got[0] != [4]float32{3, 4, 4, 4} {
		t.Errorf("threats: got=%v, want one from 3,4 to 4,4", got)
	}
	if got := d.segments[layerSteering]; len(got) != 1 || got[0] != [4]float32{3, 4, 4, 3} {
		t.Errorf("steering: got=%v, want one from 3,4 to 4,3", got)
	}
	if len(d.cells) != 1 || d.cells[0] != [5]float32{2, 2, 6, 6, 6} {
		t.Errorf("cells: got=%v, want one of six obstacles", d.cells)
	}
}

// TestFrameValues verifies what each color writes.
func TestFrameValues(t *testing.T) {
	var f frames
	for by, want := range map[color]uint8{bySpeed: 128, byBehavior: seeking, byThreat: 40, byHeading: 64, byArchetype: 1, byGroup: 3} {
		w := wishFor(0, 0, 10, 10, 1000)
		w.color = by
		d := decode(t, f.frame(three(), w, 0, nil))
		if got := d.value[0]; got != want || color(d.flags>>colorShift) != by {
			t.Errorf("%s: got=%d, flags %b, want=%d", colors[by], got, d.flags, want)
		}
	}
}

// TestFrameFar verifies that bodies of less than 1.5 pixels come without headings
// and radii, and that layers that the snapshot lacks are left out.
func TestFrameFar(t *testing.T) {
	var f frames
	s := three()
	s.layers = layerTargets
	w := wishFor(0, 0, 10, 10, 29)
	w.layers = layerTargets | layerCells
	d := decode(t, f.frame(s, w, 3, nil))
	if d.flags&flagNear != 0 || d.layers != layerTargets || !math.IsNaN(d.marked.X) {
		t.Errorf("got=%+v, want far, targets alone, and no mark on a dead agent", d)
	}
	w.width = 30
	if d := decode(t, f.frame(s, w, 0, nil)); d.flags&flagNear == 0 {
		t.Errorf("radius of 1.5 pixels: got far, want near")
	}
}

// TestLayerIsCut verifies that a layer has a limit, and that the frame says when it
// is reached.
func TestLayerIsCut(t *testing.T) {
	s := &snapshot{layers: layerTargets}
	s.grow(mostInLayer + 1)
	for i := range s.ids {
		s.ids[i], s.pos[i], s.target[i] = uint64(i+1), r2.Vec{X: 1, Y: 1}, r2.Vec{X: 2, Y: 1}
	}
	var f frames
	w := wishFor(0, 0, 10, 10, 100)
	w.layers = layerTargets
	d := decode(t, f.frame(s, w, 0, nil))
	if got := len(d.segments[layerTargets]); got != mostInLayer || d.flags&flagCut == 0 {
		t.Errorf("segments: got=%d, flags %b, want=%d, flag %b", got, d.flags, mostInLayer, flagCut)
	}
}

// TestFrameAllocatesNothing verifies that frames use their memory again.
func TestFrameAllocatesNothing(t *testing.T) {
	var f frames
	s, w := three(), wishFor(0, 0, 10, 10, 100)
	if got := testing.AllocsPerRun(20, func() { f.frame(s, w, 1, nil) }); got != 0 {
		t.Errorf("allocations: got=%v, want=0", got)
	}
}

func TestParse(t *testing.T) {
	next := `"view":[0,0,10,10],"pixels":[800,600]`
	for _, tc := range []struct{ message, fault string }{
		{`{"do":"next",` + next + `,"color":"speed","layers":["targets","cells"]}`, ""},
		{`{"do":"pause","on":true}`, ""},
		{`{"do":"seed","seed":"18446744073709551615"}`, ""},
		{`{"do":"pointer"}`, ""},
		{`{"do":"pointer","at":[1,2]}`, ""},
		{`{"do":"select","id":"17"}`, ""},
		{`{"do":"select"}`, ""},
		{`{"do":"select","at":[1,2],"within":3}`, ""},
		{`{"do":"pace","x":0}`, ""},
		{`{"do":"move","id":5,"to":[1,2]}`, ""},
		{``, "is not an object"},
		{`[]`, "is not an object"},
		{`{"do":"pause"} {}`, "continues after"},
		{`{"do":"pause","off":1}`, "is not an object"},
		{`{"do":"fly"}`, `unknown command "fly"`},
		{`{}`, `unknown command ""`},
		{`{"do":"next"}`, "view or pixels is missing"},
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
		{`{"do":"seed","seed":"-1"}`, "seed is"},
		{`{"do":"agents","n":100000000}`, "n is 1e+08"},
		{`{"do":"pointer","at":[1]}`, "at has 1 numbers"},
		{`{"do":"select","id":17}`, "id is not a string"},
		{`{"do":"select","id":"x"}`, "id is"},
		{`{"do":"select","at":[1,2],"within":-1}`, "within is -1"},
		{`{"do":"add","radius":1}`, "at has 0 numbers"},
		{`{"do":"add","at":[0,0],"radius":-1}`, "radius is -1"},
		{`{"do":"move","to":[1,2]}`, "id is missing"},
		{`{"do":"remove","id":1.5}`, "id is missing"},
		{`{"do":"remove","id":-1}`, "id is -1"},
		{`{"do":"pause","name":"` + strings.Repeat("x", maxMessage) + `"}`, "want 4096 at most"},
	} {
		a, err := parse([]byte(tc.message))
		switch {
		case tc.fault == "" && err != nil:
			t.Errorf("%.60s: got %v, want no error", tc.message, err)
		case tc.fault != "" && (err == nil || !strings.Contains(err.Error(), tc.fault)):
			t.Errorf("%.60s: got %+v, %v, want an error with %q", tc.message, a, err, tc.fault)
		}
	}
}

// FuzzParse verifies that a message is refused, or is within all limits; and that
// the frame that it wishes for can be made and read.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"do":"next","view":[0,0,10,10],"pixels":[800,600],"color":"speed","layers":["targets"]}`))
	f.Add([]byte(`{"do":"select","at":[1,2],"within":3}`))
	f.Add([]byte(`{"do":"set","name":"dt","value":1e308}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := parse(data)
		if err != nil {
			if text := err.Error(); len(text) > 400 || strings.ContainsAny(text, "\n\x00") {
				t.Errorf("error is %q, want one short line", text)
			}
			return
		}
		if a.at != nil && !(math.Abs(a.at.X) <= farthest && math.Abs(a.at.Y) <= farthest) {
			t.Errorf("place: got=%v, want within %v", *a.at, farthest)
		}
		if a.Do != "next" {
			return
		}
		var frame frames
		d := decode(t, frame.frame(three(), a.wish, 1, nil))
		for _, p := range d.pos {
			if !finite(p) {
				t.Errorf("agent at %v in a window %v", p, d.box)
			}
		}
	})
}
