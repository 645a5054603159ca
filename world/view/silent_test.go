package view

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/coder/websocket"
)

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
	newcomer.after(newcomer.look().Step)
	silent[0].gone()
	for _, c := range silent[1:] {
		c.look() // the viewer is no longer silent
	}

	late, err := dial(s)
	must(t, err)
	defer late.CloseNow()
	status := websocket.CloseStatus((&client{t: t, conn: late}).gone())
	testkit.Equal(t, status, websocket.StatusTryAgainLater, "status of one viewer too many")
	newcomer.after(newcomer.last.Step)
}

func TestSilentViewersGo(t *testing.T) {
	d := delays{}.or(0)
	for name, tc := range map[string]struct {
		speaks, reads, answers bool
		want                   time.Duration // 0 means that the viewer stays connected
	}{
		"silent":        {false, true, true, d.speak},
		"does not read": {true, false, false, d.take},
		"no pong":       {true, true, false, d.rest + d.take},
		"patient":       {true, true, true, 0},
		"dead":          {false, false, false, d.take},
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
					for err := error(nil); err == nil; {
						_, _, err = conn.Read(context.Background())
					}
				}()
			}
			for time.Since(start) < 10*time.Minute && s.viewers() == 1 {
				time.Sleep(100 * time.Millisecond)
			}
			took := time.Since(start)
			switch {
			case tc.want == 0 && s.viewers() != 1, tc.want != 0 && took > tc.want+time.Second:
				t.Errorf("%s: disconnected: got=after %v, want=after %v (0s means never)", name, took, tc.want)
			}
		})
	}
}

func (s *server) viewers() int { return s.sim.each(func(*viewer) {}) }

// piped makes a server listen on pipes, with the default timeouts.
func piped(o *setup) {
	o.Scenes.Options.Workers, o.delays = 1, delays{}
	o.listener = testkit.NewListener()
}

func web(s *server) *http.Client {
	transport := &http.Transport{DisableKeepAlives: true}
	if p, ok := s.listener.(*testkit.Listener); ok {
		transport.DialContext = p.Dial
	}
	return &http.Client{Transport: transport}
}

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
	testkit.Equal(t, len(s.queue.all), 2, "requests: pause, pointer")
	for range mostAsks + 3 {
		hear(v, `{"do":"step","n":1}`)
	}
	testkit.Equal(t, len(s.queue.all), mostAsks, "requests")
	testkit.Equal(t, strings.Join(v.errors, "\n")+"\n", strings.Repeat(errBusy.Error()+"\n", 5), "errors")
	hear(other, `{"do":"pace","x":2}`)
	for _, id := range []int{7, 7, 8} {
		hear(other, `{"do":"move","id":%d,"to":[1,1]}`, id)
	}
	testkit.Equal(t, len(s.queue.all), mostAsks+3, "requests, three of them from another viewer")
	for s.queue.waits() {
		s.doAll()
	}
	testkit.Equal(t, [3]float64{s.point.X, float64(s.owed), s.pace}, [3]float64{199, mostAsks - 2, 2}, "pointer, steps, pace")
}

const asksMuch = `{"do":"next","view":[0,0,480,480],"pixels":[4000,4000],"color":"speed","layers":["targets"]}`

func TestStalledViewers(t *testing.T) { synctest.Test(t, testStalledViewers) }

func testStalledViewers(t *testing.T) {
	const seconds = 10
	s := serve(t, "flee", 0, func(o *setup) {
		piped(o)
		o.delays.take = 2 * seconds * time.Second
	})
	good := connect(t, s)
	watch := func() (steps float64, frames int) {
		start, first := time.Now(), good.look().Step
		for time.Since(start) < seconds*time.Second {
			good.look()
			frames++
		}
		return good.last.Step - first, frames
	}
	steps, frames := watch()
	for range maxViewers - 1 {
		connect(t, s).say(asksMuch) // and never read
	}
	slowSteps, slowFrames := watch()
	if want := seconds * 60.; steps < want-2 || slowSteps < want-2 || slowFrames < frames-2 {
		t.Errorf("got=%v steps and %d frames alone, %v and %d with stalled viewers, want=%v steps, and as many frames", steps, frames, slowSteps, slowFrames, want)
	}
	testkit.Equal(t, s.viewers(), maxViewers, "viewers")
	for range 2 {
		watch()
	}
	testkit.Equal(t, s.viewers(), 1, "viewers after the timeout")
}
