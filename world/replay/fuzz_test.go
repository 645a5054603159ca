package replay_test

import (
	"bytes"
	"testing"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/world/replay"
)

// FuzzOpen verifies that no file makes the reader fail in another way than by an error: neither one that was
// changed nor one whose checksums are right. A block of the latter is a byte for its name, two
// for its length, and its values.
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
				t.Fatal("more inputs than bytes")
			}
		}
		if len(r.Saved()) == 0 || r.Saved()[0] != 0 {
			t.Fatal("no first state")
		}
		if _, state, err := r.State(r.Steps()); err != nil || state == nil {
			t.Fatal(err)
		}
	})
}

// blocks makes a recording of what says which blocks it has.
func blocks(list []byte) []byte {
	out := bytes.NewBufferString("crowd replay\n\x01\x00\x00\x00")
	for names := []string{"about", "state", "step", "input", "end", "back", ""}; len(list) >= 3; {
		name, n := names[int(list[0])%len(names)], min(int(list[1])|int(list[2])<<8, len(list)-3)
		_ = archive.WriteBlock(out, name, list[3:3+n])
		list = list[3+n:]
	}
	return out.Bytes()
}
