//go:build !js

package site

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/coder/websocket"
)

func show(t *testing.T, at *testkit.Listener, token string) *Site {
	t.Helper()
	sc, err := scene.Named("flee")
	testkit.Must(t, err)
	live, err := view.NewScenes(context.Background(), "flee", sc, view.Scenes{Options: scene.Options{Workers: 1}}, view.Options{})
	testkit.Must(t, err)
	s := siteOf(at, "127.0.0.1:0", token)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Show(ctx, live) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Show: %v", err)
		}
	})
	return s
}

// through returns a client that connects through a listener and keeps no connections.
func through(at *testkit.Listener) *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DialContext: at.Dial, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// get requests a path. An empty host means that of the site.
func get(t *testing.T, s *Site, at *testkit.Listener, path, host string, header http.Header) *http.Response {
	t.Helper()
	req, err := http.NewRequest("GET", "http://"+s.Addr().String()+path, nil)
	testkit.Must(t, err)
	if header != nil {
		req.Header = header
	}
	req.Host = cmp.Or(host, s.Addr().String())
	resp, err := through(at).Do(req)
	testkit.Must(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestHost(t *testing.T) {
	at := testkit.NewListener()
	s := show(t, at, "")
	for host, want := range map[string]int{
		"": 200, "localhost:" + s.port: 200, "[::1]:" + s.port: 200,
		"evil.example:" + s.port: 403, "127.0.0.1:2": 403, "127.0.0.1": 403, "192.168.0.1:" + s.port: 403, "127.0.0.1.evil.example:" + s.port: 403,
	} {
		testkit.Equal(t, get(t, s, at, "/", host, nil).StatusCode, want, "host %q", host)
		if want == 403 {
			testkit.Equal(t, get(t, s, at, "/live", host, nil).StatusCode, 403, "host %q, /live", host)
		}
	}
}

func TestToken(t *testing.T) {
	at := testkit.NewListener()
	s := show(t, at, NewToken())
	testkit.Equal(t, get(t, s, at, "/", "", nil).StatusCode, 403, "without token")
	testkit.Equal(t, get(t, s, at, "/live?token="+s.token, "", nil).StatusCode, 403, "token for anything but the page")
	testkit.Equal(t, get(t, s, at, "/?token=x"+s.token, "", nil).StatusCode, 403, "wrong token")
	resp := get(t, s, at, "/?token="+s.token, "", nil)
	if resp.StatusCode != 303 || len(resp.Cookies()) != 1 || !resp.Cookies()[0].HttpOnly || resp.Cookies()[0].SameSite != http.SameSiteLaxMode {
		t.Fatalf("with token: got=%d %v, want=303 and a cookie", resp.StatusCode, resp.Cookies())
	}
	cookie := http.Header{"Cookie": {resp.Cookies()[0].Name + "=" + resp.Cookies()[0].Value}}
	testkit.Equal(t, get(t, s, at, "/", "", cookie).StatusCode, 200, "with cookie")
}

// The first of too many silent sockets are closed, so that a viewer can still connect at once.
func TestManySilentSockets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := testkit.NewListener()
		s := show(t, p, "")
		start := time.Now()
		var sockets []net.Conn
		for range maxConnections + 3 {
			conn, err := p.Dial(context.Background(), "", "")
			testkit.Must(t, err)
			defer conn.Close()
			sockets = append(sockets, conn)
		}
		for i := range 3 {
			if n, err := sockets[i].Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("socket %d, one of the first three: got=%d bytes, %v, want=EOF", i, n, err)
			}
		}
		options := &websocket.DialOptions{HTTPClient: through(p)}
		conn, _, err := websocket.Dial(context.Background(), "ws://"+s.Addr().String()+"/live", options)
		testkit.Must(t, err)
		defer conn.CloseNow()
		_, _, err = conn.Read(context.Background())
		testkit.Must(t, err)
		if took := time.Since(start); took > time.Second {
			t.Errorf("a new viewer: got=%v until connected, want at most 1 s", took)
		}
	})
}

func TestSilentSocketsGo(t *testing.T) {
	for name, say := range map[string]string{"silent": "", "slow": "GET / HTTP/1.1\r\nHost: "} {
		synctest.Test(t, func(t *testing.T) {
			p := testkit.NewListener()
			show(t, p, "")
			conn, err := p.Dial(context.Background(), "", "")
			testkit.Must(t, err)
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
				t.Errorf("%s: got=%v until closed, want at most 5 s", name, took)
			}
			conn.Close()
			<-done
		})
	}
}

// The proxy is configured as in docs/view.md.
func TestTLSProxy(t *testing.T) {
	at, outside := testkit.NewListener(), testkit.NewListener()
	s := show(t, at, NewToken())
	behind := &url.URL{Scheme: "http", Host: s.Addr().String()}
	proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{Transport: through(at).Transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind) // this also sets the Host
		if r.In.Header.Get("Origin") == "https://"+r.In.Host {
			r.Out.Header.Set("Origin", behind.String())
		}
	}})
	proxy.Listener.Close()
	proxy.Listener = outside
	proxy.StartTLS()
	defer proxy.Close()
	visitor := proxy.Client()
	visitor.Transport.(*http.Transport).DialContext = outside.Dial
	visitor.Jar, _ = cookiejar.New(nil)
	live := "wss" + strings.TrimPrefix(proxy.URL, "https") + "/live"
	enter := func(origin string) error {
		conn, _, err := websocket.Dial(context.Background(), live, &websocket.DialOptions{HTTPClient: visitor, HTTPHeader: http.Header{"Origin": {origin}}})
		if err == nil {
			conn.CloseNow()
		}
		return err
	}
	testkit.Equal(t, enter(proxy.URL) == nil, false, "connection without the token")
	resp, err := visitor.Get(proxy.URL + "/?token=" + s.token)
	testkit.Must(t, err)
	resp.Body.Close()
	testkit.Equal(t, resp.StatusCode, 200, "page")
	testkit.Must(t, enter(proxy.URL)) // with the token
	testkit.Equal(t, enter("https://evil.example") == nil, false, "connection from a page of another site")
}
