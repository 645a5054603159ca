package view

import (
	"math"
	"strings"
	"testing"
)

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
		{``, "no object"},
		{`[]`, "no object"},
		{`{"do":"pause"} {}`, "goes on"},
		{`{"do":"pause","off":1}`, "no object"},
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
		{`{"do":"select","id":17}`, "id is no text"},
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
