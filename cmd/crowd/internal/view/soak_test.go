package view

import (
	"runtime"
	"testing"
	"time"
)

// TestStalledViewers holds that viewers that ask and do not listen, and viewers
// that vanish, neither slow the simulation for others nor fill memory.
func TestStalledViewers(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	s := serve(t, "plaza", 20_000, nil)
	good := connect(t, s)
	stalled := connect(t, s)
	watch := func() float64 {
		start, first := time.Now(), good.look().step
		for time.Since(start) < 300*time.Millisecond {
			good.look()
		}
		return (good.last.step - first) / time.Since(start).Seconds()
	}
	ask := func(c *client) {
		c.say(`{"do":"next","view":[0,0,480,480],"pixels":[4000,4000],"colour":"speed","layers":["targets"]}`)
	}
	before := watch()
	used := memory()
	for range rounds {
		for range 10 {
			ask(stalled)
		}
		gone := connect(t, s)
		ask(gone)
		gone.conn.CloseNow()
		watch()
	}
	after := watch()
	t.Logf("steps a second: %.0f before, %.0f with a stalled and %d vanished viewers", before, after, rounds)
	if grown := memory() - used; grown > 32<<20 {
		t.Errorf("memory grew by %d MiB, want it flat", grown>>20)
	}
	for range 100 {
		if n := s.sim.each(func(*viewer) {}); n == 2 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if n := s.sim.each(func(*viewer) {}); n != 2 {
		t.Errorf("viewers: got=%d, want=2: the good one and the stalled one", n)
	}
}

func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
