//go:build e2e

package view

import (
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/coder/websocket"
)

// TestViewersComeAndGo uses a real network, unlike TestStalledViewers.
func TestViewersComeAndGo(t *testing.T) {
	const rounds = 8
	at, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := serve(t, "plaza", 20_000, func(o *setup) { o.listener, o.delays.take = at, 5*time.Second })
	good, stalled := connect(t, s), connect(t, s)
	ask := func(c *client) { // may fail after a disconnect
		c.send(websocket.MessageText, []byte(asksMuch))
	}
	good.after(good.look().Step)
	used := memory()
	for range rounds {
		for range 10 {
			ask(stalled)
		}
		gone := connect(t, s)
		ask(gone)
		gone.conn.CloseNow()
		good.after(good.last.Step)
	}
	if grown := memory() - used; grown > 32<<20 {
		t.Errorf("growth of memory: got=%d MiB, want=32 or less", grown>>20)
	}
	for end := time.Now().Add(patience); s.viewers() > 1 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ask(stalled) // fill the buffers of the network
	}
	testkit.Equal(t, s.viewers(), 1, "viewers")
}

func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
