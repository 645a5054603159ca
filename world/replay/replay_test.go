package replay_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestRun(t *testing.T) {
	r := opened(t, recorded(t, 90, nil))
	if r.CutOff != nil || r.Steps() != 90 || string(r.About) != `{"level":"yard"}` || !slices.Equal(r.Saved(), []int{0, 25, 50, 75}) {
		t.Fatalf("got=%d steps, %s, saved after %v, %v, want=90 steps of the yard, saved after 0, 25, 50, 75, complete", r.Steps(), r.About, r.Saved(), r.CutOff)
	}
	if in := r.Inputs(40); len(in) != 1 || in[0].Name != "door" || string(in[0].Data) != "true" {
		t.Errorf("inputs before step 40: got=%v, want=door, true", in)
	}
	empty := value(world.New(config(3)))
	defer empty.Close()
	must(t, r.Run(t.Context(), empty, apply))
	must(t, r.Run(t.Context(), newGame(t, 40).World, apply))
	for _, step := range []int{0, 24, 25, 60, 89} {
		saved, state, err := r.State(step)
		must(t, err)
		testkit.Equal(t, saved, step/25*25, "step of the last state up to step %d", step)
		w := value(side(nil).Restore(saved, state))
		must(t, r.RunOn(t.Context(), w, saved, r.Steps(), apply))
		w.Close()
	}
	defer func() { testkit.Equal(t, recover(), any("crowd replay: Hash of step 91, want 0 to 90"), "panic") }()
	r.Hash(91)
}

func ignore(*world.World, string, json.RawMessage) error { return nil }

