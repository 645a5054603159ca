package view

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/coder/websocket"
)

// TestSilentConnections verifies that a newcomer gets in at once, however many have
// come before and say nothing: none of them is near the end of its time.
func TestSilentConnections(t *testing.T) {
	s := serve(t, "flee", 0, nil)
	var silent []*client
	for range maxViewers {
		silent = append(silent, connect(t, s))
		silent[len(silent)-1].until("hello", nil)
	}
	for range 32 {
		conn, err := s.listener.(*testkit.Listener).Dial(t.Context(), "", "")
		must(t, err)
		defer conn.Close()
	}
	newcomer := connect(t, s)
	newcomer.until("scene", nil)
	newcomer.after(newcomer.look().step)
	silent[0].gone() // who has been silent for longest
	for _, c := range silent[1:] {
		c.look() // the others are still there, and from now on not silent
	}

	late, err := dial(s)
	must(t, err)
	defer late.CloseNow()
	c := &client{t: t, conn: late}
	if got := websocket.CloseStatus(c.gone()); got != websocket.StatusTryAgainLater {
		t.Errorf("a newcomer while all viewers look on: got=%v, want=%v", got, websocket.StatusTryAgainLater)
	}
	newcomer.after(newcomer.last.step)
}

// TestSilentViewersGo verifies how long a viewer may say nothing at all, and how long
// one that spoke may not answer, by the clock of a bubble.
func TestSilentViewersGo(t *testing.T) {
	d := delays{}.or(0)
	for name, tc := range map[string]struct {
		speaks, reads, answers bool
		want                   time.Duration // 0: stays
	}{
		"silent":         {false, true, true, d.speak},
		"does not read":  {true, false, false, d.take},
		"answers no one": {true, true, false, d.rest + d.take},
		"patient":        {true, true, true, 0},
		"dead":           {false, false, false, d.take},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := serve(t, "flee", 0, piped)
			conn, _, err := websocket.Dial(context.Background(), "ws://127.0.0.1:1/live", &websocket.DialOptions{
				HTTPClient: web(s), OnPingReceived: func(context.Context, []byte) bool { return tc.answers },
			})
			must(t, err)
			defer conn.CloseNow()
			start := time.Now()
			if tc.speaks {
				conn.Write(context.Background(), websocket.MessageText, []byte(`{"do":"select"}`))
			}
			if tc.reads {
				go func() {
					for {
						if _, _, err := conn.Read(context.Background()); err != nil {
							return
						}
					}
				}()
			}
			viewers := func() int { return s.sim.each(func(*viewer) {}) }
			for time.Since(start) < 10*time.Minute && viewers() == 1 {
				time.Sleep(100 * time.Millisecond)
			}
			took := time.Since(start)
			switch {
			case tc.want == 0 && viewers() != 1:
				t.Errorf("%s: gone after %v, want it to stay", name, took)
			case tc.want != 0 && took > tc.want+time.Second:
				t.Errorf("%s: gone after %v, want %v", name, took, tc.want)
			}
		})
	}
}

// piped lets a server listen at pipes, with the usual delays.
func piped(o *setup) {
	o.Scenes.Options.Workers, o.delays = 1, delays{}
	o.listener = testkit.NewListener()
}

// web returns what connects to a server, by pipes if it listens at some.
func web(s *server) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true}
	if p, ok := s.listener.(*testkit.Listener); ok {
		transport.DialContext = p.Dial
	}
	return &http.Client{Transport: transport}
}

// TestBusySimulation verifies that a viewer is heard while a step takes long: what it
// asks again and again waits once, and too much is refused, which is its own loss.
func TestBusySimulation(t *testing.T) {
	s := simulationOf(t, "seek", 0) // does not run
	v, other := onlooker(s), onlooker(s)
	hear := func(v *viewer, format string, args ...any) {
		t.Helper()
		must(t, v.hear(fmt.Appendf(nil, format, args...)))
	}
	hear(v, `{"do":"pause","on":true}`)
	for i := range 200 {
		hear(v, `{"do":"pointer","at":[%d,5]}`, i)
	}
	if n := len(s.queue.all); n != 2 {
		t.Errorf("where the pointer was: %d things wait, want 2", n)
	}
	for range mostAsks + 3 {
		hear(v, `{"do":"step","n":1}`)
	}
	if n := len(s.queue.all); n != mostAsks {
		t.Errorf("waiting: got=%d, want=%d", n, mostAsks)
	}
	if n := len(v.errors); n != 5 || v.errors[0] != errBusy.Error() {
		t.Errorf("got %d errors, %q, want 5", n, v.errors)
	}
	hear(other, `{"do":"pace","x":2}`)
	if n := len(s.queue.all); n != mostAsks+1 || len(other.errors) != 0 {
		t.Errorf("the other's does not wait: got=%d %q", n, other.errors)
	}
	for s.queue.waits() {
		s.doAll()
	}
	if s.point.X != 199 || s.owed != mostAsks-2 || s.pace != 2 {
		t.Errorf("done: got pointer %v, %d steps, pace %v, want 199, %d and 2", s.point, s.owed, s.pace, mostAsks-2)
	}
}

const asksMuch = `{"do":"next","view":[0,0,480,480],"pixels":[4000,4000],"color":"speed","layers":["targets"]}`

// TestStalledViewers verifies that viewers that ask and do not listen cost the others
// neither a step nor a frame, and that they are sent away.
func TestStalledViewers(t *testing.T) { synctest.Test(t, testStalledViewers) }

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
