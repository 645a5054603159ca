package view

import (
	"testing"
	"time"
)

const asksMuch = `{"do":"next","view":[0,0,480,480],"pixels":[4000,4000],"color":"speed","layers":["targets"]}`

// TestStalledViewers verifies that viewers that ask and do not listen cost the others
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
