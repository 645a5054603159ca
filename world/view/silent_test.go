package view

import (
	"context"
	"testing"
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
		bubble(t, func(t *testing.T) {
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
