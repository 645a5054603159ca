package view

import (
	"runtime"
	"testing"
	"time"

	"github.com/coder/websocket"
)

const asksMuch = `{"do":"next","view":[0,0,480,480],"pixels":[4000,4000],"color":"speed","layers":["targets"]}`

// TestStalledViewers holds that viewers that ask and do not listen cost the others
// neither a step nor a frame, and that they are sent away.
func TestStalledViewers(t *testing.T) { bubble(t, testStalledViewers) }

func testStalledViewers(t *testing.T) {
	const seconds = 10
	s := serve(t, "flee", 0, func(o *setup) {
		piped(o)
		o.delays.take = 2 * seconds * time.Second
	})
	good := connect(t, s)
	watch := func() (steps float64, frames int) {
		start, first := time.Now(), good.look().step
		for time.Since(start) < seconds*time.Second {
			good.look()
			frames++
		}
		return good.last.step - first, frames
	}
	steps, frames := watch()
	for range maxViewers - 1 {
		connect(t, s).say(asksMuch) // and never reads
	}
	slowSteps, slowFrames := watch()
	t.Logf("in %d s: %v steps and %d frames alone, %v and %d beside %d who do not listen", seconds, steps, frames, slowSteps, slowFrames, maxViewers-1)
	if want := seconds * 60.; steps < want-2 || slowSteps < want-2 || slowFrames < frames-2 {
		t.Errorf("got=%v steps and %d frames, then %v and %d, want=%v steps, and as many frames", steps, frames, slowSteps, slowFrames, want)
	}
	if n := s.sim.each(func(*viewer) {}); n != maxViewers {
		t.Errorf("viewers: got=%d, want=%d: those who do not listen are still there", n, maxViewers)
	}
	for range 2 {
		watch()
	}
	if n := s.sim.each(func(*viewer) {}); n != 1 {
		t.Errorf("viewers: got=%d, want=1: the good one", n)
	}
}

// TestViewersComeAndGo holds that viewers that stall or vanish, on a real network,
// do not keep the others from their frames, and fill no memory.
func TestViewersComeAndGo(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	s := serve(t, "plaza", 20_000, func(o *setup) { o.delays.take = 500 * time.Millisecond })
	good, stalled := connect(t, s), connect(t, s)
	ask := func(c *client) { // one that was sent away may fail
		c.send(websocket.MessageText, []byte(asksMuch))
	}
	good.after(good.look().step)
	used := memory()
	for range rounds {
		for range 10 {
			ask(stalled)
		}
		gone := connect(t, s)
		ask(gone)
		gone.conn.CloseNow()
		good.after(good.last.step)
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
