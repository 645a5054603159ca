package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// walk does steps as the loop does, until so many are done, and returns the hash after each.
func walk(t *testing.T, s *simulation, until uint64) map[uint64]uint64 {
	t.Helper()
	hashes := map[uint64]uint64{s.world.Clock.Tick: s.world.Hash()}
	for s.world.Clock.Tick < until {
		if s.past != nil {
			s.past.rest = time.Time{} // however long saving takes
		}
		must(t, s.step())
		hashes[s.world.Clock.Tick] = s.world.Hash()
	}
	return hashes
}

// goTo goes to a step, and checks that it is the one that ran before.
func goTo(t *testing.T, s *simulation, v *viewer, tick uint64, was map[uint64]uint64) {
	t.Helper()
	hearFrom(t, s, v, `{"do":"seek","tick":%d}`, tick)
	for s.seeking {
		must(t, s.step())
	}
	if got := s.world.Clock.Tick; got != tick {
		t.Fatalf("tick: got=%d, want=%d", got, tick)
	}
	if got := s.world.Hash(); was != nil && got != was[tick] {
		t.Fatalf("tick %d: hash: got=%016x, want=%016x", tick, got, was[tick])
	}
}

// hearFrom does what a viewer asks for.
func hearFrom(t *testing.T, s *simulation, v *viewer, format string, args ...any) {
	t.Helper()
	a, err := parse(fmt.Appendf(nil, format, args...))
	must(t, err)
	before := len(v.errors)
	s.do(ask{v, a})
	if len(v.errors) > before {
		t.Fatalf("%s: %s", a.Do, v.errors[before])
	}
}

// TestSeek verifies that every step of a scene that ran can be shown again with the same bits, that it goes
// on from there with the same bits too, and through steps that were never shown.
func TestSeek(t *testing.T) {
	for _, name := range scene.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := simulationOf(t, name, 30)
			s.past.every = 7
			v := onlooker(s)
			was := walk(t, s, 60)
			if n := len(s.past.moments); n < 3 {
				t.Fatalf("moments: got=%d, want 3 or more", n)
			}
			for _, tick := range []uint64{13, 0, 60, 41, 40, 7} {
				goTo(t, s, v, tick, was)
			}
			for tick, hash := range walk(t, s, 60) {
				if hash != was[tick] {
					t.Fatalf("tick %d, on from 7: hash: got=%016x, want=%016x", tick, hash, was[tick])
				}
			}
			later := walk(t, s, 80)
			again := simulationOf(t, name, 30)
			goTo(t, again, onlooker(again), 80, later)
		})
	}
}

// TestSeekByHand verifies that what was done by hand is done again at its step, and that what is done by
// hand at an earlier step takes the place of all that came after.
func TestSeekByHand(t *testing.T) {
	s := simulationOf(t, "seek", 20)
	s.past.every = 13
	v := onlooker(s)
	was := map[uint64]uint64{}
	at := func(tick uint64, format string, args ...any) {
		t.Helper()
		maps.Copy(was, walk(t, s, tick))
		hearFrom(t, s, v, format, args...)
		was[tick] = s.world.Hash()
	}
	name := s.scene.Parameters()[0].Name
	first := s.scene.Parameters()[0].Value
	at(4, `{"do":"add","at":[300,300],"radius":20}`)
	s.list()
	var id uint32
	for id = range s.solids.byID {
	}
	at(9, `{"do":"pointer","at":[100,50]}`)
	at(12, `{"do":"move","id":%d,"to":[320,300]}`, id)
	at(12, `{"do":"move","id":%d,"to":[340,300]}`, id)
	at(15, `{"do":"set","name":%q,"value":%v}`, name, first/2)
	at(18, `{"do":"pointer"}`)
	at(21, `{"do":"goal","at":[10,10]}`)
	at(22, `{"do":"remove","id":%d}`, id)
	maps.Copy(was, walk(t, s, 40))
	for _, tick := range []uint64{11, 40, 22, 30, 16, 38, 5} {
		goTo(t, s, v, tick, was)
	}
	if got := s.scene.Parameters()[0].Value; got != first {
		t.Errorf("tick 5: %s: got=%v, want=%v, as it was then", name, got, first)
	}
	if s.list(); s.solids.count != 1 {
		t.Errorf("tick 5: obstacles: got=%d, want=1", s.solids.count)
	}
	goTo(t, s, v, 40, was)
	if at := scene.HeldAt(s.world); at != nil {
		t.Errorf("tick 40: the pointer is held at %v, want it released", *at)
	}
	if got := s.scene.Parameters()[0].Value; got != first/2 {
		t.Errorf("tick 40: %s: got=%v, want=%v", name, got, first/2)
	}

	goTo(t, s, v, 10, nil)
	if got := s.timeline(); got.First != 0 || got.Last != 40 {
		t.Errorf("timeline: got=%+v, want 0 to 40", got)
	}
	hearFrom(t, s, v, `{"do":"add","at":[200,200],"radius":20}`)
	if got := s.timeline(); got.Last != 10 {
		t.Errorf("timeline after a change at step 10: got=%+v, want it to end there", got)
	}
	other := walk(t, s, 40)
	if other[40] == was[40] {
		t.Error("the change at step 10 makes no difference")
	}
	goTo(t, s, v, 25, other)
	hearFrom(t, s, v, `{"do":"pointer","at":[10,10]}`) // of one who leads, when it goes on
	if got := s.timeline(); got.Last != 40 {
		t.Errorf("timeline after the pointer moved while nothing did: got=%+v", got)
	}
	walk(t, s, 26)
	if got := s.timeline(); got.Last != 26 {
		t.Errorf("timeline after the pointer was led: got=%+v, want it to end at 26", got)
	}
}

