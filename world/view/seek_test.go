package view

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

// walk runs steps like the loop, and returns the hash after each step.
func walk(t *testing.T, s *simulation, until uint64) map[uint64]uint64 {
	t.Helper()
	hashes := map[uint64]uint64{s.world.Clock.Tick: s.world.Hash()}
	for s.world.Clock.Tick < until {
		if s.past != nil {
			s.past.rest = time.Time{} // save again, no matter how long the last save took
		}
		must(t, s.step())
		hashes[s.world.Clock.Tick] = s.world.Hash()
	}
	return hashes
}

// goTo seeks a step, and verifies its hash unless was is nil.
func goTo(t *testing.T, s *simulation, v *viewer, tick uint64, was map[uint64]uint64) {
	t.Helper()
	hearFrom(t, s, v, `{"do":"seek","tick":%d}`, tick)
	for s.seeking {
		must(t, s.step())
	}
	testkit.Equal(t, s.world.Clock.Tick, tick, "tick")
	if got := s.world.Hash(); was != nil && got != was[tick] {
		t.Fatalf("tick %d: hash: got=%016x, want=%016x", tick, got, was[tick])
	}
}

func hearFrom(t *testing.T, s *simulation, v *viewer, format string, args ...any) {
	t.Helper()
	a, err := parse(fmt.Appendf(nil, format, args...))
	must(t, err)
	before := len(v.errors)
	s.do(ask{v, a})
	if len(v.errors) > before {
		t.Fatalf("%s: got=%s, want=no error", a.Do, v.errors[before])
	}
}

// failed verifies that the viewer got one error with the given words, or none if they are empty.
func failed(t *testing.T, v *viewer, words string) {
	t.Helper()
	if text := strings.Join(v.errors, ", "); len(v.errors) != min(len(words), 1) || !strings.Contains(text, words) {
		t.Errorf("errors: got=%q, want=one that contains %q (none if empty)", v.errors, words)
	}
}

func after(hashes map[uint64]uint64, first uint64) map[uint64]uint64 {
	later := maps.Clone(hashes)
	maps.DeleteFunc(later, func(tick, _ uint64) bool { return tick < first })
	return later
}

func TestSeek(t *testing.T) {
	for _, name := range scene.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := simulationOf(t, name, 30)
			s.past.every = 7
			v := onlooker(s)
			was := walk(t, s, 40)
			if n := len(s.past.moments); n < 3 {
				t.Fatalf("moments: got=%d, want 3 or more", n)
			}
			for _, tick := range []uint64{13, 0, 40, 29, 28, 7} {
				goTo(t, s, v, tick, was)
			}
			testkit.Equal(t, maps.Equal(walk(t, s, 40), after(was, 7)), true, "the same hashes from step 7 on")
			later := walk(t, s, 52)
			again := simulationOf(t, name, 30)
			goTo(t, again, onlooker(again), 52, later)
		})
	}
}

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
	testkit.Equal(t, s.scene.Parameters()[0].Value, first, "tick 5: %s", name)
	s.list()
	testkit.Equal(t, s.solids.count, 1, "tick 5: obstacles")
	goTo(t, s, v, 40, was)
	testkit.Equal(t, scene.HeldAt(s.world), nil, "tick 40: the pointer is held")
	testkit.Equal(t, s.scene.Parameters()[0].Value, first/2, "tick 40: %s", name)

	last := func(want uint64, what string) {
		t.Helper()
		testkit.Equal(t, s.timeline().Last, want, "last step %s", what)
	}
	goTo(t, s, v, 10, nil)
	testkit.Equal(t, s.timeline().First, 0, "first step")
	last(40, "after a seek")
	hearFrom(t, s, v, `{"do":"add","at":[200,200],"radius":20}`)
	last(10, "after a change at step 10")
	other := walk(t, s, 40)
	if other[40] == was[40] {
		t.Error("hash of step 40 after a change at step 10: got=the same, want=another")
	}
	goTo(t, s, v, 25, other)
	hearFrom(t, s, v, `{"do":"pointer","at":[10,10]}`)
	last(40, "after the pointer moved between two steps")
	walk(t, s, 26)
	last(26, "after a step with the pointer")
}

func TestPastIsBounded(t *testing.T) {
	s := simulationOf(t, "arrival", 10)
	s.past.every = 1
	v := onlooker(s)
	was := map[uint64]uint64{}
	for tick := range uint64(500) {
		maps.Copy(was, walk(t, s, tick))
	}
	if n := len(s.past.moments); n > mostMoments || n < mostMoments/4 {
		t.Errorf("moments: got=%d, want=%d to %d", n, mostMoments/4, mostMoments)
	}
	for _, tick := range []uint64{0, 499, 333, 1} {
		goTo(t, s, v, tick, was)
	}
	bytes := 0
	for i := range s.past.moments {
		bytes += s.past.moments[i].size
	}
	testkit.Equal(t, s.past.bytes, bytes, "bytes")
}

func TestTooLargeToGoBack(t *testing.T) {
	s := simulationOf(t, "plaza", 100)
	s.past = nil // as for a large crowd
	v := onlooker(s)
	walk(t, s, 3)
	goTo(t, s, v, 5, nil)
	s.do(ask{v, &asked{Do: "seek", Tick: 1}})
	failed(t, v, "too large")
	var r room
	_, err := r.Write(make([]byte, mostBytes))
	testkit.Equal(t, err, errLarge, "a large state")
}
