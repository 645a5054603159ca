package site

import (
	"context"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// TestManySilentSockets verifies that sockets that ask for nothing make room for those that do. The time is that of the
// bubble.
func TestManySilentSockets(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := testkit.NewListener()
		s := show(t, p, "")
		start := time.Now()
		var sockets []net.Conn
		for range maxConnections + 3 {
			conn, err := p.Dial(context.Background(), "", "")
			must(t, err)
			defer conn.Close()
			sockets = append(sockets, conn)
		}
		for i := range 3 {
			if n, err := sockets[i].Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("socket %d, which came first: got %d bytes, %v, want its end", i, n, err)
			}
		}
		conn, err := enter(s, p)
		must(t, err)
		defer conn.CloseNow()
		if _, _, err := conn.Read(context.Background()); err != nil {
			t.Errorf("a newcomer hears %v", err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("a newcomer gets in after %v, want at once", took)
		}
	})
}

// TestSilentSocketsGo verifies how long a socket may be silent, or slow to ask, by the time of the bubble.
func TestSilentSocketsGo(t *testing.T) {
	for name, say := range map[string]string{"silent": "", "slow": "GET / HTTP/1.1\r\nHost: "} {
		bubble(t, func(t *testing.T) {
			p := testkit.NewListener()
			show(t, p, "")
			conn, err := p.Dial(context.Background(), "", "")
			must(t, err)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					if _, err := fmt.Fprint(conn, say); err != nil || say == "" {
						return
					}
					say = "1"
					time.Sleep(time.Second)
				}
			}()
			start := time.Now()
			io.Copy(io.Discard, conn)
			if took := time.Since(start).Round(time.Second); took > 5*time.Second {
				t.Errorf("%s: closed after %v, want 5 s", name, took)
			}
			conn.Close()
			<-done
		})
	}
}