func TestDiverged(t *testing.T) {
	r := opened(t, recorded(t, 60, nil))
	var d *replay.Diverged
	if err := r.Run(t.Context(), newGame(t, 39).World, apply); !errors.As(err, &d) || d.Step != 0 {
		t.Errorf("another world: got=%v, want=*Diverged before the first step", err)
	}
	g := newGame(t, 40)
	err := r.Run(t.Context(), g.World, ignore)
	if !errors.As(err, &d) || d.Step < 40 || d.Want != r.Hash(d.Step) || d.Got != g.Hash() || g.Stats().Steps != d.Step {
		t.Errorf("without the input for the door: got=%v after %d steps, want=*Diverged after step 40 or later", err, g.Stats().Steps)
	}
	if err := r.Run(t.Context(), newGame(t, 40).World, nil); err == nil || err.Error() != "step 40: input door: apply is nil, want a function" {
		t.Errorf("no function: got=%v, want=an error of step 40", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Run(ctx, newGame(t, 40).World, apply); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got=%v, want=%v", err, context.Canceled)
	}
}

func TestCutOff(t *testing.T) {
	data := recorded(t, 30, nil)
	whole := opened(t, data)
	steps := 0
	for n := 0; n < len(data); n += stride(n, len(data)) {
		r, err := replay.Open(bytes.NewReader(data[:n]))
		if err != nil {
			if steps > 0 || !strings.HasPrefix(err.Error(), "crowd replay: ") {
				t.Fatalf("%d bytes: got=%v, want=no error if a step is complete, and otherwise an error that begins with crowd replay:", n, err)
			}
			continue
		}
		if r.CutOff == nil || r.Steps() < steps || r.Steps() > steps+1 || r.Hash(r.Steps()) != whole.Hash(r.Steps()) {
			t.Fatalf("%d bytes: got=%d steps, %v, want=%d or one more, cut off, with the recorded hash", n, r.Steps(), r.CutOff, steps)
		}
		if r.Steps() > steps {
			if steps = r.Steps(); steps%10 == 0 {
				must(t, r.Run(t.Context(), newGame(t, 40).World, apply))
			}
		}
	}
	testkit.Equal(t, steps, 30, "steps")
}

// stride returns the distance to the next byte to test: 1 near both ends of a file, and otherwise 31.
func stride(at, all int) int {
	if at < 500 || at > all-3000 {
		return 1
	}
	return 31
}

func TestChanged(t *testing.T) {
	data := recorded(t, 3, nil)
	for i := 0; i < len(data); i += stride(i, len(data)) {
		changed := bytes.Clone(data)
		changed[i] ^= 0x10
		if _, err := replay.Open(bytes.NewReader(changed)); err == nil { // not mistaken for truncation
			t.Fatalf("byte %d changed: got=nil, want=an error, because every byte is checked", i)
		}
	}
}

func TestKilled(t *testing.T) {
	var out bytes.Buffer
	g := newGame(t, 5)
	rec := value(replay.NewRecorder(&out, g.World, replay.Options{}))
	for step := range 3 {
		must(t, rec.Input("door", false))
		if r := opened(t, out.Bytes()); r.Steps() != step || len(r.Inputs(step+1)) != 1 {
			t.Errorf("got=%d steps, inputs %v before the next step, want=%d steps and one input", r.Steps(), r.Inputs(step+1), step)
		}
		must(t, rec.Step())
	}
}

// full is a writer with space for the given number of bytes.
type full int

func (f *full) Write(b []byte) (int, error) {
	if *f -= full(len(b)); *f < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestRefused(t *testing.T) {
	g := newGame(t, 5)
	for _, o := range []replay.Options{{SaveEvery: -1}, {About: func() {}}} {
		if _, err := replay.NewRecorder(io.Discard, g.World, o); err == nil {
			t.Errorf("%+v: got=nil, want=an error, because SaveEvery is below 0, or JSON cannot represent About", o)
		}
	}
	room := full(1 << 20)
	rec := value(replay.NewRecorder(&room, g.World, replay.Options{}))
	room = 10
	if err := rec.Step(); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("no room: got=%v, want=%v", err, io.ErrShortWrite)
	}
	if err := rec.Input("x", make(chan int)); err == nil {
		t.Error("input that JSON cannot represent: got=nil, want=an error")
	}
	var out bytes.Buffer
	rec = value(replay.NewRecorder(&out, g.World, replay.Options{}))
	must(t, errors.Join(rec.Step(), rec.Close(), rec.Close()))
	if rec.Step() == nil || rec.Stepped() == nil || rec.Input("x", 1) == nil {
		t.Error("closed recorder: got=no error of Step, Stepped or Input, want=an error of each")
	}
	if r, err := replay.Open(bytes.NewReader(out.Bytes())); err != nil || r.CutOff != nil || r.Steps() != 1 {
		t.Errorf("closed twice: got=%+v, %v, want=a complete recording of 1 step", r, err)
	}
	for text, want := range map[string]string{
		"":                                   `crowd replay: not a recording: begins with "", want "crowd replay\n" and a version`,
		"crowd replay\n\x02\x00\x00\x00":     "crowd replay: byte 13: version is 2, want 1",
		"crowd replay\n\x01\x00\x00\x00":     "crowd replay: recording is cut off after byte 17, before the first state",
		"crowd replay\n\x01\x00\x00\x00\xff": "crowd replay: recording is cut off after byte 17, before the first state",
	} {
		_, err := replay.Open(strings.NewReader(text))
		testkit.Equal(t, fmt.Sprint(err), want, "%q", text)
	}
}

func TestCompare(t *testing.T) {
	plain := opened(t, recorded(t, 90, nil))
	if p, err := replay.Compare(t.Context(), side(plain), side(opened(t, recorded(t, 70, nil)))); p != nil || err != nil {
		t.Errorf("the same: got=%+v, %v, want=nil", p, err)
	}
	pulled := opened(t, recorded(t, 90, map[int]gain{61: {17, 5}, 80: {3, 1}}))
	p, err := replay.Compare(t.Context(), side(plain), side(pulled))
	if err != nil || p == nil {
		t.Fatalf("another gain: got=%v, %v, want=a Parting", p, err)
	}
	if p.Step != 61 || p.InputStep != 61 || len(p.Inputs[0]) != 0 || len(p.Inputs[1]) != 1 || p.Earlier != nil || p.Unrepeated != [2]error{} {
		t.Errorf("got=%+v, want=step 61 with an input on the second side, no earlier difference, both repeated", p)
	}
	if d := p.Difference; d == nil || d.Agent != 17 || d.Fields[0] != (replay.Field{Component: "Arrival", Field: "Gain", A: "2", B: "5"}) {
		t.Fatalf("difference: got=%+v, want=agent 17, Arrival.Gain 2 and 5", p.Difference)
	}
	gains := [2]float64{}
	for i, x := range p.Forces {
		for _, s := range x.Shares {
			if s.Behavior == "Arrival" {
				gains[i] = s.Force.Gain
			}
		}
	}
	testkit.Equal(t, gains, [2]float64{2, 5}, "gains in the step")
}

func TestCompareLive(t *testing.T) {
	plain := opened(t, recorded(t, 60, nil))
	live := side(nil)
	if p, err := replay.Compare(t.Context(), side(plain), live); p != nil || err != nil {
		t.Errorf("the same: got=%+v, %v, want=nil", p, err)
	}
	restore := live.Restore
	live.Restore = func(step int, state io.Reader) (*world.World, error) {
		w, err := restore(step, state)
		if err != nil {
			return nil, err
		}
		return w, apply(w, "gain", []byte(`{"Agent": 9, "Gain": 2.5}`))
	}
	for _, swapped := range []bool{false, true} {
		a, b, want := side(plain), live, replay.Field{Component: "Arrival", Field: "Gain", A: "2", B: "2.5"}
		if swapped {
			a, b, want.A, want.B = b, a, want.B, want.A
		}
		p, err := replay.Compare(t.Context(), a, b)
		if err != nil || p == nil {
			t.Fatalf("another gain, swapped=%v: got=%v, %v, want=a Parting", swapped, p, err)
		}
		if p.Step != 1 || p.Earlier == nil || p.Earlier.Agent != 9 || !reflect.DeepEqual(p.Earlier.Fields, []replay.Field{want}) {
			t.Errorf("got=%+v, earlier %+v, want=step 1, and earlier agent 9, %+v", p, p.Earlier, want)
		}
		if d := p.Difference; d == nil || d.Agent != 9 || len(d.Fields) < 3 || d.Fields[0] != want || p.Forces[0].ID != 9 || p.Forces[1].ID != 9 {
			t.Errorf("got=%+v, difference %+v, want=agent 9 with 3 fields or more, %+v first, and its forces", p, p.Difference, want)
		}
	}
	if _, err := replay.Compare(t.Context(), live, live); err == nil {
		t.Error("no recording: got=nil, want=an error")
	}
}

func TestUnrepeated(t *testing.T) {
	a, b := side(opened(t, recorded(t, 60, nil))), side(opened(t, recorded(t, 60, map[int]gain{30: {17, 5}, 50: {1, 1}})))
	b.Apply = ignore
	p, err := replay.Compare(t.Context(), a, b)
	if err != nil || p == nil || p.Step != 30 || p.Unrepeated[0] != nil || p.Unrepeated[1] == nil {
		t.Errorf("got=%+v, %v, want=step 30, and Unrepeated of the second side only", p, err)
	}
}

func TestBack(t *testing.T) {
	g := newGame(t, 20)
	var out, state bytes.Buffer
	rec := value(replay.NewRecorder(&out, g.World, replay.Options{SaveEvery: 4}))
	do := func(w *world.World, open bool) {
		t.Helper()
		must(t, rec.Input("door", open))
		must(t, apply(w, "door", []byte(fmt.Sprint(open))))
	}
	for step := range 10 {
		if step == 6 {
			must(t, g.Save(&state))
			do(g.World, true)
		}
		must(t, rec.Step())
	}
	back := func() *world.World {
		t.Helper()
		w, err := side(nil).Restore(6, bytes.NewReader(state.Bytes()))
		must(t, err)
		t.Cleanup(w.Close)
		must(t, rec.Back(w, 6))
		return w
	}
	back()
	w := back()
	for step := range 3 {
		if step == 1 {
			do(w, true)
		}
		must(t, rec.Step())
	}
	testkit.Equal(t, fmt.Sprint(rec.Back(w, 10)), "crowd replay: back to step 10, want 0 to 9", "back to a future step")
	must(t, rec.Close())
	r := opened(t, out.Bytes())
	if r.Steps() != 9 || r.Hash(9) != w.Hash() || len(r.Inputs(7)) != 0 || len(r.Inputs(8)) != 1 || !slices.Equal(r.Saved(), []int{0, 4, 8}) {
		t.Errorf("got=%d steps, inputs %v and %v, saved after %v, want=9 steps, none and one, 0, 4, 8", r.Steps(), r.Inputs(7), r.Inputs(8), r.Saved())
	}
	_, initial, err := r.State(0)
	must(t, err)
	again, err := side(nil).Restore(0, initial)
	must(t, err)
	defer again.Close()
	must(t, r.RunOn(t.Context(), again, 0, r.Steps(), apply))
	if err := rec.Back(w, 1); err == nil {
		t.Error("Back after Close: got=nil, want=an error, because the recorder is closed")
	}
}

var must = testkit.Must

func value[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// game is a small game: agents wander and walk to a target behind a door.
type game struct {
	*world.World
	door ecs.Entity
}

func config(workers int) world.Config {
	config := world.Default()
	config.Dt, config.Workers, config.Seed = 0.1, workers, 7
	return config
}

func newGame(t testing.TB, agents int) *game {
	t.Helper()
	w := value(world.New(config(1)))
	t.Cleanup(w.Close)
	g := &game{World: w}
	g.door = value(w.AddDoor(r2.Vec{X: 10, Y: -30}, r2.Vec{X: 10, Y: 30}, 0.1, c.Door{}))
	person := []any{
		c.Target{Vec: r2.Vec{X: 20}}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Wander{Gain: 1, Distance: 2, Radius: 1, Rate: 1},
		c.Limits{MaxSpeed: 1.4, MaxForce: 6}, c.Separation{Gain: 1, NeighborDist: 2}, c.Radius{Meters: 0.2}, c.Solid{Push: 1},
	}
	must(t, w.Spawn(agents, person, func(r *world.Rows) {
		at := world.Column[c.Position](r)
		for i := range at {
			at[i].Vec = r2.Vec{X: float64(i % 8), Y: float64(i / 8)}
		}
	}))
	return g
}

// gain is an input that changes the gain of an agent's Arrival.
type gain struct {
	Agent uint64
	Gain  float64
}

func apply(w *world.World, name string, data json.RawMessage) error {
	switch name {
	case "door":
		var open bool
		if err := json.Unmarshal(data, &open); err != nil {
			return err
		}
		w.Inspect().EachObstacle(func(o world.ObstacleShape) {
			if o.Door != nil {
				_ = w.SetDoor(o.Entity, open)
			}
		})
		return nil
	case "gain":
		var in gain
		if err := json.Unmarshal(data, &in); err != nil {
			return err
		}
		e, _ := w.Entity(in.Agent)
		(*c.Arrival)(w.ECS.Get(e, ecs.ComponentID[c.Arrival](w.ECS))).Gain = in.Gain
		return nil
	}
	return fmt.Errorf("unknown input")
}

// recorded returns a recording of a game whose door opens before step 40, with the inputs in more, by step.
func recorded(t testing.TB, steps int, more map[int]gain) []byte {
	t.Helper()
	var out bytes.Buffer
	g := newGame(t, 40)
	rec := value(replay.NewRecorder(&out, g.World, replay.Options{About: map[string]string{"level": "yard"}, SaveEvery: 25}))
	input := func(name string, value any) {
		must(t, rec.Input(name, value))
		data, _ := json.Marshal(value)
		must(t, apply(g.World, name, data))
	}
	for step := 1; step <= steps; step++ {
		if step == 40 {
			input("door", true)
		}
		if in, ok := more[step]; ok {
			input("gain", in)
		}
		must(t, rec.Step())
	}
	must(t, rec.Close())
	return out.Bytes()
}

func opened(t testing.TB, data []byte) *replay.Recording {
	t.Helper()
	return value(replay.Open(bytes.NewReader(data)))
}

func side(r *replay.Recording) replay.Side {
	return replay.Side{Recording: r, Apply: apply, Restore: func(_ int, state io.Reader) (*world.World, error) {
		w, err := world.New(config(2))
		if err != nil {
			return nil, err
		}
		_, err = w.Restore(state)
		return w, err
	}}
}

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

// TestPage verifies that the Go blocks of docs/replay.md come from the examples.
func TestPage(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile(file)
		must(t, err)
		return string(text)
	}
	known := strings.Split(read("example_test.go")+read("lockstep_test.go"), "\n")
	blocks := 0
	for i, block := range strings.Split(read("../../docs/replay.md"), "```") {
		code, isGo := strings.CutPrefix(block, "go\n")
		if i%2 == 0 || !isGo {
			continue
		}
		blocks++
		for line := range strings.SplitSeq(code, "\n") {
			if !slices.Contains(known, line) {
				t.Errorf("line of docs/replay.md: got=%q, want=a line of the examples", line)
			}
		}
	}
	if blocks < 6 {
		t.Errorf("got=%d blocks of code, want=6 or more", blocks)
	}
}
