package view

import (
	"runtime"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestStalledViewers holds that viewers that ask and do not listen, and viewers
// that vanish, neither slow the simulation for others nor fill memory, and that
// they are sent away.
func TestStalledViewers(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	s := serve(t, "plaza", 20_000, func(o *Options) { o.writeWithin = 500 * time.Millisecond })
	good, stalled := connect(t, s), connect(t, s)
	watch := func() float64 {
		start, first := time.Now(), good.look().step
		for time.Since(start) < 200*time.Millisecond {
			good.look()
		}
		return (good.last.step - first) / time.Since(start).Seconds()
	}
	ask := func(c *client) { // one that was sent away may fail
		c.conn.Write(c.ctx, websocket.MessageText,
			[]byte(`{"do":"next","view":[0,0,480,480],"pixels":[4000,4000],"colour":"speed","layers":["targets"]}`))
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
	if after < before/3 {
		t.Errorf("steps a second: got=%.0f, %.0f before the others came", after, before)
	}
	if grown := memory() - used; grown > 32<<20 {
		t.Errorf("memory grew by %d MiB, want it flat", grown>>20)
	}
	viewers := func() int { return s.sim.each(func(*viewer) {}) }
	for end := time.Now().Add(patience); viewers() > 1 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ask(stalled) // until the network holds no more
	}
	if n := viewers(); n != 1 {
		t.Errorf("viewers: got=%d, want=1: the good one", n)
	}
}

func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
