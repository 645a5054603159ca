package replay_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
)

// forged is a block of a recording, with a valid checksum.
type forged struct {
	name string
	text string   // JSON data
	all  []uint64 // binary data
}

func TestForged(t *testing.T) {
	about, state := forged{"about", `{"machine": "x"}`, nil}, forged{"state", "", []uint64{0, 7}}
	step, end := forged{"step", "", []uint64{1, 8}}, forged{"end", "", []uint64{1}}
	for _, test := range []struct {
		blocks []forged
		want   string // part of the error; empty means no error
	}{
		{[]forged{about, state, step, {"state", "", []uint64{1, 8}}, {"input", `{"name": "a", "data": 1}`, nil}, end}, ""},
		{[]forged{about}, "before the first state"},
		{[]forged{state}, "block is out of place"},
		{[]forged{step}, "block is out of place"},
		{[]forged{about, about}, "block is out of place"},
		{[]forged{about, step}, "block is out of place"},
		{[]forged{about, state, about}, "block is out of place"},
		{[]forged{{"about", `{}`, nil}}, "invalid header"},
		{[]forged{{"about", `{"machine": "x", "saveEvery": -1}`, nil}}, "invalid header"},
		{[]forged{{"about", `[`, nil}}, "invalid header"},
		{[]forged{about, state, {"step", "", []uint64{2, 8}}}, "does not follow step 0"},
		{[]forged{about, state, step, step}, "does not follow step 1"},
		{[]forged{about, state, {"step", "", []uint64{1 << 63, 8}}}, "does not follow step 0"},
		{[]forged{about, state, {"step", "", []uint64{1}}}, "block has 8 bytes"},
		{[]forged{about, state, {"step", "", []uint64{1, 8, 9}}}, "block has 24 bytes"},
		{[]forged{about, {"state", "", []uint64{1, 7}}}, "does not follow step -1"},
		{[]forged{about, state, state}, "does not follow step 0"},
		{[]forged{about, state, step, {"state", "", []uint64{1, 9}}}, "does not follow step 1"},
		{[]forged{about, state, {"end", "", []uint64{1}}}, "does not follow step 0"},
		{[]forged{about, state, step, end, step}, "block comes after the end"},
		{[]forged{about, state, {"input", `{"name": "a"}`, nil}}, "invalid input"},
		{[]forged{about, state, step, {"back", "", []uint64{0}}, step, end}, ""},
		{[]forged{about, state, step, {"back", "", []uint64{2}}}, "does not follow step 1"},
		{[]forged{about, state, step, {"back", "", []uint64{0, 7}}}, "block has 16 bytes"},
		{[]forged{about, state, {"other", "", []uint64{1, 2}}}, "unknown kind of block"},
	} {
		out := bytes.NewBufferString("crowd replay\n\x01\x00\x00\x00")
		for _, b := range test.blocks {
			data := []byte(b.text)
			for _, x := range b.all {
				data = binary.LittleEndian.AppendUint64(data, x)
			}
			_ = archive.WriteBlock(out, b.name, data)
		}
		_, err := replay.Open(bytes.NewReader(out.Bytes()))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got=%v, want=an error that contains %q (none if empty)", test.blocks, err, test.want)
		}
	}
}

func TestFirst(t *testing.T) {
	of := func(agent uint64, entity uint32, x, gain string) world.EntityState {
		return world.EntityState{Agent: agent, Entity: entity, Components: []world.Component{
			{Name: "Position", Fields: []world.Field{{Name: "X", Value: x}}},
			{Name: "Seek", Fields: []world.Field{{Name: "Gain", Value: gain}}},
		}}
	}
	differences := func(a, b []world.EntityState) []replay.Difference {
		return slices.Collect(replay.Differences(slices.Values(a), slices.Values(b)))
	}
	a := []world.EntityState{of(1, 5, "0", "1"), of(2, 4, "0", "1"), of(4, 9, "0", "1"), of(0, 2, "0", "1")}
	b := []world.EntityState{of(1, 5, "0", "2"), of(2, 7, "0", "1"), of(3, 8, "0", "1"), of(4, 9, "0", "2"), of(0, 3, "0", "1")}
	old := differences(a, b)
	var agents []uint64
	for _, d := range old {
		agents = append(agents, d.Agent)
	}
	if !slices.Equal(agents, []uint64{1, 3, 4, 0, 0}) || old[1].Fields[0] != (replay.Field{Component: "all", A: "missing", B: "present"}) || old[4].Entity != 3 {
		t.Errorf("differences: got=%+v, want=agents 1, 3, missing in a, and 4, then entities 2 and 3", old)
	}
	b[0], b[3] = of(1, 5, "0", "3"), of(4, 9, "1", "2")
	if d := replay.First(slices.Values(differences(a, b)), old...); d == nil || d.Agent != 4 || len(d.Fields) != 2 {
		t.Errorf("First without old differences: got=%+v, want=agent 4 with 2 fields", d)
	}
	if d := replay.First(slices.Values(differences(a, b))); d == nil || d.Agent != 1 {
		t.Errorf("First of all differences: got=%+v, want=agent 1", d)
	}
	if d := replay.First(slices.Values(old), old...); d != nil {
		t.Errorf("nothing new: got=%+v, want=nil", d)
	}
}

// FuzzOpen opens a file or, if right is set, a list of blocks that get valid checksums. A block of the
// list is one byte for its name, two for its length, and its content.
func FuzzOpen(f *testing.F) {
	data := recorded(f, 2, nil)
	f.Add(data, false)
	f.Add(data[:len(data)-5], false)
	f.Add([]byte("\x00\x18\x00"+`{"machine":"x","about":1}`[:24]), true)
	f.Add([]byte("\x00\x0f\x00"+`{"machine":"x"}`+"\x01\x10\x00"+string(make([]byte, 16))+"\x02\x10\x00\x01"+string(make([]byte, 15))+"\x03\x16\x00"+`{"name":"a","data":{}}`+"\x04\x08\x00\x01"+string(make([]byte, 7))), true)
	f.Fuzz(func(t *testing.T, data []byte, right bool) {
		if right {
			data = blocks(data)
		}
		r, err := replay.Open(bytes.NewReader(data))
		if err != nil {
			return
		}
		for step := range r.Steps() + 1 {
			if r.Hash(step); len(r.Inputs(step)) > len(data) {
				t.Fatalf("inputs of step %d: got=%d, want=at most %d, the number of bytes", step, len(r.Inputs(step)), len(data))
			}
		}
		if len(r.Saved()) == 0 || r.Saved()[0] != 0 {
			t.Fatalf("saved states: got=%v, want=0 first", r.Saved())
		}
		if _, state, err := r.State(r.Steps()); err != nil || state == nil {
			t.Fatalf("last state: got=%v, %v, want=a state", state, err)
		}
	})
}

func blocks(list []byte) []byte {
	out := bytes.NewBufferString("crowd replay\n\x01\x00\x00\x00")
	for names := []string{"about", "state", "step", "input", "end", "back", ""}; len(list) >= 3; {
		name, n := names[int(list[0])%len(names)], min(int(list[1])|int(list[2])<<8, len(list)-3)
		_ = archive.WriteBlock(out, name, list[3:3+n])
		list = list[3+n:]
	}
	return out.Bytes()
}