// TestPastIsBounded verifies that many moments are thinned out, and that what remains is enough.
func TestPastIsBounded(t *testing.T) {
	s := simulationOf(t, "arrival", 10)
	s.past.every = 1
	v := onlooker(s)
	was := map[uint64]uint64{}
	for tick := range uint64(500) {
		maps.Copy(was, walk(t, s, tick))
	}
	if n := len(s.past.moments); n > mostMoments || n < mostMoments/4 {
		t.Errorf("moments: got=%d, want at most %d", n, mostMoments)
	}
	for _, tick := range []uint64{0, 499, 333, 1} {
		goTo(t, s, v, tick, was)
	}
	bytes := 0
	for i := range s.past.moments {
		bytes += s.past.moments[i].size
	}
	if bytes != s.past.bytes {
		t.Errorf("bytes: got=%d, want=%d", s.past.bytes, bytes)
	}
}

// TestTooLargeToGoBack verifies that a crowd whose state takes too much room runs, and says that it cannot go back.
func TestTooLargeToGoBack(t *testing.T) {
	s := simulationOf(t, "plaza", 100)
	s.past = nil // as of a crowd whose state was refused
	v := onlooker(s)
	walk(t, s, 3)
	goTo(t, s, v, 5, nil)
	s.do(ask{v, &asked{Do: "seek", Tick: 1}})
	if len(v.errors) != 1 || !strings.Contains(v.errors[0], "too large") {
		t.Errorf("errors: got=%q", v.errors)
	}
	var r room
	if _, err := r.Write(make([]byte, mostBytes)); err != errLarge {
		t.Errorf("a large state: got=%v, want=%v", err, errLarge)
	}
}

// TestSeekByProtocol goes back and forth as a viewer does, while the crowd runs.
func TestSeekByProtocol(t *testing.T) {
	s := serve(t, "arrival", 0, nil)
	c := connect(t, s)
	c.until("scene", func() bool { return slices.Contains(c.text["scene"]["can"].([]any), any("seek")) })
	c.after(70)
	c.say(`{"do":"pause","on":true}`)
	c.until("stats", func() bool { return c.text["stats"]["paused"] == true })
	last := c.text["stats"]["timeline"].(map[string]any)["last"].(float64)
	at := c.look()
	for at.step != last {
		at = c.look()
	}
	before := append([]r2.Vec{}, at.pos...)
	c.say(`{"do":"seek","tick":5}`)
	for c.look().step != 5 {
	}
	if slices.Equal(before, c.last.pos) {
		t.Error("none is elsewhere")
	}
	c.say(`{"do":"seek","tick":%v}`, last)
	for c.look().step != last {
	}
	if !slices.Equal(before, c.last.pos) {
		t.Errorf("step %v: agents are elsewhere than before", last)
	}
	for _, wrong := range []string{`{"do":"seek","tick":-1}`, `{"do":"seek","tick":1.5}`, `{"do":"seek","tick":1e10}`} {
		c.say("%s", wrong)
		c.until("error", func() bool { return strings.Contains(fmt.Sprint(c.text["error"]["text"]), "tick is") })
	}
}

// TestNoTimelineOfAHost verifies that no viewer goes back in a world of the host.
func TestNoTimelineOfAHost(t *testing.T) {
	sc := named(t, "arrival")
	w, err := sc.Build(scene.Options{})
	must(t, err)
	defer w.Close()
	live := New(w, Options{Scene: sc})
	defer live.Close()
	must(t, live.Step())
	if s := live.sim; s.timeline() != nil || s.allows(canSeek) {
		t.Error("it can be sought")
	}
}
